"""The log in PostgreSQL, which may be on another machine and may be gone for a while: what is asked then waits for it.

Any number of servers keep theirs in one database: whoever is late with an append reads on and plays anew.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections.abc import Awaitable, Callable, Iterable, Sequence
from contextlib import AbstractAsyncContextManager
from typing import TYPE_CHECKING, Any, TypeVar

import asyncpg

from ubongo.server.store import (
    Entry,
    OnCommit,
    OnLost,
    OnRecorded,
    Row,
    Span,
    Statement,
    StoreError,
    VersionConflict,
    ignore_commit,
)
from ubongo.server.store.postgres_connection import (
    ANSWER_S,
    AWAY,
    CAREFUL,
    CONNECT_S,
    RETRY_S,
    numbered,
    own_connection,
    storable,
    taken,
)
from ubongo.server.store.postgres_writer import PostgresWriter

if TYPE_CHECKING:
    from asyncpg import Connection
    from asyncpg.pool import Pool

Got = TypeVar("Got")
log = logging.getLogger("ubongo.server.store")

READERS = 7
# Between the beginnings of two appends: nobody notices it, and rows cost the database, us, and whoever reads them
# elsewhere far less together. Who comes after a while in which nothing was written does not wait.
GATHER_S = 0.008
# So often the time is asked for, one after the other.
TIMES = 5
# Whoever asks something by HTTP does not wait longer than this for a database that is away.
PATIENCE_S = 10.0
# So many matches' histories are fetched at once.
MATCHES_AT_ONCE = 200

_TIME = "select cast(extract(epoch from clock_timestamp()) * 1000000 as bigint)"
_HISTORIES = "select match, version, at, events from log where match = any($1::bigint[]) order by match, version"


class PostgresLog:
    """`alone`: only while nobody else uses the database."""

    # A match's rows are found by its number, so nobody has to remember where they lie.
    end = "0"

    def __init__(self, url: str, alone: bool = False, on_commit: OnCommit = ignore_commit) -> None:
        self.url = url
        self._alone = alone
        self.problem: str | None = None
        # A database looks after its own disk.
        self.damage: str | None = None
        self._on_commit = on_commit
        self._writer = PostgresWriter(lambda: own_connection(url, alone=alone), self._complain)
        self._gathered: list[Entry] = []
        self._something = asyncio.Event()
        self._quiet = asyncio.Event()
        self._quiet.set()
        self._closing = False

    async def start(self, recorded: OnRecorded, lost: OnLost) -> None:
        """Raises BadLog if somebody has the database alone."""
        self._recorded, self._lost = recorded, lost
        self._writer.line = await taken(self.url, alone=self._alone)
        self._pool: Pool = await asyncpg.create_pool(
            self.url,
            min_size=0,
            max_size=READERS,
            command_timeout=ANSWER_S,
            timeout=CONNECT_S,
            init=_careful,
            reset=_as_it_is,
        )
        self._writing = asyncio.create_task(self._run())

    def _complain(self, problem: str) -> None:
        self.problem = problem

    # Appending

    def append(self, entry: Entry) -> None:
        self._gathered.append(entry)
        self._something.set()
        self._quiet.clear()

    async def _run(self) -> None:
        began = 0.0
        while True:
            await self._something.wait()
            self._something.clear()
            while self._gathered:
                await asyncio.sleep(began + GATHER_S - time.perf_counter())
                batch, self._gathered = self._gathered, []
                began = time.perf_counter()
                await self._put(batch)
            self._quiet.set()
            if self._closing:
                return

    async def _put(self, batch: list[Entry]) -> None:
        """Recorded or lost, every entry; while the database is away it is neither."""
        began = time.perf_counter()
        asked: dict[int, tuple[int, int]] = {}
        for entry in batch:
            first, _ = asked.get(entry.match, (entry.since, 0))
            asked[entry.match] = (first, entry.rows[-1].version if entry.rows else entry.since)
        rows = [row for entry in batch for row in entry.rows]
        try:
            won = await self._writer.append(asked, rows)
            problem: StoreError = VersionConflict("somebody else has written to this match")
        except asyncpg.PostgresError as refused:
            won, problem = set(), StoreError(str(refused))
            self.problem = str(refused)
        else:
            self.problem = None
            self._on_commit(len(rows), time.perf_counter() - began)
        lost = [entry for entry in batch if entry.match not in won]
        if lost:
            # What was played meanwhile stands on what is lost.
            matches = {entry.match for entry in lost}
            lost += [entry for entry in self._gathered if entry.match in matches]
            self._gathered = [entry for entry in self._gathered if entry.match not in matches]
            # At once: what is appended from here on must not stand on it either, or it might fit by chance.
            try:
                self._lost(lost, problem)
            except Exception:
                log.exception("what was lost could not be told")
        if kept := [entry for entry in batch if entry.match in won]:
            # The database works while we tell.
            asyncio.get_running_loop().call_soon(self._recorded, kept)

    async def close(self) -> None:
        """What was appended is written first, if the database is there."""
        self._closing = True
        self._something.set()
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._writing, PATIENCE_S)
        self._writer.close()
        self._pool.terminate()

    # Writing and reading

    async def write(self, *statements: Statement, claim: Statement | None = None) -> None:
        began = time.monotonic()
        if not statements and claim is None:
            await self._quiet.wait()
            return
        while True:
            number: str | None = None
            try:
                async with self._pool.acquire(timeout=CONNECT_S) as line, line.transaction():
                    number = await line.fetchval("select cast(pg_current_xact_id() as text)")
                    if claim is not None:
                        done = await line.execute(numbered(claim[0]), *claim[1])
                        if done.split()[-1] != "1":
                            raise VersionConflict("somebody else was quicker")
                    for statement, values in statements:
                        await line.execute(numbered(statement), *values)
                return
            except AWAY as problem:
                if number is not None and await self._committed(number):
                    return
                if time.monotonic() - began > PATIENCE_S:
                    raise StoreError(str(problem)) from None
                await asyncio.sleep(RETRY_S)
            except asyncpg.PostgresError as problem:
                raise StoreError(str(problem)) from None

    async def _committed(self, number: str) -> bool:
        """What became of a transaction whose end was not heard."""
        while True:
            [[status]] = await self.read("select pg_xact_status(cast(cast(? as text) as xid8))", (number,))
            if status != "in progress":
                return bool(status == "committed")
            await asyncio.sleep(RETRY_S)

    async def read(self, statement: str, values: tuple[Any, ...] = ()) -> list[Any]:
        wanted, given = numbered(statement), [storable(value) for value in values]
        return [tuple(row) for row in await self._patiently(lambda line: line.fetch(wanted, *given))]

    async def salvage(self, statement: str, values: tuple[Any, ...] = ()) -> list[Any]:
        return await self.read(statement, values)

    async def _patiently(self, ask: Callable[[Connection], Awaitable[Got]]) -> Got:
        return await patiently(lambda: self._pool.acquire(timeout=CONNECT_S), ask)

    async def histories(self, spans: Sequence[Span]) -> dict[int, list[Row]]:
        found: dict[int, list[Row]] = {one.match: [] for one in spans}
        for some in _pieces(list(found), MATCHES_AT_ONCE):
            for row in await self._patiently(lambda line, some=some: line.fetch(_HISTORIES, some)):  # type: ignore[misc] # a default in a lambda is too much for mypy
                found[row[0]].append(Row(*row))
        return found

    async def time(self) -> tuple[int, int]:
        """Of a few answers the quickest: it cannot be off by more than it took."""
        answers = []
        for _ in range(TIMES):
            asked = time.monotonic_ns()
            [[at]] = await self.read(_TIME)
            heard = time.monotonic_ns()
            answers.append((heard - asked, int(at) * 1000, (asked + heard) // 2))
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

    def close_match_statements(self, match: int) -> Sequence[Statement]:  # noqa: ARG002 - an index says where its rows are
        return ()

    def delete_match_statements(self, span: Span) -> Sequence[Statement]:
        return [(f"delete from {table} where match = ?", (span.match,)) for table in ("log", "versions")]  # noqa: S608 - our own names


async def patiently(
    acquire: Callable[[], AbstractAsyncContextManager[Connection]], ask: Callable[[Connection], Awaitable[Got]]
) -> Got:
    """Asks as soon as the database is there."""
    began = time.monotonic()
    while True:
        try:
            async with acquire() as line:
                return await ask(line)
        except AWAY as problem:
            if time.monotonic() - began > PATIENCE_S:
                raise StoreError(str(problem) or "the database does not answer") from None
            await asyncio.sleep(RETRY_S)
        except asyncpg.PostgresError as problem:
            raise StoreError(str(problem)) from None


async def _careful(line: Connection) -> None:
    await line.execute(CAREFUL)


async def _as_it_is(line: Connection) -> None:
    """Nobody leaves anything behind, so nothing is reset: it would cost a question each time, and make it careless."""


def _pieces(all_of_them: list[int], size: int) -> Iterable[list[int]]:
    return (all_of_them[start : start + size] for start in range(0, len(all_of_them), size))
