"""My own board has room on every screen: in each game, each phase and each role."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.others import Others, known_as
from tests.browser.seen import CUT, OVER, Seen
from tests.server.people import Person, hang_up_all, table_for

SIZES = (
    (320, 568),
    (375, 553),
    (360, 640),
    (390, 664),
    (412, 732),
    (844, 390),
    (720, 800),
    (820, 1180),
    (1400, 900),
    (2560, 1440),
)
# What a finger finds, in pixels. Nine cards beside the call are a little narrower on the narrowest phone.
TOUCH, NARROWEST = 44, 38
# The tile that I lay on. While dice are taken it is the mat, and while shapes are entered the area.
MINE = ".board, .felt, .mat:not(:has(.enter)), .play:has(.enter) .bed"
# Whatever is pressed, in pixels; a plan in a corner is pressed as a whole.
BUTTONS = """() => [...document.querySelectorAll(".play button, .play a")]
  .filter((one) => one.checkVisibility() && !one.disabled)
  .map((one) => [one.ariaLabel ?? one.textContent.trim(), one.getBoundingClientRect()])
  .map(([name, box]) => [name, Math.round(Math.min(box.width, box.height))])"""

FRAMES = """async () => {
  for (let i = 0; i < 5; i++) await new Promise(requestAnimationFrame);
}"""

Phases = Iterator[str]


def extreme(address: str, seen: Seen) -> Phases:
    others = Others(address, 4)
    others.begin_round()
    others.lay(0, 1)
    others.lay(2, 2)
    others.show(0, seen)
    expect(seen.page.locator(".others .who")).to_have_count(3)
    seen.page.keyboard.press("2")
    yield "play"
    others.devices[1].solve()
    expect(seen.page.locator(".seat.won")).to_have_count(1)
    yield "first"
    others.devices[0].solve()
    expect(seen.page.locator(".call.called")).to_be_visible()
    yield "called"


def cards(address: str, seen: Seen) -> Phases:
    others = Others(address, 4, "cards")
    others.begin_round()
    others.show(0, seen)
    expect(seen.page.locator(".hand-cards button")).to_have_count(9)
    yield "nine"
    others.lay(0, 5)
    others.lay(1, 3)
    expect(seen.page.locator(".hand-cards button")).to_have_count(4)
    seen.page.locator(".hand-cards button").first.click()
    yield "four"


def dice(address: str, seen: Seen) -> Phases:
    others = Others(address, 4, "dice")
    others.show(0, seen)
    expect(seen.page.locator(".pictures li")).to_have_count(3)
    yield "throw"
    others.throw()
    others.devices[1].ask(type="grab", die=0)
    expect(seen.page.locator(".spot.gone")).to_have_count(1)
    yield "grab"
    others.devices[1].ask(type="grab", die=4)
    for seat in (0, 2, 3):
        for row in (0, 1):
            others.devices[seat].ask(type="grab", die=4 * row + (1, 0, 2, 3)[seat])
    expect(seen.page.locator(".enter [data-piece]")).to_have_count(2)
    seen.page.locator(".enter [data-piece]").first.click()
    yield "enter"
    others.enter(0)
    others.devices[0].ask(type="pass")
    expect(seen.page.locator(".enter .note")).to_be_visible()
    yield "done"
    for seat in (1, 2, 3):
        others.devices[seat].ask(type="pass")
    others.throw()
    others.grab()
    expect(seen.page.locator(".enter [data-piece]")).to_have_count(2)
    yield "again"


def cubes(address: str, seen: Seen) -> Phases:
    others = Others(address, 4, "cubes")
    others.throw()
    others.begin_round()
    others.lay(0, 1)
    others.lay(1, 1)
    others.show(0, seen)
    expect(seen.page.locator(".slot .pale")).to_have_count(1)
    seen.page.locator("[data-piece]:not(:has(.pale))").first.click()
    yield "play"
    others.devices[1].solve()
    expect(seen.page.locator(".seat.won")).to_have_count(1)
    yield "first"


def two(address: str, seen: Seen) -> Phases:
    others = Others(address)
    others.begin_round()
    others.show(1, seen)
    expect(seen.page.locator(".others .who")).to_have_count(1)
    yield "play"


def alone(address: str, seen: Seen) -> Phases:
    ann = Person(address, "Ann")
    known_as(ann, seen)
    for game in ("extreme", "cards", "dice", "cubes"):
        key = table_for(ann, game="solo", options={"of": game, "mode": "practice"})
        device = ann.sit_at(key)
        if device.table["phase"] == "ready":
            device.ask(type="ready")
        seen.page.goto(f"{address}t/{key}")
        expect(seen.page.locator(".play")).to_be_visible()
        yield game
        if game == "dice":
            device.ask(type="throw")
            for die in (0, 4):
                device.ask(type="grab", die=die)
            expect(seen.page.locator(".enter [data-piece]")).to_have_count(2)
            yield "dice-enter"


SCENES: dict[str, Callable[[str, Seen], Phases]] = {
    "extreme": extreme,
    "cards": cards,
    "dice": dice,
    "cubes": cubes,
    "two": two,
    "alone": alone,
}


def measure(seen: Seen, size: tuple[int, int]) -> dict[str, Any]:
    page = seen.page
    page.set_viewport_size({"width": size[0], "height": size[1]})
    # A hand of cards is sized by what the page measures once it is laid out: that is drawn some frames later.
    page.evaluate(FRAMES)
    mine = page.locator(MINE).locator("visible=true")
    box = mine.first.bounding_box()
    assert mine.count() == 1
    assert box is not None
    return {
        "share": box["height"] / size[1],
        "height": box["height"],
        "small": [one for one in page.evaluate(BUTTONS) if one[1] < (NARROWEST if size[0] < 360 else TOUCH)],
        "cut": page.evaluate(CUT),
        "over": page.evaluate(OVER),
        "scrolls": page.evaluate(
            "document.documentElement.scrollWidth > innerWidth || document.documentElement.scrollHeight > innerHeight"
        ),
    }


@pytest.mark.parametrize("scene", SCENES)
def test_my_board_has_room_on_every_screen(browser: Browser, address: str, scene: str) -> None:
    seen = Seen(browser, SIZES[1], "dark")
    for phase in SCENES[scene](address, seen):
        for size in SIZES:
            found = measure(seen, size)
            where = (scene, phase, size, found)
            upright = size[1] > size[0]
            # On its side a phone gives the board nearly all its height.
            assert found["share"] >= (0.45 if upright or size[1] > 560 else 0.9), where
            assert found["height"] >= 200, where
            assert not found["scrolls"], where
            assert not found["cut"], where
            assert not found["over"], where
            assert not found["small"], where
    hang_up_all()
    seen.close()
