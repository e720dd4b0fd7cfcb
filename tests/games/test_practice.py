"""Practice and its hints, rule by rule (S4 and S5, docs/rules/solo.md)."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import json

from tests.games.alone import OF, begun, task_of
from tests.play import Match, replayed
from ubongo.events import (
    Dealt,
    Hinted,
    MatchClosed,
    Placed,
    RoundOpened,
)
from ubongo.evolve import replay
from ubongo.game import BadOptions
from ubongo.games.solo.booklet import solution
from ubongo.games.solo.options import SoloGameName, SoloOptions, options_of
from ubongo.games.solo.tasks import choices
from ubongo.layout import GOAL
from ubongo.material import shipped
from ubongo.moves import Hint, Leave, Lift, Place, SetAside
from ubongo.pieces import fits
from ubongo.table import SeatNo


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
        {"of": "cards", "side": 4},
        {"of": "dice", "side": 4, "mode": "practice"},
    ],
)
def test_S3_S4_options_of_another_mode_or_game_are_refused(options: dict[str, Any]) -> None:
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
    assert options["of"] == "cards" or task_of(match) == task, "the same task is dealt again"


@given(of=st.sampled_from(["cubes", "extreme", "cards", "dice"]), grade=st.integers(1, 5), seed=st.text(max_size=4))
@settings(max_examples=30, deadline=None)
def test_S4_any_board_of_a_grade(of: str, grade: int, seed: str) -> None:
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
def test_S4_tasks_that_are_not_in_the_booklet_are_refused(options: dict[str, Any]) -> None:
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
            assert happened == [Hinted(SeatNo(0), None, (0,))]
            assert match.seat(0).wrong == (0,)
            match.ask(0, Lift(0))
        else:
            assert isinstance(happened[1], Placed)
            match.ask(0, Lift(happened[1].piece))
        assert match.seat(0).wrong == ()


def test_S5_the_same_hint_counts_once() -> None:
    """Only new hints count, whatever is laid, lifted or requested in between."""
    match = begun("extreme", mode="practice", side=4)
    task = task_of(match)
    assert task.region is not None
    right = solution(options_of(match.table), task)
    assert right is not None
    known = match.game.pieces(match.table.options)
    first, second = [
        Place(0, turn, at)
        for turn, at in fits(known[str(task.pieces[0])].shapes, task.region)
        if (turn, at) != (right[0].turn, right[0].at)
    ][:2]
    new, repeated = Hinted(SeatNo(0), None, (0,)), Hinted(SeatNo(0), None, (0,), again=True)
    match.ask(0, first)
    assert [match.ask(0, Hint()) for _ in range(3)] == [[new], [repeated], [repeated]]
    assert match.seat(0).wrong == (0,)
    assert match.seat(0).hints == 1
    match.ask(0, Lift(0))
    match.ask(0, first)
    assert match.ask(0, Hint()) == [repeated]
    match.ask(0, second)
    assert match.ask(0, Hint()) == [new], "the piece lies elsewhere, so the hint is new"
    assert match.seat(0).hints == 2
    match.ask(0, SetAside())
    assert match.seat(0).told == ()
    assert replayed(match.virtual.opening, match.log) == match.table


def test_S5_hints_in_an_old_log_count_as_recorded() -> None:
    match = begun("extreme", mode="practice")
    hinted = json.decode(b'{"type": "hinted", "seat": 0, "piece": null, "wrong": [0]}', type=Hinted)
    assert replay(match.table, [hinted, hinted]).seats[0].hints == 2


def test_S5_a_hint_for_cards_never_breaks_a_rule_and_names_cards_that_do() -> None:
    match = begun("cards", mode="practice", board="6")
    match.ask(0, Place(0, 0, (0, 0)))
    match.ask(0, Place(1, 0, (20, 0)))
    assert match.ask(0, Hint()) == [Hinted(SeatNo(0), None, (1,))]
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
def test_the_booklet_is_right(of: SoloGameName) -> None:
    options = SoloOptions(of=of, edition=shipped(of).id)
    match = begun(of)
    for _ in range(10):
        task = task_of(match)
        laid = solution(options, task)
        assert laid is not None
        assert match.game.verdict(match.game.pieces(match.table.options), task, laid).state == "solved"
        match.ask(0, SetAside())
