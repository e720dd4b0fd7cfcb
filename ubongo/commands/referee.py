"""`ubongo referee`: the rules as a filter. Moves in, events out, on a virtual clock."""

from __future__ import annotations

import sys
from typing import Annotated, Any

import msgspec
from cyclopts import Parameter
from msgspec import UNSET, Meta, Raw, Struct, UnsetType

from ubongo.commands._support.input_lines import BROKEN, LONGEST, NumberedLine, blocks, complaint, open_lines
from ubongo.commands._support.progress_bar import bar
from ubongo.game import BadOptions
from ubongo.games import GAMES
from ubongo.material import BadEdition
from ubongo.moves import AnyMove, Refused
from ubongo.table import Instant, SeatNo, Table, numbered
from ubongo.veil import veil
from ubongo.virtual import Happened, VirtualTable
from ubongo.words import refusal

# Thirty days. A dice table where nobody moves goes on throwing by itself for as long as time passes.
LATEST = Instant(30 * 24 * 3_600_000)

SeatName = Annotated[str, Meta(min_length=1, max_length=60)]


class RefereeBot(Struct, frozen=True):
    """A seat held by a bot; a plain name is a person."""

    name: SeatName
    bot: str | None = None


class RefereeOpening(Struct, frozen=True):
    """The first line of a match, in a referee's input and in a server's log."""

    game: str
    seats: tuple[SeatName | RefereeBot, ...]
    seed: Annotated[str, Meta(max_length=200)]
    options: Raw = Raw(b"{}")


class RefereeLine(Struct, frozen=True):
    """Any line after the first. Without `move` or `show` only time passes."""

    at: Annotated[Instant, Meta(ge=0, le=LATEST)]
    seat: Raw | UnsetType = UNSET
    move: Raw | UnsetType = UNSET
    show: SeatNo | str | UnsetType = UNSET


class RefereeRefusal(Struct, frozen=True):
    at: Instant
    seat: Any
    refused: str
    code: str
    values: dict[str, Any]


class Shown(Struct, frozen=True):
    at: Instant
    table: Table


class RefereeError(Struct, frozen=True):
    line: int
    error: str


class BadLine(ValueError):
    """A line that cannot be used; the text says what is wrong with it."""


# What reading a line can raise.
UNREADABLE = (BadLine, BadOptions, BadEdition, *BROKEN)

Answer = Happened | RefereeRefusal | Shown

_decode_opening = msgspec.json.Decoder(RefereeOpening).decode
_decode_asked = msgspec.json.Decoder(RefereeLine).decode
_moves: msgspec.json.Decoder[AnyMove] = msgspec.json.Decoder(AnyMove)
_encode = msgspec.json.Encoder().encode


def referee(file: Annotated[str, Parameter(allow_leading_hyphen=True)] = "-", /) -> int:
    """
    Parameters
    ----------
    file
        The match, one JSON object per line, the opening first; - (the default) reads standard input.
    """
    reader = Referee()
    faults = 0
    out = sys.stdout.buffer
    with bar("refereeing", file if not sys.stdout.isatty() else None) as told:
        for lines in blocks(open_lines(file), told):
            for line in lines:
                try:
                    answers: list[Any] = reader.read(line)
                except UNREADABLE as problem:
                    faults += 1
                    answers = [RefereeError(line[0], complaint(problem))]
                out.writelines(_encode(answer) + b"\n" for answer in answers)
                out.flush()
    return 1 if faults else 0


def opened_by(line: bytes) -> VirtualTable:
    """The table that an opening line opens."""
    opening = _decode_opening(line)
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
        number: seat.bot
        for number, seat in numbered(opening.seats)
        if isinstance(seat, RefereeBot) and seat.bot is not None
    }
    return VirtualTable(game, names, options, opening.seed, bots)


class Referee:
    """One match, line by line: the first opens it, and time never goes back."""

    def __init__(self) -> None:
        self.match: VirtualTable | None = None

    def read(self, line: NumberedLine) -> list[Answer]:
        text = line[1]
        if text is None:
            raise BadLine(f"the line is longer than {LONGEST >> 20} MiB")
        if self.match is None:
            self.match = opened_by(text)
            return list(self.match.log)
        return self.answers(self.match, _decode_asked(text))

    def answers(self, match: VirtualTable, asked: RefereeLine) -> list[Answer]:
        if asked.at < match.now:
            raise BadLine(f"at is {asked.at}, but it is {match.now} already; time never goes back")
        # Every error in the line is found before time passes: what happens then must be printed.
        if asked.move is UNSET and asked.seat is not UNSET:
            raise BadLine("a seat without a move; add what it asks, or leave the seat out")
        if asked.show is not UNSET:
            if asked.move is not UNSET:
                raise BadLine("a move and show in one line; make two of it")
            view = seen(match, asked.show)
            return [*match.pass_to(asked.at), Shown(asked.at, view(match.table))]
        seat = None if asked.seat is UNSET else msgspec.json.decode(asked.seat)
        happened: list[Answer] = [*match.pass_to(asked.at)]
        if asked.move is UNSET:
            return happened
        try:
            happened += match.ask(seat_of(match, seat), move_of(asked.move), asked.at)
        except Refused as no:
            happened.append(RefereeRefusal(asked.at, seat, refusal(no.code, no.values), no.code, no.values))
        return happened


def seat_of(match: VirtualTable, seat: Any) -> SeatNo:
    seats = len(match.table.seats)
    if type(seat) is not int or not 0 <= seat < seats:
        raise Refused("no_such_seat", seats=seats)
    return SeatNo(seat)


def move_of(move: Raw) -> AnyMove:
    try:
        return _moves.decode(move)
    except BROKEN as problem:
        raise Refused("unreadable_move", why=complaint(problem)) from None


def seen(match: VirtualTable, show: SeatNo | str) -> Any:
    """The function that hides from a table what the viewer may not see."""
    if show == "all":
        return lambda table: table
    if show == "spectator":
        return lambda table: veil(table, None)
    if isinstance(show, int) and 0 <= show < len(match.table.seats):
        return lambda table: veil(table, show)
    raise BadLine(f"show is {show!r}; it is 'all', 'spectator' or a seat's number")
