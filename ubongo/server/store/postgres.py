"""The log in PostgreSQL, which may be on another machine and may be away for a while.

Any number of servers can share one database. A server whose append comes too late reads what the others have written,
and retries.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections.abc import Iterable, Sequence
from typing import Any

import asyncpg

from ubongo.server.store import (
    Entry,
    OnCommit,
    OnLost,
    OnRecorded,
    Row,
    Span,
    Statement,
    StoreBug,
    StoreError,
    VersionConflict,
    ignore_commit,
)
from ubongo.server.store.postgres_connection import acquire_database, connect_and_lock
from ubongo.server.store.postgres_pool import PATIENCE_S, PostgresPool
from ubongo.server.store.postgres_writer import PostgresWriter

log = logging.getLogger("ubongo.server.store")

# The time between the starts of two appends. Nobody notices it, and rows cost the database and all servers far less
# together. An append after a pause does not wait.
GATHER_S = 0.008
# How often the database is asked for the time, for one answer.
TIME_QUERIES = 5
# How many matches' histories are fetched at once.
MATCHES_AT_ONCE = 200

_TIME = "select cast(extract(epoch from clock_timestamp()) * 1000000 as bigint)"
_HISTORIES = "select match, version, at, events from log where match = any($1::bigint[]) order by match, version"


class PostgresLog:
    """`exclusive`: no other program may use the database meanwhile."""

    # An index finds a match's rows by its number, so their place need not be stored.
    end = "0"

    def __init__(self, url: str, exclusive: bool = False, on_commit: OnCommit = ignore_commit) -> None:
        self.url = url
        self._exclusive = exclusive
        self.problem: str | None = None
        # PostgreSQL looks after its own disk.
        self.damage: str | None = None
        self._on_commit = on_commit
        self._writer = PostgresWriter(lambda: connect_and_lock(url, exclusive=exclusive), self._note_problem)
        self._pool = PostgresPool(url)
        self._collected: list[Entry] = []
        self._appended = asyncio.Event()
        self._idle = asyncio.Event()
        self._idle.set()
        self._closing = False

    async def start(self, recorded: OnRecorded, lost: OnLost) -> None:
        """Raises BadLog if another program has the database for itself."""
        self._recorded, self._lost = recorded, lost
        self._writer.connection = await acquire_database(self.url, exclusive=self._exclusive)
        await self._pool.open()
        self._writing = asyncio.create_task(self._run())

    def _note_problem(self, problem: str) -> None:
        self.problem = problem

    # Appending

    def append(self, entry: Entry) -> None:
        self._collected.append(entry)
        self._appended.set()
        self._idle.clear()

    async def _run(self) -> None:
        began = 0.0
        while True:
            await self._appended.wait()
            self._appended.clear()
            while self._collected:
                await asyncio.sleep(began + GATHER_S - time.perf_counter())
                batch, self._collected = self._collected, []
                began = time.perf_counter()
                await self._commit(batch)
            self._idle.set()
            if self._closing:
                return

    async def _commit(self, batch: list[Entry]) -> None:
        """Reports every entry as recorded or lost. Waits while the database is away."""
        committed, problem = await self._write(batch)
        lost = [entry for entry in batch if entry.match not in committed]
        if lost:
            # What was appended meanwhile builds on what is lost.
            matches = {entry.match for entry in lost}
            lost += [entry for entry in self._collected if entry.match in matches]
            self._collected = [entry for entry in self._collected if entry.match not in matches]
            # At once: what is appended from now on must not build on it either, or its version might fit by chance.
            try:
                self._lost(lost, problem)
            except Exception:
                log.exception("lost entries could not be reported")
        if recorded := [entry for entry in batch if entry.match in committed]:
            # The next append can start while these are reported.
            asyncio.get_running_loop().call_soon(self._recorded, recorded)

    async def _write(self, batch: list[Entry]) -> tuple[set[int], StoreError]:
        """The matches that took their rows, and why the others did not."""
        began = time.perf_counter()
        try:
            versions: dict[int, tuple[int, int]] = {}
            for entry in batch:
                first, _ = versions.get(entry.match, (entry.since, 0))
                versions[entry.match] = (first, entry.rows[-1].version if entry.rows else entry.since)
            rows = [row for entry in batch for row in entry.rows]
            committed = await self._writer.append(versions, rows)
        except asyncpg.PostgresError as refused:
            self.problem = str(refused)
            return set(), StoreError(str(refused))
        except Exception:
            # Callers get an answer, and this task goes on.
            log.exception("an append failed because of a bug, not because of the database")
            self.problem = "a bug in the server, which its log shows"
            return set(), StoreBug(self.problem)
        self.problem = None
        self._on_commit(len(rows), time.perf_counter() - began)
        return committed, VersionConflict("another server has written to this match")

    async def close(self) -> None:
        """Writes what was appended first, if the database is there."""
        self._closing = True
        self._appended.set()
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._writing, PATIENCE_S)
        self._writer.close()
        self._pool.close()

    # Writing and reading

    async def write(self, *statements: Statement, claim: Statement | None = None) -> None:
        if statements or claim is not None:
            await self._pool.write(*statements, claim=claim)
        else:
            await self._idle.wait()

    async def read(self, statement: str, values: tuple[Any, ...] = ()) -> list[Any]:
        return await self._pool.read(statement, values)

    async def salvage(self, statement: str, values: tuple[Any, ...] = ()) -> list[Any]:
        return await self.read(statement, values)

    async def histories(self, spans: Sequence[Span]) -> dict[int, list[Row]]:
        found: dict[int, list[Row]] = {one.match: [] for one in spans}
        for matches in _chunks(list(found), MATCHES_AT_ONCE):
            for row in await self._pool.fetch(lambda connection, some=matches: connection.fetch(_HISTORIES, some)):  # type: ignore[misc] # a default in a lambda is too much for mypy
                found[row[0]].append(Row(*row))
        return found

    async def time(self) -> tuple[int, int]:
        """The quickest of a few answers: its error is at most the time it took."""
        answers = []
        for _ in range(TIME_QUERIES):
            sent = time.monotonic_ns()
            [[at]] = await self.read(_TIME)
            received = time.monotonic_ns()
            answers.append((received - sent, int(at) * 1000, (sent + received) // 2))
        _, at, then = min(answers)
        return at, then

    async def size(self) -> int:
        [[size]] = await self.read("select pg_database_size(current_database())")
        return int(size)

    # Matches

    async def new_match(self) -> int:
        [[number]] = await self.read("select nextval('match_numbers')")
        return int(number)

    def open_match_statements(self, match: int) -> Sequence[Statement]:
        return [("insert into versions values (?, 0)", (match,))]

    def close_match_statements(self, match: int) -> Sequence[Statement]:  # noqa: ARG002 - an index finds its rows
        return ()

    def delete_match_statements(self, span: Span) -> Sequence[Statement]:
        return [(f"delete from {table} where match = ?", (span.match,)) for table in ("log", "versions")]  # noqa: S608 - our own names


def _chunks(matches: list[int], size: int) -> Iterable[list[int]]:
    return (matches[start : start + size] for start in range(0, len(matches), size))
