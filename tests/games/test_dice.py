"""The dice game, rule by rule (docs/rules/dice.md).

At least one test for every rule number, in their order.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from msgspec.structs import replace

from tests.play import Match
from ubongo import material
from ubongo.events import Due, Grabbed, MatchClosed, Opened, Passed, RoundClosed, RoundOpened, Scored, Thrown
from ubongo.game import BadOptions
from ubongo.games import dice
from ubongo.material.dice import DiceEdition
from ubongo.material.shapes import BLACK, WHITE
from ubongo.moves import Call, GoAway, Grab, Leave, Lift, Pass, Place, Ready, Stop, Throw
from ubongo.pieces import Placement, fits
from ubongo.table import Instant, Seat, SeatNo, Table, contending, with_seat


def grabbed(seats: int = 4, **options: Any) -> Match:
    """A table at which everyone has two dice."""
    match = Match("dice", seats, **options)
    grab(match)
    return match


def grab(match: Match) -> None:
    """Throws, and everyone in the area takes the first free dice."""
    if match.table.phase == "throw":
        assert match.table.roller is not None
        match.ask(match.table.roller, Throw())
    for seat in contending(match.table):
        for colour in ("black", "white"):
            match.ask(seat, Grab(free(match, colour)[0]))


def free(match: Match, colour: str) -> list[int]:
    return [n for n, die in enumerate(match.table.dice) if die.colour == colour and die.taken is None]


def fill(match: Match, seat: int) -> None:
    """Fills the area as if it had been entered, square by square, in earlier rounds."""
    me = match.seat(seat)
    assert me.task is not None
    assert me.task.region is not None
    ink = tuple("I1" for _ in me.task.region)
    laid = tuple(Placement(number, 0, cell) for number, cell in enumerate(me.task.region))
    task = replace(me.task, pieces=(*ink, *me.task.pieces[-2:]))
    match.virtual.table = with_seat(match.table, SeatNo(seat), replace(me, task=task, laid=laid))


def passed(match: Match) -> None:
    for seat in contending(match.table):
        match.ask(seat, Pass())


def areas_points(fills: list[int | None], **options: Any) -> list[int]:
    """The points of area 1 when the seats fill it in these rounds; None: never."""
    match = Match("dice", len(fills), **options)
    while match.table.area == 1:
        grab(match)
        for seat in contending(match.table):
            if fills[seat] == match.table.round:
                fill(match, seat)
        passed(match)
    return [seat.points[0] for seat in match.table.seats]


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_W1_a_black_and_a_white_die_for_each_player(seats: int) -> None:
    match = Match("dice", seats)
    match.ask(0, Throw())
    assert [die.colour for die in match.table.dice] == ["black"] * seats + ["white"] * seats
    assert all(die.face in (BLACK if die.colour == "black" else WHITE) for die in match.table.dice)


def test_W1_every_face_can_be_thrown() -> None:
    faces = Counter(face for seed in range(40) for event in thrown(str(seed)).happened(Thrown) for face in event.values)
    assert set(faces) == set(BLACK + WHITE)


def thrown(seed: str) -> Match:
    match = Match("dice", 4, seed)
    match.ask(0, Throw())
    return match


def test_W2_all_players_have_the_same_sheet() -> None:
    edition = material.shipped("dice")
    assert isinstance(edition, DiceEdition)
    match = Match("dice", 4)
    [task] = {seat.task for seat in match.table.seats}
    assert task is not None
    assert task.region == edition.sheets[int(task.board) - 1].areas[0].region


def test_W3_areas_are_played_one_after_the_other() -> None:
    match = Match("dice", 2)
    seen = []
    for _ in range(6):
        task = match.seat(1).task
        assert task is not None
        seen.append((match.table.area, task.number, task.board))
        give_up(match)
    assert [area for area, _, _ in seen] == [1, 2, 3, 4, 5, 6]
    assert [number for _, number, _ in seen] == ["1", "2", "3", "4", "5", "6"]
    assert len({board for _, _, board in seen}) == 1


def give_up(match: Match) -> None:
    for seat in contending(match.table):
        match.ask(seat, Stop())


def test_W4_a_round_throw_grab_enter() -> None:
    match = Match("dice", 2)
    assert match.table.phase == "throw"
    assert match.refused(0, Pass()) == "not_now"
    assert match.ask(0, Throw())[1:] == [Opened("grab", Instant(20_000))]
    assert match.refused(0, Pass()) == "not_now"
    grab(match)
    assert (match.table.phase, match.table.until) == ("enter", 90_000)
    match.ask(0, Pass())
    happened = match.ask(1, Pass())
    assert happened == [Passed(SeatNo(1)), RoundClosed(1), RoundOpened(2, "throw", Instant(30_000), SeatNo(1), 1)]


def test_W5_the_next_seat_throws_whatever_happened() -> None:
    match = Match("dice", 3, first_seat=2)
    rollers = []
    for number in range(6):
        rollers.append(match.table.roller)
        roller = match.table.roller
        assert roller is not None
        assert match.refused((roller + 1) % 3, Throw()) == "not_roller"
        grab(match)
        if number == 0:
            fill(match, 1)
        if number == 3:
            give_up(match)
        else:
            passed(match)
    assert rollers == [2, 0, 1, 2, 0, 1], "including players who wait, and also when a new area begins"


def test_W6_all_dice_are_thrown_even_if_some_players_wait() -> None:
    match = grabbed(4)
    fill(match, 0)
    passed(match)
    match.ask(1, Throw())
    assert len(match.table.dice) == 8


def test_W7_a_die_belongs_to_the_player_who_takes_it_first() -> None:
    match = Match("dice", 3)
    match.ask(0, Throw())
    assert match.ask(2, Grab(4)) == [Grabbed(SeatNo(2), 4)]
    assert match.refused(1, Grab(4)) == "die_taken"
    assert match.refused(2, Grab(4)) == "colour_taken", "nobody else has taken it"
    assert match.refused(2, Grab(5)) == "colour_taken"
    match.ask(2, Grab(0))
    assert match.refused(2, Grab(1)) == "colour_taken", "never a third"
    faces = [match.table.dice[4].face, match.table.dice[0].face]
    task = match.seat(2).task
    assert task is not None
    assert list(task.pieces) == faces, "its shape is the face as thrown"
    assert match.refused(2, Grab(9)) == "no_such_die"


def test_W8_a_player_who_is_too_slow_gets_the_lowest_numbered_die_of_the_missing_colour() -> None:
    match = Match("dice", 3)
    match.ask(0, Throw())
    match.ask(1, Grab(0))
    match.ask(0, Grab(5))
    happened = match.until()
    assert match.now == 20_000
    assert happened[:-1] == [Grabbed(SeatNo(0), 1), Grabbed(SeatNo(1), 3), Grabbed(SeatNo(2), 2), Grabbed(SeatNo(2), 4)]
    assert happened[-1] == Opened("enter", Instant(110_000))


def test_W8_without_a_limit_the_phase_waits() -> None:
    match = Match("dice", 2, grab_s=0)
    match.ask(0, Throw())
    assert match.wait(10**8) == []


def place(match: Match, seat: int, piece: int) -> Place:
    """Somewhere free for a shape of this round."""
    me = match.seat(seat)
    assert me.task is not None
    assert me.task.region is not None
    known = match.pieces(seat)
    taken = {
        tuple(a + b for a, b in zip(cell, where.at, strict=True))
        for where in me.laid
        if where.piece != piece
        for cell in known[where.piece].shapes[where.turn]
    }
    left = [cell for cell in me.task.region if cell not in taken]
    turn, at = min(fits(known[piece].shapes, left), key=lambda way: way[::-1])
    return Place(piece, turn, at)


def test_W9_both_shapes_either_one_or_neither_may_be_entered_moved_and_lifted() -> None:
    match = grabbed(2, seed="roomy")
    assert match.refused(0, Lift(0)) == "not_laid"
    match.ask(0, place(match, 0, 0))
    match.ask(0, place(match, 0, 1))
    match.ask(0, Lift(0))
    match.ask(0, place(match, 0, 0))
    match.ask(0, Pass())
    assert match.refused(0, Lift(0)) == "has_passed"
    assert match.refused(0, Pass()) == "has_passed"
    match.ask(1, Pass())
    assert match.seat(1).laid == ()
    assert len(match.seat(0).laid) == 2


def test_W9_a_shape_lies_wholly_inside_and_on_free_cells() -> None:
    match = grabbed(2, seed="roomy")
    first = place(match, 0, 0)
    match.ask(0, first)
    assert match.refused(0, Place(1, 0, (40, 40))) == "outside"
    task = match.seat(0).task
    assert task is not None
    assert task.region is not None
    clash = [Place(1, turn, at) for turn, at in fits(match.pieces(0)[1].shapes, task.region)]
    codes = {match.refused(0, move) for move in clash if at_cells(match, move) & at_cells(match, first)}
    assert codes == {"overlap"}


def at_cells(match: Match, move: Place) -> set[tuple[int, ...]]:
    shape = match.pieces(0)[move.piece].shapes[move.turn]
    return {tuple(a + b for a, b in zip(cell, move.at, strict=True)) for cell in shape}


def test_W9_a_shape_may_be_mirrored() -> None:
    assert len(dice.pieces(dice.OPTIONS())["L4"].shapes) == 8


def test_W9_shapes_entered_in_an_earlier_round_are_permanent() -> None:
    match = grabbed(2, seed="roomy")
    first = place(match, 0, 0)
    match.ask(0, first)
    passed(match)
    grab(match)
    assert match.refused(0, Lift(0)) == "ink"
    assert match.refused(0, first) == "ink"
    match.ask(0, place(match, 0, 3))


def test_W9_enter_s_closes_the_phase_and_what_was_entered_stays() -> None:
    match = grabbed(2, seed="roomy")
    match.ask(0, place(match, 0, 0))
    match.ask(1, Pass())
    happened = match.until()
    assert (match.now, happened[0]) == (90_000, RoundClosed(1))
    assert len(match.seat(0).laid) == 1


def test_W9_without_a_limit_the_phase_waits() -> None:
    match = grabbed(2, enter_s=0)
    assert match.wait(10**8) == []


def test_W10_a_shape_not_entered_lapses() -> None:
    match = grabbed(2, seed="roomy")
    match.ask(0, place(match, 0, 0))
    passed(match)
    grab(match)
    assert match.refused(0, Place(1, 0, (0, 0))) == "lapsed", "it was not entered, so it is not permanent"
    assert match.refused(0, Lift(1)) == "lapsed"
    task = match.seat(0).task
    assert task is not None
    assert len(task.pieces) == 4, "the list grows until the area is over"


@pytest.mark.parametrize(
    ("fills", "expected", "dense"),
    [
        ([3, 4, 5, None], [4, 3, 2, 1], None),
        ([3, 3, 5, None], [4, 4, 2, 1], [4, 4, 3, 1]),
        ([3, 3, 3, None], [4, 4, 4, 1], None),
        ([3, 5, 5, 5], [4, 3, 3, 3], None),
        ([3, 3, 5, 5], [4, 4, 2, 2], [4, 4, 3, 3]),
        ([3, 3, 3, 3], [4, 4, 4, 4], None),
        ([3, None], [2, 1], None),
        ([3, 3], [2, 2], None),
        ([3, 4, None], [3, 2, 1], None),
        ([3, 3, None], [3, 3, 1], None),
        ([3, 4, 4], [3, 2, 2], None),
        ([None, 1], [1, 2], None),
    ],
)
def test_W11_W12_W14_W15_the_worked_examples(
    fills: list[int | None], expected: list[int], dense: list[int] | None
) -> None:
    assert areas_points(fills) == expected
    assert areas_points(fills, places="dense") == (dense or expected)


def test_W11_points_depend_on_the_round_not_on_speed_within_it() -> None:
    match = grabbed(3)
    fill(match, 2)
    match.ask(2, Pass())
    assert match.happened(Scored) == [], "it scores after the enter phase"
    fill(match, 0)
    match.ask(0, Pass(), after=50_000)
    match.ask(1, Pass())
    assert match.happened(Scored) == [Scored(SeatNo(0), 3), Scored(SeatNo(1), 1), Scored(SeatNo(2), 3)]


def test_W13_a_player_who_has_filled_the_area_waits() -> None:
    match = grabbed(3)
    fill(match, 0)
    passed(match)
    match.ask(1, Throw())
    assert match.refused(0, Grab(0)) == "waiting"
    assert match.refused(0, Stop()) == "waiting"
    grab(match)
    assert match.table.phase == "enter", "nobody waits for their dice"
    assert match.refused(0, Pass()) == "waiting"
    assert match.refused(0, Place(0, 0, (0, 0))) == "waiting"


def test_W14_with_two_players_the_area_ends_as_soon_as_one_has_filled_it() -> None:
    match = grabbed(2)
    fill(match, 1)
    passed(match)
    assert [seat.points for seat in match.table.seats] == [(1,), (2,)]
    assert match.table.area == 2


def test_W16_everyone_plays_the_next_area() -> None:
    match = grabbed(2)
    fill(match, 1)
    passed(match)
    tasks = [seat.task for seat in match.table.seats]
    assert tasks[0] == tasks[1]
    assert tasks[0] is not None
    assert (tasks[0].pieces, tasks[0].number) == ((), "2")
    assert all(seat.laid == () for seat in match.table.seats)
    assert contending(match.table) == [0, 1]


@pytest.mark.parametrize("phase", ["throw", "grab", "enter"])
def test_W17_everyone_still_in_the_area_agrees_to_give_it_up(phase: str) -> None:
    match = grabbed(3)
    fill(match, 0)
    passed(match)
    if phase != "throw":
        match.ask(1, Throw())
    if phase == "enter":
        grab(match)
    assert match.table.phase == phase
    match.ask(1, Stop())
    assert match.refused(1, Stop()) == "already_stopped"
    happened = match.ask(2, Stop())
    assert happened[1:4] == [Scored(SeatNo(1), 0), Scored(SeatNo(2), 0), RoundClosed(2)]
    assert [seat.points for seat in match.table.seats] == [(3,), (0,), (0,)]
    assert match.table.area == 2


def test_W17_agreement_holds_until_the_round_ends() -> None:
    match = grabbed(3)
    match.ask(0, Stop())
    passed(match)
    assert not any(seat.stop for seat in match.table.seats)


def test_W17_a_player_who_is_away_agrees_after_a_minute() -> None:
    match = grabbed(2, enter_s=3600)
    match.ask(1, GoAway(), after=5_000)
    assert match.ask(0, Stop())[-1] == Due(Instant(65_000))
    assert Scored(SeatNo(1), 0) in match.until()
    assert match.now == 65_000


def test_W18_six_areas_and_five_for_two_players_only() -> None:
    match = Match("dice", 2, areas=5)
    for _ in range(5):
        give_up(match)
    assert match.table.phase == "over"
    with pytest.raises(BadOptions, match="five are for two"):
        Match("dice", 3, areas=5)


def test_W18_the_highest_sum_wins_and_equal_sums_share_the_place() -> None:
    seats = tuple(Seat("x", points=points) for points in [(4, 1), (3, 2), (1, 1), (4, 4)])
    assert dice.standing(Table("dice", dice.OPTIONS(), seats)) == ((3,), (0, 1), (2,))


def test_W18_a_whole_game() -> None:
    match = Match("dice", 2)
    for _ in range(6):
        grab(match)
        fill(match, 0)
        passed(match)
    closed = match.happened(MatchClosed)[0]
    assert (closed.totals, closed.standing) == ((12, 6), ((0,), (1,)))
    assert [len(seat.points) for seat in match.table.seats] == [6, 6]


def test_T2_the_throw_happens_by_itself() -> None:
    match = Match("dice", 2, ready_s=5)
    assert isinstance(match.until()[0], Thrown)
    assert match.now == 5_000


def test_T9_the_dice_game_has_no_call_and_nothing_to_be_ready_for() -> None:
    match = Match("dice")
    assert match.refused(0, Call()) == "not_here"
    assert match.refused(0, Ready()) == "not_here"


def test_T11_a_player_who_has_left_gets_0_for_unfilled_areas_and_no_consolation() -> None:
    match = grabbed(4)
    match.ask(3, Leave())
    fill(match, 0)
    passed(match)
    assert match.table.area == 1, "two are still in it"
    grab(match)
    fill(match, 1)
    passed(match)
    assert [seat.points for seat in match.table.seats] == [(4,), (3,), (1,), (0,)], "n stays as at the start"
    assert len(match.table.dice) == 0
    match.ask(match.table.roller or 0, Throw())
    assert len(match.table.dice) == 8, "and so does the number of dice"


def test_T11_the_others_of_an_area_leave_and_the_one_left_gets_the_consolation() -> None:
    match = grabbed(3)
    fill(match, 0)
    passed(match)
    match.ask(1, Stop())
    happened = match.ask(2, Leave())
    assert happened[1:4] == [Scored(SeatNo(1), 1), Scored(SeatNo(2), 0), RoundClosed(2)]


def test_T11_nobody_waits_longer_for_the_last_player_than_for_the_others() -> None:
    match = grabbed(3)
    fill(match, 0)
    passed(match)
    assert match.table.phase == "throw"
    assert match.ask(2, Leave())[1:3] == [Scored(SeatNo(1), 1), Scored(SeatNo(2), 0)]
    assert match.table.area == 2
    left = match.seat(2).task
    assert left is not None
    assert left.number == "1", "a player who has left gets no other area"


def test_T11_nobody_waits_for_the_dice_of_a_player_who_has_left() -> None:
    match = Match("dice", 3)
    match.ask(0, Throw())
    for seat in (0, 1):
        for colour in ("black", "white"):
            match.ask(seat, Grab(free(match, colour)[0]))
    assert match.table.phase == "grab"
    assert match.ask(2, Leave())[1] == Opened("enter", Instant(90_000))


def test_T14_after_a_round_everyone_can_see_everyones_area_until_the_next_throw() -> None:
    match = grabbed(2, seed="roomy")
    match.ask(0, place(match, 0, 0))
    passed(match)
    assert match.table.last is not None
    assert [len(result.laid) for result in match.table.last] == [1, 0]
    match.ask(1, Throw())
    assert match.table.last is None
