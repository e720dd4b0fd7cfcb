"""A request on its way to the log: what was asked for, and the rows that it came to.

Both are complete before they are queued, and nobody changes them afterwards: the log may commit at any time.
"""

from __future__ import annotations

from asyncio import Future
from collections.abc import Sequence
from typing import Protocol

from msgspec import Struct

from ubongo.events import AnyEvent
from ubongo.moves import Move
from ubongo.server.store import Row
from ubongo.server.tables.member import Member
from ubongo.table import Millis, SeatNo, Table


class MoveRequest(Struct, frozen=True, eq=False):
    """A move for a seat. `asker` gets the answer to its request `n`; `done` is set when the move is recorded.

    Without a move the server itself waits for what happens without one: the start.
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
            # Not everybody waits for it: an exception that nobody looks at is no error.
            self.done.exception()


class Appender(Protocol):
    """The match that has queued an append, and hears of its answer."""

    @property
    def key(self) -> str: ...
    @property
    def version(self) -> int: ...
    def committed(self, appends: Sequence[PendingAppend]) -> None: ...
    def lost(self, appends: Sequence[PendingAppend], problem: Exception) -> None: ...


class PendingAppend(Struct, frozen=True, eq=False):
    """Rows of one match, with the table after them. `request` is None for what happens by itself.

    `since` and `version` are the match's versions before and after. `accepted` is when it was queued.
    """

    live_match: Appender
    match: int
    since: int
    rows: list[Row]
    table: Table
    version: int
    events: Sequence[AnyEvent]
    accepted: Millis
    request: MoveRequest | None = None
