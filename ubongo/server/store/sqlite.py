"""The log in one SQLite file: durable (WAL, synchronous=FULL), written by one thread in groups.

The loop gathers what is to be written and wakes the writer once a commit, with all of it: by itself when the writer is
idle, else when the last commit comes back. So a sync is paid once a group, and a busy server makes larger groups.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import queue
import sqlite3
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from ubongo.server.store import (
    Entry,
    OnCommit,
    OnLost,
    OnRecorded,
    Row,
    Span,
    Statement,
    StoreError,
    Unreadable,
    VersionConflict,
    ignore_commit,
    row_index,
)
from ubongo.server.store.damage import is_damage, sentence
from ubongo.server.store.schema import BadLog, migrate, refuse_unless_ours, unusable

if sys.platform != "win32":
    import fcntl

# Where numbers of matches are found. If one of these is damaged, a number is chosen that is surely higher.
_MATCHES = ("matches", "archive", "tallied", "places")
_SURELY_HIGHER = 1_000_000
_LAST_ROW = "select coalesce(max(id), 0) from log"
logger = logging.getLogger("ubongo.server.store")

# So many look into the log at once.
READERS = 4


class PendingWrite:
    """Statements that are written with the next group, and somebody who waits for them."""

    __slots__ = ("claim", "done", "overtaken", "statements")

    def __init__(self, statements: Sequence[Statement], claim: Statement | None) -> None:
        self.statements = statements
        self.claim = claim
        self.overtaken = False
        self.done: asyncio.Future[None] = asyncio.get_running_loop().create_future()


class SqliteLog:
    """One file, one server: a second one on the same file is refused.

    It is read on the loop's thread: that takes microseconds, so nobody waits for it though they may have to ask so. But
    what happened in a match is read by other threads, each with a connection of its own: it may be long.
    """

    end = "(select coalesce(max(id), 0) from log)"

    def __init__(self, path: Path, on_commit: OnCommit = ignore_commit) -> None:
        self.path = path
        self.problem: str | None = None
        self.damage: str | None = None
        self._on_commit = on_commit
        self._gathered: list[Entry | PendingWrite] = []
        self._busy = False
        self._inbox: queue.SimpleQueue[list[Entry | PendingWrite] | None] = queue.SimpleQueue()
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            refuse_unless_ours(path)
            self._lock = self._locked()
        except OSError as problem:
            raise BadLog(f"{path} cannot be used: {problem.strerror}. Choose another file with --db.") from None
        try:
            self._writer = self._connected()
            migrate(self._writer)
            self._places = row_index.RowIndex(self._writer)
            self._reader = self._connected()
            self._histories: queue.SimpleQueue[sqlite3.Connection] = queue.SimpleQueue()
            for _ in range(READERS):
                self._histories.put(self._connected())
            self._readers = ThreadPoolExecutor(READERS, "log-reader")
            self._matches = self._last_match()
        except sqlite3.Error as problem:
            raise unusable(path, problem) from None

    def _locked(self) -> int:
        place = os.open(f"{self.path}.lock", os.O_CREAT | os.O_RDWR, 0o600)
        if sys.platform != "win32":
            try:
                fcntl.flock(place, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                os.close(place)
                raise BadLog(f"{self.path} is in use by another server. Choose another file with --db.") from None
        return place

    def _connected(self) -> sqlite3.Connection:
        # Nobody else has to read who played with whom.
        if not self.path.exists():
            os.close(os.open(self.path, os.O_CREAT | os.O_RDWR, 0o600))
        connection = sqlite3.connect(self.path, isolation_level=None, check_same_thread=False)
        connection.execute("pragma journal_mode = wal")
        connection.execute("pragma synchronous = full")
        # A Mac's disk says that it has written what it only means to, unless it is asked like this.
        connection.execute("pragma fullfsync = on")
        return connection

    def _last_match(self) -> int:
        found = [0]
        for table in _MATCHES:
            try:
                [[last]] = self._reader.execute(f"select coalesce(max(match), 0) from {table}")  # noqa: S608 - our own names
            except sqlite3.Error as problem:
                self._explained(problem)
                last = _SURELY_HIGHER
            found.append(last)
        return sum(found) if _SURELY_HIGHER in found else max(found)

    def _explained(self, problem: Exception) -> StoreError:
        """What SQLite says, for whoever asked. Damage is told once, in the server's log."""
        if not is_damage(problem):
            return StoreError(str(problem))
        told = sentence(self.path, problem)
        if self.damage is None:
            logger.error("%s", told)
        self.damage = told
        return Unreadable(told)

    # Writing

    async def start(self, recorded: OnRecorded, lost: OnLost) -> None:
        self._loop = asyncio.get_running_loop()
        self._recorded, self._lost = recorded, lost
        self._thread = threading.Thread(target=self._run, name="log", daemon=True)
        self._thread.start()

    def append(self, entry: Entry) -> None:
        self._gather(entry)

    async def write(self, *statements: Statement, claim: Statement | None = None) -> None:
        job = PendingWrite(statements, claim)
        self._gather(job)
        await job.done

    def _gather(self, one: Entry | PendingWrite) -> None:
        self._gathered.append(one)
        if not self._busy:
            self._busy = True
            self._loop.call_soon(self._hand_over)

    def _hand_over(self) -> None:
        batch, self._gathered = self._gathered, []
        self._inbox.put(batch)

    def _run(self) -> None:
        while (batch := self._inbox.get()) is not None:
            for some, problem in self._written(batch):
                with contextlib.suppress(RuntimeError):  # the loop has gone: there is nobody left to tell
                    self._loop.call_soon_threadsafe(self._committed, some, problem)

    def _written(
        self, batch: list[Entry | PendingWrite]
    ) -> Iterator[tuple[list[Entry | PendingWrite], StoreError | None]]:
        """The group, and what became of it; what meets damage is kept apart from the others, which may not."""
        problem = self._commit(batch)
        if not isinstance(problem, Unreadable) or len(batch) == 1:
            yield batch, problem
            return
        apart: list[list[Entry | PendingWrite]] = [[one for one in batch if not isinstance(one, PendingWrite)]]
        apart += [[one] for one in batch if isinstance(one, PendingWrite)]
        for some in apart:
            if some:
                yield some, self._commit(some)

    def _commit(self, batch: Sequence[Entry | PendingWrite]) -> StoreError | None:
        began = time.perf_counter()
        rows: list[Row] = []
        entries: list[Entry] = []
        try:
            self._writer.execute("begin immediate")
            for one in batch:
                if isinstance(one, PendingWrite):
                    # A claim comes first: where it fails there is nothing to take back.
                    one.overtaken = one.claim is not None and self._writer.execute(*one.claim).rowcount != 1
                    for statement, values in () if one.overtaken else one.statements:
                        self._writer.execute(statement, values)
                else:
                    entries.append(one)
                    rows += one.rows
            [last] = self._writer.execute(_LAST_ROW).fetchone()
            self._writer.executemany("insert into log (match, version, at, events) values (?, ?, ?, ?)", rows)
            self._writer.execute("commit")
        except Exception as problem:  # noqa: BLE001 - whatever it is: who waits is answered, and this thread goes on
            with contextlib.suppress(sqlite3.Error):
                self._writer.execute("rollback")
            self._places.fail()
            return self._explained(problem)
        self._places.note(entries, last + 1)
        self._on_commit(len(rows), time.perf_counter() - began)
        return None

    def _committed(self, batch: list[Entry | PendingWrite], problem: StoreError | None) -> None:
        self.problem = None if problem is None else str(problem)
        if problem is not None:
            # What was played meanwhile stands on what is lost.
            batch += self._gathered
            self._gathered = []
        if self._gathered:
            # The disk works while we tell.
            self._hand_over()
        else:
            self._busy = False
        entries = [one for one in batch if not isinstance(one, PendingWrite)]
        for one in batch:
            if isinstance(one, PendingWrite) and not one.done.done():
                failed = problem or (VersionConflict("somebody else was quicker") if one.overtaken else None)
                one.done.set_result(None) if failed is None else one.done.set_exception(failed)
        if problem is None:
            self._recorded(entries)
        else:
            self._lost(entries, problem)

    async def close(self) -> None:
        """Everything that was gathered is written first."""
        with contextlib.suppress(StoreError):
            await self.write()
        self._inbox.put(None)
        await asyncio.to_thread(self._thread.join)
        await asyncio.to_thread(self._readers.shutdown)
        self.release()

    def release(self) -> None:
        """Lets go of the file, into which nobody writes."""
        while not self._histories.empty():
            self._histories.get().close()
        for connection in (self._reader, self._writer):
            connection.close()
        os.close(self._lock)

    # Reading

    async def read(self, statement: str, values: tuple[Any, ...] = ()) -> list[Any]:
        try:
            return self._reader.execute(statement, values).fetchall()
        except sqlite3.DatabaseError as problem:
            raise self._explained(problem) from None

    async def salvage(self, statement: str, values: tuple[Any, ...] = ()) -> list[Any]:
        found: list[Any] = []
        try:
            found.extend(self._reader.execute(statement, values))
        except sqlite3.DatabaseError as problem:
            self._explained(problem)
        return found

    async def histories(self, spans: Sequence[Span]) -> dict[int, list[Row]]:
        if not spans:
            return {}
        found, searched = await self._loop.run_in_executor(self._readers, self._history, spans)
        if searched:
            # Nobody shall search for them again; if it cannot be written now, whoever comes next will.
            with contextlib.suppress(StoreError):
                await self.write(*row_index.keeping(searched))
        return found

    def _history(self, spans: Sequence[Span]) -> tuple[dict[int, list[Row]], dict[int, list[int]]]:
        connection = self._histories.get()
        try:
            return row_index.read(connection, spans)
        except sqlite3.DatabaseError as problem:
            raise self._explained(problem) from None
        finally:
            self._histories.put(connection)

    async def time(self) -> None:
        return None

    async def size(self) -> int:
        [[pages]], [[free]], [[page]] = [
            await self.read(f"pragma {what}") for what in ("page_count", "freelist_count", "page_size")
        ]
        return int((pages - free) * page)

    # Matches

    async def new_match(self) -> int:
        self._matches += 1
        return self._matches

    def open_match_statements(self, match: int) -> Sequence[Statement]:  # noqa: ARG002 - rows alone say that there is a match
        return ()

    def close_match_statements(self, match: int) -> Sequence[Statement]:
        return row_index.close_match_statements(match)

    def delete_match_statements(self, span: Span) -> Sequence[Statement]:
        return row_index.delete_match_statements(span)
