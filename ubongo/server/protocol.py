"""The messages of the WebSocket: first those of clients, then those of the server.

docs/protocol.md shows every message; a test reads it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any, Literal

import msgspec
from msgspec import UNSET, Meta, Raw, Struct, UnsetType

from ubongo.events import AnyEvent
from ubongo.moves import (
    Call,
    Claim,
    Grab,
    Hint,
    Leave,
    Lift,
    Pass,
    Place,
    Ready,
    Refused,
    SetAside,
    Skip,
    SpeedUp,
    Stop,
    TakeBack,
    Throw,
    TurnBack,
    read_move,
)
from ubongo.table import Instant, SeatNo, Table
from ubongo.words import refusal

# In bytes. A move has about 80; longer messages are not even read.
LONGEST = 4096
# The WebSocket's close code: do not reconnect, the table is gone.
CLOSED = 4404

# Without `away` and `back`, which only the server plays: it knows who is connected.
AskedMove = (
    Ready | Place | Lift | Call | Throw | Grab | Pass | Stop | SetAside | Hint | Claim | TakeBack | TurnBack
    | Skip | SpeedUp | Leave
)  # fmt: skip


class Hello(Struct, frozen=True, gc=False, tag="hello"):
    """The first message. Without a token the cookie identifies the guest."""

    token: Annotated[str, Meta(max_length=200)] | None = None


class Ping(Struct, frozen=True, gc=False, tag="ping"):
    at: int | float


# Well played, wow, so close, ha, love it.
ReactionKind = Literal["star", "wow", "close", "ha", "heart"]


class React(Struct, frozen=True, gc=False, tag="react"):
    """A reaction, shown to everybody at the table. `n` is counted together with that of `Ask`."""

    n: Annotated[int, Meta(ge=1, le=2**53)]
    what: ReactionKind


class Ask(Struct, frozen=True, gc=False, tag="ask"):
    """A move. `n` counts from 1 in each connection. The move is decoded later, so that a bad one is refused by `n`.

    `seat`: whose move it is, if not the sender's own (C8).
    """

    n: Annotated[int, Meta(ge=1, le=2**53)]
    move: Raw
    seat: SeatNo | None = None


class Bare(Struct, frozen=True, gc=False):
    """A message before its type is known; without `type` it is an ask."""

    type: str | UnsetType = UNSET
    n: Annotated[int, Meta(ge=1, le=2**53)] | UnsetType = UNSET
    move: Raw | UnsetType = UNSET
    seat: SeatNo | None = None


class MoveRefused(Struct, frozen=True, tag="refused"):
    n: int
    why: str
    code: str
    values: dict[str, Any]


class Reaction(Struct, frozen=True, tag="reaction"):
    """A player's reaction; it is not recorded."""

    seat: SeatNo
    what: ReactionKind


class Pong(Struct, frozen=True, tag="pong"):
    at: int | float
    now: Instant


class Fault(Struct, frozen=True, tag="error"):
    """A message was not understood; nothing has happened."""

    why: str


class Waiting(Struct, frozen=True, tag="error"):
    """The client cannot enter this table: its edition is missing, its log is damaged, or the client is banned.

    `code` is the same as over HTTP.
    """

    why: str
    code: str
    edition: str


class Bye(Struct, frozen=True, tag="bye"):
    """The server shuts down; the client reconnects after `retry_ms`."""

    retry_ms: int


class TableFacts(Struct, frozen=True, kw_only=True):
    """What the lobby and the bots know about a table. On the wire these are fields of the table itself.

    `host` is a seat. `voiced`: the seats of people without a device, for whom the host's device plays. `public`: the
    table is listed. `muted`: the host has turned reactions off. `next` is the table of the rematch, `next_by` the seat
    that has asked for it, and `rematch_of` the table before. `stand_ins`: seats of people who are away while bots play
    for them. `only_bots`: the table waits for bots only. `speed`: by what factor the table's time is accelerated.
    """

    host: SeatNo | None = None
    voiced: tuple[SeatNo, ...] = ()
    public: bool = False
    muted: bool = False
    next: str | None = None
    next_by: SeatNo | None = None
    rematch_of: str | None = None
    stand_ins: tuple[SeatNo, ...] = ()
    only_bots: bool = False
    speed: int = 1


# A table as one member sees it: the fields of `Table` and `TableFacts`.
SeenTable = Annotated[dict[str, Any], Meta(extra_json_schema={"allOf": ["Table", "TableFacts"]})]
# Each field replaces the old value. Seats are given by number, and only with the fields that differ.
TablePart = Annotated[dict[str, Any], Meta(extra_json_schema={"partOf": ["Table", "TableFacts"]})]


class Welcome(Struct, frozen=True, tag="welcome"):
    """The whole table. The function `welcome` encodes it."""

    version: int
    now: Instant
    seat: SeatNo | None
    table: SeenTable


class Update(Struct, frozen=True, tag="update"):
    """What has changed. `acked`: the last of the member's own requests that this answers. `update` encodes it."""

    version: int
    now: Instant
    acked: int | None
    events: list[AnyEvent]
    table: TablePart


class BadMessage(ValueError):
    """A frame that is not a message; the text says why, for the author of the client."""


encode = msgspec.json.Encoder().encode
_bare = msgspec.json.Decoder(Bare).decode
_message: msgspec.json.Decoder[Hello | Ping | React] = msgspec.json.Decoder(Hello | Ping | React)
_move: Callable[[Raw], AskedMove] = msgspec.json.Decoder(AskedMove).decode


def read(message: str) -> Hello | Ping | React | Ask:
    try:
        bare = _bare(message)
        if bare.type is UNSET or bare.type == "ask":
            if bare.n is UNSET or bare.move is UNSET:
                raise BadMessage("an ask has `n`, which counts from 1, and `move`")
            return Ask(bare.n, bare.move, bare.seat)
        return _message.decode(message)
    except RecursionError:
        raise BadMessage("this is nested too deep") from None
    except UnicodeDecodeError:
        raise BadMessage("this is not UTF-8") from None
    except msgspec.DecodeError as problem:
        raise BadMessage(str(problem)) from None


def move_of(ask: Ask) -> AskedMove:
    return read_move(_move, ask.move)


def declined(n: int, no: Refused) -> bytes:
    return encode(MoveRefused(n, refusal(no.code, no.values), no.code, no.values))


def welcome(version: int, now: Instant, seat: SeatNo | None, table: Table, facts: TableFacts) -> bytes:
    """An encoded `Welcome`. The bytes of table and facts are spliced, which saves a copy of the table."""
    viewer = b"null" if seat is None else b"%d" % seat
    fields = encode(table)[:-1] + b"," + encode(facts)[1:]
    return b'{"type":"welcome","version":%d,"now":%d,"seat":%b,"table":%b}' % (version, now, viewer, fields)


def update(version: int, now: Instant, events: bytes, table: bytes) -> tuple[bytes, bytes]:
    """An encoded `Update` in two halves. Between them goes `acked`, which differs for each member."""
    return (
        b'{"type":"update","version":%d,"now":%d,"acked":' % (version, now),
        b',"events":%b,"table":%b}' % (events, table),
    )
