"""A new file with everything that is intact in a damaged one, and a list of what is not.

The damaged file is copied first and never opened itself: to read a file with a write-ahead log is to write to it. What
can be read of the copy goes to a scratch file, and from there into the new one whatever is whole and goes together.
"""

from __future__ import annotations

import os
import shutil
import sqlite3
import sys
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from zlib import compress, decompress

import msgspec
from msgspec import Struct

from ubongo.server.clock import Timestamp
from ubongo.server.lobby.lobby_table import State
from ubongo.server.store import Row, Unreadable
from ubongo.server.store.damage import UNDECODABLE, is_damage
from ubongo.server.store.entities import Opening, StoredMatch, decode_match, decoded
from ubongo.server.store.salvage import Salvage
from ubongo.server.store.schema import BadLog, migrate, refuse_unless_ours, unusable
from ubongo.server.store.timekeeping import TOLERANCE
from ubongo.server.tables.stored_match import Damaged, lines_of, undamaged
from ubongo.server.tables.table_setup import TableSetup

if sys.platform != "win32":
    import fcntl

# The others follow from these: `seated` and `archived` are made anew, `places` when somebody asks for a match.
TABLES = (
    "tables", "matches", "log", "archive", "guests", "tokens", "codes", "results", "solves", "tallied", "tries",
    "heartbeats", "moderation", "bans", "removed_records",
)  # fmt: skip
# Nothing else follows from these, and they follow from nothing: every row that can be read is taken.
INDEPENDENT = ("tries", "heartbeats", "moderation", "bans", "removed_records")
COUNTED = ("results", "solves", "tallied")
PLAYED = ("running", "over", "abandoned")
AT_ONCE = 5000

Told = Callable[[str, int], None]


class Repaired(Struct, frozen=True):
    """How many rows of each table were saved, what was lost, and what else was put right."""

    rows: dict[str, int]
    lost: list[str]
    notes: list[str]


class _Read(Struct, frozen=True):
    """Whether something of a table cannot be read, and between which numbers rows may be missing."""

    damaged: bool = False
    gaps: list[tuple[int, int]] = []


def repair(source: Path, target: Path, now: Timestamp, told: Told = lambda _table, _rows: None) -> Repaired:
    """BadLog, if nothing can be saved, or a server uses the file. `told` hears how far it is."""
    with _held(source), TemporaryDirectory(prefix=".repair-", dir=target.parent) as folder:
        copy, new = Path(folder) / "copy.db", Path(folder) / "new.db"
        for suffix in ("", "-wal"):
            if Path(f"{source}{suffix}").exists():
                shutil.copyfile(f"{source}{suffix}", f"{copy}{suffix}")
        try:
            refuse_unless_ours(copy)
            repaired = _saved(copy, new, now, told)
        except (BadLog, sqlite3.DatabaseError) as problem:
            raise _hopeless(source, copy, problem) from None
        if target.exists():
            raise BadLog(f"{target} is there already. Name a new file.")
        new.rename(target)
        return repaired


def _hopeless(source: Path, copy: Path, problem: BadLog | sqlite3.DatabaseError) -> BadLog:
    if isinstance(problem, BadLog) and "ubongo repair" not in str(problem):
        return BadLog(str(problem).replace(str(copy), str(source)))
    if isinstance(problem, sqlite3.DatabaseError) and not is_damage(problem):
        return BadLog(str(unusable(copy, problem)).replace(str(copy), str(source)))
    return BadLog(f"{source} cannot be repaired: the list of its tables is damaged. Serve a backup.")


