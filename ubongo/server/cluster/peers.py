"""A server's view of the other servers that share its log: what they do at tables that are open here.

Every second it sends a heartbeat and asks, for all open tables at once, for their versions, for the other servers that
have them open, and for changes of their setup. News makes this quicker; nothing depends on it.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Collection, Sequence

from ubongo.server.clock import Clock
from ubongo.server.cluster.background_tasks import BackgroundTasks
from ubongo.server.cluster.match_reader import MatchReader
from ubongo.server.cluster.membership import Membership
from ubongo.server.cluster.messages import ServerMessages
from ubongo.server.cluster.news import News
from ubongo.server.cluster.served_tables import ServedTables
from ubongo.server.cluster.single_server import DeviceConnections
from ubongo.server.cluster.table_refresh import TableRefresh
from ubongo.server.lobby.registry import TableRegistry
from ubongo.server.lobby.rooms import Rooms
from ubongo.server.protocol import Reaction
from ubongo.server.store import StoreError
from ubongo.server.store.entities import Key
from ubongo.server.store.postgres_pool import PATIENCE_S
from ubongo.server.tables.live_match import LiveMatch
from ubongo.server.tables.replication import Replica
from ubongo.server.tables.room import Room

LOOK_EVERY_S = 1.0
# In looks: how often orphaned tables are adopted, and how often dead servers and signed-out devices are removed.
ADOPT_EVERY = 5
TIDY_EVERY = 30
# At most so many orphans at a time, so that every server gets some.
ADOPT_AT_ONCE = 100

log = logging.getLogger("ubongo.server.cluster.peers")


class PeerCluster:
    shares_log = True

    def __init__(self, membership: Membership, news: News, clock: Clock, registry: TableRegistry) -> None:
        self.membership = membership
        self.news = news
        self._registry = registry
        self.tasks = BackgroundTasks()
        self.served_tables = ServedTables(membership, news, registry, self.tasks)
        self.table_refresh = TableRefresh(membership, registry, clock, self.tasks)
        self.match_reader = MatchReader(membership, self.tasks)
        self._messages = ServerMessages(membership, registry, self.tasks)
        self._to_refresh: set[Key] = set()

    async def open(self, opener: Rooms, devices: DeviceConnections) -> None:
        self._opener = opener
        self._devices = devices
        await self.news.open(self._news_received)
        await self.membership.join(lambda message: self._messages.receive(message, devices))
        self.table_refresh.start()

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
                    await self.tidy()
            except StoreError as problem:
                log.warning("the other servers cannot be looked at: %s", problem)
            except Exception:
                # Without heartbeats the others would soon take us for dead.
                log.exception("looking at the other servers failed")

    async def look(self) -> None:
        """One look at all tables that are open here."""
        await self.membership.heartbeat()
        await self.served_tables.announce_attendance()
        await self.refresh_all()
        rooms = self.served_tables.rooms()
        running = [room for room in rooms.values() if not room.live_match.ended]
        matches = {room.match.number: room for room in running if room.match is not None}
        if matches:
            for match, version in await self.membership.versions(matches):
                matches[match].replication.note_version(version)
        await self.served_tables.look(rooms)

    async def tidy(self) -> None:
        for key in self.served_tables.served - self.served_tables.rooms().keys():
            await self.release(key)
        await self.membership.remove_dead_servers()
        # The message that signed a device out may have been lost.
        self._devices.sign_out(await self.membership.unknown_devices(self._devices.devices()))

    async def close(self) -> None:
        await self.tasks.close()
        await self.news.close()
        with contextlib.suppress(StoreError):
            await self.membership.leave()

    # Tables

    async def serve(self, key: Key) -> bool:
        return await self.served_tables.serve(key)

    async def release(self, key: Key) -> None:
        await self.served_tables.release(key)

    async def adopt(self, _: Sequence[Key]) -> list[Key]:
        # Matches that cannot be resumed here are left to other servers: another try would fail again.
        failed = [key for key, lobby_table in self._registry.unavailable.items() if lobby_table.playing]
        keys = await self.membership.adopt(ADOPT_AT_ONCE, [*failed, *self._registry.quarantined])
        self.served_tables.add(keys)
        if any(key not in self._registry.lobby_tables for key in keys):
            await self.refresh_all()
        return keys

    def publish(self, key: Key, version: int = 0) -> None:
        # Any server may be asked for a table's setup, even one that does not have the table open.
        if not version or key in self.served_tables.shared:
            self.news.publish(key, version)

    def _news_received(self, key: Key, version: int) -> None:
        lobby_table = self._registry.lobby_tables.get(key)
        if lobby_table is None or lobby_table.room is None:
            return
        if version and lobby_table.room.match is not None:
            lobby_table.room.replication.note_version(version)
        else:
            if not self._to_refresh:
                self.tasks.start(self._refresh_after_news())
            self._to_refresh.add(key)

    async def _refresh_after_news(self) -> None:
        keys, self._to_refresh = self._to_refresh, set()
        with contextlib.suppress(StoreError):
            await self.table_refresh.refresh(keys)
            rooms = self.served_tables.rooms()
            await self.served_tables.look({key: room for key, room in rooms.items() if key in keys})

    async def refresh(self, key: Key) -> None:
        await self.table_refresh.refresh([key])
        await self.match_reader.wait()
        lobby_table = self._registry.lobby_tables.get(key)
        if lobby_table is not None and lobby_table.room is not None:
            try:
                async with asyncio.timeout(PATIENCE_S):
                    await lobby_table.room.replication.catch_up()
            except TimeoutError:
                raise StoreError("the log does not answer") from None

    async def refresh_all(self) -> None:
        await self.table_refresh.refresh_all()

    # People

    async def attended(self, key: Key) -> bool:
        return await self.membership.is_attended(key)

    def attendance_changed(self, room: Room) -> None:
        self.served_tables.attendance_changed(room)

    def relay(self, room: Room, reaction: Reaction) -> None:
        if room.key in self.served_tables.shared:
            self._messages.relay(room.key, reaction)

    async def sign_out(self, devices: Collection[bytes]) -> None:
        await self._messages.sign_out(devices)

    # Replication

    def replicate(self, live_match: LiveMatch) -> Replica:
        return Replica(live_match, self.match_reader)
