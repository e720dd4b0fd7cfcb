"""First lessons: offered to who is new, done by any hand, left at any time, and remembered."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser import solid_hands
from tests.browser.card_hands import CardHands
from tests.browser.hands import Hands, on_squares
from tests.browser.lessons import LESSONS, elsewhere, in_space, placements, solution
from tests.browser.seen import DESK, PHONE, Seen
from ubongo.pieces import Placement

OFFER = {
    "en": "First time? A one-minute lesson",
    "de": "Zum ersten Mal? In einer Minute gelernt",
    "pl": "Pierwszy raz? Lekcja w minutę",
}


def laid(page: Page, number: int) -> None:
    # Where there is no board yet, nothing lies either.
    expect(page.locator("svg.mine")).to_be_visible()
    expect(page.locator("svg.mine .laid")).to_have_count(number)


def solved(page: Page) -> None:
    """Extreme's lesson, to its call."""
    for number, answer in enumerate(solution("extreme"), 1):
        Hands(page, 0).by_keys(answer)
        laid(page, number)
    page.get_by_role("button", name="Ubongo!").click()


def over(seen: Seen, address: str, game: str, name: str) -> None:
    """Four ways lead on; and who has done one is not taken for somebody new."""
    expect(seen.page.locator(".ways > *")).to_have_count(4)
    seen.look(name)
    seen.page.goto(f"{address}learn")
    expect(seen.page.locator("a[href^='/learn/']")).to_have_count(len(LESSONS))
    expect(seen.page.locator("main small")).to_have_count(1)
    expect(seen.page.locator(f"li:has(a[href='/learn/{game}']) small")).to_be_visible()
    seen.close()


@pytest.mark.parametrize(
    ("size", "scheme", "language", "touch"),
    [
        (DESK, "light", "en", False),
        (PHONE, "dark", "de", False),
        (PHONE, "light", "pl", False),
        (PHONE, "light", "en", True),
    ],
)
def test_extreme(
    browser: Browser, address: str, size: tuple[int, int], scheme: str, language: str, touch: bool
) -> None:
    name = f"{size[0]}-{language}-{scheme}"
    seen = Seen(browser, size, scheme, language, has_touch=touch)
    page = seen.page
    page.goto(address)
    page.get_by_role("link", name=OFFER[language]).click()
    page.locator("a[href='/learn/extreme']").click()
    hands = Hands(page, 0)
    way = Hands.by_taps if touch else Hands.by_mouse if size == DESK else Hands.by_keys
    for number, answer in enumerate(solution("extreme")):
        laid(page, number)
        seen.look(f"lesson-{number}-{name}")
        way(hands, answer)
    laid(page, 3)
    seen.look(f"lesson-3-{name}")
    page.get_by_role("button", name="Ubongo!").click()
    expect(page.locator(".ways > *")).to_have_count(4)
    seen.look(f"lesson-4-{name}")
    # Done is done: it is offered no more, but can be found with the rules.
    page.locator("header a[href='/']").click()
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    expect(page.get_by_role("link", name=OFFER[language])).to_have_count(0)
    if size == DESK:
        tops = page.locator("a[href^='/rules/']").evaluate_all(
            "all => all.map((one) => one.getBoundingClientRect().top)"
        )
        assert len(set(tops)) == 1, "the ways into all games stand in a line"
    page.goto(f"{address}rules/extreme")
    page.locator("a[href='/learn/extreme']").click()
    laid(page, 0)
    seen.close()


