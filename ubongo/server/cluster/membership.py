"""What servers that share a log know of each other: which are alive, which tables each has open, and what has changed.

A server holds an advisory lock on a connection to the database and writes a heartbeat every second. A server whose
connection is lost counts as dead at once; one that hangs, after four seconds without a heartbeat, by the database's
clock. Of all servers that have a table open, the one that has had it longest is the primary: it plays for the bots.
Correctness does not depend on this, since the log decides: two servers that both believe to be the primary do no harm.

If the database restarts, all servers lose their connections at once, and a missing heartbeat means nothing. So after a
lost connection or a late heartbeat a server is unsure for a while: it takes those for alive that were alive before.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from ubongo.server.clock import Timestamp
from ubongo.server.store import Row, StoreError, Unreadable
from ubongo.server.store.entities import ChangedTables, Key, StoredTable, decode_match, decoded
from ubongo.server.store.postgres import PostgresLog
from ubongo.server.store.postgres_connection import UNAVAILABLE, ReconnectingConnection
from ubongo.server.store.postgres_pool import with_retry
from ubongo.table import Millis

if TYPE_CHECKING:
    from asyncpg import Connection

# Broadcasts reach every server that is connected, and are not stored. A payload has at most 8000 bytes.
CHANNEL = "ubongo_reactions"

# How long a dead server stays in the database.
FORGET_AFTER = Millis(60_000)
# A server without a heartbeat for so long counts as dead, as in the view `living`.
LATE = Millis(4000)
# By then the servers that were disconnected together with us have sent a heartbeat.
UNSURE_S = 10.0

OnBroadcast = Callable[[str], None]

_HEARTBEAT = """
    insert into houses values ($1, clock_ms()) on conflict (house) do update set beat = excluded.beat returning beat
"""
_SERVE = "insert into serving select key, ?, clock_ms() from unnest(cast(? as text[])) as key on conflict do nothing"
_ATTENDANCE = """
    update serving set here = h.here from unnest(cast(? as text[]), cast(? as text[])) as h(key, here)
    where table_key = h.key and house = ?
"""
_SERVICES = """
    select table_key, house, since, here from serving
    where table_key = any(cast(? as text[])) and house in (select house from living)
"""
_SERVICES_SINCE = """
    select table_key, house, since, here from serving
    where table_key = any(cast(? as text[])) and house in (select house from houses where beat >= ?)
"""
_ADOPT = """
    with orphans as (
        select table_key from matches where ended is null and table_key <> all(cast(? as text[])) and not exists (
            select 1 from serving join living using (house) where serving.table_key = matches.table_key
        ) order by match limit ? for update skip locked
    )
    insert into serving select table_key, cast(? as bigint), clock_ms() from orphans
    on conflict (table_key, house) do update set since = excluded.since returning table_key
"""
_TABLE = """
    select key, state, body, changed, v.version, m.match, m.table_key, m.opening, m.started, m.since, m.upto
    from tables left join matches m on m.table_key = key left join versions v using (match)
"""
# `offset 0` makes the planner use the index for each match. With few statistics it would scan the whole log.
_ROWS_SINCE = """
    select log.match, log.version, log.at, log.events
    from unnest($1::bigint[], $2::int[]) as known(match, version), lateral (
        select * from log where log.match = known.match and log.version > known.version offset 0
    ) as log order by log.match, log.version
"""
_UNKNOWN_DEVICES = """
    select device from unnest(cast(? as bytea[])) as device
    where not exists (select 1 from tokens where hash = device)
