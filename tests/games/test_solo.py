"""Solo, rule by rule (docs/rules/cubes.md)."""

from typing import Any

import pytest

from tests.play import Match
from ubongo.events import Called, MatchClosed, RoundClosed, Scored, Started, Thrown
from ubongo.game import BadOptions
from ubongo.moves import Call, Leave, Lift, Ready, SetAside, Stop
from ubongo.table import Instant, Millis, SeatNo
from ubongo.veil import veil

OF = pytest.mark.parametrize("of", ["cubes", "extreme"])


def begun(**options: Any) -> Match:
    match = Match("solo", 1, **options)
    match.begin()
    return match


@OF
@pytest.mark.parametrize("minutes", [5, 10, 20])
def test_Q22_as_many_tasks_as_possible_in_a_fixed_time(of: str, minutes: int) -> None:
    match = begun(of=of, minutes=minutes)
    assert match.table.until == minutes * 60_000
    for _ in range(3):
        match.solve(0, after=20_000)
    match.ask(0, match.solution(0)[0])
    happened = match.until()
    assert happened == [RoundClosed(4), MatchClosed(((SeatNo(0),),), (3,), "abc", Millis(minutes * 60_000))]
    assert match.table.phase == "over"


@OF
@pytest.mark.parametrize("tasks", [5, 10, 20])
def test_Q23_the_time_for_a_fixed_number_of_tasks(of: str, tasks: int) -> None:
    match = Match("solo", 1, of=of, mode="count", tasks=tasks, ready_s=0)
    match.ask(0, Ready(), after=700)
    assert match.table.until is None
    for _ in range(tasks):
        assert match.table.phase == "play"
        match.solve(0, after=10_000)
    assert match.happened(MatchClosed) == [MatchClosed(((SeatNo(0),),), (tasks,), "abc", Millis(tasks * 10_000))]
    assert match.table.took == tasks * 10_000


def test_Q24_a_task_can_be_set_aside_at_any_time_and_does_not_count() -> None:
    match = begun(mode="count")
    match.ask(0, match.solution(0)[0])
    board = match.seat(0).task
    happened = match.ask(0, SetAside(), after=30_000)
    assert happened[:2] == [Scored(SeatNo(0), 0), RoundClosed(1)]
    assert match.seat(0).task != board
    assert match.seat(0).laid == ()
    for _ in range(5):
        match.solve(0, after=1_000)
    assert match.happened(MatchClosed)[0].took == 35_000, "its time is not given back"
    assert match.seat(0).points == (0, 1, 1, 1, 1, 1)


def test_Q24a_solo_is_the_only_game_for_one_seat() -> None:
    with pytest.raises(BadOptions, match="2 to 4 seats"):
        Match("cubes", 1)
    with pytest.raises(BadOptions, match="for 1 seat,"):
        Match("solo", 2)


@pytest.mark.parametrize(("of", "boards"), [("cubes", 36), ("extreme", 54)])
def test_Q24a_all_boards_are_shuffled_and_reshuffled_when_used_up(of: str, boards: int) -> None:
    match = begun(of=of)
    seen = []
    for _ in range(2 * boards):
        task = match.seat(0).task
        assert task is not None
        seen.append(task.board)
        match.ask(0, SetAside())
    assert len(set(seen[:boards])) == boards
    assert sorted(seen[:boards]) == sorted(seen[boards:])
    assert seen[:boards] != seen[boards:]


def test_Q24a_the_die_says_which_task_and_without_it_3_4() -> None:
    match = begun()
    for _ in range(20):
        task = match.seat(0).task
        assert task is not None
        assert str(match.table.dice[0].face) in task.number.split("|")
        match.ask(0, SetAside())
    match = begun(die="off")
    for _ in range(9):
        task = match.seat(0).task
        assert task is not None
        assert task.number == "3|4"
        match.ask(0, SetAside())
    assert match.happened(Thrown) == []
    with pytest.raises(BadOptions, match="side 3 only"):
        Match("solo", 1, die="off", side=4)
    with pytest.raises(BadOptions, match="cubes and side 3 only"):
        Match("solo", 1, of="extreme", die="off")


def test_Q24a_no_hourglass_and_no_gems() -> None:
    match = begun()
    match.solve(0)
    assert (match.table.glass, match.table.bag, match.table.display) == (None, (), ())
    assert match.seat(0).gems == ()


def test_the_time_runs_from_the_first_start_on() -> None:
    match = Match("solo", 1, minutes=5)
    assert veil(match.table, SeatNo(0)).seats[0].task is None
    match.until()
    assert match.now == 30_000
    assert match.table.until == 330_000
    match.solve(0, after=1_000)
    assert match.table.until == 330_000
    assert match.happened(Started)[-1] == Started(Instant(31_000), Instant(330_000))
    assert match.table.last is None, "the next has started"


def test_laying_the_last_piece_is_the_call() -> None:
    match = begun()
    *most, last = match.solution(0)
    for where in most:
        match.ask(0, where)
    assert match.refused(0, Call()) == "not_filled"
    assert match.refused(0, Lift(last.piece)) == "not_laid"
    assert match.ask(0, last, after=5)[1] == Called(SeatNo(0), Instant(5))


def test_leaving_ends_it() -> None:
    match = begun()
    assert match.refused(0, Stop()) == "not_here"
    match.solve(0)
    match.ask(0, Leave())
    closed = match.happened(MatchClosed)[0]
    assert (closed.totals, closed.took) == ((1,), None), "no result"
