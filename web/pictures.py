"""Takes the README's pictures: three people during a round of Extreme, 3-D and the card game, and, on a phone, the
screens before and after a match.

.venv/bin/python -m web.pictures
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, expect, sync_playwright

from hatch_build import ROOT, node_from_wheel
from tests.browser import chromium, hands, solid_hands
from tests.browser.others import Others, known_as
from tests.browser.reach import middle
from tests.browser.seen import DESK, Seen
from tests.conftest import start
from tests.server.people import Person

TARGET = ROOT / "docs" / "pictures"
PHONE = (390, 664)
# How many pieces Ann, Bo and Cy have laid.
LAID = {"extreme": (1, 2, 1), "cubes": (1, 2, 1), "cards": (4, 5, 3)}
OPTIONS: dict[str, dict[str, Any]] = {
    "extreme": {"hourglass_s": 60},
    "cubes": {"hourglass_s": 90, "die": "off"},
    "cards": {},
}


def hold_extreme(page: Page) -> None:
    """The second piece, held slightly off its place."""
    answer = hands.answers(page, 0)[1]
    hand = hands.Hands(page, 0)
    page.keyboard.press(str(answer.piece + 1))
    for key in answer.twists:
        page.keyboard.press(key)
    page.keyboard.press("Escape")
    page.mouse.move(*middle(hand.slot(answer.piece)))
    page.mouse.down()
    hand.drag_to(answer)
    x, y = hand.on_screen(*hand.middle_of(answer.cells))
    page.mouse.move(x - 8, y - 14)


def hold_cubes(page: Page) -> None:
    """The second block, moved by keys until one of its cubes has no room."""
    second = solid_hands.answers(page, 0)[1]
    page.keyboard.press(str(second.piece + 1))
    keys = iter(["PageDown", *["ArrowLeft", "ArrowDown", "ArrowRight"] * 9])
    while page.locator("svg.mine .cross").count() == 0:
        page.keyboard.press(next(keys))


def hold_cards(page: Page) -> None:
    page.locator(".hand-cards button").nth(1).click()


HELD: dict[str, Callable[[Page], None]] = {"extreme": hold_extreme, "cubes": hold_cubes, "cards": hold_cards}


def take(browser: Browser, address: str, game: str, scheme: str) -> None:
    others, ann = Others(address, 3, game, **OPTIONS[game]), Seen(browser, DESK, scheme)
    others.begin_round()
    for seat, number in enumerate(LAID[game]):
        others.lay(seat, number)
    others.show(0, ann)
    expect(ann.page.locator("svg.mine, .open").first).to_be_visible()
    HELD[game](ann.page)
    keep(ann, game)


def keep(seen: Seen, name: str) -> None:
    seen.page.wait_for_load_state("networkidle")
    seen.page.screenshot(path=TARGET / f"{name}.jpg", type="jpeg", quality=88)
    seen.context.close()


def take_home(browser: Browser, address: str) -> None:
    seen = Seen(browser, PHONE)
    seen.page.goto(address)
    keep(seen, "home")


def take_lobby(browser: Browser, address: str) -> None:
    ida, mia = Person(address, "Ida"), Person(address, "Mia")
    table = ida.post("/tables", {"game": "extreme", "seats": 4, "bots": ["medium"]})["table"]
    mia.post(f"/tables/{table}/join")
    mia.sit_at(table)
    seen = Seen(browser, PHONE, "dark")
    known_as(ida, seen)
    seen.page.goto(f"{address}t/{table}")
    expect(seen.page.get_by_text("ready")).to_have_count(2)
    keep(seen, "lobby")


def take_final(browser: Browser, address: str) -> None:
    others = Others(address, [Person(address, name) for name in ("Ida", "Mia", "Jonas")])
    # Each of them is first sometimes, Ida so often that she wins whatever comes out of the bag.
    for first in (0, 1, 0, 0, 2, 0, 0, 1, 0):
        others.begin_round()
        for seat in (first, (first + 1) % 3, (first + 2) % 3):
            others.devices[seat].solve()
    others.devices[0].see(lambda table: table["phase"] == "over")
    seen = Seen(browser, PHONE)
    others.show(0, seen)
    expect(seen.page.get_by_role("button", name="Rematch")).to_be_visible()
    keep(seen, "final")


def main() -> None:
    os.environ["PLAYWRIGHT_NODEJS_PATH"] = str(node_from_wheel()[0])
    with start() as server, sync_playwright() as playwright:
        found = chromium.find(Path(playwright.chromium.executable_path))
        browser = playwright.chromium.launch(
            executable_path=found.program, args=chromium.FLAGS, env={**found.environment}
        )
        for game, scheme in (("extreme", "dark"), ("cubes", "light"), ("cards", "light")):
            take(browser, server.address, game, scheme)
        for view in (take_home, take_lobby, take_final):
            view(browser, server.address)
        browser.close()


if __name__ == "__main__":
    main()
