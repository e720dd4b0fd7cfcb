"""`ubongo referee`: the rules as a filter. Moves in, events out, on a virtual clock."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from typing import Annotated, Any

import msgspec
from cyclopts import Parameter
from msgspec import UNSET, Meta, Raw, Struct, UnsetType

from ubongo.commands._support.input_lines import BROKEN, LONGEST, NumberedLine, blocks, complaint, open_lines
from ubongo.commands._support.progress_bar import bar
from ubongo.game import BadOptions
from ubongo.match_file import BadLine, EventLine, RefusedLine, read_opening, refused_line, table_arguments, write_line
from ubongo.material import BadEdition
from ubongo.moves import AnyMove, Refused, read_move
from ubongo.table import Instant, SeatNo, Table
from ubongo.veil import veil
from ubongo.virtual import VirtualTable

# Thirty days. A dice table where nobody moves goes on throwing by itself for as long as time passes.
LATEST = Instant(30 * 24 * 3_600_000)


class RefereeLine(Struct, frozen=True):
    """Any line after the first. Without `move` or `show` only time passes."""

    at: Annotated[Instant, Meta(ge=0, le=LATEST)]
    seat: Raw | UnsetType = UNSET
    move: Raw | UnsetType = UNSET
    show: SeatNo | str | UnsetType = UNSET


class Shown(Struct, frozen=True):
    at: Instant
    table: Table


class RefereeError(Struct, frozen=True):
    line: int
    error: str


# What reading a line can raise.
UNREADABLE = (BadLine, BadOptions, BadEdition, *BROKEN)

Answer = EventLine | RefusedLine | Shown

_decode_asked = msgspec.json.Decoder(RefereeLine).decode
_decode_move: Callable[[Raw], AnyMove] = msgspec.json.Decoder(AnyMove).decode


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
                    answers: Sequence[Answer | RefereeError] = reader.read(line)
                except UNREADABLE as problem:
                    faults += 1
                    answers = [RefereeError(line[0], complaint(problem))]
                out.writelines(map(write_line, answers))
                out.flush()
    return 1 if faults else 0


class Referee:
    """One match, line by line: the first opens it, and time never goes back."""

    def __init__(self) -> None:
        self.match: VirtualTable | None = None

    def read(self, line: NumberedLine) -> list[Answer]:
        text = line[1]
        if text is None:
            raise BadLine(f"the line is longer than {LONGEST >> 20} MiB")
        if self.match is None:
            self.match = VirtualTable(*table_arguments(read_opening(text)))
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
            happened += match.ask(seat_of(match, seat), read_move(_decode_move, asked.move), asked.at)
        except Refused as no:
            happened.append(refused_line(asked.at, seat, no))
        return happened


def seat_of(match: VirtualTable, seat: Any) -> SeatNo:
    seats = len(match.table.seats)
    if type(seat) is not int or not 0 <= seat < seats:
        raise Refused("no_such_seat", seats=seats)
    return SeatNo(seat)


def seen(match: VirtualTable, show: SeatNo | str) -> Any:
    """The function that hides from a table what the viewer may not see."""
    if show == "all":
        return lambda table: table
    if show == "spectator":
        return lambda table: veil(table, None)
    if isinstance(show, int) and 0 <= show < len(match.table.seats):
        return lambda table: veil(table, show)
    raise BadLine(f"show is {show!r}; it is 'all', 'spectator' or a seat's number")
