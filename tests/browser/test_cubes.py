"""3-D in real browsers: by mouse, finger, taps and keys, to the final standing."""

from __future__ import annotations

import re
from collections.abc import Callable
from time import time
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.friends import two_at_a_table, with_bots
from tests.browser.leaping import Lived
from tests.browser.opponents import play_now
from tests.browser.others import Others
from tests.browser.reach import Place, becomes, drawn, recorded, told
from tests.browser.seen import DESK, PHONE, Opens, Seen
from tests.browser.solid_hands import Answer, Hands, answers, seen
from ubongo.material import shipped
from ubongo.material.cubes import CubesEdition

# Long enough for a slow machine: a round ends when both are done.
CALM = {"hourglass_s": 900, "ready_s": 0}


def in_a_round(address: str, ann: Seen, bo: Seen, **options: Any) -> None:
    """Both sit down, the first throws, and both are ready."""
    two_at_a_table(address, ann, bo, "cubes", **{**CALM, **options})
    expect(bo.page.get_by_text("Ann throws: everyone plays")).to_be_visible()
    expect(bo.page.get_by_role("button", name="Throw the die")).to_have_count(0)
    # Who starts the game is ready by it; the throw is theirs to make.
    ann.page.get_by_role("button", name="Throw the die").click()
    bo.page.get_by_role("button", name="Ready for round 1").click()
    for person in (ann, bo):
        expect(person.page.locator("svg.mine")).to_be_visible()


def laid(page: Page, number: int, of: int = 3) -> None:
    expect(page.locator(".slot .pale")).to_have_count(number)
    expect(page.get_by_role("button", name=f"Ubongo! {number} of {of}")).to_be_visible()


def solve(page: Page, seat: int, lay: Callable[[Hands, Answer], None]) -> None:
    hands = Hands(page, seat)
    for number, answer in enumerate(answers(page, seat), 1):
        lay(hands, answer)
        if number < 3:
            laid(page, number)


def test_two_play_a_round_by_mouse_and_by_finger(opens: Opens, address: str) -> None:
    ann, bo = opens("Ann"), opens("Bo", PHONE, "dark", has_touch=True)
    in_a_round(address, ann, bo)
    solve(ann.page, 0, Hands.by_mouse)
    expect(bo.page.get_by_text("Ann is first")).to_be_visible()
    ann.look("cubes-called-1400-light")
    solve(bo.page, 1, Hands.by_finger)
    expect(ann.page.get_by_role("heading", name="You were first")).to_be_visible()
    expect(bo.page.get_by_role("heading", name="Ann was first, you were second")).to_be_visible()
    # Q12: a sapphire and an amber have left the display, and everybody has drawn a gem.
    for person in (ann, bo):
        expect(person.page.locator("main .won .gem")).to_have_count(4)
    # Q8: the next throw is the next seat's.
    expect(bo.page.get_by_role("button", name="Throw the die")).to_be_visible()
    ann.look("cubes-result-1400-light")
    bo.look("cubes-result-375-dark")


def test_the_same_by_keyboard_alone_and_by_taps_on_the_plans(opens: Opens, address: str) -> None:
    ann, bo = opens("Ann", DESK, "dark"), opens("Bo", PHONE, has_touch=True)
    in_a_round(address, ann, bo)
    solve(bo.page, 1, Hands.by_taps)
    expect(ann.page.get_by_text("Bo is first")).to_be_visible()
    solve(ann.page, 0, Hands.by_keys)
    expect(ann.page.get_by_role("heading", name="Bo was first, you were second")).to_be_visible()


