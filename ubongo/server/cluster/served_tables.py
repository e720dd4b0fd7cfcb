"""Which tables this server has open, which of them other servers have open too, and who is connected to them where."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping

from ubongo.server.cluster.background_tasks import BackgroundTasks
from ubongo.server.cluster.membership import Membership, Service
from ubongo.server.cluster.news import News
from ubongo.server.lobby.registry import TableRegistry
from ubongo.server.store import StoreError
from ubongo.server.store.entities import Key
from ubongo.server.tables.room import Room

# Stands for spectators without a name.
SOMEONE = "*"


class ServedTables:
    def __init__(self, membership: Membership, news: News, registry: TableRegistry, tasks: BackgroundTasks) -> None:
        self._membership = membership
        self._news = news
        self._registry = registry
        self._tasks = tasks
        # Tables that other servers know we have open.
        self.served: set[Key] = set()
        # Those of them that others have open too. Only these need news of moves.
        self.shared: set[Key] = set()
        # Rooms whose attendance the others do not know yet.
        self._unannounced: set[Room] = set()
        self._announcing = asyncio.Lock()

    def rooms(self) -> dict[Key, Room]:
        return {one.key: one.room for one in self._registry.lobby_tables.values() if one.room is not None}

    async def serve(self, key: Key) -> bool:
        """Whether no other server has that table open."""
        self.add([key])
        server_id = self._membership.server_id
        only_server = all(one.server_id == server_id for one in await self._membership.serve([key]))
        if not only_server:
            self.shared.add(key)
            # The others refresh the table, see us, and publish its moves from now on.
            self._news.publish(key, 0)
        return only_server

    def add(self, keys: Iterable[Key]) -> None:
        for key in keys:
            self.served.add(key)
            self._news.subscribe(key)

    async def release(self, key: Key) -> None:
        self._news.unsubscribe(key)
        self.served.discard(key)
        self.shared.discard(key)
        await self._membership.release([key])

    # Attendance

    def attendance_changed(self, room: Room) -> None:
        if not self._unannounced:
            self._tasks.start(self._announce())
        self._unannounced.add(room)

    async def announce_attendance(self) -> None:
        """Again, if it could not be written before."""
        if self._unannounced:
            await self._announce()

    async def _announce(self) -> None:
        # One at a time: the last write has to be the newest.
        async with self._announcing:
            rooms, self._unannounced = self._unannounced, set()
            try:
                await self._membership.set_attendance({room.key: connected_players(room) for room in rooms})
            except StoreError:
                # The next look announces it.
                self._unannounced |= rooms

    async def look(self, rooms: Mapping[Key, Room]) -> None:
        """Updates these rooms: who is connected on other servers, and whether this server is the primary."""
        if not rooms:
            return
        services_of: dict[Key, list[Service]] = {key: [] for key in rooms}
        for service in await self._membership.services_of(list(rooms)):
            services_of[service.table].append(service)
        lost = []
        for key, services in services_of.items():
            elsewhere = [one for one in services if one.server_id != self._membership.server_id]
            self._note_shared(rooms[key], bool(elsewhere))
            if len(elsewhere) == len(services):
                lost.append(key)
            else:
                people = frozenset(player for one in elsewhere for player in one.here.split())
                rooms[key].attend(people, primary=services[0] not in elsewhere)
        open_now = self.rooms()
        if lost := [key for key in lost if open_now.get(key) is rooms[key]]:
            # The others took us for dead, and removed our entries.
            self.add(lost)
            await self._membership.serve(lost)
            self._unannounced.update(rooms[key] for key in lost)
            await self._announce()

    def _note_shared(self, room: Room, shared: bool) -> None:
        if not shared:
            self.shared.discard(room.key)
        elif room.key not in self.shared:
            self.shared.add(room.key)
            # The others have had no news of what has happened since they opened it.
            self._news.publish(room.key, room.live_match.version)


def connected_players(room: Room) -> str:
    """Who is connected to this table on this server, as `Service.here` has it."""
    return " ".join(sorted({one.player or SOMEONE for one in room.members}))
