"""Copies a server's file into PostgreSQL, in batches, and verifies the copy. It can be interrupted and continued.

Every batch is committed together with the progress so far. At the end both sides are read again, in the same order, and
must have the same hashes. Until then no server uses the database.
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

from ubongo.server.store.postgres_connection import UNAVAILABLE, acquire_database
from ubongo.server.store.postgres_schema import migrate, public_url
from ubongo.server.store.schema import BadLog, unusable
from ubongo.server.store.sqlite import SqliteLog

if TYPE_CHECKING:
    from asyncpg import Connection

BATCH_SIZE = 2000
STARTED = "begun"
# No server wrote these rows.
NO_WRITER = 0

_FINISH = """
    insert into versions
        select match, coalesce((select max(version) from log where log.match = matches.match), 0) from matches;
    select setval('match_numbers', greatest(1, (
        select coalesce(max(match), 0) from (select match from matches union all select match from archive) as known
    )));
    delete from moving;
"""


class TableCopy(Struct, frozen=True):
    """A table to copy: its columns, the order of its rows, and what the file has in place of a column."""

    table: str
    columns: tuple[str, ...]
    order: tuple[str, ...]
    instead: dict[str, str] = {}
    where: str = "true"

    def from_file(self) -> str:
        columns = ", ".join(self.instead.get(column, column) for column in self.columns)
        return f"select {columns}, {', '.join(self.order)} from {self.table} where {self.where}"  # noqa: S608 - our own names

    def from_database(self) -> str:
        columns = [column for column in self.columns if column != "writer"]
        return f"select {', '.join(columns)} from {self.table} order by {', '.join(self.order)}"  # noqa: S608 - our own names

    def into_database(self) -> str:
        values = ", ".join(f"${number}" for number in range(1, len(self.columns) + 1))
        return f"insert into {self.table} ({', '.join(self.columns)}) values ({values})"  # noqa: S608 - our own names


def _copy_of(table: str, columns: str, order: str, where: str = "true", **instead: str) -> TableCopy:
    # SQLite takes text for bytes; PostgreSQL does not.
    blobs = {column: f"cast({column} as blob)" for column in ("opening", "body", "events", "lines")} | instead
    return TableCopy(table, tuple(columns.split()), tuple(order.split()), blobs, where)


# Row ids mean nothing outside the file. The log's last row may belong to an archived match; it is not copied.
COPIES: tuple[TableCopy, ...] = (
    _copy_of("guests", "player name made seen", "player"),
    _copy_of("tokens", "hash player made seen label", "hash"),
    _copy_of("codes", "hash player until", "hash"),
    _copy_of("tables", "key state body changed", "key"),
    _copy_of(
        "matches",
        "match table_key opening started since upto ended",
        "match",
        since="0",
        upto="case when upto is null then null else 0 end",
    ),
    _copy_of(
        "log",
        "match version at events writer",
        "match version",
        where="match in (select match from matches)",
        writer=str(NO_WRITER),
    ),
    _copy_of("archive", "match opening players ended lines started", "match"),
    _copy_of("archived", "player match", "player match"),
    _copy_of(
        "results",
        "match seat player name game ended kind edition day scored first second solved rounds took place seats total",
        "match seat",
    ),
    _copy_of("solves", "match seat player game grade difficulty took ended", "match seat ended took grade difficulty"),
    _copy_of("tallied", "match", "match"),
    _copy_of("tries", "player day game table_key", "player day game"),
    _copy_of("heartbeats", "day at", "day"),
    _copy_of("moderation", "decision at operator action target reason done", "decision"),
    _copy_of("bans", "target kind name at until reason with_address", "target"),
    _copy_of("removed_records", "match seat decision", "match seat"),
)

OnProgress = Callable[[str, int], None]


class Migrated(Struct, frozen=True):
    """How many rows each table has, and whether this continued an interrupted migration."""

    rows: dict[str, int]
    resumed: bool


async def migrate_to_postgres(source: Path, url: str, on_progress: OnProgress = lambda _table, _rows: None) -> Migrated:
    """Copies all of the file; raises BadLog if it cannot."""
    # As a server does: this migrates the file's schema, and locks the file.
    with closing(_Source(source)) as rows:
        connection = await acquire_database(url, answer=None, exclusive=True)
        try:
            await migrate(connection, url)
            resumed = await _start(connection, url)
            for copy in COPIES:
                await _copy(rows, connection, copy, on_progress)
            counts = {copy.table: await _verify(rows, connection, copy, source, url) for copy in COPIES}
            async with connection.transaction():
                await connection.execute(_FINISH)
        except UNAVAILABLE as problem:
            raise BadLog(f"{public_url(url)} went away: {problem}. Run the command again to continue.") from None
        except asyncpg.PostgresError as problem:
            raise BadLog(f"{public_url(url)} refused the data: {problem}") from None
        except sqlite3.DatabaseError as problem:
            raise unusable(source, problem) from None
        finally:
            await connection.close(timeout=5)
    return Migrated(counts, resumed)


class _Source:
    """The file, locked as a server locks it, and read over a connection of its own."""

    def __init__(self, path: Path) -> None:
        if not path.is_file():
            raise BadLog(f"{path} is not there; --from names the server's file.")
        self._log = SqliteLog(path)
        self._connection = sqlite3.connect(path)

    def close(self) -> None:
        self._connection.close()
        self._log.release()

    def rows(self, copy: TableCopy, after: Sequence[Any] | None) -> Iterator[tuple[Any, ...]]:
        """In the table's order, each followed by the values it is ordered by."""
        order = ", ".join(copy.order)
        rest = "" if after is None else f"and ({order}) > ({', '.join('?' * len(after))})"
        return iter(self._connection.execute(f"{copy.from_file()} {rest} order by {order}", after or ()))


