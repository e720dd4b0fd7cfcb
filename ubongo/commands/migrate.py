"""`ubongo migrate`: copies a server's file into PostgreSQL."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from ubongo.commands import Complaint
from ubongo.commands._support.progress_bar import counting


def migrate(
    *, source: Annotated[Path, Parameter(name="--from")], target: Annotated[str, Parameter(name="--to")]
) -> None:
    """
    Parameters
    ----------
    source
        The server's file. Stop the server first. The file is not changed.
    target
        The database, postgresql://… It has to be empty, or an interrupted migration into it continues.
    """
    from ubongo.server.settings import Settings
    from ubongo.server.store.migration import migrate_to_postgres  # a server's
    from ubongo.server.store.postgres_schema import public_url
    from ubongo.server.store.schema import BadLog

    if Settings(db=target).postgres is None:
        raise Complaint("--to names a database, as postgresql://user@host/name")
    try:
        with counting("Migrating") as on_progress:
            migrated = asyncio.run(migrate_to_postgres(source, target, on_progress))
    except BadLog as problem:
        raise Complaint(f"the migration is not finished: {problem}") from None
    for table, rows in migrated.rows.items():
        print(f"{table}: {rows}")
    resumed = " It continued where an earlier migration had stopped." if migrated.resumed else ""
    print(f"{source} is in {public_url(target)}, row by row the same.{resumed}")
