"""Which log it is: a file's or PostgreSQL's, by how it is named."""

from __future__ import annotations

import asyncio

from ubongo.server.log import Log
from ubongo.server.log.sqlite import SqliteLog
from ubongo.server.settings import Settings


def chosen(settings: Settings) -> Log:
    """Looked at, and of today's form; BadLog. Whoever is in a loop already has to use a file."""
    if settings.postgres is None:
        return SqliteLog(settings.file)
    from ubongo.server.log.postgres import PostgresLog, prepared  # noqa: PLC0415 - not for who has a file

    asyncio.run(prepared(settings.postgres))
    return PostgresLog(settings.postgres)
