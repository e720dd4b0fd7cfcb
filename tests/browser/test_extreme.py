"""Extreme in real browsers: two people play each other by mouse, finger, taps and keys, to the final standing."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.friends import two_at_a_table, with_bots
from tests.browser.hands import Answer, Hands, answers
from tests.browser.leaping import Lived
from tests.browser.opponents import play_now
from tests.browser.others import Others, known_as
from tests.browser.reach import recorded
from tests.browser.seen import DESK, PHONE, Opens, Seen
from tests.server.people import Person

# Long enough for a slow machine: a round ends when both are done.
CALM = {"hourglass_s": 900, "ready_s": 0}


def in_a_round(address: str, ann: Seen, bo: Seen, **options: Any) -> None:
    two_at_a_table(address, ann, bo, "extreme", **{**CALM, **options})
    bo.page.get_by_role("button", name="Ready for round 1").click()
    for person in (ann, bo):
        expect(person.page.locator("svg.mine")).to_be_visible()


def laid(page: Page, number: int) -> None:
    expect(page.locator("svg.mine .laid")).to_have_count(number)
    expect(page.get_by_role("button", name=f"Ubongo! {number} of 3")).to_be_visible()


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
    ann.look("called-1400-light")
    solve(bo.page, 1, Hands.by_finger)
    expect(ann.page.get_by_role("heading", name="You were first")).to_be_visible()
    expect(bo.page.get_by_role("heading", name="Ann was first, you were second")).to_be_visible()
    # X9: a sapphire and an amber have left the display, and everybody has drawn a gem.
    for person in (ann, bo):
        expect(person.page.locator("main .won .gem")).to_have_count(4)
    ann.look("result-1400-light")
    bo.look("result-375-dark")


def test_the_same_by_keyboard_alone_and_by_taps(opens: Opens, address: str) -> None:
    ann, bo = opens("Ann", DESK, "dark"), opens("Bo", PHONE, has_touch=True)
    in_a_round(address, ann, bo)
    solve(bo.page, 1, Hands.by_taps)
    expect(ann.page.get_by_text("Bo is first")).to_be_visible()
    solve(ann.page, 0, Hands.by_keys)
    expect(ann.page.get_by_role("heading", name="Bo was first, you were second")).to_be_visible()


def test_what_lies_can_be_moved_and_lifted_a_reload_brings_it_back_and_two_tabs_agree(
    browser: Browser, address: str
) -> None:
    others, ann = Others(address), Seen(browser)
    others.begin_round()
    others.show(0, ann)
    expect(ann.page.locator("svg.mine")).to_be_visible()
    page, hands = ann.page, Hands(ann.page, 0)
    first, second, *_ = answers(page, 0)
    hands.by_keys(first)
    laid(page, 1)
    # What is lifted stays turned as it lay.
    first = first._replace(twists="")
    # Lifted by a tap on it, by its slot, by dragging it out, and by Backspace.
    page.mouse.click(*hands.over(first.cells))
    laid(page, 0)
    hands.by_keys(first)
    laid(page, 1)
    hands.slot(first.piece).click()
    laid(page, 0)
    hands.by_keys(first)
    laid(page, 1)
    page.mouse.move(*hands.over(first.cells))
    page.mouse.down()
    page.mouse.move(80, 880, steps=3)
    page.mouse.up()
    laid(page, 0)
    hands.by_keys(first)
    laid(page, 1)
    hands.slot(first.piece).focus()
    page.keyboard.press("Backspace")
    laid(page, 0)
    # What has no room is shown so, and is not laid.
    hands.by_keys(first)
    laid(page, 1)
    page.keyboard.press(str(second.piece + 1))
    while page.locator(".ghost .bad").count() == 0:
        page.keyboard.press("ArrowLeft")
    page.keyboard.press("Enter")
    expect(page.get_by_text("It doesn’t fit there.")).to_be_visible()
    page.keyboard.press("Escape")
    laid(page, 1)
    # A call too early is refused, with what to do instead.
    page.get_by_role("button", name="Ubongo! 1 of 3").click()
    expect(page.get_by_text("Your area is not exactly filled.")).to_be_visible()
    ann.look("refused-1400-light")
    # A reload brings everything back.
    recorded(page, 1)
    before = page.locator("svg.mine .laid .face").get_attribute("d")
    page.reload()
    laid(page, 1)
    assert page.locator("svg.mine .laid .face").get_attribute("d") == before
    assert 0 < int(page.locator(".time b").inner_text()) <= CALM["hourglass_s"]
    # What is laid in another tab lies here, too.
    other = ann.tab()
    other.goto(page.url)
    laid(other, 1)
    Hands(other, 0).by_keys(second)
    laid(page, 2)
    other.close()
    ann.close()


@pytest.mark.parametrize(
    ("size", "scheme", "language"),
    [
        (PHONE, "light", "de"),
        (PHONE, "dark", "pl"),
        (DESK, "dark", "en"),
    ],
)
def test_every_view_on_the_way_to_a_round(
    browser: Browser, address: str, size: tuple[int, int], scheme: str, language: str
) -> None:
    name = f"{{}}-{size[0]}-{language}-{scheme}"
    seen = Seen(browser, size, scheme, language)
    page = seen.page
    with_bots(seen, address, "extreme", language, chips=7, bots=1, name=name)
    expect(page.locator("svg.mine")).to_be_visible()
    Hands(page, 0).by_keys(answers(page, 0)[0])
    expect(page.locator("svg.mine .laid")).to_have_count(1)
    page.keyboard.press("2")
    expect(page.locator("svg.mine .hand")).to_have_count(1)
    seen.look(name.format("play"))
    seen.close()


def test_play_now_is_two_clicks_and_a_name(browser: Browser, address: str) -> None:
    seen = Seen(browser)
    seen.page.goto(address)
    play_now(seen.page, "extreme")
    seen.page.get_by_role("button", name="That’s me").click()
    expect(seen.page.locator("svg.mine")).to_be_visible()
    expect(seen.page.locator(".others .who")).to_have_count(2)
    seen.close()


def test_a_match_to_the_final_standing_while_somebody_watches(browser: Browser, lived: Lived) -> None:
    """Nobody lays anything for nine rounds and nine second chances, so a play-off has to decide."""
    address, clock = lived
    others = Others(address, [Person(address, name) for name in ("Ann", "Medium robot")])
    ann, eve = Seen(browser), Seen(browser, PHONE)
    others.show(0, ann)
    known_as(Person(address, "Eve"), eve)
    page = ann.page
    eve.page.goto(page.url)
    for number in range(1, 10):
        page.get_by_role("button", name=f"Ready for round {number}").click()
        others.ready(1)
        others.run_out(clock, CALM["hourglass_s"])
    page.get_by_role("button", name="Ready for the play-off").click()
    others.ready(1)
    expect(eve.page.get_by_role("img", name="Ann: 0 of 3 laid")).to_be_visible()
    eve.look("watch-375-light")
    solve(page, 0, Hands.by_keys)
    expect(page.get_by_role("heading", name="You win")).to_be_visible()
    expect(page.get_by_role("heading", name="Points by round")).to_be_visible()
    expect(page.locator("ol li")).to_have_count(2)
    expect(page.get_by_role("img", name="Points by round").get_by_text("Medium robot 0")).to_be_visible()
    ann.look("final-1400-light")
    page.emulate_media(color_scheme="dark")
    page.set_viewport_size({"width": PHONE[0], "height": PHONE[1]})
    ann.look("final-375-dark")
    expect(eve.page.locator("ol li")).to_have_count(2)
    page.get_by_role("button", name="Rematch").click()
    expect(page.get_by_role("heading", name="Around the table")).to_be_visible()
    expect(eve.page.get_by_role("button", name="To the rematch")).to_be_visible()
    ann.close()
    eve.close()
