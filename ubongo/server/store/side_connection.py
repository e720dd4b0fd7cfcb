"""A second connection to the database of a server that may be running, for commands that operators use."""

from __future__ import annotations

import sqlite3
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

from ubongo.server.settings import Settings
from ubongo.server.store import Statement, Store, StoreError, VersionConflict
from ubongo.server.store.schema import BadLog, refuse_unless_ours
from ubongo.server.store.sqlite_migrations import MIGRATIONS

# How long a write waits for the server's own commits, which take milliseconds.
PATIENCE_S = 10.0


class SqliteSideConnection:
    """It never migrates the file: that is the server's job."""

    def __init__(self, path: Path) -> None:
        if not path.is_file():
            raise BadLog(f"{path} is not there; --db names the server's file")
        refuse_unless_ours(path)
        try:
            self._connection = sqlite3.connect(path, isolation_level=None, timeout=PATIENCE_S)
            self._connection.execute("pragma synchronous = full")
            [version] = self._connection.execute("pragma user_version").fetchone()
        except sqlite3.Error as problem:
            raise BadLog(f"{path} cannot be used: {problem}") from None
        if version < len(MIGRATIONS):
            self._connection.close()
            raise BadLog(f"{path} was last used by an older Ubongo; start the server with this version first")

    async def write(self, *statements: Statement, claim: Statement | None = None) -> None:
        try:
            self._connection.execute("begin immediate")
            if claim is not None and self._connection.execute(*claim).rowcount != 1:
                raise VersionConflict("another write came first")
            for statement, values in statements:
                self._connection.execute(statement, values)
            self._connection.execute("commit")
        except sqlite3.Error as problem:
            raise StoreError(str(problem)) from None
        finally:
            if self._connection.in_transaction:
                with suppress(sqlite3.Error):
                    self._connection.execute("rollback")

    async def read(self, statement: str, values: tuple[Any, ...] = ()) -> list[Any]:
        try:
            return self._connection.execute(statement, values).fetchall()
        except sqlite3.Error as problem:
            raise StoreError(str(problem)) from None

    def close(self) -> None:
        self._connection.close()


@asynccontextmanager
async def side_connection(settings: Settings) -> AsyncIterator[Store]:
    """Works whether a server runs or not; raises BadLog."""
    if settings.postgres is None:
        store = SqliteSideConnection(settings.file)
        try:
            yield store
        finally:
            store.close()
    else:
        from ubongo.server.store.postgres import PostgresLog  # noqa: PLC0415 - a server with a file loads no driver
        from ubongo.server.store.postgres_connection import prepare  # noqa: PLC0415 - a server with a file loads no driver

        await prepare(settings.postgres)
        log = PostgresLog(settings.postgres)
        await log.start(lambda _: None, lambda _, __: None)
        try:
            yield log
        finally:
            await log.close()
