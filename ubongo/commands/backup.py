"""`ubongo backup`: a running server's database, as it is at one moment."""

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
        The file to write. It must not be there yet.
    db
        The server's file; without it, the one in your data folder.
    """
    from ubongo.server.settings import Settings
    from ubongo.server.store.schema import BadLog, refuse_unless_ours, unusable  # a server's

    settings = Settings(db=db)
    if settings.postgres is not None:
        raise Complaint("a database in PostgreSQL is copied by PostgreSQL's own pg_dump")
    source = settings.file
    if not source.is_file():
        raise Complaint(f"{source} is not there; --db names the server's file")
    try:
        refuse_unless_ours(source)
        # Made by us, so that nobody else can read it, and so that nothing is written over.
        to.touch(mode=0o600, exist_ok=False)
        with closing(sqlite3.connect(source)) as live, closing(sqlite3.connect(to)) as copy:
            live.backup(copy)
    except FileExistsError:
        raise Complaint(f"{to} is there already; name a new file") from None
    except sqlite3.Error as problem:
        to.unlink(missing_ok=True)
        raise Complaint(f"no backup could be made: {unusable(source, problem)}") from None
    except (BadLog, OSError) as problem:
        raise Complaint(f"no backup could be made: {problem}") from None
