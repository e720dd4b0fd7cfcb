"""The log in one SQLite file: durable (WAL, synchronous=FULL), written by one thread (`sqlite_writer`)."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import queue
import sqlite3
import sys
from collections.abc import Sequence
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
    ignore_commit,
    row_index,
)
from ubongo.server.store.damage import damage_message, is_damage
from ubongo.server.store.schema import BadLog, migrate, refuse_unless_ours, unusable
from ubongo.server.store.sqlite_writer import PendingWrite, SqliteWriter

if sys.platform != "win32":
    import fcntl

# Tables with match numbers. If one of these is damaged, new numbers start high enough to be unused.
_MATCHES = ("matches", "archive", "tallied", "places")
_HIGH_ENOUGH = 1_000_000
logger = logging.getLogger("ubongo.server.store")

# How many histories are read at once.
READERS = 4


class SqliteLog:
    """One file for one server: a second server on the same file is refused.

    Reads run on the loop's thread, since they take microseconds. Histories may be long, so other threads read them,
    each with a connection of its own.
    """

    end = "(select coalesce(max(id), 0) from log)"

    def __init__(self, path: Path, on_commit: OnCommit = ignore_commit) -> None:
        self.path = path
        self.damage: str | None = None
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            refuse_unless_ours(path)
            self._lock = self._lock_file()
        except OSError as problem:
            raise BadLog(f"{path} cannot be used: {problem.strerror}. Choose another file with --db.") from None
        try:
            connection = self._connect()
            migrate(connection)
            self._writer = SqliteWriter(connection, on_commit, self._explain)
            self._reader = self._connect()
            self._history_connections: queue.SimpleQueue[sqlite3.Connection] = queue.SimpleQueue()
            for _ in range(READERS):
                self._history_connections.put(self._connect())
            self._history_threads = ThreadPoolExecutor(READERS, "log-reader")
            self._last_match = self._find_last_match()
        except sqlite3.Error as problem:
            raise unusable(path, problem) from None

    @property
    def problem(self) -> str | None:
        return self._writer.problem

    def _lock_file(self) -> int:
        lock = os.open(f"{self.path}.lock", os.O_CREAT | os.O_RDWR, 0o600)
        if sys.platform != "win32":
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                os.close(lock)
                raise BadLog(f"{self.path} is in use by another server. Choose another file with --db.") from None
        return lock

    def _connect(self) -> sqlite3.Connection:
        # Only the server's own user may read who played with whom.
        if not self.path.exists():
            os.close(os.open(self.path, os.O_CREAT | os.O_RDWR, 0o600))
        connection = sqlite3.connect(self.path, isolation_level=None, check_same_thread=False)
        connection.execute("pragma journal_mode = wal")
        connection.execute("pragma synchronous = full")
        # On a Mac an ordinary fsync does not wait for the disk.
        connection.execute("pragma fullfsync = on")
        return connection

    def _find_last_match(self) -> int:
        found = [0]
        for table in _MATCHES:
            try:
                [[last]] = self._reader.execute(f"select coalesce(max(match), 0) from {table}")  # noqa: S608 - our own names
            except sqlite3.Error as problem:
                self._explain(problem)
                last = _HIGH_ENOUGH
            found.append(last)
        return sum(found) if _HIGH_ENOUGH in found else max(found)

    def _explain(self, problem: sqlite3.Error) -> StoreError:
        """SQLite's error as one of ours. The first damage is logged."""
        if not is_damage(problem):
            return StoreError(str(problem))
        message = damage_message(self.path, problem)
        if self.damage is None:
            logger.error("%s", message)
        self.damage = message
        return Unreadable(message)

    # Writing

    async def start(self, recorded: OnRecorded, lost: OnLost) -> None:
        self._writer.start(recorded, lost)

    def append(self, entry: Entry) -> None:
        self._writer.add(entry)

    async def write(self, *statements: Statement, claim: Statement | None = None) -> None:
        pending = PendingWrite(statements, claim)
        self._writer.add(pending)
        await pending.done

    async def close(self) -> None:
        with contextlib.suppress(StoreError):
            await self.write()
        await self._writer.close()
        await asyncio.to_thread(self._history_threads.shutdown)
        self.release()

    def release(self) -> None:
        """Closes and unlocks the file. Nothing may be written after this."""
        while not self._history_connections.empty():
            self._history_connections.get().close()
        for connection in (self._reader, self._writer.connection):
            connection.close()
        os.close(self._lock)

    # Reading

    async def read(self, statement: str, values: tuple[Any, ...] = ()) -> list[Any]:
        try:
            return self._reader.execute(statement, values).fetchall()
        except sqlite3.DatabaseError as problem:
            raise self._explain(problem) from None

    async def salvage(self, statement: str, values: tuple[Any, ...] = ()) -> list[Any]:
        found: list[Any] = []
        try:
            found.extend(self._reader.execute(statement, values))
        except sqlite3.DatabaseError as problem:
            self._explain(problem)
        return found

    async def histories(self, spans: Sequence[Span]) -> dict[int, list[Row]]:
        if not spans:
            return {}
        loop = asyncio.get_running_loop()
        found, searched = await loop.run_in_executor(self._history_threads, self._read_histories, spans)
        if searched:
            # So that these need no search again. If this write fails, the next read searches once more.
            with contextlib.suppress(StoreError):
                await self.write(*row_index.save_statements(searched))
        return found

    def _read_histories(self, spans: Sequence[Span]) -> tuple[dict[int, list[Row]], dict[int, list[int]]]:
        connection = self._history_connections.get()
        try:
            return row_index.read(connection, spans)
        except sqlite3.DatabaseError as problem:
            raise self._explain(problem) from None
        finally:
            self._history_connections.put(connection)

    async def time(self) -> None:
        return None

    async def size(self) -> int:
        [[pages]], [[free]], [[page]] = [
            await self.read(f"pragma {what}") for what in ("page_count", "freelist_count", "page_size")
        ]
        return int((pages - free) * page)

    # Matches

    async def new_match(self) -> int:
        self._last_match += 1
        return self._last_match

    def open_match_statements(self, match: int) -> Sequence[Statement]:  # noqa: ARG002 - a match's rows are enough
        return ()

    def close_match_statements(self, match: int) -> Sequence[Statement]:
        return row_index.close_match_statements(match)

    def delete_match_statements(self, span: Span) -> Sequence[Statement]:
        return row_index.delete_match_statements(span)
