"""What goes on in other houses at the tables that are open here: looked at now and then, and whenever there are news.

Nothing depends on news. Every moment this house says that it is there, and asks of all its tables at once how far they
are, who else serves them and what has been agreed on elsewhere.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Collection, Coroutine, Iterable, Mapping, Sequence
from typing import Any

import msgspec

from ubongo.server.clock import Clock, Timestamp
from ubongo.server.cluster.membership import Membership, Service
from ubongo.server.cluster.news import News
from ubongo.server.cluster.single_server import DeviceConnections
from ubongo.server.lobby.registry import TableRegistry
from ubongo.server.lobby.rooms import Rooms
from ubongo.server.lobby.stored_changes import apply_stored
from ubongo.server.protocol import Reaction, encode
from ubongo.server.store import Row, StoreError, Unreadable
from ubongo.server.store.entities import Key, StoredTable
from ubongo.server.store.postgres_pool import PATIENCE_S
from ubongo.server.tables.live_match import LiveMatch
from ubongo.server.tables.replication import Replica
from ubongo.server.tables.room import Room
from ubongo.table import Millis

LOOK_EVERY_S = 1.0
# In looks: how often orphans are looked for, and how often what is left of those who are gone is cleared away.
ADOPT_EVERY = 5
TIDY_EVERY = 30
# A write may have waited so long for the database, and a clock may be off by a little.
LOOK_BACK = Millis(15_000)
# Orphans are taken in by so many at a time, so that every house has some.
AT_ONCE = 100
# Whoever watches without a name is somebody too.
SOMEONE = "*"

log = logging.getLogger("ubongo.server.cluster.peers")


class Relayed(msgspec.Struct, frozen=True):
    """A reaction on its way to other houses."""

    table: Key
    reaction: Reaction


class SignedOut(msgspec.Struct, frozen=True):
    """Devices that were signed out in another house, by the hashes of their tokens."""

    devices: list[bytes]


class PeerCluster:
    shares_log = True

    def __init__(self, others: Membership, news: News, clock: Clock, registry: TableRegistry) -> None:
        self.others = others
        self.news = news
        self._clock = clock
        self._registry = registry
        # Tables that others are told we have open, and those that they have open too: of the rest nobody has to hear.
        self._served: set[Key] = set()
        self._shared: set[Key] = set()
        self._stirred: set[Room] = set()
        self._saying = asyncio.Lock()
        self._to_refresh: set[Key] = set()
        self._to_read: set[Replica] = set()
        self._reading: asyncio.Task[None] | None = None
        self._next_look: asyncio.Task[None] | None = None
        self._looking = asyncio.Lock()
        # When it was last looked at what has been agreed on elsewhere.
        self._looked = Timestamp(0)
        # Nobody else holds on to a task.
        self._tasks: set[asyncio.Task[None]] = set()

    async def open(self, opener: Rooms, devices: DeviceConnections) -> None:
        """`opener` and `devices` are those of this server."""
        self._opener = opener
        self._devices = devices
        await self.news.open(self._heard)
        await self.others.join(self._heard_broadcast)
        # What there is at the start is read after this.
        self._looked = self._clock.now()

    async def watch(self) -> None:
        turns = 0
        while True:
            await asyncio.sleep(LOOK_EVERY_S)
            turns += 1
            try:
                await self.look()
                if turns % ADOPT_EVERY == 0:
                    await self._opener.adopt()
                if turns % TIDY_EVERY == 0:
                    await self._tidy()
            except StoreError as problem:
                log.warning("nothing is known of other houses: %s", problem)
            except Exception:
                # Whoever looks no more is soon taken for gone.
                log.exception("looking at other houses failed")

    async def _tidy(self) -> None:
        for key in self._served - self._rooms().keys():
            await self.release(key)
        await self.others.tidy()
        # What others have said of it may have been lost.
        self._devices.sign_out(await self.others.unknown_devices(self._devices.devices()))

    async def close(self) -> None:
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self.news.close()
        with contextlib.suppress(StoreError):
            await self.others.leave()

    def _do(self, deed: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        task = asyncio.get_running_loop().create_task(deed)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    # What we do

    async def serve(self, key: Key) -> bool:
        self._serve([key])
        alone = all(one.server_id == self.others.server_id for one in await self.others.serve([key]))
        if not alone:
            self._shared.add(key)
            # They look, see us, and tell us from now on.
            self.news.say(key, 0)
        return alone

    def _serve(self, keys: Iterable[Key]) -> None:
        for key in keys:
            self._served.add(key)
            self.news.listen(key)

    async def release(self, key: Key) -> None:
        self.news.ignore(key)
        self._served.discard(key)
        self._shared.discard(key)
        await self.others.let_go([key])

    async def adopt(self, _: Sequence[Key]) -> list[Key]:
        # What cannot go on here is for whoever can read it, or for nobody: to try it over and over mends nothing.
        left_alone = [key for key, lobby_table in self._registry.unavailable.items() if lobby_table.playing]
        keys = await self.others.adopt(AT_ONCE, left_alone)
        self._serve(keys)
        if any(key not in self._registry.lobby_tables for key in keys):
            await self.refresh_all()
        return keys

    def publish(self, key: Key, version: int = 0) -> None:
        # What is agreed on at a table may well be asked of a house that does not have it open.
        if not version or key in self._shared:
            self.news.say(key, version)

    def attendance_changed(self, room: Room) -> None:
        """Somebody has come or gone: others shall know who is here."""
        if not self._stirred:
            self._do(self._say_who_is_here())
        self._stirred.add(room)

    async def _say_who_is_here(self) -> None:
        # One after the other: what was said last is what others believe.
        async with self._saying:
            rooms, self._stirred = self._stirred, set()
            try:
                await self.others.say_who_is_here({room.key: here(room) for room in rooms})
            except StoreError:
                # It is said with the next look.
                self._stirred |= rooms

    def relay(self, room: Room, reaction: Reaction) -> None:
        """Somebody has reacted here: who is at the same table in another house sees it too."""
        if room.key in self._shared:
            self._do(self._relay(Relayed(room.key, reaction)))

    async def _relay(self, relayed: Relayed) -> None:
        # Nobody misses a reaction that comes too late.
        with contextlib.suppress(StoreError):
            await self.others.broadcast(encode(relayed).decode())

    async def sign_out(self, devices: Collection[bytes]) -> None:
        """Whoever is connected by one of these in another house is sent away, at the latest when it tidies."""
        with contextlib.suppress(StoreError):
            await self.others.broadcast(encode(SignedOut(list(devices))).decode())

    # What others do

    def _heard_broadcast(self, message: str) -> None:
        with contextlib.suppress(msgspec.MsgspecError):
            self._devices.sign_out(msgspec.json.decode(message, type=SignedOut).devices)
            return
        # A newer house knows more reactions.
        with contextlib.suppress(msgspec.MsgspecError):
            self._show_reaction(msgspec.json.decode(message, type=Relayed))

    def _show_reaction(self, relayed: Relayed) -> None:
        lobby_table = self._registry.lobby_tables.get(relayed.table)
        if lobby_table is not None and lobby_table.room is not None:
            lobby_table.room.reactions.show(relayed.reaction)

    def _heard(self, key: Key, version: int) -> None:
        lobby_table = self._registry.lobby_tables.get(key)
        if lobby_table is None or lobby_table.room is None:
            return
        if version and lobby_table.room.match is not None:
            lobby_table.room.replication.heard(version)
        else:
            if not self._to_refresh:
                self._do(self._refresh())
            self._to_refresh.add(key)

    async def _refresh(self) -> None:
        keys, self._to_refresh = self._to_refresh, set()
        with contextlib.suppress(StoreError):
            await self._bring(keys)
            await self._attend({key: room for key, room in self._rooms().items() if key in keys})

    async def attended(self, key: Key) -> bool:
        return await self.others.attended(key)

    async def refresh(self, key: Key) -> None:
        await self._bring([key])
        if self._reading is not None:
            await asyncio.shield(self._reading)
        lobby_table = self._registry.lobby_tables.get(key)
        if lobby_table is not None and lobby_table.room is not None:
            try:
                async with asyncio.timeout(PATIENCE_S):
                    await lobby_table.room.replication.catch_up()
            except TimeoutError:
                raise StoreError("the log does not answer") from None

    async def _bring(self, keys: Collection[Key]) -> None:
        found = await self.others.tables(keys)
        for kept in found:
            self._take(kept)
        for gone in set(keys) - {kept.key for kept in found}:
            self._registry.drop(gone)

    def _take(self, kept: StoredTable) -> None:
        try:
            apply_stored(self._registry, kept)
        except Unreadable:
            self._registry.quarantine(kept.key)
            return
        lobby_table = self._registry.lobby_tables.get(kept.key)
        if lobby_table is not None and lobby_table.room is not None and lobby_table.room.match is not None:
            lobby_table.room.replication.heard(kept.version)

    async def refresh_all(self) -> None:
        # Whoever comes while somebody looks needs another look; all who come until that begins share it.
        if self._next_look is None:
            self._next_look = self._do(self._look_around())
        await asyncio.shield(self._next_look)

    async def _look_around(self) -> None:
        async with self._looking:
            self._next_look = None
            now = self._clock.now()
            for kept in await self.others.changed(Timestamp(self._looked - LOOK_BACK)):
                self._take(kept)
            self._looked = now

    async def look(self) -> None:
        """One look at all tables that are open here."""
        await self.others.beat()
        if self._stirred:
            await self._say_who_is_here()
        await self.refresh_all()
        rooms = self._rooms()
        running = [room for room in rooms.values() if not room.live_match.ended]
        matches = {room.match.number: room for room in running if room.match is not None}
        if matches:
            for match, version in await self.others.versions(matches):
                matches[match].replication.heard(version)
        await self._attend(rooms)

    def _rooms(self) -> dict[Key, Room]:
        return {one.key: one.room for one in self._registry.lobby_tables.values() if one.room is not None}

    async def _attend(self, rooms: Mapping[Key, Room]) -> None:
        if not rooms:
            return
        serving: dict[Key, list[Service]] = {key: [] for key in rooms}
        for service in await self.others.look(list(rooms)):
            serving[service.table].append(service)
        lost = []
        for key, services in serving.items():
            elsewhere = [one for one in services if one.server_id != self.others.server_id]
            self._share(rooms[key], bool(elsewhere))
            if len(elsewhere) == len(services):
                lost.append(key)
            else:
                people = frozenset(player for one in elsewhere for player in one.here.split())
                rooms[key].attend(people, primary=services[0] not in elsewhere)
        open_now = self._rooms()
        if lost := [key for key in lost if open_now.get(key) is rooms[key]]:
            # We were thought to be gone, and forgotten.
            self._serve(lost)
            await self.others.serve(lost)
            self._stirred.update(rooms[key] for key in lost)
            await self._say_who_is_here()

    def _share(self, room: Room, shared: bool) -> None:
        if not shared:
            self._shared.discard(room.key)
        elif room.key not in self._shared:
            self._shared.add(room.key)
            # What has happened since they came they have not been told.
            self.news.say(room.key, room.live_match.version)

    # Replication

    def replicate(self, live_match: LiveMatch) -> Replica:
        return Replica(live_match, self)

    def read_on(self, replica: Replica) -> None:
        """Reads what others have written there, together with the requests that come meanwhile."""
        self._to_read.add(replica)
        if self._reading is None:
            self._reading = self._do(self._read())

    async def _read(self) -> None:
        try:
            while self._to_read:
                replicas, self._to_read = self._to_read, set()
                by_match = {one.live_match.match.number: one for one in replicas if one.live_match.match is not None}
                known = {number: one.live_match.version for number, one in by_match.items()}
                found: Mapping[int, Sequence[Row]] | None = None
                try:
                    found = await self.others.since(known)
                except StoreError:
                    pass
                except Exception:
                    # Whoever waits for this would wait forever.
                    log.exception("what others have written cannot be read")
                for number, replica in by_match.items():
                    self._apply(replica, None if found is None else found.get(number, ()))
        finally:
            self._reading = None

    def _apply(self, replica: Replica, rows: Sequence[Row] | None) -> None:
        try:
            replica.rows_read(rows)
        except Exception:
            # One table that cannot go on must not keep the others from doing so.
            log.exception("table %s cannot be replicated", replica.live_match.key)


def here(room: Room) -> str:
    """Who is connected to this table in this house."""
    return " ".join(sorted({one.player or SOMEONE for one in room.members}))
