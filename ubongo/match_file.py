"""A match as JSON lines: its opening, then every event. The referee, `replay`, the server and tests share this format.

A file that was written once is readable for ever: new fields get defaults, and names never change.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Annotated, Any, NamedTuple

import msgspec
from msgspec import UNSET, Meta, Raw, Struct, UnsetType

from ubongo.events import AnyEvent
from ubongo.game import Game, opened
from ubongo.games import GAMES
from ubongo.moves import Refused
from ubongo.table import Instant, Options, SeatNo, Table, numbered
from ubongo.words import refusal

SeatName = Annotated[str, Meta(min_length=1, max_length=60)]


class Bot(Struct, frozen=True):
    """A seat held by a bot of that level. Without a level it is a person's, like a plain name."""

    name: SeatName
    bot: str | None = None


class Opening(Struct, frozen=True):
    """The first line. The options are decoded when the table is opened, because their type depends on the game."""

    game: str
    seats: tuple[SeatName | Bot, ...]
    seed: Annotated[str, Meta(max_length=200)]
    options: Raw = Raw(b"{}")


class EventLine(Struct, frozen=True, gc=False):
    """Every other line. `version` counts the events of a match from 1."""

    at: Instant
    version: int
    event: AnyEvent


class RefusedLine(Struct, frozen=True):
    """A refused move. The referee prints it between the events; it is not part of the match."""

    at: Instant
    seat: Any
    refused: str
    code: str
    values: dict[str, Any]


class BadLine(msgspec.ValidationError):
    """A line that cannot be used; the text says what is wrong with it."""


class TableArguments(NamedTuple):
    """What a table is opened with: the arguments of `opened` and of `VirtualTable`."""

    game: Game
    names: Sequence[str]
    options: Options
    seed: str
    bots: dict[SeatNo, str]


class _PrintedLine(Struct, frozen=True):
    """Any line that a referee prints: an event, a refusal or a table."""

    at: Instant
    version: int | UnsetType = UNSET
    event: AnyEvent | UnsetType = UNSET


_decode_opening = msgspec.json.Decoder(Opening).decode
_decode_event = msgspec.json.Decoder(EventLine).decode
_decode_printed = msgspec.json.Decoder(_PrintedLine).decode
_encode = msgspec.json.Encoder().encode


def read_opening(line: bytes) -> Opening:
    """Raises a decoding error. The game and its options are checked when the table is opened."""
    return _decode_opening(line)


def read_events(lines: bytes) -> list[EventLine]:
    """The lines after the opening; raises a decoding error if one of them is not an event."""
    return [_decode_event(line) for line in lines.splitlines()]


def read_event(line: bytes, version: int) -> EventLine | None:
    """The event of a line that a referee printed, which has to be of that version; None for a refusal or a table.

    Raises BadLine, or a decoding error.
    """
    printed = _decode_printed(line)
    if printed.event is UNSET:
        return None
    if printed.version != version:
        found = "missing" if printed.version is UNSET else printed.version
        raise BadLine(f"version is {found}; after {version - 1} comes {version}")
    return EventLine(printed.at, version, printed.event)


def write_line(line: Struct) -> bytes:
    return _encode(line) + b"\n"


def write_match(opening: Opening, events: Iterable[EventLine]) -> bytes:
    return b"".join(map(write_line, (opening, *events)))


def refused_line(at: Instant, seat: Any, no: Refused) -> RefusedLine:
    return RefusedLine(at, seat, refusal(no.code, no.values), no.code, no.values)


def table_arguments(opening: Opening) -> TableArguments:
    """Raises BadLine if there is no such game, or if it has no such options."""
    game = GAMES.get(opening.game)
    if game is None:
        raise BadLine(f"game is {opening.game!r}; it is one of {', '.join(GAMES)}")
    try:
        options = msgspec.json.decode(opening.options, type=game.OPTIONS)
    except msgspec.ValidationError as problem:
        known = ", ".join(game.OPTIONS.__struct_fields__)
        raise BadLine(f"options: {problem}; {game.NAME} has {known}") from None
    names = [seat if isinstance(seat, str) else seat.name for seat in opening.seats]
    bots = {
        number: seat.bot for number, seat in numbered(opening.seats) if isinstance(seat, Bot) and seat.bot is not None
    }
    return TableArguments(game, names, options, opening.seed, bots)


def open_table(opening: Opening) -> Table:
    """The table before anything has happened; raises BadLine, BadOptions or BadEdition."""
    return opened(*table_arguments(opening))
