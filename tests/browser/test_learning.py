"""First lessons: offered to who is new, done by any hand, left at any time, and remembered."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser import solid_hands
from tests.browser.card_hands import CardHands
from tests.browser.hands import Answer, Hands, on_squares, twists
from tests.browser.seen import DESK, PHONE, Seen
from ubongo import layout, tiling
from ubongo.pieces import Placement, fits
from web.lessons import lessons

OFFER = {
    "en": "First time? A one-minute lesson",
    "de": "Zum ersten Mal? In einer Minute gelernt",
    "pl": "Pierwszy raz? Lekcja na minutę",
}
LESSONS: dict[str, dict[str, Any]] = {file.stem: msgspec.json.decode(content) for file, content in lessons()}


def test_what_lessons_are_made_of_is_written_by_python() -> None:
    for file, content in lessons():
        assert file.read_text() == content, "Write them anew: .venv/bin/python -m web.lessons"


def test_extreme_has_one_solution_and_teaches_it() -> None:
    lesson = LESSONS["extreme"]
    shapes = [piece["shapes"][0] for piece in lesson["pieces"]]
    assert tiling.count({"lattice": "hex", "region": lesson["region"], "pieces": shapes}) == 1
    covered = [cell for answer in solution("extreme") for cell in answer.cells]
    assert sorted(covered) == sorted(map(tuple, lesson["region"]))
    # As it comes, after one turn, and after a flip that no turn replaces.
    turns = [where["turn"] for where in placed(lesson)]
    after = [piece["after"] for piece in lesson["pieces"]]
    assert turns[0] == 0
    assert turns[1] == after[1]["turn"][0] != 0
    assert turns[2] == after[2]["flip"][0]
    assert len(lesson["pieces"][2]["shapes"]) == 12


def test_3d_has_one_solution_and_teaches_it() -> None:
    lesson = LESSONS["cubes"]
    shapes = [piece["shapes"][0] for piece in lesson["pieces"]]
    assert tiling.count({"lattice": "cubic", "region": lesson["region"], "pieces": shapes}) == 1
    covered = [cell for answer in in_space() for cell in answer.cells]
    assert sorted(covered) == sorted(map(tuple, lesson["region"]))
    # As it comes, then by one turn each, about another axis; and every one of them is on the lowest level it can be.
    assert [answer.twists for answer in in_space()] == ["", "x", "z"]
    assert [answer.at[2] for answer in in_space()] == [0, 0, 0]


def test_dice_have_one_solution_and_teach_it() -> None:
    lesson = LESSONS["dice"]
    known = {piece["name"]: piece for piece in lesson["pieces"]}
    thrown = lesson["table"]["dice"]
    task = lesson["table"]["seats"][0]["task"]
    ways = {
        (black["face"], white["face"]): tiling.count(
            {
                "lattice": "square",
                "region": task["region"],
                "pieces": [known[die["face"]]["shapes"][0] for die in (black, white)],
            }
        )
        for black in thrown[:4]
        for white in thrown[4:]
    }
    # Of all pairs that can be taken one fills the area, in one way.
    assert [pair for pair, number in ways.items() if number] == [tuple(task["pieces"])]
    assert ways[tuple(task["pieces"])] == 1
    covered = [cell for answer in solution("dice") for cell in answer.cells]
    assert sorted(covered) == sorted(map(tuple, task["region"]))
    black, white = (known[name] for name in task["pieces"])
    # One flip that no turn replaces, and one turn.
    assert [where["turn"] for where in placed(lesson)] == [black["after"]["flip"][0], white["after"]["turn"][0]]
    assert len(black["shapes"]) == 8
    assert white["after"]["turn"][0] != 0


def test_cards_fit_in_one_place_each() -> None:
    lesson = LESSONS["cards"]
    hand = [layout.card(one["name"], [one["marks"]]) for one in lesson["pieces"]]
    laid = placements()
    assert len(hand) == len(laid) == 3
    for number in (1, 2):
        assert layout.beside(hand, laid[:number], number) == [laid[number]]
    # As they come, and after one turn.
    assert [where.turn for where in laid] == [0, 0, 1]


def placements() -> list[Placement]:
    return [Placement(where["piece"], where["turn"], tuple(where["at"])) for where in placed(LESSONS["cards"])]


def placed(lesson: dict[str, Any]) -> list[dict[str, Any]]:
    return [move for move in lesson["moves"] if move["type"] == "place"]


def pieces_of(lesson: dict[str, Any]) -> list[dict[str, Any]]:
    """What is laid; with dice, what is taken."""
    if "table" not in lesson:
        return list(lesson["pieces"])
    known = {piece["name"]: piece for piece in lesson["pieces"]}
    return [known[name] for name in lesson["table"]["seats"][0]["task"]["pieces"]]


def solution(game: str) -> list[Answer]:
    lesson = LESSONS[game]
    found = []
    for where in placed(lesson):
        q, r = where["at"]
        piece = pieces_of(lesson)[where["piece"]]
        cells = tuple((q + dq, r + dr) for dq, dr in piece["shapes"][where["turn"]])
        found.append(Answer(where["piece"], twists(piece["after"], where["turn"]), (q, r), cells))
    return found


def in_space() -> list[solid_hands.Answer]:
    found = []
    for where in placed(LESSONS["cubes"]):
        piece = LESSONS["cubes"]["pieces"][where["piece"]]
        x, y, z = where["at"]
        cells = tuple((x + dx, y + dy, z + dz) for dx, dy, dz in piece["shapes"][where["turn"]])
        twists = solid_hands.twists(piece["after"], where["turn"])
        found.append(solid_hands.Answer(where["piece"], twists, (x, y, z), cells))
    return found


def elsewhere(game: str) -> Answer:
    """The first piece where it has room, but does not belong."""
    lesson = LESSONS[game]
    piece = lesson["pieces"][0]
    shapes = [tuple(tuple(cell) for cell in shape) for shape in piece["shapes"]]
    right = placed(lesson)[0]
    turn, (q, r) = next(
        (turn, at)
        for turn, at in fits(shapes, {tuple(cell) for cell in lesson["region"]})
        if [turn, list(at)] != [right["turn"], right["at"]]
    )
    return Answer(0, twists(piece["after"], turn), (q, r), ())


def laid(page: Page, number: int) -> None:
    expect(page.locator("svg.mine .laid")).to_have_count(number)


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
    expect(page.get_by_role("link", name=OFFER[language])).to_have_count(len(LESSONS))
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
    expect(page.locator(".ways button")).to_have_count(2)
    seen.look(f"lesson-4-{name}")
    # Done is done: it is offered no more, but can be found with the rules.
    page.get_by_role("link").first.click()
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    expect(page.get_by_role("link", name=OFFER[language])).to_have_count(len(LESSONS) - 1)
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
    expect(page.locator(".ways button")).to_have_count(2)
    seen.look(f"lesson-dice-5-{name}")
    page.goto(address)
    expect(page.locator("a[href='/learn/dice']")).to_have_count(0)
    seen.close()


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
    expect(page.locator(".ways button")).to_have_count(2)
    seen.look(f"lesson-cards-4-{name}")
    page.goto(address)
    expect(page.locator("a[href='/learn/cards']")).to_have_count(0)
    seen.close()


@pytest.mark.parametrize(
    ("webgl", "size", "scheme", "language", "touch"),
    [
        (True, DESK, "light", "en", False),
        (False, DESK, "dark", "pl", False),
        (True, PHONE, "dark", "de", False),
        (False, PHONE, "light", "en", True),
    ],
)
def test_3d(
    browser: Browser,
    flat_browser: Browser,
    address: str,
    webgl: bool,
    size: tuple[int, int],
    scheme: str,
    language: str,
    touch: bool,
) -> None:
    """On the board and on the plans, drawn by WebGL or without it."""
    name = f"{size[0]}-{language}-{scheme}"
    seen = Seen(browser if webgl else flat_browser, size, scheme, language, has_touch=touch)
    page = seen.page
    page.goto(f"{address}rules/cubes")
    page.locator("a[href='/learn/cubes']").click()
    expect(page.locator("svg.mine .aim")).to_be_visible()
    expect(page.locator("canvas.drawn")).to_have_count(int(webgl))
    hands = solid_hands.Hands(page, 0)
    way = {
        (DESK, True): solid_hands.Hands.by_mouse,
        (DESK, False): solid_hands.Hands.by_plan,
        (PHONE, True): solid_hands.Hands.by_keys,
        (PHONE, False): solid_hands.Hands.by_taps,
    }[size, webgl]
    lies = page.locator(".slot .pale")
    for number, answer in enumerate(in_space()):
        expect(lies).to_have_count(number)
        if way == solid_hands.Hands.by_mouse and number == 0:
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
    expect(page.locator(".ways button")).to_have_count(2)
    seen.look(f"lesson-cubes-4-{name}")
    page.goto(address)
    expect(page.locator("a[href='/learn/cubes']")).to_have_count(0)
    seen.close()


def test_what_is_wrong_is_said_and_not_laid(browser: Browser, address: str) -> None:
    seen = Seen(browser)
    page = seen.page
    page.goto(f"{address}learn/extreme")
    laid(page, 0)
    first, *_ = solution("extreme")
    hands = Hands(page, 0)
    hands.by_keys(elsewhere("extreme"))
    expect(page.get_by_text("Not quite: the dashed line shows")).to_be_visible()
    laid(page, 0)
    expect(page.get_by_role("button", name="Ubongo!")).to_be_disabled()
    hands.by_keys(first)
    laid(page, 1)
    expect(page.get_by_text("Not quite")).to_have_count(0)
    seen.close()


def test_it_can_be_skipped_and_leads_to_a_game(browser: Browser, address: str) -> None:
    seen = Seen(browser)
    page = seen.page
    page.goto(f"{address}learn/extreme")
    page.get_by_role("button", name="Skip").click()
    expect(page.get_by_role("link", name=OFFER["en"])).to_have_count(len(LESSONS) - 1)
    page.goto(f"{address}learn/extreme")
    laid(page, 0)
    for number, answer in enumerate(solution("extreme"), 1):
        Hands(page, 0).by_keys(answer)
        laid(page, number)
    page.get_by_role("button", name="Ubongo!").click()
    page.get_by_role("button", name="Once more").click()
    laid(page, 0)
    for number, answer in enumerate(solution("extreme"), 1):
        Hands(page, 0).by_keys(answer)
        laid(page, number)
    page.get_by_role("button", name="Ubongo!").click()
    page.get_by_role("button", name="Play now").click()
    seen.say_name("Ann")
    expect(page.locator(".others .who")).to_have_count(2)
    seen.close()
