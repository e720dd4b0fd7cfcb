"""`ubongo repair`: writes what is intact in a damaged file to a new one."""

from __future__ import annotations

import time
from pathlib import Path

from ubongo.commands import Complaint
from ubongo.commands._support.output import Out
from ubongo.commands._support.progress_bar import counting


def repair(file: Path, /, *, out: Out) -> int:
    """
    Parameters
    ----------
    file
        The server's file. Stop the server first. The file is not changed.
    out
        The new file. It must not exist yet.
    """
    from ubongo.server.clock import Timestamp
    from ubongo.server.repair import repair as repair_file
    from ubongo.server.store.schema import BadLog  # a server's

    if not file.is_file():
        raise Complaint(f"{file} is not there; name the server's file")
    if out.exists():
        raise Complaint(f"{out} already exists; name a new file")
    if not out.parent.is_dir():
        raise Complaint(f"{out.parent} is not a folder; name a file in one")
    try:
        with counting("Saving") as on_progress:
            repaired = repair_file(file, out, Timestamp(time.time_ns() // 1_000_000), on_progress)
    except BadLog as problem:
        raise Complaint(str(problem)) from None
    for table, rows in repaired.rows.items():
        print(f"{table}: {rows} saved")
    for what in repaired.lost:
        print(f"lost: {what}")
    for note in repaired.notes:
        print(f"note: {note}")
    print(f"{out} has everything that is intact. Serve it: ubongo serve --db {out}")
    return 1 if repaired.lost else 0
