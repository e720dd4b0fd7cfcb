"""All events. `evolve` defines their effects on the table.

An event says all that happened, luck included, so a log replays without a generator. New fields get defaults and types
never change, since old logs must be readable for ever.
"""

from __future__ import annotations

from msgspec import Struct

from ubongo.lattice import Cell
from ubongo.moves import snake
from ubongo.table import (
    FastForward,
    Gem,
    Instant,
    Millis,
    Phase,
    Places,
    SeatNo,
    Spot,
    Task,
)


class Event(Struct, frozen=True, gc=False, tag=snake, tag_field="type"):
    pass


class Readied(Event, frozen=True, gc=False):
    seat: SeatNo


class Dealt(Event, frozen=True, gc=False):
    """`task` is None only where a viewer may not see it."""

    seat: SeatNo
    task: Task | None


class Thrown(Event, frozen=True, gc=False):
    """What the dice show, in their order: the black ones first."""

    values: tuple[str | int, ...]


class Opened(Event, frozen=True, gc=False):
    """Another phase of the same round."""

    phase: Phase
    limit: Instant | None = None


class Started(Event, frozen=True, gc=False):
    """Tasks are turned over, and everyone begins."""

    at: Instant
    limit: Instant | None = None


class GlassTurned(Event, frozen=True, gc=False):
    turned: int
    ends: Instant


class Placed(Event, frozen=True, gc=False):
    seat: SeatNo
    piece: int
    turn: int
    at: Cell


class Lifted(Event, frozen=True, gc=False):
    seat: SeatNo
    piece: int


class Judged(Event, frozen=True, gc=False):
    """Which pieces lie wrongly, now that somebody may know."""

    seat: SeatNo
    wrong: tuple[int, ...]


class Hinted(Event, frozen=True, gc=False):
    """A hint in practice: which piece is laid next, or (None) which of those that lie cannot stay.

    `again`: a repetition, which is not counted.
    """

    seat: SeatNo
    piece: int | None
    wrong: tuple[int, ...] = ()
    again: bool = False


class Called(Event, frozen=True, gc=False):
    seat: SeatNo
    at: Instant


class Counted(Event, frozen=True, gc=False):
    """C6: how many cards lie right on paper, as the seat claims."""

    seat: SeatNo
    cards: int


class TakenBack(Event, frozen=True, gc=False):
    """C3: the claims of this seat are withdrawn."""

    seat: SeatNo


class Limited(Event, frozen=True, gc=False):
    """The current phase has a new limit."""

    limit: Instant


class Due(Event, frozen=True, gc=False):
    """Something will happen by itself at another time than the limit."""

    until: Instant | None


class GemMoved(Event, frozen=True, gc=False):
    """All gem traffic there is."""

    gem: Gem
    source: Spot
    target: Spot


class Grabbed(Event, frozen=True, gc=False):
    seat: SeatNo
    die: int


class Passed(Event, frozen=True, gc=False):
    seat: SeatNo


class Stopped(Event, frozen=True, gc=False):
    """This seat agrees to end it."""

    seat: SeatNo


class Scored(Event, frozen=True, gc=False):
    seat: SeatNo
    points: int


class RoundClosed(Event, frozen=True, gc=False):
    round: int


class RoundOpened(Event, frozen=True, gc=False):
    """The next round. The first one is open when the table is. `among`: the seats that play; None: all."""

    round: int
    phase: Phase
    limit: Instant | None = None
    roller: SeatNo | None = None
    area: int | None = None
    playoff: bool = False
    among: tuple[SeatNo, ...] | None = None


class MatchClosed(Event, frozen=True, gc=False):
    """`took`: how long it was, where that is a result (solo)."""

    standing: Places
    totals: tuple[int, ...]
    seed: str
    took: Millis | None = None


class Left(Event, frozen=True, gc=False):
    """A player has left for good."""

    seat: SeatNo


class Away(Event, frozen=True, gc=False):
    seat: SeatNo
    at: Instant


class Back(Event, frozen=True, gc=False):
    seat: SeatNo


class FastForwardAsked(Event, frozen=True, gc=False):
    """This seat asks not to wait for bots (T7a)."""

    seat: SeatNo
    fast_forward: FastForward


class TimeSkipped(Event, frozen=True, gc=False):
    """The match's clock has jumped forward by so much: everybody agreed not to wait for bots (T7a)."""

    by: Millis


class ClockWrong(Event, frozen=True, gc=False):
    """The server's clock is behind what it has recorded, so times measured in this match count nowhere.

    `by`: the match's clock was put forward by so much, to go on from what happened last.
    """

    by: Millis = Millis(0)


class Resumed(Event, frozen=True, gc=False):
    """The server was down and the round goes on: nothing runs out before `until`, the one exception to T3.

    `stood`: so much more time there is for it, or would be if there were a limit; bots count it as people do.
    """

    until: Instant
    stood: Millis = Millis(0)


AnyEvent = (
    Readied | Dealt | Thrown | Opened | Started | GlassTurned | Placed | Lifted | Judged | Hinted | Called | Counted
    | TakenBack | Limited | Due | GemMoved | Grabbed | Passed | Stopped | Scored | RoundClosed | RoundOpened
    | MatchClosed | Left | Away | Back | FastForwardAsked | TimeSkipped | ClockWrong | Resumed
)  # fmt: skip
