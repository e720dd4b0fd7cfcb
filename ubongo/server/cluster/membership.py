"""What several houses that share a log have to know of each other: who lives, which tables each has open, what changed.

A house keeps a line to the database, and says every moment that it is there. One whose line is cut is gone at once, one
that only hangs when it has not been heard of for four seconds, by the database's clock. Of all that serve a table the
one that has done so longest is the first: it thinks for the bots. None of this is needed for the truth, which is in the
log: two who both believe themselves the first do no harm.

When the database itself goes, all lines are cut at once: that somebody is not back yet means nothing then. So whoever
has just been cut off, or was late, is unsure of the others for a while, and takes those for living that were.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from ubongo.server.clock import Timestamp
from ubongo.server.store import Row, StoreError
from ubongo.server.store.entities import Key, StoredTable, decode_match
from ubongo.server.store.postgres import PostgresLog
from ubongo.server.store.postgres_connection import UNAVAILABLE, ReconnectingConnection
from ubongo.server.store.postgres_pool import with_retry
from ubongo.table import Millis

if TYPE_CHECKING:
    from asyncpg import Connection

# What is said there is heard at once by every house, and kept nowhere. No payload may be longer than 8000 bytes.
CHANNEL = "ubongo_reactions"

# By then nobody asks any more what a house served that is gone.
FORGOTTEN = Millis(60_000)
# Who is heard of so late was thought to be gone, as the view `living` has it.
LATE = Millis(4000)
# By then whoever was cut off with us has been heard of again.
UNSURE_S = 10.0

OnBroadcast = Callable[[str], None]

_BEAT = """
    insert into houses values ($1, clock_ms()) on conflict (house) do update set beat = excluded.beat returning beat
"""
_SERVE = "insert into serving select key, ?, clock_ms() from unnest(cast(? as text[])) as key on conflict do nothing"
_HERE = """
    update serving set here = h.here from unnest(cast(? as text[]), cast(? as text[])) as h(key, here)
    where table_key = h.key and house = ?
"""
_LOOK = """
    select table_key, house, since, here from serving
    where table_key = any(cast(? as text[])) and house in (select house from living)