@contextmanager
def _held(source: Path) -> Iterator[None]:
    """No server has it meanwhile."""
    lock = Path(f"{source}.lock")
    if sys.platform == "win32" or not lock.exists():
        yield
        return
    with lock.open("rb") as place:
        try:
            fcntl.flock(place, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise BadLog(f"{source} is in use by a server. Stop it first.") from None
        yield


def _saved(copy: Path, new: Path, now: Timestamp, told: Told) -> Repaired:
    os.close(os.open(new, os.O_CREAT | os.O_RDWR, 0o600))
    with closing(sqlite3.connect(copy)) as old, closing(sqlite3.connect(new, isolation_level=None)) as fresh:
        # Text may be damaged, too: it is decoded row by row.
        old.text_factory = bytes
        migrate(fresh)
        fresh.execute("attach ? as scratch", (str(new.with_name("scratch.db")),))
        salvaged = {table: _read(old, fresh, table, told) for table in (*TABLES, "places")}
        damaged = [table for table in TABLES if salvaged[table].damaged]
        fresh.execute("create index scratch.rows_of on log (match, version)")
        fresh.execute("begin")
        sorting = _Sorting(fresh, damaged, salvaged["log"].gaps, told)
        sorting.sort()
        _put_back(fresh, now, sorting.notes)
        fresh.execute("commit")
        rows = {table: fresh.execute(f"select count(*) from main.{table}").fetchone()[0] for table in TABLES}  # noqa: S608 - our own names
        return Repaired(rows, sorting.lost, sorting.notes)


def _read(old: sqlite3.Connection, fresh: sqlite3.Connection, table: str, told: Told) -> _Read:
    """All that can be read of a table; what cannot. An older file has fewer tables and columns."""
    fresh.execute(f"create table scratch.{table} as select * from main.{table} where false")  # noqa: S608 - our own names
    known = [name.decode() for _, name, *_ in old.execute(f"pragma table_info({table})")]
    columns = [name for _, name, *_ in fresh.execute(f"pragma main.table_info({table})") if name in known]
    if not columns:
        return _Read()
    salvage = Salvage(old, table, columns)
    into = f"insert into scratch.{table} ({', '.join(columns)}) values ({', '.join('?' * len(columns))})"  # noqa: S608 - our own names
    fresh.execute("begin")
    for done, row in enumerate(salvage.rows(), 1):
        fresh.execute(into, row)
        if done % AT_ONCE == 0:
            told(table, done)
    fresh.execute("commit")
    return _Read(salvage.damaged, salvage.gaps)


class _Sorting:
    """Takes what is whole and goes together into the new file. `lost` names the rest."""

    def __init__(self, fresh: sqlite3.Connection, damaged: list[str], gaps: list[tuple[int, int]], told: Told) -> None:
        self._fresh = fresh
        self._gaps = gaps
        self._told = told
        self._damaged = damaged
        self.lost = [f"{table}: part of it cannot be read" for table in damaged if table not in COUNTED]
        self.notes: list[str] = []

    def sort(self) -> None:
        self._tables_and_matches()
        self._archive()
        self._people()
        self._counted()
        for table in INDEPENDENT:
            self._take(table)

    def _take(self, table: str, where: str = "true") -> None:
        # What lacks something that it has to have is not taken.
        self._fresh.execute(f"insert or ignore into main.{table} select * from scratch.{table} where {where}")  # noqa: S608 - our own names

    def _tables_and_matches(self) -> None:
        plans = dict(self._readable_tables())
        matches: dict[str, StoredMatch] = {}
        for number, row in enumerate(self._fresh.execute("select * from scratch.matches").fetchall()):
            played = self._whole(row)
            if played is not None and played.table in plans:
                matches[played.table] = played
                self._take("matches", f"match = {played.match}")
                self._take("log", f"match = {played.match}")
            elif played is not None:
                self._put_into_archive(played, row[-1])
            self._told("matches", number)
        # Whatever it is: numbers go up from the last one, and matches know theirs by them.
        self._take("log", "id = (select max(id) from scratch.log)")
        for key, state in plans.items():
            if state in PLAYED and key not in matches:
                self.lost.append(f"table {key}: its match is lost")
            else:
                self._fresh.execute("insert into main.tables select * from scratch.tables where key = ?", (key,))
        unknown = """
            select match, count(*) from scratch.log where match not in (select match from scratch.matches)
            and match not in (select match from scratch.archive) group by match
        """
        for match, rows in self._fresh.execute(unknown).fetchall():
            self.lost.append(f"match {match}: who played it is lost, {rows} rows of it are left")

    def _readable_tables(self) -> Iterator[tuple[str, str]]:
        for key, state, body, _ in self._fresh.execute("select * from scratch.tables").fetchall():
            try:
                msgspec.json.decode(body, type=TableSetup)
                msgspec.convert(state, State)
            except (*UNDECODABLE, TypeError):
                self.lost.append(f"table {key}: what was agreed on there is damaged")
            else:
                yield key, state

    def _whole(self, row: tuple[object, ...]) -> StoredMatch | None:
        """The match, if all of its rows are there."""
        try:
            with decoded("a match"):
                played = decode_match(*row[:-1])  # type: ignore[arg-type] # as they were written, or not
            lines_of(played, self._rows(played))
            self._refuse_unless_to_the_end(played)
        except (Unreadable, Damaged, TypeError) as problem:
            self.lost.append(f"match {row[0]} of table {row[1]}: {problem}")
            self._fresh.execute("insert or ignore into scratch.tallied values (?)", (row[0],))
            return None
        return played

    def _refuse_unless_to_the_end(self, played: StoredMatch) -> None:
        """That nothing is missing between its rows has been seen; this is about the last ones. Or Damaged."""
        ids = {
            number for (number,) in self._fresh.execute("select id from scratch.log where match = ?", (played.match,))
        }
        for (places,) in self._fresh.execute("select ids from scratch.places where match = ?", (played.match,)):
            with undamaged():
                missing = not ids.issuperset(msgspec.json.decode(places, type=list[int]))
            if missing:
                raise Damaged("its last rows are missing")
            return
        last = max(ids, default=played.since)
        if any(after > last and (played.upto is None or before < played.upto) for before, after in self._gaps):
            raise Damaged("its last rows may be missing")

    def _rows(self, played: StoredMatch) -> list[Row]:
        wanted = "select match, version, at, events from scratch.log where match = ? order by version"
        return [Row._make(row) for row in self._fresh.execute(wanted, (played.match,))]

    def _put_into_archive(self, played: StoredMatch, ended: Timestamp | None) -> None:
        """Its table is lost, so nobody comes there any more; what was played is kept."""
        _, lines = lines_of(played, self._rows(played)).split(b"\n", 1)
        nobody = msgspec.json.encode([None for _ in played.opening.seats]).decode()
        kept = (played.match, msgspec.json.encode(played.opening), nobody, ended or played.started, compress(lines))
        columns = "match, opening, players, ended, lines, started"
        into = f"insert or ignore into main.archive ({columns}) values (?, ?, ?, ?, ?, ?)"  # noqa: S608 - our own names
        self._fresh.execute(into, (*kept, played.started))
        self.lost.append(
            f"table {played.table}: who sat there is lost; its match {played.match} is kept in the archive"
        )

    def _archive(self) -> None:
        for match, opening, players, _, lines, _ in self._fresh.execute("select * from scratch.archive"):
            try:
                with undamaged():
                    msgspec.json.decode(opening, type=Opening)
                    who = msgspec.json.decode(players, type=list[str | None])
                    decompress(lines)
            except (Damaged, TypeError) as problem:
                self.lost.append(f"old match {match}: {problem}")
                self._fresh.execute("insert or ignore into scratch.tallied values (?)", (match,))
                continue
            self._take("archive", f"match = {int(match)}")
            for player in {one for one in who if one is not None}:
                self._fresh.execute("insert or ignore into main.archived values (?, ?)", (player, match))

    def _people(self) -> None:
        self._take("guests")
        nameless = """
            select count(distinct player) from scratch.tokens where player not in (select player from main.guests)
        """
        [[lost]] = self._fresh.execute(nameless)
        if lost:
            self.lost.append(f"{lost} guests: their names are lost, and they are not known any more")
        for table in ("tokens", "codes"):
            self._take(table, "player in (select player from main.guests)")

    def _counted(self) -> None:
        again = "true"
        if any(table in COUNTED for table in self._damaged):
            # Of matches whose log is lost the results are kept as they are.
            again = "match not in (select match from main.matches union select match from main.archive)"
            self.notes.append("records were damaged: the server counts them again from the logs when it starts")
        for table in COUNTED:
            self._take(table, again)


def _put_back(fresh: sqlite3.Connection, now: Timestamp, notes: list[str]) -> None:
    """Times to come, of a clock that was wrong: by them the right one would be taken for wrong."""
    changed = sum(
        fresh.execute(statement, {"now": now, "late": now + TOLERANCE}).rowcount
        for statement in (
            "update main.guests set seen = :now where seen > :late",
            "update main.tables set changed = :now where changed > :late",
            "delete from main.heartbeats where at > :late",
        )
    )
    if changed:
        notes.append(f"{changed} times lay in the future, and were put back to now")
