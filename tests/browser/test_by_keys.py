"""A whole match by keyboard alone: from 'Play now' on the first page to the final screen, in every game.

Time leaps while only the bots are still at it, and stands while keys are pressed: a machine may be slow.
"""

from __future__ import annotations

import re
from functools import partial
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.browser import card_hands, hands, solid_hands
from tests.browser.alone import NAMES, device_of
from tests.browser.leaping import LeapingClock, Lived
from tests.browser.seen import DESK, PHONE, Seen
from tests.server.people import Device

# Nobody needs more stops to reach anything on a page.
FAR = 80
# So many rounds are played in full; who has done it so often can do it again.
PLAYED = 2
IS_FOCUSED = "one => one === document.activeElement"
# Who hears nothing for so long, in seconds, lets so much time go by, in milliseconds.
SOON, LEAP = 0.1, 4000
# Who only looks on lets a whole phase go by.
AT_ONCE, LONG_LEAP = 0.02, 60_000
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


def play_now(seen: Seen, address: str, game: str) -> Device:
    """From the first page to the first round; and another device, which sees how it goes."""
    page = seen.page
    page.goto(address)
    card = page.locator(".games > *").filter(has=page.get_by_role("heading", name=NAMES[game], exact=True))
    press(page, card.get_by_role("link", name="Play now"))
    press(page, page.get_by_role("button", name="Play "))
    expect(page.get_by_role("textbox")).to_be_focused()
    page.keyboard.type("Ann")
    page.keyboard.press("Enter")
    page.wait_for_url("**/t/*")
    return device_of(seen)


def solve(page: Page, device: Device, game: str) -> None:
    if game == "extreme":
        moves = [partial(hands.Hands(page, 0).by_keys, answer) for answer in hands.answers(page, 0)]
    elif game == "cubes":
        moves = [partial(solid_hands.Hands(page, 0).by_keys, answer) for answer in solid_hands.answers(page, 0)]
    else:
        moves = [partial(card_hands.CardHands(page).by_keys, answer) for answer in card_hands.answers(page, 0)]
    for number, move in enumerate(moves, 1):
        move()
        laid(device, number)


def leap_to(device: Device, clock: LeapingClock, *phases: str, soon: float = SOON, leap: int = LEAP) -> str:
    """Lets time go by until the table is in one of these phases, or the match is over."""
    while (phase := str(device.table["phase"])) not in (*phases, "over"):
        try:
            device.hear(soon)
        except TimeoutError:
            clock.leap(leap)
    return phase


def laid(device: Device, number: int) -> None:
    device.see(lambda table: len(table["seats"][0]["laid"]) == number)


def begin_round(page: Page, device: Device, clock: LeapingClock) -> str:
    """Throws if it is my throw, says that I am ready, and waits until there is something to do."""
    with clock.standing():
        if device.table["phase"] == "throw" and device.table["roller"] == 0:
            press(page, page.get_by_role("button", name="Throw the die"))
            device.see(lambda table: table["phase"] != "throw")
    leap_to(device, clock, "ready", "count", "play")
    with clock.standing():
        if device.table["phase"] == "ready" and not device.table["seats"][0]["ready"]:
            press(page, page.get_by_role("button", name=re.compile("^Ready for")))
            device.see(lambda table: table["seats"][0]["ready"] or table["phase"] != "ready")
    return leap_to(device, clock, "play")


@pytest.mark.parametrize(("game", "size"), [("extreme", PHONE), ("cards", DESK), ("cubes", DESK)])
def test_a_match_is_played_by_keys_alone(browser: Browser, lived: Lived, game: str, size: tuple[int, int]) -> None:
    address, clock = lived
    seen = Seen(browser, size)
    page = seen.page
    device = play_now(seen, address, game)
    # The first round is thrown for and begun by 'Play now' itself.
    assert leap_to(device, clock, "play") == "play"
    for number in range(PLAYED):
        with clock.standing():
            expect(page.locator("main [data-piece]").first).to_be_visible()
            assert not page.evaluate(LOST), "the round begins, and the focus is nowhere"
            solve(page, device, game)
            # A full board calls by itself. Cards do not: they may lie wrongly.
            if game == "cards" and number == 0:
                press(page, page.get_by_role("button", name="Ubongo! now"))
            elif game == "cards":
                page.keyboard.press("u")
            device.see(lambda table: table["seats"][0]["called"] is not None or table["phase"] != "play")
        leap_to(device, clock, "ready", "throw")
        assert begin_round(page, device, clock) == "play"
    # From here on I only look on: every phase has its time, and it may go by at once.
    leap_to(device, clock, "over", soon=AT_ONCE, leap=LONG_LEAP)
    ends(seen, device)


def test_a_match_of_dice_is_played_by_keys_alone(browser: Browser, lived: Lived) -> None:
    address, clock = lived
    seen = Seen(browser)
    page = seen.page
    device = play_now(seen, address, "dice")
    turns = 0
    while turns < PLAYED and (phase := leap_to(device, clock, "throw", "grab", "enter")) != "over":
        me = device.table["seats"][0]
        playing = len(me["points"]) < device.table["area"]
        with clock.standing():
            if phase == "throw" and device.table["roller"] == 0:
                button = page.get_by_role("button", name="Throw the dice")
                if turns == 0:
                    press(page, button)
                else:
                    expect(button).to_be_visible()
                    page.keyboard.press("t")
                turns += 1
                device.see(lambda table: table["phase"] != "throw")
                continue
            if phase == "grab" and playing:
                grab(page, device)
            elif phase == "enter" and playing:
                enter(page, device, len(me["laid"]))
        leap_to(device, clock, *{"throw", "grab", "enter"} - {phase})
    # From here on I only look on: every phase has its time, and it may go by at once.
    leap_to(device, clock, "over", soon=AT_ONCE, leap=LONG_LEAP)
    ends(seen, device)
    assert turns == PLAYED


def is_taken(die: int, table: dict[str, Any]) -> bool:
    return table["dice"][die]["taken"] is not None


def grab(page: Page, device: Device) -> None:
    """A black one and a white one, if none is taken yet. What a bot took just before the clock stood may come late."""
    expect(page.get_by_role("group", name="The dice").get_by_role("button").first).to_be_visible()
    for colour in ("black", "white"):
        while not any(die["taken"] == 0 for die in device.table["dice"] if die["colour"] == colour):
            dice = enumerate(device.table["dice"])
            free = next(i for i, die in dice if die["colour"] == colour and die["taken"] is None)
            page.keyboard.press(str(free + 1))
            device.see(partial(is_taken, free))
    assert not page.evaluate(LOST), "the dice lie there, and the focus is nowhere"


def enter(page: Page, device: Device, before: int) -> None:
    """Both shapes where they fit, and Done."""
    expect(page.get_by_role("button", name="Done")).to_be_visible()
    for count, entry in enumerate(hands.entries(page, 0), 1):
        hands.Hands(page, 0, hands.on_squares).by_keys(entry)
        laid(device, before + count)
    page.keyboard.press("d")
    device.see(lambda table: table["seats"][0]["passed"] or table["phase"] != "enter")


def ends(seen: Seen, device: Device) -> None:
    page = seen.page
    expect(page.get_by_text("The match is over", exact=True)).to_be_attached()
    assert not page.evaluate(LOST), "the match is over, and the focus is nowhere"
    tab_to(page, page.get_by_role("button", name="Rematch"))
    device.hang_up()
    seen.close()
