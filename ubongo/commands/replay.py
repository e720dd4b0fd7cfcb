"""`ubongo replay`: a recorded match as a story for people, round by round, with pictures."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Annotated

import msgspec
from cyclopts import Parameter
from msgspec import UNSET, Struct, UnsetType

from ubongo.commands import Complaint
from ubongo.commands.lines import LONGEST, NumberedLine, blocks, complaint, open_lines
from ubongo.commands.referee import UNREADABLE, BadLine, opened_by
from ubongo.events import AnyEvent
from ubongo.story import Story
from ubongo.table import Instant


class LogLine(Struct, frozen=True):
    """A line of a log. What a referee has printed besides events (refusals, tables) is no part of the story."""

    at: Instant
    version: int | UnsetType = UNSET
    event: AnyEvent | UnsetType = UNSET


_lines: msgspec.json.Decoder[LogLine] = msgspec.json.Decoder(LogLine)


def replay(log: Annotated[str, Parameter(allow_leading_hyphen=True)], /) -> int:
    """
    Parameters
    ----------
    log
        The opening line, then every event as the referee prints them; - reads standard input.
    """
    reader = Reader()
    for lines in blocks(open_lines(log), lambda _: None):
        for line in lines:
            try:
                sentences = list(reader.read(line))
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

    def read(self, line: NumberedLine) -> Iterator[str]:
        text = line[1]
        if text is None:
            raise BadLine(f"the line is longer than {LONGEST >> 20} MiB")
        if self.story is None:
            self.story = Story(opened_by(text).opening)
            return self.story.opening()
        return self.told(self.story, _lines.decode(text))

    def told(self, story: Story, line: LogLine) -> Iterator[str]:
        if line.event is UNSET:
            return
        self.version += 1
        if line.version != self.version:
            raise BadLine(f"version is {line.version}; after {self.version - 1} comes {self.version}")
        try:
            yield from story.tell(line.at, line.event)
        except (LookupError, ValueError, TypeError, AssertionError):
            raise BadLine("this cannot have happened at this table") from None
