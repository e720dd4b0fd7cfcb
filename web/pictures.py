"""Takes the README's pictures: three people in the middle of a round of Extreme, 3-D and the card game.

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
from tests.browser.others import Others
from tests.browser.reach import middle
from tests.browser.seen import DESK, Seen
from tests.conftest import start

TARGET = ROOT / "docs" / "pictures"
# So many pieces Ann, Bo and Cy have laid.
LAID = {"extreme": (1, 2, 1), "cubes": (1, 2, 1), "cards": (4, 5, 3)}
OPTIONS: dict[str, dict[str, Any]] = {
    "extreme": {"hourglass_s": 60},
    "cubes": {"hourglass_s": 90, "die": "off"},
    "cards": {},
}


def hold_extreme(page: Page) -> None:
    """The second piece, carried a little off its place."""
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
    """The second block, by keys, until one of its cubes has no room."""
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
    ann.page.screenshot(path=TARGET / f"{game}.jpg", type="jpeg", quality=88)
    ann.context.close()


def main() -> None:
    os.environ["PLAYWRIGHT_NODEJS_PATH"] = str(node_from_wheel()[0])
    with start() as server, sync_playwright() as playwright:
        found = chromium.find(Path(playwright.chromium.executable_path))
        browser = playwright.chromium.launch(
            executable_path=found.program, args=chromium.FLAGS, env={**found.environment}
        )
        for game, scheme in (("extreme", "dark"), ("cubes", "light"), ("cards", "light")):
            take(browser, server.address, game, scheme)
        browser.close()


if __name__ == "__main__":
    main()
