"""What lies on the table: everything that a spectator of a real table could see, and no state of the rules.

All of it is frozen and without cycles, so the garbage collector can skip it (`gc=False`) and changes are found by
comparing. The order of a stack is not here: it is re-derived from `chance`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Annotated, Literal, NewType, TypeVar, cast

from msgspec import Meta, Struct
from msgspec.structs import replace

from ubongo.lattice import Cell
from ubongo.pieces import Placement

T = TypeVar("T")

# All three are integers at run time; as distinct types they cannot be taken for one another. A sum or a difference is
# a plain `int`, so the code that computes it says what it is: `Instant(now + delay)`. Wall-clock time is a fourth type,
# `ubongo.server.clock.Timestamp`.
Instant = NewType("Instant", int)  # a moment of the match: milliseconds since the table was opened
Millis = NewType("Millis", int)  # a duration in milliseconds
SeatNo = NewType("SeatNo", int)  # a seat, clockwise from 0: the index in `Table.seats`
Gem = Literal["ruby", "sapphire", "emerald", "amber"]
GEMS: tuple[Gem, ...] = ("ruby", "sapphire", "emerald", "amber")  # also the order in which they lie
Spot = SeatNo | Literal["display", "bag"]
Phase = Literal["gather", "throw", "ready", "count", "play", "grab", "enter", "over"]
Face = Literal["down", "hand", "up"]
Places = tuple[tuple[SeatNo, ...], ...]
FastForward = Literal["speed_up", "skip"]

Seconds = Annotated[int, Meta(ge=0, le=3600)]


class Options(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, gc=False):
    """What the host chooses before the match; each game adds its own. `edition` empty: the shipped one.

    `companion`: pieces lie on paper, so seats claim what they have done (C1). `count_in_s`: 0 starts at once (T2a).
    """

    ready_s: Seconds = 30
    first_seat: Annotated[int, Meta(ge=0, le=3)] = 0
    reveal: Literal["start", "deal"] = "start"
    edition: Annotated[str, Meta(max_length=80)] = ""
    takeover_s: Seconds = 60
    companion: bool = False
    count_in_s: Annotated[int, Meta(ge=0, le=10)] = 0


class Task(Struct, frozen=True, gc=False):
    """The task of a seat. A hand of cards has no region.

    `face`: `down` nobody sees it, `hand` its owner does, `up` everybody. A None in `pieces` is hidden from the viewer.
    `number` names the task on its board, if the board has several.
    """

    pieces: tuple[str | None, ...]
    region: tuple[Cell, ...] | None = None
    board: str = ""
    number: str = ""
    face: Face = "up"


class RoundResult(Struct, frozen=True, gc=False):
    """The task, layout and winnings of a seat in the round just closed, for everyone to look at (T14).

    `points` of the round, in the dice game of the area; None while there are none.
    """

    task: Task | None
    laid: tuple[Placement, ...]
    wrong: tuple[int, ...]
    called: Instant | None
    gems: tuple[Gem, ...] = ()
    points: int | None = None


class Seat(Struct, frozen=True, gc=False):
    """`present`: connected; `away`: since when not; `gone`: left for good (T11); `won`: the gems of this round.

    `hints`: how many there were, in practice; `told`: the placements of this task that hints named as wrong.
    `cards`: how many lie right on paper, as claimed (C6).
    `sheet`: the dice game's areas before this one, as they lay when they were over.
    `fast_forward`: what this seat has asked for while only bots are playing (T7a).
    """

    name: str
    bot: str | None = None
    present: bool = True
    gone: bool = False
    ready: bool = False
    passed: bool = False
    stop: bool = False
    task: Task | None = None
    laid: tuple[Placement, ...] = ()
    called: Instant | None = None
    wrong: tuple[int, ...] = ()
    gems: tuple[Gem, ...] = ()
    points: tuple[int, ...] = ()
    away: Instant | None = None
    won: tuple[Gem, ...] = ()
    hints: int = 0
    sheet: tuple[RoundResult, ...] = ()
    cards: int | None = None
    told: tuple[Placement, ...] = ()
    fast_forward: FastForward | None = None


class Glass(Struct, frozen=True, gc=False):
    turned: int
    ends: Instant


class Die(Struct, frozen=True, gc=False):
    colour: Literal["black", "white"]
    face: str | int
    taken: SeatNo | None = None


class Table(Struct, frozen=True, gc=False):
    """`limit`: when the phase ends by itself; `until`: when anything does, which may be sooner (an agreed end).

    `began`: when the first round did; `started`: when this one did, or the last one that everyone started together.
    `among`: the seats in the play-off. `stood`: for how long this round stood still while the server was down.
    `time_skipped`: by how much the match's instants are ahead of the clock, since waits for bots were skipped (T7a).
    `clock_wrong`: the server's clock was wrong during this match, so no time of it counts.
    """

    game: str
    options: Options
    seats: tuple[Seat, ...]
    phase: Phase = "gather"
    round: int = 1
    area: int | None = None
    playoff: bool = False
    roller: SeatNo | None = None
    until: Instant | None = None
    glass: Glass | None = None
    dice: tuple[Die, ...] = ()
    display: tuple[Gem, ...] = ()
    bag: tuple[Gem, ...] = ()
    seed_hash: str = ""
    seed: str | None = None
    last: tuple[RoundResult, ...] | None = None
    limit: Instant | None = None
    began: Instant | None = None
    started: Instant | None = None
    standing: Places | None = None
    totals: tuple[int, ...] | None = None
    took: Millis | None = None
    among: tuple[SeatNo, ...] | None = None
    stood: Millis = Millis(0)
    time_skipped: Millis = Millis(0)
    clock_wrong: bool = False


def numbered(things: Sequence[T]) -> Iterator[tuple[SeatNo, T]]:
    """Things that each belong to a seat, with the numbers of the seats: `enumerate` with the right type."""
    return cast("Iterator[tuple[SeatNo, T]]", enumerate(things))


def with_seat(table: Table, number: SeatNo, seat: Seat) -> Table:
    seats = table.seats
    return replace(table, seats=(*seats[:number], seat, *seats[number + 1 :]))


def staying(table: Table) -> list[SeatNo]:
    """T11: 'everyone' are the seats still in the match."""
    return [number for number, seat in numbered(table.seats) if not seat.gone]


def contending(table: Table) -> list[SeatNo]:
    """The seats whose task is still open in this round: in it, not gone, and without points for the area yet."""
    area = table.area
    return [
        number
        for number, seat in numbered(table.seats)
        if seat.task is not None and not seat.gone and (area is None or len(seat.points) < area)
    ]


def next_seat(table: Table, after: SeatNo | None, among: list[SeatNo]) -> SeatNo | None:
    """The next of these seats clockwise; with `after` None the first from `first_seat` on."""
    size = len(table.seats)
    start = table.options.first_seat if after is None else after + 1
    return next((SeatNo(seat) for seat in ((start + step) % size for step in range(size)) if seat in among), None)
