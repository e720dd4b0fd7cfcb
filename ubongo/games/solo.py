"""Solo (Q22 to Q24a): one seat, task after task of Extreme or of 3-D, against the clock or against the count.

A task is a round. There is no hourglass and there are no gems; points are 1 for a task solved, 0 for one set aside.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

from msgspec.structs import replace

from ubongo.chance import Chance
from ubongo.events import (
    AnyEvent,
    Called,
    Dealt,
    Lifted,
    MatchClosed,
    Placed,
    RoundClosed,
    RoundOpened,
    Scored,
    Started,
    Thrown,
)
from ubongo.game import SECOND, BadOptions, Events, after, answer_ready, make_ready, unready
from ubongo.games import board, cubes, extreme
from ubongo.games.board import Cells
from ubongo.games.editions import chosen
from ubongo.material import Edition
from ubongo.material.cubes import BOARDS as CUBES_BOARDS
from ubongo.material.cubes import CubesEdition
from ubongo.material.extreme import BOARDS as EXTREME_BOARDS
from ubongo.material.extreme import COLOURS, ExtremeEdition
from ubongo.moves import Call, Lift, Move, Place, Ready, Refused, SetAside, name_of
from ubongo.pieces import Piece, Placement
from ubongo.table import Face, Instant, Millis, Options, Places, Seat, SeatNo, Table, Task

NAME = "solo"
SEATS = range(1, 2)
MINE: SeatNo = 0


class SoloOptions(Options, frozen=True, kw_only=True, gc=False):
    """`minutes` goes with mode `clock`, `tasks` with mode `count`, `die` with 3-D."""

    of: Literal["cubes", "extreme"] = "cubes"
    side: Literal[3, 4] = 3
    die: Literal["on", "off"] = "on"
    mode: Literal["clock", "count"] = "clock"
    minutes: Literal[5, 10, 20] = 5
    tasks: Literal[5, 10, 20] = 5


OPTIONS = SoloOptions


def _options(table: Table) -> SoloOptions:
    assert isinstance(table.options, SoloOptions)
    return table.options


def pieces(options: Options) -> Mapping[str, Piece]:
    assert isinstance(options, SoloOptions)
    return extreme.pieces(options) if options.of == "extreme" else cubes.pieces(options)


def cells(table: Table) -> Cells:
    return extreme.RACE.cells if _options(table).of == "extreme" else cubes.RACE.cells


def opening(names: Sequence[str], options: Options) -> Table:
    assert isinstance(options, SoloOptions)
    if options.die == "off" and (options.of == "extreme" or options.side == 4):
        raise BadOptions("die is 'off'; playing without the die goes with cubes and side 3 only")
    kind: type[Edition] = ExtremeEdition if options.of == "extreme" else CubesEdition
    edition = chosen(kind, options.edition)
    limit = after(0, options.ready_s)
    seats = tuple(map(Seat, names))
    return Table(NAME, replace(options, edition=edition.id), seats, phase="ready", limit=limit, until=limit)


def drawn(boards: int, round_: int, chance: Chance) -> int:
    """Q24a: all boards, shuffled, and again when they are used up."""
    again, place = divmod(round_ - 1, boards)
    return chance.shuffled(range(boards), "boards", again)[place]


def deal(table: Table, round_: int, face: Face, chance: Chance) -> list[AnyEvent]:
    """The next board; in 3-D the die says which of its tasks, in Extreme the chip."""
    options = _options(table)
    if options.of == "extreme":
        colour = chance.pick(range(len(COLOURS)), "chips", round_)
        number = drawn(EXTREME_BOARDS, round_, chance)
        return [Dealt(MINE, extreme.task(options.edition, number, options.side, colour, face))]
    number = drawn(CUBES_BOARDS, round_, chance)
    if options.die == "off":
        return [Dealt(MINE, cubes.task(options.edition, number, options.side, cubes.FIRST_GAME, face))]
    thrown = chance.pick(cubes.DIE, "die", round_)
    return [Thrown((thrown,)), Dealt(MINE, cubes.task(options.edition, number, options.side, thrown, face))]


def answer(table: Table, seat: SeatNo, move: Move, now: Instant, chance: Chance) -> Events:
    if isinstance(move, Ready):
        return answer_ready(table, seat)
    me = table.seats[seat]
    if table.phase != "play":
        raise Refused("not_started")
    match move:
        case Place(piece, turn, at):
            placed = Placed(seat, piece, turn, at)
            # T10: laying the piece that completes the filling is the call.
            return (placed, Called(seat, now)) if board.lay(cells(table), me, move) else (placed,)
        case Lift(piece):
            board.refuse_unless_laid(me, piece)
            return (Lifted(seat, piece),)
        case Call():
            # With the last piece the next task comes, so there is never a full area to call for.
            raise Refused("not_filled")
        case SetAside():
            # Q24: at any time, for a new board.
            return next_task(table, 0, now, chance)
    raise Refused("not_here", move=name_of(move))


def follow(table: Table, now: Instant, chance: Chance) -> Events:
    me = table.seats[MINE]
    match table.phase:
        case "ready" if me.task is None:
            return deal(table, table.round, "down" if table.options.reveal == "start" else "hand", chance)
        case "ready" if not unready(table):
            return (Started(now, ends(table, now)),)
        case "ready":
            return make_ready(table, now)
        # Q22: the clock.
        case "play" if table.limit is not None and now >= table.limit:
            return (RoundClosed(table.round), over(table, now, chance))
        case "play" if me.called is not None:
            return solved(table, now, chance)
    return ()


def ends(table: Table, began: Instant) -> Instant | None:
    options = _options(table)
    return began + options.minutes * 60 * SECOND if options.mode == "clock" else None


def solved(table: Table, now: Instant, chance: Chance) -> Events:
    """Q23: the count."""
    options = _options(table)
    if options.mode == "count" and totals(table)[MINE] + 1 == options.tasks:
        final = replace(table, seats=(replace(table.seats[MINE], points=(*table.seats[MINE].points, 1)),))
        return (Scored(MINE, 1), RoundClosed(table.round), over(final, now, chance))
    return next_task(table, 1, now, chance)


def next_task(table: Table, points: int, now: Instant, chance: Chance) -> Events:
    """The next task is before me at once, and the time goes on."""
    assert table.began is not None
    round_ = table.round + 1
    return (
        Scored(MINE, points),
        RoundClosed(table.round),
        RoundOpened(round_, "ready"),
        *deal(table, round_, "down", chance),
        Started(now, ends(table, table.began)),
    )


def over(table: Table, now: Instant, chance: Chance) -> MatchClosed:
    """`took` is the result of mode `count`, the total that of mode `clock`."""
    assert table.began is not None
    took: Millis = now - table.began
    return MatchClosed(standing(table), totals(table), chance.seed, took)


def standing(_: Table) -> Places:
    return ((MINE,),)


def totals(table: Table) -> tuple[int, ...]:
    return (sum(table.seats[MINE].points),)


def solution(options: Options, task: Task) -> tuple[Placement, ...]:
    assert isinstance(options, SoloOptions)
    booklet = extreme.booklet if options.of == "extreme" else cubes.booklet
    return booklet(options.edition, options.side, task)


verdict = board.verdict