@pytest.mark.parametrize(
    ("size", "scheme", "language", "touch"),
    [
        (DESK, "light", "en", False),
        (DESK, "dark", "pl", False),
        (PHONE, "dark", "de", False),
        (PHONE, "light", "en", True),
    ],
)
def test_dice(browser: Browser, address: str, size: tuple[int, int], scheme: str, language: str, touch: bool) -> None:
    name = f"{size[0]}-{language}-{scheme}"
    seen = Seen(browser, size, scheme, language, has_touch=touch)
    page = seen.page
    page.goto(f"{address}learn/dice")
    black, white = (move["die"] for move in LESSONS["dice"]["moves"][:2])
    dice = page.locator(".rows .spot")
    expect(dice).to_have_count(8)
    seen.look(f"lesson-dice-0-{name}")
    if size == DESK:
        # Another die than the one that fits stays where it is.
        dice.nth(0).click()
        expect(page.locator(".hint")).to_be_visible()
        dice.nth(black).click()
        expect(page.locator(".hint")).to_have_count(0)
        seen.look(f"lesson-dice-1-{name}")
        dice.nth(white).click()
    elif touch:
        dice.nth(black).tap()
        dice.nth(white).tap()
    else:
        page.keyboard.press(str(black + 1))
        expect(page.locator(".gone")).to_have_count(1)
        page.keyboard.press(str(white + 1))
    done = page.locator(".enter .first")
    hands = Hands(page, 0, on_squares)
    way = Hands.by_taps if touch else Hands.by_mouse if size == DESK else Hands.by_keys
    for number, answer in enumerate(solution("dice")):
        laid(page, number)
        if size == DESK:
            # It is not done yet.
            done.click()
            expect(page.locator(".hint")).to_be_visible()
        seen.look(f"lesson-dice-{number + 2}-{name}")
        way(hands, answer)
    laid(page, 2)
    seen.look(f"lesson-dice-4-{name}")
    if size == PHONE and not touch:
        while not done.evaluate("one => one === document.activeElement"):
            page.keyboard.press("Tab")
        page.keyboard.press("Enter")
    else:
        done.click()
    over(seen, address, "dice", f"lesson-dice-5-{name}")


@pytest.mark.parametrize(
    ("size", "scheme", "language", "touch"),
    [(DESK, "light", "en", False), (PHONE, "dark", "de", False), (PHONE, "light", "en", True)],
)
def test_cards(browser: Browser, address: str, size: tuple[int, int], scheme: str, language: str, touch: bool) -> None:
    name = f"{size[0]}-{language}-{scheme}"
    seen = Seen(browser, size, scheme, language, has_touch=touch)
    page = seen.page
    page.goto(f"{address}learn/cards")
    hands = CardHands(page)
    way = CardHands.by_taps if touch else CardHands.by_mouse if size == DESK else CardHands.by_keys
    for number, where in enumerate(placements()):
        laid(page, number)
        if size == DESK and number == 1:
            # As it comes, but a square too far to the right.
            hands.by_keys(Placement(where.piece, where.turn, (where.at[0] + 1, where.at[1])))
            expect(page.get_by_text("Not quite")).to_be_visible()
            laid(page, number)
        seen.look(f"lesson-cards-{number}-{name}")
        way(hands, where)
    laid(page, 3)
    seen.look(f"lesson-cards-3-{name}")
    page.get_by_role("button", name="Ubongo!").click()
    over(seen, address, "cards", f"lesson-cards-4-{name}")


@pytest.mark.parametrize(
    ("by", "size", "scheme", "language", "touch"),
    [
        ("mouse", DESK, "light", "en", False),
        ("plan", DESK, "dark", "pl", False),
        ("keys", PHONE, "dark", "de", False),
        ("taps", PHONE, "light", "en", True),
    ],
)
def test_3d(
    browser: Browser,
    address: str,
    by: str,
    size: tuple[int, int],
    scheme: str,
    language: str,
    touch: bool,
) -> None:
    """On the board and on the plans."""
    name = f"{size[0]}-{language}-{scheme}"
    seen = Seen(browser, size, scheme, language, has_touch=touch)
    page = seen.page
    page.goto(f"{address}rules/cubes")
    page.locator("a[href='/learn/cubes']").click()
    expect(page.locator("svg.mine .aim")).to_be_visible()
    hands = solid_hands.Hands(page, 0)
    way = {
        "mouse": solid_hands.Hands.by_mouse,
        "plan": solid_hands.Hands.by_plan,
        "keys": solid_hands.Hands.by_keys,
        "taps": solid_hands.Hands.by_taps,
    }[by]
    lies = page.locator(".slot .pale")
    for number, answer in enumerate(in_space()):
        expect(lies).to_have_count(number)
        if by == "mouse" and number == 0:
            # There is room a level too high, too: nothing falls.
            x, y, _ = answer.at
            hands.by_keys(answer._replace(at=(x, y, 1)))
            expect(page.get_by_text("Not quite")).to_be_visible()
            expect(lies).to_have_count(0)
        seen.look(f"lesson-cubes-{number}-{name}")
        way(hands, answer)
    expect(lies).to_have_count(3)
    expect(page.locator("svg.mine .aim")).to_have_count(0)
    seen.look(f"lesson-cubes-3-{name}")
    page.get_by_role("button", name="Ubongo!").click()
    over(seen, address, "cubes", f"lesson-cubes-4-{name}")


