"""Opens the log that the settings name: a file or PostgreSQL."""

from __future__ import annotations

import asyncio

from ubongo.server.settings import Settings
from ubongo.server.store import Log, OnCommit, ignore_commit
from ubongo.server.store.sqlite import SqliteLog


def open_log(settings: Settings, exclusive: bool = False, on_commit: OnCommit = ignore_commit) -> Log:
    """Migrates its schema; raises BadLog if it cannot be used. PostgreSQL cannot be opened inside an event loop.

    `exclusive`: no other program may use it meanwhile. A file is always exclusive.
    """
    if settings.postgres is None:
        return SqliteLog(settings.file, on_commit)
    from ubongo.server.store.postgres import PostgresLog  # noqa: PLC0415 - a server with a file loads no driver
    from ubongo.server.store.postgres_connection import prepare  # noqa: PLC0415 - a server with a file loads no driver

    asyncio.run(prepare(settings.postgres, exclusive))
    return PostgresLog(settings.postgres, exclusive, on_commit)
