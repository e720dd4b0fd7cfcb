"""A server's file into PostgreSQL: in pieces, so that it can be broken off and gone on with; proved when it is done.

Every piece is committed together with how far it has come. At the end both sides are read again, in the same order, and
must come to the same hashes. Until then nobody serves the database.
"""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

import asyncpg
import msgspec
from msgspec import Struct

from ubongo.server.store.postgres_connection import AWAY, taken
from ubongo.server.store.postgres_schema import migrate, named
from ubongo.server.store.schema import BadLog, unusable
from ubongo.server.store.sqlite import SqliteLog

if TYPE_CHECKING:
    from asyncpg import Connection

AT_ONCE = 2000
BEGUN = "begun"
# Rows of a move have no writer who could ask for them again.
NOBODY = 0

_SETTLE = """
    insert into versions
        select match, coalesce((select max(version) from log where log.match = matches.match), 0) from matches;
    select setval('match_numbers', greatest(1, (
        select coalesce(max(match), 0) from (select match from matches union all select match from archive) as known
    )));
    delete from moving;
"""


class TableCopy(Struct, frozen=True):
    """A table: the columns that both have, in which order it is gone through, and what the file says in their place."""

    table: str
    columns: tuple[str, ...]
    order: tuple[str, ...]
    instead: dict[str, str] = {}
    where: str = "true"

    def from_file(self) -> str:
        wanted = ", ".join(self.instead.get(column, column) for column in self.columns)
        return f"select {wanted}, {', '.join(self.order)} from {self.table} where {self.where}"  # noqa: S608 - our own names

    def from_database(self) -> str:
        columns = [column for column in self.columns if column != "writer"]
        return f"select {', '.join(columns)} from {self.table} order by {', '.join(self.order)}"  # noqa: S608 - our own names

    def into_database(self) -> str:
        values = ", ".join(f"${number}" for number in range(1, len(self.columns) + 1))
        return f"insert into {self.table} ({', '.join(self.columns)}) values ({values})"  # noqa: S608 - our own names


def _part(table: str, columns: str, order: str, where: str = "true", **instead: str) -> TableCopy:
    # A file takes text for bytes; PostgreSQL does not.
    both = {column: f"cast({column} as blob)" for column in ("opening", "body", "events", "lines")} | instead
    return TableCopy(table, tuple(columns.split()), tuple(order.split()), both, where)


# Where a match lies in the file means nothing elsewhere; and the last row of a match that was put away stays behind.
PARTS: tuple[TableCopy, ...] = (
    _part("guests", "player name made seen", "player"),
    _part("tokens", "hash player made seen label", "hash"),
    _part("codes", "hash player until", "hash"),
    _part("tables", "key state body changed", "key"),
    _part(
        "matches",
        "match table_key opening started since upto ended",
        "match",
        since="0",
        upto="case when upto is null then null else 0 end",
    ),
    _part(
        "log",
        "match version at events writer",
        "match version",
        where="match in (select match from matches)",
        writer=str(NOBODY),
    ),
    _part("archive", "match opening players ended lines started", "match"),
    _part("archived", "player match", "player match"),
    _part(
        "results",
        "match seat player name game ended kind edition day scored first second solved rounds took place seats total",
        "match seat",
    ),
    _part("solves", "match seat player game grade difficulty took ended", "match seat ended took grade difficulty"),
    _part("tallied", "match", "match"),
    _part("tries", "player day game table_key", "player day game"),
    _part("heartbeats", "day at", "day"),
    _part("moderation", "decision at operator action target reason done", "decision"),
    _part("bans", "target kind name at until reason with_address", "target"),
    _part("removed_records", "match seat decision", "match seat"),
)

OnProgress = Callable[[str, int], None]


class Moved(Struct, frozen=True):
    """How many rows each table has, and whether an earlier move was gone on with."""

    rows: dict[str, int]
    resumed: bool


