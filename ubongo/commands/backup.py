"""`ubongo backup`: copies a running server's database as it is at one moment."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from ubongo.commands import Complaint


def backup(to: Path, /, *, db: Annotated[str | None, Parameter(env_var="UBONGO_DB")] = None) -> None:
    """
    Parameters
    ----------
    to
        The file to write. It must not exist yet.
    db
        The server's file; without it, the one in your data folder.
    """
    from ubongo.server.settings import Settings
    from ubongo.server.store.schema import BadLog, refuse_unless_ours, unusable  # a server's

    settings = Settings(db=db)
    if settings.postgres is not None:
        raise Complaint("use pg_dump for a database in PostgreSQL")
    source = settings.file
    if not source.is_file():
        raise Complaint(f"{source} is not there; --db names the server's file")
    try:
        refuse_unless_ours(source)
        # We create it first, so that only we can read it, and so that no file is overwritten.
        to.touch(mode=0o600, exist_ok=False)
        with closing(sqlite3.connect(source)) as live, closing(sqlite3.connect(to)) as copy:
            live.backup(copy)
    except FileExistsError:
        raise Complaint(f"{to} already exists; name a new file") from None
    except sqlite3.Error as problem:
        to.unlink(missing_ok=True)
        raise Complaint(f"no backup could be made: {unusable(source, problem)}") from None
    except (BadLog, OSError) as problem:
        raise Complaint(f"no backup could be made: {problem}") from None
