"""Readable playthroughs: moves start at the margin, the events that follow are indented.

    table extreme of Ann, Bo with seed abc {"side": 4}
    0 Ann: ready
      readied Ann
    900 Ann: place 0 3 (1, 2)
      placed Ann: 0 turned 3 at (1, 2)
    61000: time passes
    61000 look at Ann

To write one, write the lines at the margin, run `python -m tests.transcript FILE`, and check the result.
"""

from __future__ import annotations

import re
import sys
from ast import literal_eval
from collections.abc import Iterator
from pathlib import Path

import msgspec
from msgspec import Raw

from ubongo.events import Dealt, Event, GemMoved, MatchClosed, Placed
from ubongo.match_file import EventLine, Opening, table_arguments
from ubongo.moves import AnyMove, Refused, snake
from ubongo.story import drawn
from ubongo.table import Instant, Seat, SeatNo
from ubongo.virtual import VirtualTable

FIELDS = {"place": ("piece", "turn", "at"), "lift": ("piece",), "grab": ("die",)}


class Transcript:
    """A table opened by the first line of a transcript, and the events that follow from each line."""

    def __init__(self, opening: str) -> None:
        found = re.fullmatch(r"table (\w+) of (.+) with seed (\S+)(?: (\{.*\}))?", opening)
        assert found, f"this does not open a table: {opening}"
        self.names = found[2].split(", ")
        self.match_opening = Opening(found[1], tuple(self.names), found[3], Raw((found[4] or "{}").encode()))
        self.match = VirtualTable(*table_arguments(self.match_opening))
        self.opening = list(self.sentences(self.match.log))

    def answers(self, line: str) -> Iterator[str]:
        at, _, request = line.partition(" ")
        if request.startswith("look at "):
            yield from self.drawn(self.match.table.seats[self.names.index(request.removeprefix("look at "))])
        elif request == "time passes":
            yield from self.sentences(self.match.pass_to(Instant(int(at.rstrip(":")))))
        else:
            name, _, move = request.partition(": ")
            yield from self.sentences(self.match.pass_to(Instant(int(at))))
            try:
                yield from self.sentences(
                    self.match.ask(SeatNo(self.names.index(name)), parse_move(move), Instant(int(at)))
                )
            except Refused as no:
                yield f"refused: {no.code}"

    def sentences(self, log: list[EventLine]) -> Iterator[str]:
        for line in log:
            when = "" if line.at == self.match.now else f" at {line.at}"
            yield self.sentence(line.event) + when
            if isinstance(line.event, Dealt) and line.event.task is not None and line.event.task.region is not None:
                yield from self.drawn(Seat("", task=line.event.task))

    def sentence(self, event: Event) -> str:
        fields = msgspec.to_builtins(event)
        kind = fields.pop("type")
        who = f" {self.names[fields.pop('seat')]}" if "seat" in fields else ""
        match event:
            case Dealt(_, task):
                assert task is not None
                board = f" on {task.board} {task.number}".rstrip() if task.board else ""
                return f"{kind}{who}: {' '.join(map(str, task.pieces))}{board}"
            case Placed(_, piece, turn, at):
                return f"{kind}{who}: {piece} turned {turn} at {at}"
            case GemMoved(gem, source, target):
                spots = [self.names[spot] if isinstance(spot, int) else spot for spot in (source, target)]
                return f"{kind} {gem} from {spots[0]} to {spots[1]}"
            case MatchClosed(standing, totals):
                places = "; ".join(", ".join(self.names[seat] for seat in place) for place in standing)
                return f"{kind}: {places} with {totals}"
        rest = " ".join(f"{name} {value}" for name, value in fields.items() if value is not None and name != "at")
        return f"{kind}{who}{': ' if rest else ''}{rest}"

    def drawn(self, seat: Seat) -> Iterator[str]:
        if seat.task is not None:
            table = self.match.table
            yield from drawn(table.game, table.options, seat.task, seat.laid) or ["nothing lies"]


def parse_move(text: str) -> AnyMove:
    kind, *rest = re.findall(r"\([^)]*\)|\S+", text)
    fields = zip(FIELDS.get(kind, ()), map(literal_eval, rest), strict=True)
    move: AnyMove = msgspec.convert({"type": snake(kind)} | dict(fields), AnyMove)
    return move


def rerun(text: str) -> str:
    """The transcript with the same lines at the margin and the events that follow from them today."""
    return played(text)[0]


def played(text: str) -> tuple[str, Transcript]:
    """The transcript as it is today, and its table at the end."""
    lines: list[str] = []
    table: Transcript | None = None
    for line in text.splitlines():
        if line.startswith(" "):
            continue
        lines.append(line)
        if not line or line.startswith("#"):
            continue
        if table is None:
            table = Transcript(line)
            answers: Iterator[str] = iter(table.opening)
        else:
            answers = table.answers(line)
        lines += [f"  {answer}" for answer in answers]
    assert table is not None, "no line opens a table"
    return "\n".join(lines) + "\n", table


if __name__ == "__main__":
    for name in sys.argv[1:]:
        Path(name).write_text(rerun(Path(name).read_text(encoding="utf-8")), encoding="utf-8")
