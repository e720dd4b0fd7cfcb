"""Which log it is: a file's or PostgreSQL's, by how it is named."""

from __future__ import annotations

import asyncio

from ubongo.server.settings import Settings
from ubongo.server.store import Log, OnCommit, ignore_commit
from ubongo.server.store.sqlite import SqliteLog


def open_log(settings: Settings, exclusive: bool = False, on_commit: OnCommit = ignore_commit) -> Log:
    """Looked at, and of today's form; BadLog. Whoever is in a loop already has to use a file.

    `exclusive`: nobody else may use it meanwhile. A file is always its server's own.
    """
    if settings.postgres is None:
        return SqliteLog(settings.file, on_commit)
    from ubongo.server.store.postgres import PostgresLog  # noqa: PLC0415 - not for who has a file
    from ubongo.server.store.postgres_connection import prepare  # noqa: PLC0415 - not for who has a file

    asyncio.run(prepare(settings.postgres, exclusive))
    return PostgresLog(settings.postgres, exclusive, on_commit)