"""
_LOOK_BACK = """
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
# By the index for each match (`offset 0` keeps it so): a planner that knows little of a young log would read all of it.
_SINCE = """
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
    """A house that serves a table. `here`: who is connected to it there."""

    table: Key
    server_id: int
    since: Timestamp
    here: str


class Membership:
    """All that share this log, ourselves included: `server_id` is our number among them."""

    def __init__(self, log: PostgresLog) -> None:
        self.log = log
        self.server_id = secrets.randbits(63)
        self._living = ReconnectingConnection(log.url)
        self._on_broadcast: OnBroadcast | None = None
        # On which our lock is: others know by it that we live.
        self._locked: Connection | None = None
        self._reading = ReconnectingConnection(log.url)
        self._beaten = Timestamp(0)
        # Who was heard of after that was living when we were last sure.
        self._living_since = Timestamp(0)
        self._sure_from = 0.0

    async def join(self, on_broadcast: OnBroadcast) -> None:
        """From now on the other servers know of us, and `on_broadcast` gets what they broadcast."""
        self._on_broadcast = on_broadcast
        await self.beat()

    async def beat(self) -> None:
        """We are there. Whether others think so, too, shows when they are asked."""
        try:
            async with self._living.acquire() as line:
                cut = line is not self._locked
                if cut:
                    await line.execute("select pg_advisory_lock($1)", self.server_id)
                    await line.add_listener(CHANNEL, self._notified)
                    self._locked = line
                beaten = await line.fetchval(_BEAT, self.server_id)
        except UNAVAILABLE as problem:
            raise StoreError(str(problem) or "the database does not answer") from None
        if self._beaten and (cut or beaten - self._beaten > LATE):
            self._sure_from = time.monotonic() + UNSURE_S
        elif not self._unsure:
            self._living_since = beaten - LATE
        self._beaten = beaten

    @property
    def _unsure(self) -> bool:
        return time.monotonic() < self._sure_from

    async def tidy(self) -> None:
        """Nobody asks after those who are long gone."""
        if self._unsure:
            return
        await self.log.write(
            ("delete from houses where beat < clock_ms() - ?", (FORGOTTEN,)),
            ("delete from serving where house not in (select house from houses)", ()),
        )

    async def leave(self) -> None:
        """We serve nothing any more."""
        self._living.close()
        self._reading.close()
        await self.log.write(
            ("delete from serving where house = ?", (self.server_id,)),
            ("delete from houses where house = ?", (self.server_id,)),
        )

    # What is not recorded

    async def broadcast(self, message: str) -> None:
        """To every other house, once."""
        await self.log.read("select pg_notify(?, ?)", (CHANNEL, f"{self.server_id} {message}"))

    def _notified(self, _line: object, _pid: int, _channel: str, payload: object) -> None:
        sender, _, message = str(payload).partition(" ")
        if sender != str(self.server_id) and self._on_broadcast is not None:
            self._on_broadcast(message)

    # Tables

    async def serve(self, tables: Sequence[Key]) -> list[Service]:
        """We have these open from now on; who else has."""
        await self.log.write((_SERVE, (self.server_id, list(tables))))
        found = await self.look(tables)
        # Where we ourselves are not taken for living, we have been cut off and do not know it yet.
        return found if any(one.server_id == self.server_id for one in found) else await self._look_back(tables)

    async def let_go(self, tables: Sequence[Key]) -> None:
        await self.log.write(
            (
                "delete from serving where house = ? and table_key = any(cast(? as text[]))",
                (self.server_id, list(tables)),
            )
        )

    async def say_who_is_here(self, tables: Mapping[Key, str]) -> None:
        await self.log.write((_HERE, (list(tables), list(tables.values()), self.server_id)))

    async def look(self, tables: Sequence[Key]) -> list[Service]:
        """Who serves these tables: the first of each comes first."""
        if self._unsure:
            return await self._look_back(tables)
        return in_order(await self.log.read(_LOOK, (list(tables),)))

    async def attended(self, table: Key) -> bool:
        """Whether anybody is at a table, also where the house may only be late."""
        return bool(await self.log.read("select 1 from serving where table_key = ? and here <> '' limit 1", (table,)))

    async def _look_back(self, tables: Sequence[Key]) -> list[Service]:
        """The same, as it was when we were last sure."""
        return in_order(await self.log.read(_LOOK_BACK, (list(tables), self._living_since)))

    async def adopt(self, most: int, but: Sequence[Key] = ()) -> list[Key]:
        """Tables in the middle of a match that nobody serves, `but` some: these are ours from now on."""
        if self._unsure:
            return []
        return [key for (key,) in await self.log.read(_ADOPT, (list(but), most, self.server_id))]

    async def tables(self, keys: Iterable[Key]) -> list[StoredTable]:
        return await self._kept("where key = any(cast(? as text[]))", list(keys))

    async def changed(self, since: Timestamp) -> list[StoredTable]:
        """Tables at which something else was agreed on."""
        return await self._kept("where changed >= ?", since)

    async def _kept(self, which: str, value: Any) -> list[StoredTable]:
        rows = await self.log.read(f"{_TABLE} {which}", (value,))
        return [_kept(*row) for row in rows]

    async def unknown_devices(self, devices: Collection[bytes]) -> list[bytes]:
        """Those of them that nobody has signed in on, or no longer."""
        rows = await self.log.read(_UNKNOWN_DEVICES, (list(devices),)) if devices else []
        return [bytes(device) for (device,) in rows]

    # Matches

    async def versions(self, matches: Iterable[int]) -> list[tuple[int, int]]:
        """How far these are."""
        return await self.log.read(
            "select match, version from versions where match = any(cast(? as bigint[]))", (list(matches),)
        )

    async def since(self, known: Mapping[int, int]) -> dict[int, list[Row]]:
        """What has happened in these matches after the versions that are known. One such question at a time."""
        found: dict[int, list[Row]] = {match: [] for match in known}
        asked = list(known), list(known.values())
        for row in await with_retry(self._reading.acquire, lambda line: line.fetch(_SINCE, *asked)):
            found[row[0]].append(Row(*row))
        return found


def _kept(
    key: Key, state: str, body: bytes, changed: Timestamp, version: int | None, match: int | None, *played: Any
) -> StoredTable:
    return StoredTable(key, state, body, changed, version or 0, None if match is None else decode_match(match, *played))


def in_order(rows: Iterable[tuple[Any, ...]]) -> list[Service]:
    return sorted([Service(*row) for row in rows], key=lambda one: (one.table, one.since, one.server_id))
