"""A whole match by keyboard alone: from 'Play now' on the first page to the final screen, in every game.

Time leaps while only the bots are still at it, and stands while keys are pressed: a machine may be slow.
"""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.browser import card_hands, hands, solid_hands
from tests.browser.leaping import LeapingClock, Lived
from tests.browser.reach import recorded, told, until
from tests.browser.seen import DESK, PHONE, Seen

NAMES = {"extreme": "Extreme", "cards": "Card game", "dice": "Dice game", "cubes": "3-D"}
# Nobody needs more stops to reach anything on a page.
FAR = 80
# So many rounds are played in full; who has done it so often can do it again.
PLAYED = 2
IS_FOCUSED = "one => one === document.activeElement"
LOST = "document.activeElement === document.body"


def tab_to(page: Page, goal: Locator) -> None:
    expect(goal).to_be_enabled()
    for _ in range(FAR):
        if goal.evaluate(IS_FOCUSED):
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"Tab does not lead to {goal}")


def press(page: Page, goal: Locator) -> None:
    tab_to(page, goal)
    page.keyboard.press("Enter")


def play_now(page: Page, address: str, game: str) -> None:
    """From the first page to the first round."""
    page.goto(address)
    card = page.locator(".games > *").filter(has=page.get_by_role("heading", name=NAMES[game], exact=True))
    press(page, card.get_by_role("button", name="Play now"))
    expect(page.get_by_role("textbox")).to_be_focused()
    page.keyboard.type("Ann")
    page.keyboard.press("Enter")
    page.wait_for_url("**/t/*")


def lay_extreme(page: Page) -> None:
    for number, answer in enumerate(hands.answers(page, 0), 1):
        hands.Hands(page, 0).by_keys(answer)
        recorded(page, number)


def lay_cubes(page: Page) -> None:
    for number, answer in enumerate(solid_hands.answers(page, 0), 1):
        solid_hands.Hands(page, 0).by_keys(answer)
        recorded(page, number)


def lay_cards(page: Page) -> None:
    for number, where in enumerate(card_hands.answers(page, 0), 1):
        card_hands.CardHands(page).by_keys(where)
        recorded(page, number)


LAY: dict[str, Callable[[Page], None]] = {"extreme": lay_extreme, "cards": lay_cards, "cubes": lay_cubes}


def leap_to(page: Page, clock: LeapingClock, *phases: str) -> str:
    """Lets time go by until the table is in one of these phases, or the match is over."""
    for _ in range(3000):
        phase: str = told(page)["phase"]
        if phase in (*phases, "over"):
            return phase
        clock.leap(3000)
    raise AssertionError(f"never {phases}")


def begin_round(page: Page, clock: LeapingClock) -> str:
    """Throws if it is my throw, says that I am ready, and waits until there is something to do."""
    if leap_to(page, clock, "throw", "ready", "play") == "throw":
        with clock.standing():
            mine = told(page)["roller"] == 0
            if mine:
                press(page, page.get_by_role("button", name="Throw the die"))
        if mine:
            until(page, lambda table: table["phase"] != "throw")
    table = told(page)
    if table["phase"] == "ready" and not table["seats"][0]["ready"]:
        press(page, page.get_by_role("button", name=re.compile("^Ready for")))
        until(page, lambda table: table["phase"] != "ready")
    return leap_to(page, clock, "play")


@pytest.mark.parametrize(("game", "size"), [("extreme", PHONE), ("cards", DESK), ("cubes", DESK)])
def test_a_match_is_played_by_keys_alone(browser: Browser, lived: Lived, game: str, size: tuple[int, int]) -> None:
    address, clock = lived
    seen = Seen(browser, size)
    page = seen.page
    play_now(page, address, game)
    number = 0
    while begin_round(page, clock) != "over":
        number = told(page)["round"]
        expect(page.locator("main [data-piece]").first).to_be_visible()
        assert not page.evaluate(LOST), "the round begins, and the focus is nowhere"
        if number <= PLAYED:
            with clock.standing():
                LAY[game](page)
                call = page.get_by_role("button", name="Ubongo! now")
                if number == 1:
                    press(page, call)
                else:
                    page.keyboard.press("u")
                until(page, lambda table: table["seats"][0]["called"] is not None or table["phase"] != "play")
        leap_to(page, clock, "ready", "throw")
    ends(page, seen, number)


def test_a_match_of_dice_is_played_by_keys_alone(browser: Browser, lived: Lived) -> None:
    address, clock = lived
    seen = Seen(browser)
    page = seen.page
    play_now(page, address, "dice")
    areas, number = 0, 0
    while (phase := leap_to(page, clock, "throw", "grab", "enter")) != "over":
        table = told(page)
        fresh, areas = table["area"] != areas, table["area"]
        number += fresh
        if phase == "throw" and table["roller"] == 0:
            with clock.standing():
                button = page.get_by_role("button", name="Throw the dice")
                if number == 1:
                    press(page, button)
                else:
                    expect(button).to_be_visible()
                    page.keyboard.press("t")
            until(page, lambda table: table["phase"] != "throw")
        elif phase == "grab" and number <= PLAYED:
            with clock.standing():
                expect(page.get_by_role("group", name="The dice").get_by_role("button").first).to_be_visible()
                for first in (0, len(table["dice"]) // 2):
                    free = next(i for i, die in enumerate(told(page)["dice"]) if i >= first and die["taken"] is None)
                    page.keyboard.press(str(free + 1))
                    until(page, lambda table, die=free: table["dice"][die]["taken"] == 0)
                assert not page.evaluate(LOST), "the dice lie there, and the focus is nowhere"
            leap_to(page, clock, "enter", "throw")
        elif phase == "enter" and number <= PLAYED and not table["seats"][0]["passed"]:
            with clock.standing():
                before = len(table["seats"][0]["laid"])
                for k, entry in enumerate(hands.entries(page, 0), 1):
                    hands.Hands(page, 0, hands.on_squares).by_keys(entry)
                    recorded(page, before + k)
                page.keyboard.press("d")
                until(page, lambda table: table["seats"][0]["passed"] or table["phase"] != "enter")
            leap_to(page, clock, "throw")
        else:
            leap_to(page, clock, *{"throw", "grab", "enter"} - {phase})
    ends(page, seen, areas)


def ends(page: Page, seen: Seen, number: int) -> None:
    assert number > 1
    expect(page.get_by_text("The match is over", exact=True)).to_be_attached()
    assert not page.evaluate(LOST), "the match is over, and the focus is nowhere"
    tab_to(page, page.get_by_role("button", name="Rematch"))
    seen.close()
