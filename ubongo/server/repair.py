"""Writes everything that is intact in a damaged file to a new one, and lists what is not.

The damaged file is copied and never opened itself, since reading a file with a write-ahead log writes to it. Every
readable row of the copy goes to a scratch file, and from there what is intact and consistent goes to the new file.
"""

from __future__ import annotations

import os
import shutil
import sqlite3
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from msgspec import Struct

from ubongo.server.clock import Timestamp
from ubongo.server.intact_rows import IntactRows, OnRepairProgress
from ubongo.server.store.damage import is_damage
from ubongo.server.store.salvage import Salvage
from ubongo.server.store.schema import BadLog, migrate, refuse_unless_ours, unusable
from ubongo.server.store.timekeeping import TOLERANCE

if sys.platform != "win32":
    import fcntl

# The other tables are derived: `seated` and `archived` are rebuilt here, `places` when a match is read.
TABLES = (
    "tables", "matches", "log", "archive", "guests", "tokens", "codes", "results", "solves", "tallied", "tries",
    "heartbeats", "moderation", "bans", "removed_records",
)  # fmt: skip
# After so many rows progress is reported.
REPORT_EVERY = 5000


class Repaired(Struct, frozen=True):
    """How many rows of each table were saved, what was lost, and what else was corrected."""

    rows: dict[str, int]
    lost: list[str]
    notes: list[str]


class _Salvaged(Struct, frozen=True):
    """Whether part of a table is unreadable, and between which row ids rows may be missing."""

    damaged: bool = False
    gaps: list[tuple[int, int]] = []


def repair(
    source: Path, target: Path, now: Timestamp, on_progress: OnRepairProgress = lambda _table, _rows: None
) -> Repaired:
    """Raises BadLog if nothing can be saved, or if a server uses the file."""
    with _locked(source), TemporaryDirectory(prefix=".repair-", dir=target.parent) as folder:
        copy, new = Path(folder) / "copy.db", Path(folder) / "new.db"
        for suffix in ("", "-wal"):
            if Path(f"{source}{suffix}").exists():
                shutil.copyfile(f"{source}{suffix}", f"{copy}{suffix}")
        try:
            refuse_unless_ours(copy)
            repaired = _save(copy, new, now, on_progress)
        except (BadLog, sqlite3.DatabaseError) as problem:
            raise _unrepairable(source, copy, problem) from None
        if target.exists():
            raise BadLog(f"{target} already exists. Name a new file.")
        new.rename(target)
        return repaired


def _unrepairable(source: Path, copy: Path, problem: BadLog | sqlite3.DatabaseError) -> BadLog:
    if isinstance(problem, BadLog) and "ubongo repair" not in str(problem):
        return BadLog(str(problem).replace(str(copy), str(source)))
    if isinstance(problem, sqlite3.DatabaseError) and not is_damage(problem):
        return BadLog(str(unusable(copy, problem)).replace(str(copy), str(source)))
    return BadLog(f"{source} cannot be repaired: the list of its tables is damaged. Serve a backup.")


@contextmanager
def _locked(source: Path) -> Iterator[None]:
    """Keeps servers from using it."""
    lock = Path(f"{source}.lock")
    if sys.platform == "win32" or not lock.exists():
        yield
        return
    with lock.open("rb") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise BadLog(f"{source} is in use by a server. Stop it first.") from None
        yield


def _save(copy: Path, target: Path, now: Timestamp, on_progress: OnRepairProgress) -> Repaired:
    os.close(os.open(target, os.O_CREAT | os.O_RDWR, 0o600))
    with closing(sqlite3.connect(copy)) as old, closing(sqlite3.connect(target, isolation_level=None)) as new:
        # Text may be damaged, too, so `Salvage` decodes it row by row.
        old.text_factory = bytes
        migrate(new)
        new.execute("attach ? as scratch", (str(target.with_name("scratch.db")),))
        salvaged = {table: _salvage(old, new, table, on_progress) for table in (*TABLES, "places")}
        damaged = [table for table in TABLES if salvaged[table].damaged]
        new.execute("create index scratch.rows_of on log (match, version)")
        new.execute("begin")
        intact = IntactRows(new, damaged, salvaged["log"].gaps, on_progress)
        intact.copy_all()
        _correct_future_times(new, now, intact.notes)
        new.execute("commit")
        rows = {table: new.execute(f"select count(*) from main.{table}").fetchone()[0] for table in TABLES}  # noqa: S608 - our own names
        return Repaired(rows, intact.lost, intact.notes)


def _salvage(old: sqlite3.Connection, new: sqlite3.Connection, table: str, on_progress: OnRepairProgress) -> _Salvaged:
    """Copies every readable row of a table to the scratch file. An older file has fewer tables and columns."""
    new.execute(f"create table scratch.{table} as select * from main.{table} where false")  # noqa: S608 - our own names
    known = [name.decode() for _, name, *_ in old.execute(f"pragma table_info({table})")]
    columns = [name for _, name, *_ in new.execute(f"pragma main.table_info({table})") if name in known]
    if not columns:
        return _Salvaged()
    salvage = Salvage(old, table, columns)
    into = f"insert into scratch.{table} ({', '.join(columns)}) values ({', '.join('?' * len(columns))})"  # noqa: S608 - our own names
    new.execute("begin")
    for done, row in enumerate(salvage.rows(), 1):
        new.execute(into, row)
        if done % REPORT_EVERY == 0:
            on_progress(table, done)
    new.execute("commit")
    return _Salvaged(salvage.damaged, salvage.gaps)


def _correct_future_times(new: sqlite3.Connection, now: Timestamp, notes: list[str]) -> None:
    """Times in the future come from a wrong clock. With them the server would take its right clock for wrong."""
    changed = sum(
        new.execute(statement, {"now": now, "late": now + TOLERANCE}).rowcount
        for statement in (
            "update main.guests set seen = :now where seen > :late",
            "update main.tables set changed = :now where changed > :late",
            "delete from main.heartbeats where at > :late",
        )
    )
    if changed:
        notes.append(f"{changed} times were in the future, and are set to now")
