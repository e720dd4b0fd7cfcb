"""A log of either kind, and what it reported."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import suppress

from msgspec import Raw

from ubongo.match_file import Opening
from ubongo.server.clock import Timestamp
from ubongo.server.settings import Settings
from ubongo.server.store import Entry, Log, Row, StoreError
from ubongo.server.store.entities import StoredMatch
from ubongo.server.store.lobby_store import LobbyStore
from ubongo.server.store.open_log import open_log

OPENING = Opening("extreme", ("Ann", "Bo"), "abc", Raw(b"{}"))


class Written:
    """An entry of a match with one event per row."""

    def __init__(self, *rows: Row) -> None:
        self.match = rows[0].match
        self.since = rows[0].version - 1
        self.rows = rows


class Opened:
    """A log, and what it reported."""

    def __init__(self, log: Log, commits: Sequence[int] = ()) -> None:
        self.log = log
        self.commits = commits
        self.recorded: list[Entry] = []
        self.lost: list[Entry] = []
        self.problems: list[StoreError] = []

    async def start(self) -> Opened:
        await self.log.start(self.recorded.extend, self._lose)
        return self

    def _lose(self, entries: Sequence[Entry], problem: StoreError) -> None:
        self.lost.extend(entries)
        self.problems.append(problem)

    async def settled(self) -> None:
        """Waits until everything appended before has been reported."""
        await self.log.write()

    async def settled_after_failure(self) -> None:
        """Like `settled`, if the append fails: in an SQLite file other writes of the batch fail with it."""
        with suppress(StoreError):
            await self.log.write()

    async def match(self) -> StoredMatch:
        return await LobbyStore(self.log).open_match("t", OPENING, b"{}", Timestamp(5))


async def started_log(kept: Settings) -> Opened:
    commits: list[int] = []
    log = await asyncio.to_thread(open_log, kept, on_commit=lambda rows, _: commits.append(rows))
    return await Opened(log, commits).start()
