"""`ubongo move`: a server's file into PostgreSQL."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from ubongo.commands import Complaint


def move(*, source: Annotated[Path, Parameter(name="--from")], target: Annotated[str, Parameter(name="--to")]) -> None:
    """
    Parameters
    ----------
    source
        The server's file. The server has to be stopped; the file stays as it is.
    target
        The database, postgresql://… It has to be empty, unless a move into it was broken off, which then goes on.
    """
    from ubongo.server.log.moving import move as move_all  # a server's
    from ubongo.server.log.postgres_schema import named
    from ubongo.server.log.schema import BadLog
    from ubongo.server.settings import Settings

    if Settings(db=target).postgres is None:
        raise Complaint("--to names a database, as postgresql://user@host/name")
    try:
        with _shown() as told:
            moved = asyncio.run(move_all(source, target, told))
    except BadLog as problem:
        raise Complaint(f"nothing is served from there yet: {problem}") from None
    for table, rows in moved.rows.items():
        print(f"{table}: {rows}")
    again = " It went on where an earlier move had ended." if moved.resumed else ""
    print(f"{source} is in {named(target)}, row by row the same.{again}")


@contextmanager
def _shown() -> Iterator[Callable[[str, int], None]]:
    """How far it is, on a terminal."""
    if not sys.stderr.isatty():
        yield lambda _table, _rows: None
        return
    from rich.console import Console  # rich is for those who look

    with Console(stderr=True).status("Moving") as status:
        yield lambda table, rows: status.update(f"Moving {table}: {rows}")