async def _start(connection: Connection, url: str) -> bool:
    """Whether an interrupted migration continues. A new one needs an empty database."""
    if await connection.fetchval("select exists (select 1 from moving)"):
        return True
    full = [copy.table for copy in COPIES if await connection.fetchval(f"select exists (select 1 from {copy.table})")]  # noqa: S608 - our own names
    if full:
        raise BadLog(f"{public_url(url)} is not empty ({', '.join(full)}). A migration needs an empty database.")
    await connection.execute("insert into moving values ($1, '')", STARTED)
    return False


async def _copy(rows: _Source, connection: Connection, copy: TableCopy, on_progress: OnProgress) -> None:
    last = await connection.fetchval("select last from moving where part = $1", copy.table)
    found = rows.rows(copy, None if last is None else _decode(last))
    width, done = len(copy.columns), 0
    while batch := [row for _, row in zip(range(BATCH_SIZE), found, strict=False)]:
        async with connection.transaction():
            await connection.executemany(copy.into_database(), [row[:width] for row in batch])
            await connection.execute(
                "insert into moving values ($1, $2) on conflict (part) do update set last = excluded.last",
                copy.table,
                _encode(batch[-1][width:]),
            )
        done += len(batch)
        on_progress(copy.table, done)


async def _verify(rows: _Source, connection: Connection, copy: TableCopy, source: Path, url: str) -> int:
    """How many rows the table has; raises BadLog if the two sides differ."""
    width = len(copy.columns) - ("writer" in copy.columns)
    here, there = hashlib.sha256(), hashlib.sha256()
    in_file = in_database = 0
    for row in rows.rows(copy, None):
        here.update(msgspec.msgpack.encode(row[:width]))
        in_file += 1
    async with connection.transaction():
        async for row in connection.cursor(copy.from_database(), prefetch=BATCH_SIZE):
            there.update(msgspec.msgpack.encode(tuple(row)))
            in_database += 1
    if (in_file, here.digest()) != (in_database, there.digest()):
        raise BadLog(
            f"{copy.table}: {source} has {in_file} rows and {public_url(url)} has {in_database}, and "
            "they are not the same. Has the file been used since the migration began? Begin again with an empty one."
        )
    return in_file


def _encode(place: Sequence[Any]) -> str:
    return msgspec.msgpack.encode(list(place)).hex()


def _decode(place: str) -> list[Any]:
    return list(msgspec.msgpack.decode(bytes.fromhex(place)))
