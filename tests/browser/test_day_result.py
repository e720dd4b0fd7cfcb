"""The result of the day's puzzle: the place, the streak, everybody's times, and what is shared of it."""

from __future__ import annotations

import re
import struct
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Route, expect

from tests.browser.alone import begins
from tests.browser.reach import becomes
from tests.browser.seen import DESK, PHONE, Opens, Seen
from tests.server.people import hang_up_all

COPIES = "navigator.share = undefined; navigator.clipboard.writeText = async (text) => { window.copied = text; }"

SHARES = """() => {
  navigator.canShare = () => true;
  navigator.share = async (what) => { window.shared = what; document.body.dataset.shared = what.text; };
}"""

# Which tones were struck, and how many hexagons have dropped.
NOTICES = """
window.struck = [];
window.OscillatorNode = class extends OscillatorNode {
  constructor(on, how) { super(on, how); window.struck.push(how.frequency); }
};
window.dropped = 0;
document.addEventListener("animationstart", ({ target }) => { window.dropped += target.matches(".times path"); });
"""
BELL = 880


@pytest.fixture(autouse=True)
def quiet() -> Iterator[None]:
    yield
    hang_up_all()


def solves(seen: Seen, game: str) -> None:
    seen.page.get_by_role("button", name=f"Play: {game}").click()
    begins(seen).solve()
    expect(seen.page.get_by_role("heading", name="Everybody’s times")).to_be_visible()


def a_busy_day(route: Route) -> None:
    """So many do not come to a test."""
    found = route.fetch().json()
    found |= {"place": 3, "people": 41, "slower": 38, "median": 48_000}
    found["run"]["took"] = 34_200
    found["calendar"] |= {"streak": 12, "longest": 23}
    found["histogram"] = {
        "start": 20_000, "width": 5000, "counts": [1, 1, 2, 4, 5, 6, 6, 5, 4, 3, 2, 2], "mine": 2,
    }  # fmt: skip
    route.fulfill(json=found)


def a_long_try(route: Route) -> None:
    found = route.fetch().json()
    found["run"]["took"] = 34_200
    steps = ["thought", "stayed", "thought", "back", "thought", "stayed", "stayed"]
    found["timeline"] = {"step_s": 5, "steps": steps, "taken_back": 1}
    route.fulfill(json=found)


@pytest.mark.parametrize(("size", "scheme"), [(PHONE, "dark"), (DESK, "light")], ids=["phone", "desk"])
def test_a_busy_day_is_told_and_shared(opens: Opens, size: tuple[int, int], scheme: str, tmp_path: Path) -> None:
    ida = opens("Ida", size, scheme)
    page = ida.page
    page.route("**/api/day/*/result*", a_busy_day)
    page.route("**/api/tables/*/result", a_long_try)
    page.evaluate(COPIES)
    solves(ida, "Extreme")
    expect(page.get_by_role("heading", name="Solved in 0:34")).to_be_visible()
    expect(page.get_by_role("img", name="Today’s board, solved")).to_be_visible()
    result = page.get_by_role("region", name="Result")
    expect(result).to_contain_text("3rd")
    expect(result).to_contain_text("of 41 so far")
    expect(result).to_contain_text("12 days in a row")
    expect(result).to_contain_text("your longest: 23")
    expect(result.get_by_role("listitem")).to_have_count(7)
    expect(page.get_by_text("Quicker than 38 of 41. Half needed longer than 0:48.")).to_be_visible()
    expect(page.get_by_role("img", name="Solved in 34 seconds, third of 41. One piece taken back.")).to_be_visible()
    page.get_by_role("button", name="Share").click()
    expect(page.get_by_role("button", name="Copied")).to_be_visible()
    title, squares, words, streak, link = page.evaluate("window.copied").splitlines()
    assert title.startswith("Ubongo · Puzzle of the day, Extreme · ")
    assert squares == "⬜🟩⬜🟧⬜🟩🟩"
    assert words == "Solved in 34 seconds, third of 41. One piece taken back."
    assert streak == "12 days in a row"
    assert link.endswith("/#day")
    with page.expect_download() as download:
        page.get_by_role("button", name="Picture").click()
    picture = tmp_path / "picture.png"
    download.value.save_as(picture)
    assert download.value.suggested_filename.endswith(".png")
    assert struct.unpack(">II", picture.read_bytes()[16:24]) == (1200, 630)
    ida.look(f"day-result-{size[0]}")
    ida.fits_in_every_language(f"day-result-{size[0]}")
    page.get_by_role("button", name="Play: Card game").click()
    begins(ida)


def test_where_the_system_can_share_it_is_given_the_text(opens: Opens) -> None:
    bo = opens("Bo", PHONE)
    bo.page.evaluate(SHARES)
    bo.page.evaluate(NOTICES)
    solves(bo, "3-D")
    becomes(bo.page, f"window.struck.includes({BELL})")
    assert bo.page.evaluate("window.dropped") == 0, "nothing moves for who wants that"
    bo.page.get_by_role("button", name="Share").click()
    expect(bo.page.locator("body")).to_have_attribute("data-shared", re.compile("Solved in"))
    assert bo.page.evaluate("window.shared.files.map(({ type }) => type)") == ["image/png"]
    expect(bo.page.get_by_role("button", name="Text")).to_be_visible()


def test_the_first_of_a_day_is_first_and_nothing_is_said_of_others(opens: Opens) -> None:
    """Whoever has solved it before, in another test, is left out."""
    ed = opens("Ed", PHONE)

    def alone(route: Route) -> None:
        found = route.fetch().json()
        found |= {"place": 1, "people": 1, "slower": 0}
        found["histogram"] = {"start": 0, "width": 1000, "counts": [1], "mine": 0}
        route.fulfill(json=found)

    ed.page.route("**/api/day/*/result*", alone)
    ed.page.emulate_media(reduced_motion="no-preference")
    ed.page.evaluate(NOTICES)
    ed.page.get_by_role("button", name="Settings").click()
    ed.page.get_by_role("radiogroup", name="Sound").get_by_role("radio", name="Off").check()
    ed.page.keyboard.press("Escape")
    solves(ed, "Card game")
    becomes(ed.page, "window.dropped === 1")
    assert ed.page.evaluate("window.struck") == []
    expect(ed.page.get_by_role("region", name="Result")).to_contain_text("first today")
    expect(ed.page.get_by_text("Nobody else has solved it yet today.")).to_be_visible()
    expect(ed.page.get_by_text(re.compile("Three more today"))).to_be_visible()
    ed.look("day-result-first")
    # Once more is practice, and no result of the day.
    ed.page.get_by_role("button", name="Once more, as practice").click()
    begins(ed).solve()
    expect(ed.page.get_by_text("This run doesn’t count.")).to_be_visible()
