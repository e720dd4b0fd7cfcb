"""A request on its way to the log: the move, and the rows that came of it.

Both are complete and immutable before they are queued: the log may commit at any time.
"""

from __future__ import annotations

from asyncio import Future
from collections.abc import Iterator, Sequence
from itertools import groupby
from operator import itemgetter
from typing import Protocol

from msgspec import Struct

from ubongo.events import AnyEvent
from ubongo.game import Happenings
from ubongo.moves import Move
from ubongo.server.clock import Timestamp
from ubongo.server.protocol import encode
from ubongo.server.store import Row
from ubongo.server.tables.member import Member
from ubongo.table import SeatNo, Table


class MoveRequest(Struct, frozen=True, eq=False):
    """A move for a seat. `asker` gets the answer to its request `n`; `done` is set when the move is recorded.

    `move` is None for the start of a match, which the server itself waits for.
    """

    seat: SeatNo | None
    move: Move | None
    asker: Member | None = None
    n: int = 0
    done: Future[None] | None = None

    def resolve(self) -> None:
        if self.done is not None and not self.done.done():
            self.done.set_result(None)

    def fail(self, problem: Exception) -> None:
        if self.done is not None and not self.done.done():
            self.done.set_exception(problem)
            # Not every caller awaits it: this marks the exception as retrieved.
            self.done.exception()


class Appender(Protocol):
    """The match that has queued an append; the log's answer comes back to it."""

    @property
    def key(self) -> str: ...
    @property
    def version(self) -> int: ...
    def committed(self, appends: Sequence[PendingAppend]) -> None: ...
    def lost(self, appends: Sequence[PendingAppend], problem: Exception) -> None: ...


class PendingAppend(Struct, frozen=True, eq=False):
    """Rows of one match, with the table after them. `request` is None for automatic events.

    `since` and `version` are the match's versions before and after. `accepted` is when it was queued.
    """

    live_match: Appender
    match: int
    since: int
    rows: list[Row]
    table: Table
    version: int
    events: Sequence[AnyEvent]
    accepted: Timestamp
    request: MoveRequest | None = None


def new_append(
    live_match: Appender,
    match: int,
    since: int,
    table: Table,
    happened: Happenings,
    accepted: Timestamp,
    request: MoveRequest | None,
) -> PendingAppend:
    events = [event for _, event in happened]
    version = since + len(events)
    if happened and happened[0][0] == happened[-1][0]:
        # Nearly always everything happens at one moment.
        rows = [Row(match, version, happened[0][0], encode(events))]
    else:
        rows = list(rows_of(match, since, happened))
    return PendingAppend(live_match, match, since, rows, table, version, events, accepted, request)


def rows_of(match: int, version: int, happened: Happenings) -> Iterator[Row]:
    """A row for each moment."""
    for at, group in groupby(happened, itemgetter(0)):
        events = [event for _, event in group]
        version += len(events)
        yield Row(match, version, at, encode(events))
