"""The moves of a plan for a board, and what the driver falls back on."""

from __future__ import annotations

from msgspec.structs import replace

from tests.bots.trials import filling_plan, forget
from tests.play import Match
from ubongo import moves
from ubongo.bots import boards, pace, plan, player, rests
from ubongo.bots.least import least
from ubongo.bots.pace import LEVELS
from ubongo.bots.player import PLAYED, next_move
from ubongo.difficulty import difficulty
from ubongo.games import GAMES
from ubongo.lattice import HEX
from ubongo.moves import Call, Lift, Place, Ready, Throw
from ubongo.pieces import Placement
from ubongo.table import Instant, Seat, SeatNo
from ubongo.tiling import Puzzle
from ubongo.veil import veil


def test_bots_try_pieces_before_they_fill_a_board() -> None:
    lifts = 0
    for luck in "abcdefgh":
        task, pieces, planned = filling_plan("beginner", luck)
        assert list(planned.times) == sorted(set(planned.times))
        lifts += sum(isinstance(move, Lift) for move in planned.moves)
        states = [GAMES["extreme"].verdict({p.name: p for p in pieces}, task, laid).state for laid in planned.layouts]
        assert states[-1] == "solved"
        assert set(states[:-1]) == {"open"}
    assert lifts > 0


def test_the_same_seed_gives_the_same_plan_and_another_a_different_one() -> None:
    plans = []
    for luck in "aab":
        forget()
        plans.append(filling_plan(luck=luck)[2])
    assert plans[0] == plans[1] != plans[2]


def test_bots_usually_try_the_bulkiest_piece_first() -> None:
    firsts = []
    for number in range(40):
        _, pieces, planned = filling_plan(luck=str(number))
        first = planned.moves[0]
        assert isinstance(first, Place)
        firsts.append(len(pieces[first.piece].shapes[0]) == max(len(piece.shapes[0]) for piece in pieces))
    assert sum(firsts) > len(firsts) / 2


def test_harder_tasks_and_weaker_levels_take_longer() -> None:
    times = [[pace.filling_time("extreme", level, hard, 3, 0) for hard in (4, 8, 30)] for level in LEVELS]
    assert all(of_level == sorted(of_level) for of_level in times)
    assert all(list(column) == sorted(column, reverse=True) for column in zip(*times, strict=True))


def test_a_bot_grades_a_task_as_the_workshop_does() -> None:
    task, pieces, _ = filling_plan()
    assert task.region is not None
    ground = boards.ground_of("extreme", pieces, task.region)
    assert ground.difficulty == difficulty(Puzzle(HEX.name, task.region, tuple(piece.shapes[0] for piece in pieces)))


def test_bots_keep_trying_an_impossible_task_but_never_call() -> None:
    _, pieces, _ = filling_plan()
    line = tuple((q, 0) for q in range(14))
    planned = boards.plan("extreme", pieces, line, "easy", "a", (1,))
    assert planned.ending is None


def test_medium_is_the_median_of_people() -> None:
    assert pace.slowness("medium") == 1
    assert [pace.QUICKER[level] for level in LEVELS] == sorted(pace.QUICKER.values(), reverse=True)


def test_a_bot_corrects_a_layout_that_differs_from_its_plan() -> None:
    task, _, planned = filling_plan()
    seat = Seat("Ann", task=task)
    step = len(planned.times) - 1
    now = Instant(planned.times[step - 1])
    moves = 0
    while (amiss := plan.next_in(planned, seat, Instant(0), now)) is not None and amiss[0] == now:
        moves += 1
        seat = replace(seat, laid=plan.laid_after(seat.laid, amiss[1]))
    assert set(seat.laid) == set(planned.layouts[step])
    assert moves == len(planned.layouts[step])
    mine = Placement(0, 0, (9, 9))
    assert plan.next_in(planned, Seat("Ann", task=task, laid=(mine,)), Instant(0), Instant(0)) == (0, Lift(0))


def test_a_bot_does_not_count_the_time_when_the_server_was_down() -> None:
    match = Match("extreme")
    match.begin()
    before = next_move(veil(match.table, SeatNo(0)), SeatNo(0), "medium", "luck", Instant(1))
    after = next_move(
        replace(veil(match.table, SeatNo(0)), stood=300_000), SeatNo(0), "medium", "luck", Instant(300_001)
    )
    assert before is not None
    assert after == (before[0] + 300_000, before[1])


def test_a_seat_that_has_left_or_called_makes_no_moves() -> None:
    match = Match("extreme", 3)
    match.begin()
    match.solve(1)
    assert next_move(match.table, SeatNo(1), "easy", "luck", match.now) is None
    match.ask(2, moves.Leave())
    assert next_move(match.table, SeatNo(2), "easy", "luck", match.now) is None
    assert not isinstance(player.next_move(match.table, SeatNo(0), "easy", "luck", match.now), Call)


def test_the_least_moves_include_ready_and_throw_for_people_too() -> None:
    match = Match("cubes")
    assert least(match.table, SeatNo(0), Instant(5)) == (5, Throw())
    assert least(match.table, SeatNo(1), Instant(5)) is None
    match.ask(0, Throw())
    assert least(match.table, SeatNo(1), Instant(6)) == (6, Ready())


def test_preparing_the_games_fills_the_cache_once() -> None:
    forget()
    for game in PLAYED:
        player.prepare(game)
    assert rests.leaves.cache_info().currsize == 1