"""


class Service(Struct, frozen=True):
    """A server that has a table open. `here`: the players who are connected to the table there."""

    table: Key
    server_id: int
    since: Timestamp
    here: str


class Membership:
    """All servers that share this log, including ours, whose number is `server_id`."""

    def __init__(self, log: PostgresLog) -> None:
        self.log = log
        self.server_id = secrets.randbits(63)
        self._heartbeats = ReconnectingConnection(log.url)
        self._on_broadcast: OnBroadcast | None = None
        # The connection that holds our lock, by which others know that we are alive.
        self._locked: Connection | None = None
        self._reading = ReconnectingConnection(log.url)
        self._last_heartbeat = Timestamp(0)
        # Servers with a later heartbeat were alive when we were last sure.
        self._alive_since = Timestamp(0)
        self._unsure_until = 0.0

    async def join(self, on_broadcast: OnBroadcast) -> None:
        """From now on the other servers know of us, and `on_broadcast` gets what they broadcast."""
        self._on_broadcast = on_broadcast
        await self.heartbeat()

    async def heartbeat(self) -> None:
        try:
            async with self._heartbeats.acquire() as connection:
                reconnected = connection is not self._locked
                if reconnected:
                    await connection.execute("select pg_advisory_lock($1)", self.server_id)
                    await connection.add_listener(CHANNEL, self._notified)
                    self._locked = connection
                now = await connection.fetchval(_HEARTBEAT, self.server_id)
        except UNAVAILABLE as problem:
            raise StoreError(str(problem) or "the database does not answer") from None
        if self._last_heartbeat and (reconnected or now - self._last_heartbeat > LATE):
            self._unsure_until = time.monotonic() + UNSURE_S
        elif not self._unsure:
            self._alive_since = now - LATE
        self._last_heartbeat = now

    @property
    def _unsure(self) -> bool:
        return time.monotonic() < self._unsure_until

    async def remove_dead_servers(self) -> None:
        if self._unsure:
            return
        await self.log.write(
            ("delete from houses where beat < clock_ms() - ?", (FORGET_AFTER,)),
            ("delete from serving where house not in (select house from houses)", ()),
        )

    async def leave(self) -> None:
        self._heartbeats.close()
        self._reading.close()
        await self.log.write(
            ("delete from serving where house = ?", (self.server_id,)),
            ("delete from houses where house = ?", (self.server_id,)),
        )

    # Broadcasts

    async def broadcast(self, message: str) -> None:
        """To every other server, at most once."""
        await self.log.read("select pg_notify(?, ?)", (CHANNEL, f"{self.server_id} {message}"))

    def _notified(self, _connection: object, _pid: int, _channel: str, payload: object) -> None:
        sender, _, message = str(payload).partition(" ")
        if sender != str(self.server_id) and self._on_broadcast is not None:
            self._on_broadcast(message)

    # Which server has which table open

    async def serve(self, tables: Sequence[Key]) -> list[Service]:
        """We have these tables open from now on. Returns all servers that have."""
        await self.log.write((_SERVE, (self.server_id, list(tables))))
        found = await self.services_of(tables)
        # If we do not count as alive ourselves, we have lost our connection and have not noticed it yet.
        alive = any(one.server_id == self.server_id for one in found)
        return found if alive else await self._services_when_sure(tables)

    async def release(self, tables: Sequence[Key]) -> None:
        """We no longer have these tables open."""
        statement = "delete from serving where house = ? and table_key = any(cast(? as text[]))"
        await self.log.write((statement, (self.server_id, list(tables))))

    async def set_attendance(self, tables: Mapping[Key, str]) -> None:
        """Who is connected to these tables here."""
        await self.log.write((_ATTENDANCE, (list(tables), list(tables.values()), self.server_id)))

    async def services_of(self, tables: Sequence[Key]) -> list[Service]:
        """Which servers have these tables open: the primary of each comes first."""
        if self._unsure:
            return await self._services_when_sure(tables)
        return _sorted_services(await self.log.read(_SERVICES, (list(tables),)))

    async def _services_when_sure(self, tables: Sequence[Key]) -> list[Service]:
        """The same, with the servers that were alive when we were last sure."""
        return _sorted_services(await self.log.read(_SERVICES_SINCE, (list(tables), self._alive_since)))

    async def is_attended(self, table: Key) -> bool:
        """Whether anybody is connected to a table, on a server that is alive or may only be late."""
        return bool(await self.log.read("select 1 from serving where table_key = ? and here <> '' limit 1", (table,)))

    async def adopt(self, most: int, excluded: Sequence[Key] = ()) -> list[Key]:
        """Tables with a running match that no server has open become ours, without those that are `excluded`."""
        if self._unsure:
            return []
        return [key for (key,) in await self.log.read(_ADOPT, (list(excluded), most, self.server_id))]

    # What others have written

    async def tables(self, keys: Iterable[Key]) -> ChangedTables:
        return await self._tables("where key = any(cast(? as text[]))", list(keys))

    async def tables_changed(self, since: Timestamp) -> ChangedTables:
        return await self._tables("where changed >= ?", since)

    async def _tables(self, which: str, value: Any) -> ChangedTables:
        found = ChangedTables([], [])
        for key, *row in await self.log.read(f"{_TABLE} {which}", (value,)):
            try:
                with decoded("a table"):
                    found.tables.append(_decode_table(key, *row))
            except Unreadable:
                found.damaged.append(key)
        return found

    async def unknown_devices(self, devices: Collection[bytes]) -> list[bytes]:
        """Those of them that have been signed out."""
        rows = await self.log.read(_UNKNOWN_DEVICES, (list(devices),)) if devices else []
        return [bytes(device) for (device,) in rows]

    async def versions(self, matches: Iterable[int]) -> list[tuple[int, int]]:
        """These matches with their versions."""
        return await self.log.read(
            "select match, version from versions where match = any(cast(? as bigint[]))", (list(matches),)
        )

    async def rows_since(self, known: Mapping[int, int]) -> dict[int, list[Row]]:
        """The rows of these matches after the versions that are known."""
        found: dict[int, list[Row]] = {match: [] for match in known}
        values = list(known), list(known.values())
        for row in await with_retry(self._reading.acquire, lambda connection: connection.fetch(_ROWS_SINCE, *values)):
            found[row[0]].append(Row(*row))
        return found


def _decode_table(
    key: Key, state: str, body: bytes, changed: Timestamp, version: int | None, match: int | None, *played: Any
) -> StoredTable:
    return StoredTable(key, state, body, changed, version or 0, None if match is None else decode_match(match, *played))


def _sorted_services(rows: Iterable[tuple[Any, ...]]) -> list[Service]:
    return sorted([Service(*row) for row in rows], key=lambda one: (one.table, one.since, one.server_id))
