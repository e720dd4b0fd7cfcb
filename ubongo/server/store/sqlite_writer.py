"""Writes to the log's file: one thread, which commits in groups.

The event loop collects what is to be written and wakes the thread once per commit, with all of it: at once if the
thread is idle, else when the last commit returns. So one sync pays for a whole group, and a busy server commits larger
groups.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import queue
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator, Sequence

from ubongo.server.store import (
    Entry,
    OnCommit,
    OnLost,
    OnRecorded,
    Row,
    Statement,
    StoreBug,
    StoreError,
    Unreadable,
    VersionConflict,
)
from ubongo.server.store.row_index import RowIndex

_LAST_ROW = "select coalesce(max(id), 0) from log"
_INSERT_ROW = "insert into log (match, version, at, events) values (?, ?, ?, ?)"
logger = logging.getLogger("ubongo.server.store")


class PendingWrite:
    """Statements for the next commit, and a future for its outcome."""

    __slots__ = ("claim", "conflict", "done", "statements")

    def __init__(self, statements: Sequence[Statement], claim: Statement | None) -> None:
        self.statements = statements
        self.claim = claim
        self.conflict = False
        self.done: asyncio.Future[None] = asyncio.get_running_loop().create_future()


Pending = Entry | PendingWrite


class SqliteWriter:
    """`problem`: why the last commit failed, if it did. `explain` turns an error of SQLite into one of ours."""

    def __init__(
        self, connection: sqlite3.Connection, on_commit: OnCommit, explain: Callable[[sqlite3.Error], StoreError]
    ) -> None:
        self.connection = connection
        self.problem: str | None = None
        self.row_index = RowIndex(connection)
        self._on_commit = on_commit
        self._explain = explain
        self._collected: list[Pending] = []
        self._busy = False
        self._batches: queue.SimpleQueue[list[Pending] | None] = queue.SimpleQueue()

    def start(self, recorded: OnRecorded, lost: OnLost) -> None:
        self._loop = asyncio.get_running_loop()
        self._recorded, self._lost = recorded, lost
        self._thread = threading.Thread(target=self._run, name="log", daemon=True)
        self._thread.start()

    def add(self, one: Pending) -> None:
        self._collected.append(one)
        if not self._busy:
            self._busy = True
            self._loop.call_soon(self._hand_over)

    async def close(self) -> None:
        self._batches.put(None)
        await asyncio.to_thread(self._thread.join)

    def _hand_over(self) -> None:
        batch, self._collected = self._collected, []
        self._batches.put(batch)

    # In the thread

    def _run(self) -> None:
        while (batch := self._batches.get()) is not None:
            for group, problem in self._write(batch):
                with contextlib.suppress(RuntimeError):  # the loop is closed, so nobody waits for this
                    self._loop.call_soon_threadsafe(self._committed, group, problem)

    def _write(self, batch: list[Pending]) -> Iterator[tuple[list[Pending], StoreError | None]]:
        """Groups and their outcomes. If the batch meets damage, its writes are committed one by one."""
        problem = self.commit(batch)
        if not isinstance(problem, Unreadable) or len(batch) == 1:
            yield batch, problem
            return
        groups: list[list[Pending]] = [[one for one in batch if not isinstance(one, PendingWrite)]]
        groups += [[one] for one in batch if isinstance(one, PendingWrite)]
        for group in groups:
            if group:
                yield group, self.commit(group)

    def commit(self, batch: Sequence[Pending]) -> StoreError | None:
        began = time.perf_counter()
        rows: list[Row] = []
        entries: list[Entry] = []
        try:
            self.connection.execute("begin immediate")
            for one in batch:
                if isinstance(one, PendingWrite):
                    # The claim comes first: if it fails, there is nothing to roll back.
                    one.conflict = one.claim is not None and self.connection.execute(*one.claim).rowcount != 1
                    for statement, values in () if one.conflict else one.statements:
                        self.connection.execute(statement, values)
                else:
                    entries.append(one)
                    rows += one.rows
            [last] = self.connection.execute(_LAST_ROW).fetchone()
            self.connection.executemany(_INSERT_ROW, rows)
            self.connection.execute("commit")
        except sqlite3.Error as problem:
            self._roll_back()
            return self._explain(problem)
        except Exception:
            # Callers get an answer, and this thread goes on.
            logger.exception("a commit failed because of a bug, not because of the disk")
            self._roll_back()
            return StoreBug("a bug in the server, which its log shows")
        self.row_index.note(entries, last + 1)
        self._on_commit(len(rows), time.perf_counter() - began)
        return None

    def _roll_back(self) -> None:
        with contextlib.suppress(sqlite3.Error):
            self.connection.execute("rollback")
        self.row_index.discard_closed()

    # In the loop

    def _committed(self, batch: list[Pending], problem: StoreError | None) -> None:
        self.problem = None if problem is None else str(problem)
        if problem is not None:
            # What has been collected meanwhile builds on what is lost.
            batch += self._collected
            self._collected = []
        if self._collected:
            # The thread commits while we report.
            self._hand_over()
        else:
            self._busy = False
        entries = [one for one in batch if not isinstance(one, PendingWrite)]
        for one in batch:
            if isinstance(one, PendingWrite) and not one.done.done():
                failed = problem or (VersionConflict("another write came first") if one.conflict else None)
                one.done.set_result(None) if failed is None else one.done.set_exception(failed)
        if problem is None:
            self._recorded(entries)
        else:
            self._lost(entries, problem)