def test_what_lies_can_be_moved_and_lifted_on_board_and_plan_and_is_there_after_a_reload(
    browser: Browser, address: str
) -> None:
    others, ann = Others(address, game="cubes"), Seen(browser)
    others.throw()
    others.begin_round()
    others.show(0, ann)
    expect(ann.page.locator("svg.mine")).to_be_visible()
    page, hands = ann.page, Hands(ann.page, 0)
    first, second, *_ = answers(page, 0)
    hands.by_plan(first)
    laid(page, 1)
    # What is lifted stays turned as it lay.
    again = first._replace(twists="")
    # Lifted by a tap on the plan, by its slot, by dragging it out, and by Backspace.
    hands.cell(first.cells[0]).click()
    laid(page, 0)
    hands.by_keys(again)
    laid(page, 1)
    hands.slot(first.piece).click()
    laid(page, 0)
    hands.by_keys(again)
    laid(page, 1)
    page.mouse.move(*hands.on_screen(*on_top(first)))
    page.mouse.down()
    page.mouse.move(80, 880, steps=3)
    page.mouse.up()
    laid(page, 0)
    hands.by_keys(again)
    laid(page, 1)
    hands.slot(first.piece).focus()
    page.keyboard.press("Backspace")
    laid(page, 0)
    # By a tap on it where it lies.
    hands.by_keys(again)
    laid(page, 1)
    page.mouse.click(*hands.on_screen(*on_top(first)))
    laid(page, 0)
    # What has no room is shown so, and is not laid.
    hands.by_keys(again)
    laid(page, 1)
    page.keyboard.press(str(second.piece + 1))
    keys = iter(["PageDown", *["ArrowLeft", "ArrowDown"] * 9])
    while page.locator("svg.mine .cross").count() == 0:
        page.keyboard.press(next(keys))
    page.keyboard.press("Enter")
    expect(page.get_by_text("It doesn’t fit there.")).to_be_visible()
    ann.look("cubes-no-room-1400-light")
    page.keyboard.press("Escape")
    laid(page, 1)
    page.get_by_role("button", name="Ubongo! 1 of 3").click()
    expect(page.get_by_text("Your area is not exactly filled.")).to_be_visible()
    # A reload brings everything back.
    recorded(page, 1)
    page.reload()
    laid(page, 1)
    for cell in first.cells:
        expect(hands.cell(cell)).to_have_attribute("aria-label", re.compile(r"(yellow|blue|red|green) \w+"))
    # T14, Q25: the number thrown, the board, its animal and its task are in sight.
    task = told(page)["seats"][0]["task"]
    edition = shipped("cubes")
    assert isinstance(edition, CubesEdition)
    animal = edition.boards[int(task["board"][1:]) - 1].animal
    first_number, *_ = task["number"].split("|")
    expect(page.get_by_text(f"Board {task['board']}, task for {first_number}")).to_be_visible()
    expect(page.get_by_text(animal.capitalize(), exact=True)).to_be_visible()
    expect(page.get_by_role("img", name=re.compile(r"The die shows \d+"))).to_be_visible()
    ann.close()


def on_top(answer: Answer) -> tuple[float, float]:
    """A point that is seen of it, whatever else is: the middle of a highest side of it."""
    x, y, z = max(answer.cells, key=lambda cell: (cell[2], cell[0] - cell[1]))
    return seen(x + 0.5, y + 0.5, z + 1)


def test_play_now_is_two_clicks_for_who_has_a_name(opens: Opens) -> None:
    """Against bots it is thrown at once."""
    page = opens("Ann").page
    play_now(page, "cubes")
    expect(page.locator("svg.mine .region")).to_be_visible()