def test_what_is_wrong_is_said_and_not_laid(browser: Browser, address: str) -> None:
    seen = Seen(browser)
    page = seen.page
    page.goto(f"{address}learn/extreme")
    laid(page, 0)
    first, *_ = solution("extreme")
    hands = Hands(page, 0)
    hands.by_keys(elsewhere("extreme"))
    expect(page.get_by_text("Not quite: the dashed outline shows")).to_be_visible()
    laid(page, 0)
    expect(page.get_by_role("button", name="Ubongo!")).to_be_disabled()
    hands.by_keys(first)
    laid(page, 1)
    expect(page.get_by_text("Not quite")).to_have_count(0)
    seen.close()


def test_what_a_step_needs_has_a_ring_and_is_named(browser: Browser, address: str) -> None:
    seen = Seen(browser, PHONE)
    page = seen.page
    page.goto(f"{address}learn/extreme")
    laid(page, 0)
    wanted, named = page.locator("[data-wanted]"), page.get_by_role("status").filter(has_text="Next: ")
    for number, (answer, twist) in enumerate(zip(solution("extreme"), ("", "Turn to the right", "Flip"), strict=True)):
        expect(wanted).to_have_attribute("data-piece", str(number))
        expect(named).to_contain_text(f"Next: Piece {number + 1}")
        page.keyboard.press(str(number + 1))
        # In the hand: the button that turns it as it has to lie, or none if only the place is missing.
        expect(wanted).to_have_count(int(twist != ""))
        if twist:
            expect(wanted).to_have_accessible_name(twist)
            expect(named).to_have_text(f"Next: {twist}")
        page.keyboard.press("Escape")
        Hands(page, 0).by_keys(answer)
        laid(page, number + 1)
    expect(wanted).to_have_class(re.compile(r"\bcall\b"))
    expect(named).to_have_text("Next: Ubongo!")
    # The ring is there in any case; it moves where things may move.
    for motion, animation in (("reduce", "none"), ("no-preference", "pulses")):
        page.emulate_media(reduced_motion="reduce" if motion == "reduce" else "no-preference")
        ring = wanted.evaluate(
            "one => (({ borderTopWidth, animationName }) => [borderTopWidth, animationName.replace(/^.*-/, '')])"
            "(getComputedStyle(one, '::after'))"
        )
        assert ring == ["3px", animation]
    seen.close()


@pytest.mark.parametrize(("motion", "moves"), [("no-preference", True), ("reduce", False), ("off", False)])
def test_its_end_is_celebrated_and_says_how_to_go_on(browser: Browser, address: str, motion: str, moves: bool) -> None:
    seen = Seen(browser)
    page = seen.page
    page.emulate_media(reduced_motion="reduce" if motion == "reduce" else "no-preference")
    if motion == "off":
        # Chosen among the settings, whatever the system says.
        seen.context.add_init_script("localStorage.ubongo ??= JSON.stringify({ motion: 'off' })")
    page.goto(f"{address}learn/extreme")
    laid(page, 0)
    solved(page)
    expect(page.locator(".board .solved")).to_be_attached()
    animation = page.locator(".confetti i").first.evaluate("one => getComputedStyle(one).animationName")
    assert (animation != "none") == moves
    expect(page.get_by_role("heading", name="That’s the game!")).to_be_focused()
    # What the first, the second and the others get, and what it is worth.
    expect(page.get_by_text("The first to finish takes a sapphire and a gem from the bag")).to_be_visible()
    expect(page.get_by_role("img", name="Gem values: ruby, 4")).to_be_visible()
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Play now")).to_be_focused()
    page.get_by_role("link", name="Next lesson: Card game").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("Card game")
    laid(page, 0)
    seen.close()


def test_it_can_be_skipped_and_leads_to_a_game(browser: Browser, address: str) -> None:
    seen = Seen(browser)
    page = seen.page
    page.goto(f"{address}learn/extreme")
    page.get_by_role("button", name="Skip", exact=True).click()
    expect(page.get_by_role("link", name="Play now").first).to_be_visible()
    expect(page.get_by_role("link", name=OFFER["en"])).to_have_count(0)
    page.goto(f"{address}learn/extreme")
    laid(page, 0)
    solved(page)
    page.get_by_role("button", name="Once more").click()
    laid(page, 0)
    solved(page)
    page.get_by_role("link", name="Play now").click()
    page.get_by_role("button", name="Play Otto").click()
    seen.say_name("Ann")
    expect(page.locator(".others .who")).to_have_count(2)
    seen.close()
