"""The smallest possible game: one round, one piece; the first player to lay it and call gets a point.

It is the template of docs/adding-a-game.md, and the conformance kit checks it like every other game.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ubongo.chance import Chance
from ubongo.events import Called, Dealt, Lifted, MatchClosed, Placed, RoundClosed, Scored, Started
from ubongo.game import Events, answer_ready, count_in, deadline, limit_reached, make_ready, standing_by, unready
from ubongo.games import board
from ubongo.lattice import HEX
from ubongo.moves import Call, Lift, Move, Place, Ready, Refused, name_of
from ubongo.pieces import Piece, Placement, fits, orientations
from ubongo.table import Instant, Options, Places, Seat, SeatNo, Table, Task, staying

NAME = "null"
SEATS = range(2, 5)
OPTIONS = Options
PIECES = {"bar": Piece("bar", orientations(HEX, [(0, 0), (1, 0)]))}
AREAS = (((0, 0), (0, 1)), ((0, 0), (1, 0)))
CELLS = board.cells_of(lambda: PIECES)
GIVEN_UP = 60


def pieces(_: Options) -> Mapping[str, Piece]:
    return PIECES


def opening(names: Sequence[str], options: Options) -> Table:
    limit = deadline(Instant(0), options.ready_s)
    return Table(NAME, options, tuple(map(Seat, names)), phase="ready", limit=limit, until=limit)


def solution(_: Options, task: Task) -> tuple[Placement, ...]:
    assert task.region is not None
    turn, at = next(fits(PIECES["bar"].shapes, task.region))
    return (Placement(0, turn, at),)


def answer(table: Table, seat: SeatNo, move: Move, now: Instant, _: Chance) -> Events:
    me = table.seats[seat]
    if isinstance(move, Ready):
        return answer_ready(table, seat)
    if table.phase != "play":
        raise Refused("not_started")
    match move:
        case Place(piece, turn, at):
            board.lay(CELLS, me, move)
            return (Placed(seat, piece, turn, at),)
        case Lift(piece):
            board.refuse_unless_laid(me, piece)
            return (Lifted(seat, piece),)
        case Call() if board.full(CELLS, me):
            return (Called(seat, now), Scored(seat, 1))
        case Call():
            raise Refused("not_filled")
    raise Refused("not_here", move=name_of(move))


def follow(table: Table, now: Instant, chance: Chance) -> Events:
    if all(seat.task is None for seat in table.seats):
        area = chance.pick(AREAS, "area")
        return [Dealt(seat, Task(("bar",), area, face="down")) for seat in staying(table)]
    out_of_time = limit_reached(table, now)
    if table.phase == "ready":
        return make_ready(table, now) if unready(table) else count_in(table, now) or start(now)
    if table.phase == "count":
        return start(now) if out_of_time else ()
    if out_of_time or any(seat.called is not None for seat in table.seats):
        return (RoundClosed(1), MatchClosed(standing(table), totals(table), chance.seed))
    return ()


def start(now: Instant) -> Events:
    return (Started(now, deadline(now, GIVEN_UP)),)


def standing(table: Table) -> Places:
    return standing_by(table, totals(table))


def totals(table: Table) -> tuple[int, ...]:
    return tuple(sum(seat.points) for seat in table.seats)


verdict = board.verdict
