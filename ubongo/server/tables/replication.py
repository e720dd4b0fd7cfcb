"""Other servers may append to the same match. Their rows are read and applied here, and requests that lost the race are
judged again on top of them.

An append is a compare-and-set on the match's version. A server that loses it is *behind*: until it has read the missing
rows, it postpones requests.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Protocol

from ubongo.moves import Refused
from ubongo.server.store import Row, StoreError
from ubongo.server.tables.broadcast import Broadcast
from ubongo.server.tables.match import Match
from ubongo.server.tables.match_clock import MatchClock
from ubongo.server.tables.pending_append import MoveRequest


class ReplicatedMatch(Protocol):
    """A live match, as replication knows it."""

    @property
    def key(self) -> str: ...
    @property
    def match(self) -> Match | None: ...
    @property
    def version(self) -> int: ...
    @property
    def pending(self) -> bool: ...
    def submit(self, request: MoveRequest) -> None: ...
    def refuse(self, requests: Sequence[MoveRequest], problem: Exception) -> None: ...
    @property
    def broadcast(self) -> Broadcast: ...
    @property
    def match_clock(self) -> MatchClock: ...
    def apply(self, rows: Sequence[Row]) -> None: ...
    def caught_up(self) -> None: ...


class Replication(Protocol):
    """`primary`: of all servers with this table open, ours has had it longest. `behind`: rows have to be read."""

    primary: bool

    @property
    def behind(self) -> bool: ...
    def postpone(self, request: MoveRequest) -> None: ...
    def committed(self) -> None:
        """An append of ours is durable."""

    def lost(self) -> None:
        """An append of ours could not be written."""

    def conflicted(self, requests: Sequence[MoveRequest]) -> bool:
        """An append with these requests has lost the compare-and-set. False: they will not be judged again."""

    def fall_behind(self) -> None:
        """Other servers have written to this match."""

    def note_version(self, version: int) -> None:
        """Another server has announced this version of the match."""

    async def catch_up(self) -> None:
        """Waits until every announced version is broadcast here. StoreError if the log cannot be read."""

    def rows_read(self, rows: Sequence[Row] | None) -> None:
        """The log reader's result. None: the log cannot be read."""


class NoReplication:
    """The null object of a server with a log of its own."""

    primary = True
    behind = False

    def __init__(self, _: ReplicatedMatch) -> None: ...
    def postpone(self, request: MoveRequest) -> None:
        raise NotImplementedError

    def committed(self) -> None: ...
    def lost(self) -> None: ...
    def conflicted(self, _: Sequence[MoveRequest]) -> bool:
        return False

    def fall_behind(self, requests: Sequence[MoveRequest] = ()) -> None: ...
    def note_version(self, version: int) -> None: ...
    async def catch_up(self) -> None: ...
    def rows_read(self, rows: Sequence[Row] | None) -> None: ...


class LogReader(Protocol):
    """Reads what others have written to a match, and answers with `rows_read`."""

    def read_on(self, replica: Replica) -> None: ...


class Replica:
    """One server's copy of a match that others serve too."""

    def __init__(self, live_match: ReplicatedMatch, reader: LogReader) -> None:
        self.primary = True
        self.live_match = live_match
        self._reader = reader
        self._postponed: list[MoveRequest] | None = None
        # The newest version that other servers have announced.
        self._newest_version = 0
        # Resolved at the next progress, for `catch_up`.
        self._progress: asyncio.Future[None] | None = None

    @property
    def behind(self) -> bool:
        return self._postponed is not None

    def postpone(self, request: MoveRequest) -> None:
        assert self._postponed is not None
        self._postponed.append(request)

    def committed(self) -> None:
        if self._newest_version > self.live_match.version:
            self.note_version(self._newest_version)
        self._report_progress()

    def lost(self) -> None:
        self._report_progress()

    def conflicted(self, requests: Sequence[MoveRequest]) -> bool:
        if self._postponed is not None:
            self._postponed += requests
        else:
            self.fall_behind(requests)
        return True

    def fall_behind(self, requests: Sequence[MoveRequest] = ()) -> None:
        self.live_match.match_clock.stop_timer()
        self._postponed = list(requests)
        self._reader.read_on(self)

    def note_version(self, version: int) -> None:
        self._newest_version = max(self._newest_version, version)
        # The result of a pending append will show whether we are behind.
        pending = self.behind or self.live_match.pending
        if self.live_match.match is not None and not pending and version > self.live_match.version:
            self._reader.read_on(self)

    async def catch_up(self) -> None:
        goal = self._newest_version
        # `rows_read` lowers the announced version if its rows do not exist.
        while self.live_match.version < min(goal, self._newest_version):
            self.note_version(goal)
            self._progress = self._progress or asyncio.get_running_loop().create_future()
            await asyncio.shield(self._progress)

    def _report_progress(self, problem: StoreError | None = None) -> None:
        progress, self._progress = self._progress, None
        if progress is None:
            return
        if problem is None:
            progress.set_result(None)
        else:
            progress.set_exception(problem)

    def rows_read(self, rows: Sequence[Row] | None) -> None:
        live_match = self.live_match
        if not self.behind and live_match.pending:
            # A pending append of ours may be among these rows or conflict with them: its result will tell.
            return
        new = [row for row in rows or () if row.version > live_match.version]
        postponed, self._postponed = self._postponed, None
        problem = StoreError("the log cannot be read")
        if rows is not None and not new:
            # The announced rows do not exist: not to be looked for again after every move.
            self._newest_version = live_match.version
        if new:
            live_match.apply(new)
            for request in postponed or ():
                self._judge_again(request)
            live_match.caught_up()
            if self._newest_version > live_match.version:
                self.note_version(self._newest_version)
        elif postponed is not None:
            # The rows cannot be read, or do not exist: to read again at once would be an endless loop.
            live_match.refuse(postponed, problem)
        self._report_progress(problem if rows is None else None)

    def _judge_again(self, request: MoveRequest) -> None:
        """By the current table. Automatic events have been applied, or will be when they are due."""
        try:
            if request.move is not None:
                self.live_match.submit(request)
                return
        except Refused as no:
            self.live_match.broadcast.decline(request, no)
        request.resolve()