def test_one_looks_around_and_back(browser: Browser, address: str) -> None:
    """By dragging the ground and by keys; a block still lies where one points at. Nothing is drawn for nothing."""
    others, ann = Others(address, game="cubes", die="off"), Seen(browser)
    others.begin_round()
    page = ann.page
    others.show(0, ann)
    expect(page.locator("svg.mine .region")).to_be_visible()
    page.evaluate(COUNT_CHANGES)
    before = corners(page)
    ground = Hands(page, 0).on_screen(*seen(0.2, -0.8, 0))
    page.mouse.move(*ground)
    page.mouse.down()
    page.mouse.move(ground[0] + 90, ground[1] - 20, steps=4)
    page.mouse.up()
    becomes(page, f"{CORNERS} !== {before!r}")
    ann.look("cubes-around-1400-light")
    tap_twice(page, ground)
    becomes(page, f"{CORNERS} === {before!r}")
    page.keyboard.press("Shift+ArrowLeft")
    becomes(page, f"{CORNERS} !== {before!r}")
    page.keyboard.press("Home")
    becomes(page, f"{CORNERS} === {before!r}")
    # It has come to rest: what is drawn while the time goes on and others lay would be drawn for nothing.
    drawn(page)
    before_that = page.evaluate("window.drawn")
    assert before_that > 0
    left = page.locator(".time b").inner_text()
    others.lay(1, 1)
    expect(page.get_by_role("img", name="Bo: 1 of 3 laid")).to_be_visible()
    expect(page.locator(".time b")).not_to_have_text(left)
    drawn(page)
    assert page.evaluate("window.drawn") == before_that
    ann.close()


def tap_twice(page: Page, at: Place) -> None:
    """Two taps are a double one only if they are quick: it is said when they were, however busy the machine is."""
    line = page.context.new_cdp_session(page)
    for number, when in enumerate((time() - 0.2, time() - 0.1), 1):
        tap = {"x": at[0], "y": at[1], "button": "left", "clickCount": number, "timestamp": when}
        for kind in ("mousePressed", "mouseReleased"):
            line.send("Input.dispatchMouseEvent", {"type": kind, **tap})


# Every change of the drawing is counted.
COUNT_CHANGES = """() => {
  window.drawn = 0;
  new MutationObserver((all) => window.drawn += all.length).observe(document.querySelector("svg.mine"), {
    subtree: true, childList: true, attributes: true,
  });
}"""
CORNERS = "document.querySelector('svg.mine').getAttribute('viewBox')"


def corners(page: Page) -> str:
    found: str = page.evaluate(CORNERS)
    return found


@pytest.mark.parametrize(
    ("size", "scheme", "language"),
    [
        (PHONE, "light", "de"),
        (PHONE, "dark", "pl"),
        (DESK, "dark", "en"),
        (DESK, "light", "pl"),
    ],
)
def test_every_view_on_the_way_to_a_round(
    browser: Browser, address: str, size: tuple[int, int], scheme: str, language: str
) -> None:
    name = f"cubes-{{}}-{size[0]}-{language}-{scheme}"
    person = Seen(browser, size, scheme, language)
    page = person.page
    with_bots(person, address, "cubes", language, chips=10, bots=1, name=name)
    expect(page.locator("svg.mine")).to_be_visible()
    first, second, *_ = answers(page, 0)
    Hands(page, 0).by_keys(first)
    laid_of = page.locator(".slot .pale")
    expect(laid_of).to_have_count(1)
    page.keyboard.press(str(second.piece + 1))
    expect(page.locator("svg.mine .hand")).to_have_count(1)
    person.look(name.format("play"))
    person.close()


def test_a_match_to_the_final_standing_with_gems_by_place(browser: Browser, lived: Lived) -> None:
    """Q18, Q20, Q21: nobody lays anything, so a play-off decides; and in it one throws, even without the die."""
    address, clock = lived
    others, ann = Others(address, game="cubes", scoring="ladder", die="off"), Seen(browser)
    others.show(0, ann)
    page = ann.page
    for number in range(1, 10):
        ready = page.get_by_role("button", name=f"Ready for round {number}")
        if number == 3:
            expect(ready).to_be_visible()
            ann.look("cubes-ladder-1400-light")
        ready.click()
        others.ready(1)
        others.run_out(clock, CALM["hourglass_s"])
    page.get_by_role("button", name="Throw the die").click()
    page.get_by_role("button", name="Ready for the play-off").click()
    others.ready(1)
    expect(page.get_by_text("Play-off", exact=True)).to_be_visible()
    solve(page, 0, Hands.by_keys)
    expect(page.get_by_role("heading", name="You win")).to_be_visible()
    expect(page.get_by_role("heading", name="Points by round")).to_be_visible()
    ann.look("cubes-final-1400-light")
    ann.close()