async def migrate_to_postgres(source: Path, url: str, told: OnProgress = lambda _table, _rows: None) -> Moved:
    """All of the file; `told` hears of every piece. BadLog says what is in the way."""
    # As a server would: the file is brought to today's form, and no server has it meanwhile.
    with closing(_Source(source)) as rows:
        line = await taken(url, answer=None, alone=True)
        try:
            await migrate(line, url)
            resumed = await _begun(line, url)
            for part in PARTS:
                await _copy(rows, line, part, told)
            counts = {part.table: await _proved(rows, line, part, source, url) for part in PARTS}
            async with line.transaction():
                await line.execute(_SETTLE)
        except AWAY as problem:
            raise BadLog(f"{named(url)} went away: {problem}. Say it once more to go on with the move.") from None
        except asyncpg.PostgresError as problem:
            raise BadLog(f"{named(url)} did not take it: {problem}") from None
        except sqlite3.DatabaseError as problem:
            raise unusable(source, problem) from None
        finally:
            await line.close(timeout=5)
    return Moved(counts, resumed)


class _Source:
    """The file, held as a server holds it, and read by a connection of its own."""

    def __init__(self, path: Path) -> None:
        if not path.is_file():
            raise BadLog(f"{path} is not there; --from names the server's file.")
        self._log = SqliteLog(path)
        self._connection = sqlite3.connect(path)

    def close(self) -> None:
        self._connection.close()
        self._log.release()

    def rows(self, part: TableCopy, after: Sequence[Any] | None) -> Iterator[tuple[Any, ...]]:
        """In the part's order, each with its place in it."""
        order = ", ".join(part.order)
        on = "" if after is None else f"and ({order}) > ({', '.join('?' * len(after))})"
        return iter(self._connection.execute(f"{part.from_file()} {on} order by {order}", after or ()))


async def _begun(line: Connection, url: str) -> bool:
    """Whether an earlier move is gone on with; only an empty database is begun with."""
    if await line.fetchval("select exists (select 1 from moving)"):
        return True
    full = [part.table for part in PARTS if await line.fetchval(f"select exists (select 1 from {part.table})")]  # noqa: S608 - our own names
    if full:
        raise BadLog(f"{named(url)} is not empty ({', '.join(full)}). A move needs a database of its own.")
    await line.execute("insert into moving values ($1, '')", BEGUN)
    return False


async def _copy(rows: _Source, line: Connection, part: TableCopy, told: OnProgress) -> None:
    last = await line.fetchval("select last from moving where part = $1", part.table)
    found = rows.rows(part, None if last is None else _read(last))
    width, done = len(part.columns), 0
    while piece := [row for _, row in zip(range(AT_ONCE), found, strict=False)]:
        async with line.transaction():
            await line.executemany(part.into_database(), [row[:width] for row in piece])
            await line.execute(
                "insert into moving values ($1, $2) on conflict (part) do update set last = excluded.last",
                part.table,
                _written(piece[-1][width:]),
            )
        done += len(piece)
        told(part.table, done)


async def _proved(rows: _Source, line: Connection, part: TableCopy, source: Path, url: str) -> int:
    """Both sides come to the same; how many rows they have."""
    width = len(part.columns) - ("writer" in part.columns)
    here, there = hashlib.sha256(), hashlib.sha256()
    in_file = in_database = 0
    for row in rows.rows(part, None):
        here.update(msgspec.msgpack.encode(row[:width]))
        in_file += 1
    async with line.transaction():
        async for row in line.cursor(part.from_database(), prefetch=AT_ONCE):
            there.update(msgspec.msgpack.encode(tuple(row)))
            in_database += 1
    if (in_file, here.digest()) != (in_database, there.digest()):
        raise BadLog(
            f"{part.table}: {source} has {in_file} rows and {named(url)} has {in_database}, and they are not the same. "
            "Has the file been used since the move began? Begin again, with an empty database."
        )
    return in_file


def _written(place: Sequence[Any]) -> str:
    return msgspec.msgpack.encode(list(place)).hex()


def _read(place: str) -> list[Any]:
    return list(msgspec.msgpack.decode(bytes.fromhex(place)))
