"""`ubongo replay`: a recorded match as a story for people, round by round, with pictures."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence
from typing import Annotated

from cyclopts import Parameter

from ubongo.commands import Complaint
from ubongo.commands._support.input_lines import LONGEST, NumberedLine, blocks, complaint, open_lines
from ubongo.commands.referee import UNREADABLE
from ubongo.events import (
    Dealt,
    Event,
    GemMoved,
    Grabbed,
    Hinted,
    Judged,
    Lifted,
    MatchClosed,
    Placed,
    RoundOpened,
)
from ubongo.games import GAMES
from ubongo.match_file import BadLine, open_table, read_event, read_opening
from ubongo.pieces import Placement, covered
from ubongo.story import Story
from ubongo.table import SeatNo, Table, Task


def replay(log: Annotated[str, Parameter(allow_leading_hyphen=True)], /) -> int:
    """
    Parameters
    ----------
    log
        The opening line, then every event as the referee prints them; - reads standard input.
    """
    reader = Reader()
    with open_lines(log) as file:
        for lines in blocks(file, lambda _: None):
            for line in lines:
                try:
                    sentences = reader.read(line)
                except UNREADABLE as problem:
                    print(f"line {line[0]}: {complaint(problem)}", file=sys.stderr)
                    return 1
                for sentence in sentences:
                    print(sentence)
    if reader.story is None:
        raise Complaint(f"{'standard input' if log == '-' else log} is empty; a match begins with its opening line")
    return 0


class Reader:
    """A log, line by line. A story with a hole in it is none, so the first bad line ends it."""

    def __init__(self) -> None:
        self.story: Story | None = None
        self.version = 0

    def read(self, line: NumberedLine) -> Iterable[str]:
        """What the line adds to the story; or BadLine, or a decoding error. Iterating over it tells the story."""
        text = line[1]
        if text is None:
            raise BadLine(f"the line is longer than {LONGEST >> 20} MiB")
        if self.story is None:
            self.story = Story(open_table(read_opening(text)))
            return self.story.opening()
        happened = read_event(text, self.version + 1)
        if happened is None:
            return ()
        if not is_possible(self.story.table, happened.event):
            raise BadLine("this cannot have happened at this table")
        self.version += 1
        return self.story.tell(happened.at, happened.event)


def is_possible(table: Table, event: Event) -> bool:  # noqa: PLR0911 - a case each
    """Whether everything that an event refers to is on the table.

    An explicit list of checks, made before the event is applied: an exception while it is applied is a bug of ours, and
    must not be reported as a fault of the log.
    """
    if not all(0 <= seat < len(table.seats) for seat in _seats_of(event)):
        return False
    match event:
        case Dealt(task=task):
            return task is None or _is_known(table, task)
        case Placed(seat, piece, turn, at):
            return _can_lie(table, seat, Placement(piece, turn, at))
        case Lifted(seat, piece):
            return _has_pieces(table, seat, (piece,))
        case Judged(seat, wrong):
            return _has_pieces(table, seat, wrong)
        case Hinted(seat, piece, wrong):
            return _has_pieces(table, seat, wrong if piece is None else (piece,))
        case Grabbed(seat, die):
            grabbed = die in range(len(table.dice)) and table.seats[seat].task is not None
            return grabbed and str(table.dice[die].face) in GAMES[table.game].pieces(table.options)
        case GemMoved(gem, int(seat), target):
            return not isinstance(target, int) and gem in table.seats[seat].gems and gem in table.seats[seat].won
        case GemMoved(gem, source, _):
            return gem in (table.bag if source == "bag" else table.display)
        case MatchClosed(totals=totals):
            return len(totals) == len(table.seats)
    return True


def _seats_of(event: Event) -> Iterator[int]:
    match event:
        case GemMoved(_, source, target):
            yield from (spot for spot in (source, target) if isinstance(spot, int))
        case RoundOpened(roller=roller, among=among):
            yield from (*(() if roller is None else (roller,)), *(among or ()))
        case MatchClosed(standing=standing):
            yield from (seat for place in standing for seat in place)
        case _ if "seat" in event.__struct_fields__:
            yield getattr(event, "seat")  # noqa: B009 - not every event has one


def _is_known(table: Table, task: Task) -> bool:
    known = GAMES[table.game].pieces(table.options)
    if not all(name in known for name in task.pieces):
        return False
    axes = {len(shape[0]) for name in task.pieces for shape in known[str(name)].shapes}
    if task.region is None:
        # C2: on paper a whole stack is dealt, by its name and side.
        return not task.board or task.number in ("white", "black")
    return bool(task.region) and len({len(cell) for cell in task.region} | axes) == 1


def _has_pieces(table: Table, seat: SeatNo, pieces: Sequence[int]) -> bool:
    task = table.seats[seat].task
    return task is not None and all(0 <= piece < len(task.pieces) for piece in pieces)


def _can_lie(table: Table, seat: SeatNo, where: Placement) -> bool:
    task = table.seats[seat].task
    if task is None or not 0 <= where.piece < len(task.pieces):
        return False
    piece = GAMES[table.game].pieces(table.options)[str(task.pieces[where.piece])]
    if not 0 <= where.turn < len(piece.shapes) or len(where.at) != len(piece.shapes[0][0]):
        return False
    return task.region is None or set(covered(piece, where)) <= set(task.region)
