"""Cards and dice alone, the puzzle of the day, practice and hints, rule by rule (docs/rules/solo.md)."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.play import Match
from ubongo import layout
from ubongo.events import (
    Called,
    Dealt,
    Grabbed,
    Hinted,
    Judged,
    MatchClosed,
    Placed,
    RoundClosed,
    RoundOpened,
    Scored,
    Thrown,
)
from ubongo.game import BadOptions
from ubongo.games.solo.booklet import solution
from ubongo.games.solo.options import SoloOptions, options_of
from ubongo.games.solo.tasks import choices, harder, of_day
from ubongo.layout import GOAL
from ubongo.material import shipped
from ubongo.moves import Call, Grab, Hint, Leave, Lift, Pass, Place, Ready, SetAside, Stop, Throw
from ubongo.pieces import covered, fits
from ubongo.table import Task
from ubongo.veil import veil

OF = pytest.mark.parametrize("of", ["cubes", "extreme", "cards", "dice"])
DAYS = st.dates().filter(lambda date: date.year >= 1970).map(str)


def begun(of: str, **options: Any) -> Match:
    match = Match("solo", 1, of=of, **options)
    match.begin()
    return match


def task_of(match: Match) -> Task:
    task = match.seat(0).task
    assert task is not None
    return task


def enter_what_fits(match: Match) -> None:
    """A round of dice: the best two for the rest, as somebody in no hurry would."""
    if match.table.phase == "throw":
        match.ask(0, Throw())
    for colour in ("black", "white"):
        dice = [number for number, die in enumerate(match.table.dice) if die.colour == colour]
        match.ask(0, Grab(max(dice, key=lambda number: len(ways(match, str(match.table.dice[number].face))))))
    for piece in range(len(task_of(match).pieces) - 2, len(task_of(match).pieces)):
        name = str(task_of(match).pieces[piece])
        found = ways(match, name)
        if found:
            match.ask(0, Place(piece, *found[0]))
    match.ask(0, Pass())


def ways(match: Match, name: str) -> list[tuple[int, tuple[int, ...]]]:
    known = match.game.pieces(match.table.options)
    me, task = match.seat(0), task_of(match)
    assert task.region is not None
    taken = {cell for where in me.laid for cell in covered(known[str(task.pieces[where.piece])], where)}
    return list(fits(known[name].shapes, [cell for cell in task.region if cell not in taken]))


def fill(match: Match) -> None:
    """Throws until the area is full."""
    area = match.table.area
    while match.table.area == area and match.table.phase != "over":
        enter_what_fits(match)


def test_S1_a_hand_is_a_task_and_the_seventh_right_card_solves_it() -> None:
    match = begun("cards", mode="count")
    assert veil(match.table, None).seats[0].task is not None
    for number in range(5):
        *most, last = match.solution(0)
        for where in most:
            assert not [event for event in match.ask(0, where) if isinstance(event, Called)]
        happened = match.ask(0, last, after=1_000)
        assert isinstance(happened[1], Called)
        assert Scored(0, 1) in happened
        assert (match.table.phase == "over") == (number == 4)
    assert match.table.took == 5_000
    assert match.table.totals == (5,)


def test_S1_a_wrong_seven_is_judged_and_costs_nothing_but_time() -> None:
    match = begun("cards")
    for piece in range(6):
        match.ask(0, Place(piece, 0, (piece * 5, 0)))
    assert match.refused(0, Call()) == "too_few"
    match.ask(0, Place(6, 0, (30, 0)))
    assert match.refused(0, Place(7, 0, (40, 0))) == "too_many"
    assert match.ask(0, Call()) == [Judged(0, (1, 2, 3, 4, 5, 6))]
    assert match.seat(0).wrong == (1, 2, 3, 4, 5, 6)
    assert match.seat(0).points == ()
    assert match.ask(0, Lift(6)) == [match.log[-2].event, Judged(0, ())], "what has changed is no longer judged"
    assert match.table.round == 1
    match.solve(0)
    assert match.seat(0).points == (1,)


def test_S1_it_gets_harder_through_six_rounds_and_what_is_set_aside_comes_again_in_kind() -> None:
    match = begun("cards", minutes=20)

    def stage() -> tuple[str, str]:
        stack, _, side = str(task_of(match).pieces[0]).split("-")
        return stack, side

    wanted = [(stack, side) for stack in "135" for side in ("white", "black")]
    for number in range(8):
        assert stage() == wanted[number % 6]
        before = task_of(match)
        match.ask(0, SetAside())
        assert stage() == wanted[number % 6]
        assert task_of(match) != before
        match.solve(0)


@given(seed=st.text(max_size=8), aside=st.integers(0, 3))
@settings(max_examples=25, deadline=None)
def test_S1_seven_of_every_hand_can_be_laid(seed: str, aside: int) -> None:
    match = Match("solo", 1, seed, of="cards")
    match.begin()
    for _ in range(aside):
        match.ask(0, SetAside())
    hand = match.pieces(0)
    assert len({piece.name for piece in hand}) == 9
    assert layout.seven(hand) is not None


def test_S2_all_dice_are_mine_and_one_of_each_colour_is_taken() -> None:
    match = Match("solo", 1, of="dice", mode="count")
    assert (match.table.phase, match.table.roller, match.table.area) == ("throw", 0, 1)
    assert task_of(match).number == "1"
    assert match.refused(0, SetAside()) == "not_started"
    match.ask(0, Throw(), after=400)
    assert [die.colour for die in match.table.dice] == ["black"] * 4 + ["white"] * 4
    assert match.refused(0, Pass()) == "not_now"
    assert match.ask(0, Grab(2)) == [Grabbed(0, 2)]
    assert match.refused(0, Grab(1)) == "colour_taken"
    match.ask(0, Grab(5))
    assert match.table.phase == "enter"
    assert match.table.until is None, "there is no hurry but one's own"
    assert task_of(match).pieces == (match.table.dice[2].face, match.table.dice[5].face)
    match.ask(0, Pass())
    assert (match.table.round, match.table.area, match.table.phase) == (2, 1, "throw")
    assert match.refused(0, Stop()) == "not_here"
    assert match.refused(0, Ready()) == "not_here"
    assert match.refused(0, Call()) == "not_here"


def test_S2_what_was_entered_is_ink() -> None:
    match = Match("solo", 1, of="dice")
    while not match.seat(0).laid:
        enter_what_fits(match)
    match.ask(0, Throw())
    match.ask(0, Grab(0))
    match.ask(0, Grab(4))
    laid = match.seat(0).laid[0]
    assert match.refused(0, Lift(laid.piece)) == "ink"
    assert match.refused(0, Place(laid.piece, laid.turn, laid.at)) == "ink"
    piece = len(task_of(match).pieces) - 1
    assert match.refused(0, Place(piece, 0, (50, 50))) == "outside"


def test_S2_a_sheet_in_as_few_rounds_as_possible() -> None:
    match = Match("solo", 1, of="dice", mode="count", tasks=6)
    match.ask(0, Throw(), after=5_000)
    areas = []
    while match.table.phase != "over":
        areas.append(task_of(match))
        match.wait(1_000)
        fill(match)
    assert [task.number for task in areas] == list("123456")
    assert len({task.board for task in areas}) == 1, "one sheet"
    closed = match.happened(MatchClosed)[0]
    assert closed.totals == (6,)
    assert match.table.round == len(match.happened(RoundClosed)) == len(match.happened(Thrown))
    assert closed.took == match.now - 5_000


def test_S2_an_area_set_aside_costs_its_rounds_and_another_of_its_number_comes() -> None:
    match = Match("solo", 1, of="dice", mode="count")
    enter_what_fits(match)
    enter_what_fits(match)
    before = task_of(match)
    happened = match.ask(0, SetAside())
    assert happened[:2] == [Scored(0, 0), RoundClosed(3)]
    after = task_of(match)
    assert (before.number, after.number) == ("1", "1")
    assert before.board != after.board
    assert (match.table.round, match.table.area, match.seat(0).laid) == (4, 2, ())
    fill(match)
    assert task_of(match).number == "2"
    assert task_of(match).board == after.board
    assert match.seat(0).points == (0, 1)


@pytest.mark.parametrize("moves", [(), (Throw(),), (Throw(), Grab(0), Grab(4))])
def test_S2_against_the_clock_it_ends_in_any_phase(moves: tuple[Any, ...]) -> None:
    match = Match("solo", 1, of="dice", minutes=5)
    enter_what_fits(match)
    for move in moves:
        match.ask(0, move)
    assert match.table.until == 300_000
    assert match.until()[-1] == MatchClosed(((0,),), (0,), "abc", 300_000)


def test_S2_the_first_throw_happens_by_itself_and_no_other() -> None:
    match = Match("solo", 1, of="dice", mode="count")
    assert isinstance(match.until()[1], Thrown)
    assert match.now == 30_000
    match.ask(0, Grab(0))
    match.ask(0, Grab(4))
    match.ask(0, Pass())
    assert match.table.until is None
    assert match.wait(3_600_000) == []


def test_S2_six_areas_are_a_sheet_of_dice_only() -> None:
    with pytest.raises(BadOptions, match="six areas in dice only"):
        Match("solo", 1, of="cards", mode="count", tasks=6)


def puzzle(of: str, day: str, seed: str = "abc") -> Match:
    match = Match("solo", 1, seed, of=of, mode="day", day=day)
    match.begin()
    return match


@OF
def test_S3_the_puzzle_of_the_day_is_the_same_for_everyone_and_another_tomorrow(of: str) -> None:
    one, other = puzzle(of, "2026-11-16"), puzzle(of, "2026-11-16", "another seed")
    tomorrow = puzzle(of, "2026-11-17")
    assert task_of(one) == task_of(other) != task_of(tomorrow)
    assert one.table.dice == other.table.dice, "and so do the dice"
    assert bool(one.table.dice) == (of == "dice"), "the die of 3-D has nothing to say here"


@OF
def test_S3_a_day_has_one_task_and_no_limit(of: str) -> None:
    match = puzzle(of, "2026-11-16")
    assert match.table.until is None
    assert match.refused(0, SetAside()) == "one_a_day"
    if of == "dice":
        fill(match)
    else:
        match.solve(0, after=7_000)
        assert match.table.took == 7_000
    assert match.table.phase == "over"
    assert match.table.totals == (1,)


@given(day=DAYS, of=st.sampled_from(["cubes", "extreme", "cards", "dice"]))
@settings(max_examples=60, deadline=None)
def test_S3_no_day_is_unfair(day: str, of: str) -> None:
    one = of_day(of, shipped(of).id, day)
    late = harder(day)
    if of == "cards":
        assert one.board == (5 if late else 3)
        return
    kind = [c for c in choices(of, shipped(of).id) if (c.number > 3 if of == "dice" else c.side == 4) == late]
    easier = sum(c.difficulty < one.difficulty for c in kind)
    assert easier <= 0.75 * len(kind)
    assert len(kind) - sum(c.difficulty > one.difficulty for c in kind) > 0.25 * len(kind)


def test_S3_it_is_harder_from_Friday_to_Sunday() -> None:
    week = [f"2026-11-{date}" for date in range(16, 23)]
    assert [harder(day) for day in week] == [False] * 4 + [True] * 3
    assert [options_of(puzzle("cubes", day).table).side for day in week] == [3] * 4 + [4] * 3
    assert {len(task_of(puzzle("extreme", day)).pieces) for day in week[4:]} == {4}


def test_S3_days_do_not_repeat_for_long() -> None:
    tasks = {of_day("extreme", shipped("extreme").id, f"2026-{month:02}-05") for month in range(1, 13)}
    assert len(tasks) > 8


@pytest.mark.parametrize("day", ["", "2026-02-29", "2026-13-01", "0000-01-01", "2026-00-10"])
def test_S3_a_day_is_a_date(day: str) -> None:
    with pytest.raises(BadOptions, match="needs a date"):
        Match("solo", 1, mode="day", day=day)


@pytest.mark.parametrize(
    "options",
    [
        {"day": "2026-11-15"},
        {"board": "7"},
        {"number": "7"},
        {"grade": 2},
        {"mode": "day", "day": "2026-11-15", "board": "7"},
        {"mode": "day", "day": "2026-11-15", "die": "off"},
        {"mode": "practice", "die": "off"},
    ],
)
def test_S3_S4_what_belongs_to_another_mode_is_refused(options: dict[str, Any]) -> None:
    with pytest.raises(BadOptions):
        Match("solo", 1, **options)


@pytest.mark.parametrize(
    ("options", "board", "number", "pieces"),
    [
        ({"of": "extreme", "board": "17", "number": "red"}, "17", "", 3),
        ({"of": "extreme", "board": "17", "side": 4, "number": "blue"}, "17", "", 4),
        ({"of": "cubes", "board": "A25", "number": "2"}, "A25", "1|2", 3),
        ({"of": "cubes", "board": "b25", "number": "7"}, "B25", "7", 4),
        ({"of": "cubes", "board": "25", "side": 4, "number": "7"}, "B25", "7", 4),
        ({"of": "dice", "board": "60", "number": "6"}, "60", "6", 0),
        ({"of": "cards", "board": "6"}, "", "", 9),
    ],
)
def test_S4_any_board_of_the_booklet(options: dict[str, Any], board: str, number: str, pieces: int) -> None:
    match = begun(mode="practice", **options)
    task = task_of(match)
    assert (task.board, task.number) == (board, number)
    if options["of"] == "dice":
        return
    assert len(task.pieces) == pieces
    assert match.table.until is None
    match.solve(0)
    assert match.table.phase == "play", "practice has no end"
    assert options["of"] == "cards" or task_of(match) == task, "the same again"


@given(of=st.sampled_from(["cubes", "extreme", "cards", "dice"]), grade=st.integers(1, 5), seed=st.text(max_size=4))
@settings(max_examples=30, deadline=None)
def test_S4_any_of_a_grade(of: str, grade: int, seed: str) -> None:
    there = [one for one in choices(of, shipped(of).id) if one.grade == grade]
    if not there:
        with pytest.raises(BadOptions, match="no task"):
            Match("solo", 1, seed, of=of, mode="practice", grade=grade)
        return
    match = Match("solo", 1, seed, of=of, mode="practice", grade=grade)
    if of == "cubes":
        names = {f"{'A' if one.side == 3 else 'B'}{one.board}" for one in there}
        assert task_of(match).board in names
    elif of in ("extreme", "dice"):
        assert task_of(match).board in {str(one.board) for one in there}


@pytest.mark.parametrize("options", [{"board": "99"}, {"board": "x"}, {"number": "11"}, {"board": "A7", "number": "0"}])
def test_S4_what_is_not_in_the_booklet_is_refused(options: dict[str, Any]) -> None:
    with pytest.raises(BadOptions, match="no task of cubes with"):
        Match("solo", 1, mode="practice", **options)


@pytest.mark.parametrize("of", ["cubes", "extreme", "cards"])
def test_S5_hints_lead_to_the_solution_bulkiest_first(of: str) -> None:
    match = begun(of, mode="practice")
    pieces = len(task_of(match).pieces) if of != "cards" else GOAL
    laid = []
    for number in range(pieces):
        happened = match.ask(0, Hint())
        assert isinstance(happened[0], Hinted)
        assert isinstance(happened[1], Placed)
        laid.append(happened[1].piece)
        assert match.seat(0).hints == number + 1, "marked"
    assert match.table.round == 2
    sizes = [len(match.game.pieces(match.table.options)[name].shapes[0]) for name in placed_names(match, laid)]
    assert of == "cards" or sizes == sorted(sizes, reverse=True)


def placed_names(match: Match, laid: list[int]) -> list[str]:
    dealt = match.happened(Dealt)[0].task
    assert dealt is not None
    return [str(dealt.pieces[piece]) for piece in laid]


@pytest.mark.parametrize("of", ["cubes", "extreme"])
def test_S5_a_hint_says_which_piece_cannot_stay(of: str) -> None:
    match = begun(of, mode="practice", side=4)
    task = task_of(match)
    assert task.region is not None
    right = solution(options_of(match.table), task)
    assert right is not None
    known = match.game.pieces(match.table.options)
    for turn, at in fits(known[str(task.pieces[0])].shapes, task.region):
        wrong = (turn, at) != (right[0].turn, right[0].at)
        match.ask(0, Place(0, turn, at))
        happened = match.ask(0, Hint())
        if wrong:
            assert happened == [Hinted(0, None, (0,))]
            assert match.seat(0).wrong == (0,)
            match.ask(0, Lift(0))
        else:
            assert isinstance(happened[1], Placed)
            match.ask(0, Lift(happened[1].piece))
        assert match.seat(0).wrong == ()


def test_S5_a_hint_for_cards_never_breaks_a_rule_and_says_what_does() -> None:
    match = begun("cards", mode="practice", board="6")
    match.ask(0, Place(0, 0, (0, 0)))
    match.ask(0, Place(1, 0, (20, 0)))
    assert match.ask(0, Hint()) == [Hinted(0, None, (1,))]
    match.ask(0, Lift(1))
    for _ in range(60):
        if match.table.round > 1:
            break
        hinted = match.ask(0, Hint())[0]
        assert isinstance(hinted, Hinted)
        if hinted.piece is None:
            match.ask(0, Lift(hinted.wrong[0]))
        elif match.table.round == 1:
            assert (
                match.game.verdict(match.game.pieces(match.table.options), task_of(match), match.seat(0).laid).wrong
                == ()
            )
    assert match.table.round == 2


@pytest.mark.parametrize("mode", ["clock", "count", "day"])
@OF
def test_S5_hints_are_for_practice(of: str, mode: str) -> None:
    match = begun(of, mode=mode, day="2026-11-15" if mode == "day" else "")
    assert match.refused(0, Hint()) == "hints_in_practice"


def test_S5_there_are_no_hints_for_dice() -> None:
    assert begun("dice", mode="practice").refused(0, Hint()) == "no_hint_for_dice"


def test_practice_is_left_without_a_result() -> None:
    match = begun("extreme", mode="practice")
    match.solve(0)
    match.ask(0, Leave())
    assert match.happened(MatchClosed)[0].took is None
    assert match.happened(RoundOpened)


@pytest.mark.parametrize("of", ["cubes", "extreme"])
def test_the_booklet_is_right(of: str) -> None:
    options = SoloOptions(of=of, edition=shipped(of).id)  # type: ignore[arg-type]
    match = begun(of)
    for _ in range(10):
        task = task_of(match)
        laid = solution(options, task)
        assert laid is not None
        assert match.game.verdict(match.game.pieces(match.table.options), task, laid).state == "solved"
        match.ask(0, SetAside())
