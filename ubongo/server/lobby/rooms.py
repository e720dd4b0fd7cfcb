"""Opens the rooms of tables: when somebody asks for one, and for running matches that no server has open."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from typing import Protocol

from ubongo.game import BadOptions
from ubongo.material import BadEdition
from ubongo.server.clock import Clock
from ubongo.server.errors import Denied
from ubongo.server.lobby.cluster_port import Cluster
from ubongo.server.lobby.lobby_table import LobbyTable, lobby_table_of
from ubongo.server.lobby.registry import TableRegistry
from ubongo.server.protocol import Reaction
from ubongo.server.store import Appends, StoreError, Unreadable
from ubongo.server.store.entities import Key
from ubongo.server.tables.room import Room
from ubongo.server.tables.stored_match import Damaged, Replayed, history_in, readable, replayed

log = logging.getLogger("ubongo.server.lobby.rooms")


class BotPlayers(Protocol):
    """What rooms need of the bots: `ubongo.server.lobby.bot_seats`."""

    def look(self, room: Room) -> None:
        """Something has changed at this table."""

    def expect(self, game: str) -> None:
        """A table for this game is open, so its bots may be needed soon."""


class Rooms:
    """Opens rooms, and passes on what happens in them to the bots, the cluster and the registry."""

    def __init__(
        self, clock: Clock, log: Appends, registry: TableRegistry, bot_players: BotPlayers, cluster: Cluster
    ) -> None:
        self._clock = clock
        self._log = log
        self._registry = registry
        self._store = registry.store
        self._bot_players = bot_players
        self._cluster = cluster

    # At the start

    async def restore(self) -> None:
        """Reads every table that is not over, and resumes the running matches that no server has open."""
        now = self._clock.now()
        tables, damaged = await self._store.open_tables()
        for stored in tables:
            try:
                lobby_table = lobby_table_of(stored)
            except Unreadable:
                damaged.append(stored.key)
                continue
            # However long the server was down, players have time to come back.
            lobby_table.left = now
            self._registry.add(lobby_table)
        self._registry.quarantine(*damaged)
        await self.adopt()

    async def adopt(self) -> None:
        """Resumes running matches that no server has open."""
        while keys := await self._cluster.adopt(self._running_without_room()):
            await self.resume(keys)

    def _running_without_room(self) -> list[Key]:
        return [one.key for one in self._registry.lobby_tables.values() if one.unfinished and one.room is None]

    async def resume(self, keys: Sequence[Key]) -> None:
        tables = self._registry.lobby_tables
        running = [one for key in keys if (one := tables.get(key)) is not None and one.room is None and one.unfinished]
        histories = await self._store.histories([one.played for one in running if one.played is not None])
        for lobby_table in running:
            assert lobby_table.played is not None
            if lobby_table.room is not None:
                # Somebody came while the log was read.
                continue
            lobby_table.state = "running"
            room = self._new_room(lobby_table)
            try:
                match = replayed(lobby_table.played, history_in(histories, lobby_table.played.match))
                room.resume(match, lobby_table.plan.holders())
            except (BadOptions, BadEdition, Damaged) as problem:
                # It stays in the log as it is, until its edition is back or somebody has repaired it.
                log.error("match %d cannot be resumed: %s", lobby_table.played.match, problem)  # noqa: TRY400 - no fault of ours
                lobby_table.damaged = isinstance(problem, Damaged)
                self._registry.withdraw(lobby_table)
            except Exception:
                # A bug of ours stops one match, and no other.
                log.exception("match %d cannot be resumed", lobby_table.played.match)
                lobby_table.broken = True
                self._registry.withdraw(lobby_table)
            else:
                lobby_table.room = room

    # On request

    async def current(self, key: Key) -> LobbyTable:
        """The table with all changes that other servers have made; raises Denied."""
        await self._cluster.refresh(key)
        await self._registry.fetch(key)
        if self._registry.get(key).state == "running":
            # Only the match itself knows whether it is over.
            await self.open_room(self._registry.get(key))
        return self._registry.get(key)

    async def open(self, key: Key) -> Room:
        """The room of the current table; raises Denied."""
        return await self.open_room(await self.current(key))

    async def open_room(self, lobby_table: LobbyTable) -> Room:
        if lobby_table.room is not None:
            return lobby_table.room
        lobby_table.waiting_requests += 1
        try:
            return await self._open_once(lobby_table)
        finally:
            lobby_table.waiting_requests -= 1

    async def _open_once(self, lobby_table: LobbyTable) -> Room:
        only_server = await self._cluster.serve(lobby_table.key)
        try:
            match = await self._replay(lobby_table)
            # Another request that waited may have been quicker.
            if lobby_table.room is None:
                lobby_table.room = self._restored_room(lobby_table, match, interrupted=only_server)
        except (Denied, StoreError) as problem:
            if isinstance(problem, Denied) and lobby_table.playing and lobby_table.room is None:
                # The reason is in the log now. Later requests are refused without reading the match again.
                lobby_table.damaged = problem.code == "damaged"
                self._registry.withdraw(lobby_table)
            if lobby_table.room is None:
                await self._cluster.release(lobby_table.key)
            raise
        return lobby_table.room

    async def _replay(self, lobby_table: LobbyTable) -> Replayed | None:
        """The table's match, if it has one. Read again if the stored match has changed meanwhile: a name was erased."""
        match = read = None
        while lobby_table.played is not None and lobby_table.played != read:
            read = lobby_table.played
            with readable(read):
                history = await self._store.history(read)
                match = await asyncio.to_thread(replayed, read, history)
        if lobby_table.state == "closed":
            raise Denied("no_such_table")
        return match

    def _restored_room(self, lobby_table: LobbyTable, match: Replayed | None, interrupted: bool) -> Room:
        room = self._new_room(lobby_table)
        if match is not None:
            if lobby_table.state != "running":
                room.end()
            room.resume(match, lobby_table.plan.holders(), interrupted)
        return room

    def _new_room(self, lobby_table: LobbyTable) -> Room:
        room = Room(
            self._clock,
            self._log,
            lobby_table.gathering(),
            lobby_table.plan.holders(),
            lobby_table.key,
            listener=self,
            replicate=self._cluster.replicate,
            host=lobby_table.plan.host,
            owner=lobby_table.address,
        )
        room.broadcast.facts = lobby_table.plan.facts(room.broadcast.facts)
        if lobby_table.state in ("gather", "running"):
            self._bot_players.expect(lobby_table.plan.game)
        return room

    async def close_room(self, lobby_table: LobbyTable, room: Room) -> None:
        """Nobody here needs the room. It is opened again on the next request."""
        lobby_table.room = None
        room.end()
        self._bot_players.look(room)
        self._registry.open_tables.note(lobby_table)
        await self._cluster.release(lobby_table.key)

    # `RoomListener`

    def room_changed(self, room: Room) -> None:
        self._bot_players.look(room)
        if room.live_match.recorded.phase == "over":
            lobby_table = self._registry.lobby_tables.get(room.key)
            if lobby_table is not None:
                self._registry.note_end(lobby_table)

    def attendance_changed(self, room: Room) -> None:
        self._cluster.attendance_changed(room)
        lobby_table = self._registry.lobby_tables.get(room.key)
        if lobby_table is not None:
            if not room.members:
                lobby_table.left = self._clock.now()
            self._registry.open_tables.note(lobby_table)

    def reacted(self, room: Room, reaction: Reaction) -> None:
        self._cluster.relay(room, reaction)
