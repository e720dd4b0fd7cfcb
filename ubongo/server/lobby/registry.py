"""Every table that there is: known, opened when somebody asks for it, and shown as others have changed it.

In memory are those that are not over, and those that are over while somebody looks at them.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence
from typing import Protocol

import msgspec

from ubongo.game import BadOptions
from ubongo.material import BadEdition
from ubongo.server.clock import Clock
from ubongo.server.errors import Denied
from ubongo.server.lobby.cluster_port import Cluster
from ubongo.server.lobby.open_tables import OpenTables, TableLimits
from ubongo.server.lobby.setup import LobbyTable, State
from ubongo.server.protocol import Reaction
from ubongo.server.store import Entry, Log, StoreError, Unreadable
from ubongo.server.store.entities import Key, StoredTable, decoded
from ubongo.server.store.lobby_store import LobbyStore
from ubongo.server.tables.pending_append import Appender, PendingAppend
from ubongo.server.tables.room import Room
from ubongo.server.tables.stored_match import Damaged, Replayed, history_in, match_of, readable, replayed
from ubongo.server.tables.table_setup import TableSetup
from ubongo.table import Millis

log = logging.getLogger("ubongo.server.lobby.registry")


class BotPlayers(Protocol):
    """What the registry needs of the bots: `ubongo.server.lobby.bot_seats`."""

    def look(self, room: Room) -> None:
        """Something has changed at this table."""

    def expect(self, game: str) -> None:
        """Somebody is gathering for this game."""


class TableRegistry:
    """All tables, and the room of each that is open here."""

    def __init__(
        self,
        clock: Clock,
        log: Log,
        limits: TableLimits,
        bot_players: BotPlayers,
        cluster: Cluster,
        broadcast_took: Callable[[float], None],
    ) -> None:
        self._broadcast_took = broadcast_took
        self.bot_players = bot_players
        self.cluster = cluster
        self.clock = clock
        self.log = log
        self.register = LobbyStore(log)
        self.lobby_tables: dict[Key, LobbyTable] = {}
        self.open_tables = OpenTables(limits)
        # Running tables that nobody can come to: without their edition, or damaged.
        self.apart: dict[Key, LobbyTable] = {}
        # Tables of which not even who sits there can be read.
        self.quarantined: set[Key] = set()
        # Tables that were closed, and when: whoever still comes there has not guessed.
        self.closed: dict[Key, Millis] = {}

    # Waking up

    async def open(self) -> None:
        """Every table as it was; a running match that nobody serves goes on at once. The log has been started."""
        now = self.clock.now()
        tables, damaged = await self.register.open_tables()
        for kept in tables:
            try:
                lobby_table = _lobby_table(kept)
            except Unreadable:
                damaged.append(kept.key)
                continue
            # However long the server was down, whoever was here has time to come back.
            lobby_table.left = now
            self.place(lobby_table)
        self.quarantine(*damaged)
        await self.adopt()

    async def adopt(self) -> None:
        """Matches that were left alone go on here."""
        while keys := await self.cluster.adopt(self._not_open()):
            await self._go_on(keys)

    def _not_open(self) -> list[Key]:
        return [one.key for one in self.lobby_tables.values() if one.unfinished and one.room is None]

    async def _go_on(self, keys: Sequence[Key]) -> None:
        lobby_tables = [self.lobby_tables[key] for key in keys if key in self.lobby_tables]
        running = [one for one in lobby_tables if one.room is None and one.unfinished]
        histories = await self.register.histories([one.played for one in running if one.played is not None])
        for lobby_table in running:
            assert lobby_table.played is not None
            if lobby_table.room is not None:
                # Somebody came while it was read.
                continue
            lobby_table.state = "running"
            room = self._new_room(lobby_table)
            try:
                was = replayed(lobby_table.played, history_in(histories, lobby_table.played.match))
                room.resume(was, lobby_table.plan.holders())
            except (BadOptions, BadEdition, Damaged) as problem:
                # It stays in the log as it is, for when its edition is back, or somebody has mended it.
                log.error("match %d cannot go on: %s", lobby_table.played.match, problem)  # noqa: TRY400 - no fault of ours
                lobby_table.damaged = isinstance(problem, Damaged)
                self.set_apart(lobby_table)
            except Exception:
                # A bug of ours keeps one match from going on, and no other.
                log.exception("match %d cannot go on", lobby_table.played.match)
                lobby_table.broken = True
                self.set_apart(lobby_table)
            else:
                lobby_table.room = room

    def quarantine(self, *keys: Key) -> None:
        """Nobody can come to these tables, since they are damaged; the others go on."""
        new = set(keys) - self.quarantined
        if new:
            # Who knows a table's key can come to it: it is not for the log.
            log.error("tables that are damaged, so that nobody can come there: %d", len(new))
            self.quarantined |= new

    def _new_room(self, lobby_table: LobbyTable) -> Room:
        room = Room(
            self.clock,
            self.log,
            lobby_table.gathering(),
            lobby_table.plan.holders(),
            lobby_table.key,
            listener=self,
            replicate=self.cluster.replicate,
            host=lobby_table.plan.host,
            owner=lobby_table.address,
        )
        room.broadcast.facts = lobby_table.plan.facts(room.broadcast.facts)
        if lobby_table.state in ("gather", "running"):
            self.bot_players.expect(lobby_table.plan.game)
        return room

    # What rooms report

    def room_changed(self, room: Room) -> None:
        self.bot_players.look(room)
        if room.live_match.recorded.phase == "over" and room.key in self.open_tables:
            self.lobby_table(room.key)

    def attendance_changed(self, room: Room) -> None:
        self.cluster.attendance_changed(room)
        lobby_table = self.lobby_tables.get(room.key)
        if lobby_table is not None:
            if not room.members:
                lobby_table.left = self.clock.now()
            self.open_tables.note(lobby_table)

    def reacted(self, room: Room, reaction: Reaction) -> None:
        self.cluster.relay(room, reaction)

    # What the log reports

    def recorded(self, entries: Sequence[Entry]) -> None:
        for live_match, appends in _by_match(entries).items():
            try:
                live_match.committed(appends)
            except Exception:
                # One table that cannot be broadcast must not keep the others from it.
                log.exception("what was recorded could not be broadcast")
            self._broadcast_took((self.clock.now() - appends[0].accepted) / 1000)
            self.cluster.publish(live_match.key, live_match.version)

    def lost(self, entries: Sequence[Entry], problem: StoreError) -> None:
        for live_match, appends in _by_match(entries).items():
            live_match.lost(appends, problem)

    # Looking

    def lobby_table(self, key: Key) -> LobbyTable:
        """As it is known here."""
        found = self.lobby_tables.get(key)
        if found is None:
            if key in self.quarantined:
                raise Denied("damaged")
            apart = self.apart.get(key)
            raise Denied("no_such_table") if apart is None else apart.refusal()
        if found.state == "running" and found.room is not None and found.room.live_match.recorded.phase == "over":
            found.state = "over"
            self.open_tables.note(found)
        return found

    def known(self, key: Key) -> LobbyTable | None:
        """Whether anybody can come to it or not."""
        return self.lobby_tables.get(key) or self.apart.get(key)

    def was_there(self, key: Key) -> bool:
        """Whether there is such a table, or was until a moment ago."""
        return self.known(key) is not None or key in self.closed or key in self.quarantined

    async def fetched(self, key: Key) -> LobbyTable | None:
        """A table that need not be in memory; it may have been closed."""
        if (known := self.known(key)) is not None:
            return known
        try:
            kept = await self.register.table(key)
            if kept is None:
                return None
            # Somebody else may have asked for it meanwhile.
            if (known := self.known(key)) is not None:
                return known
            lobby_table = _lobby_table(kept)
        except Unreadable:
            self.quarantine(key)
            return None
        if lobby_table.state == "closed":
            self.closed.setdefault(key, lobby_table.changed)
        else:
            self.place(lobby_table)
        return lobby_table

    def place(self, lobby_table: LobbyTable) -> None:
        """A table that is new here."""
        self.lobby_tables[lobby_table.key] = lobby_table
        self.open_tables.note(lobby_table)

    def set_apart(self, lobby_table: LobbyTable) -> None:
        """Nobody can come there any more."""
        self.remove(lobby_table.key)
        if lobby_table.state == "closed":
            self.closed[lobby_table.key] = lobby_table.changed
        else:
            self.apart[lobby_table.key] = lobby_table
        room, lobby_table.room = lobby_table.room, None
        if room is not None:
            room.shut()

    def remove(self, key: Key) -> None:
        """From memory."""
        self.lobby_tables.pop(key, None)
        self.open_tables.drop(key)

    async def current(self, key: Key) -> LobbyTable:
        """As it is, whoever has changed it."""
        await self.cluster.refresh(key)
        await self.fetched(key)
        if self.lobby_table(key).state == "running":
            # Only the match itself says whether it is over.
            await self._opened(self.lobby_table(key))
        return self.lobby_table(key)

    async def room(self, key: Key) -> Room:
        """The room of a table, which is set up when somebody looks."""
        return await self._opened(await self.current(key))

    async def _opened(self, lobby_table: LobbyTable) -> Room:
        if lobby_table.room is not None:
            return lobby_table.room
        lobby_table.awaited += 1
        try:
            return await self._set_up_once(lobby_table)
        finally:
            lobby_table.awaited -= 1

    async def _set_up_once(self, lobby_table: LobbyTable) -> Room:
        alone = await self.cluster.serve(lobby_table.key)
        try:
            was = await self._replayed(lobby_table)
            # Whoever else waited for it may have been quicker.
            if lobby_table.room is None:
                lobby_table.room = self._set_up(lobby_table, was, alone)
        except (Denied, StoreError) as problem:
            if isinstance(problem, Denied) and lobby_table.playing and lobby_table.room is None:
                # It has been said in the log: whoever comes next is only told.
                lobby_table.damaged = problem.code == "damaged"
                self.set_apart(lobby_table)
            if lobby_table.room is None:
                await self.cluster.release(lobby_table.key)
            raise
        return lobby_table.room

    async def _replayed(self, lobby_table: LobbyTable) -> Replayed | None:
        """Its match, if it has one, as it is kept at the end of that: somebody may be forgotten meanwhile."""
        was = read = None
        while lobby_table.played is not None and lobby_table.played != read:
            read = lobby_table.played
            with readable(read):
                history = await self.register.history(read)
                was = await asyncio.to_thread(replayed, read, history)
        if lobby_table.state == "closed":
            raise Denied("no_such_table")
        return was

    def _set_up(self, lobby_table: LobbyTable, was: Replayed | None, interrupted: bool) -> Room:
        room = self._new_room(lobby_table)
        if was is not None:
            if lobby_table.state != "running":
                room.end()
            room.resume(was, lobby_table.plan.holders(), interrupted)
        return room

    async def public(self, skip: int, most: int) -> list[LobbyTable]:
        """Some of those that everybody may join or watch, the best to join first."""
        await self.cluster.refresh_all()
        return [self.lobby_tables[key] for key in self.open_tables.public(skip, most)]

    # What others have agreed on

    def bring(self, kept: StoredTable) -> None:
        """A table as it is kept now: what is different is told to whoever is at it here."""
        lobby_table = self.known(kept.key)
        if lobby_table is not None and (kept.changed <= lobby_table.changed or lobby_table.lock.locked()):
            # What is being changed here just now will show whether it stands; this is seen again then.
            return
        if lobby_table is None or lobby_table.key in self.apart:
            self.apart.pop(kept.key, None)
            if kept.state == "closed":
                self.closed[kept.key] = kept.changed
            elif kept.state in ("gather", "running"):
                self.place(_lobby_table(kept))
            return
        now = _lobby_table(kept)
        lobby_table.plan, lobby_table.state, lobby_table.changed, lobby_table.played = (
            now.plan,
            now.state,
            now.changed,
            now.played,
        )
        state = now.state
        if state == "closed":
            self.set_apart(lobby_table)
            return
        self.open_tables.note(lobby_table)
        if lobby_table.room is not None:
            self._show(lobby_table, lobby_table.room)

    def lose_sight(self, key: Key) -> None:
        """That table has been put away."""
        lobby_table = self.known(key)
        if lobby_table is not None:
            self.set_apart(lobby_table)
        self.apart.pop(key, None)
        self.closed.pop(key, None)

    def _show(self, lobby_table: LobbyTable, room: Room) -> None:
        plan = lobby_table.plan
        if room.match is None and lobby_table.played is not None:
            room.broadcast.facts = plan.facts(room.broadcast.facts)
            try:
                room.join(match_of(lobby_table.played), plan.holders())
            except (BadOptions, BadEdition):
                # It is played where its edition is.
                room.shut()
        elif lobby_table.state == "gather":
            room.arrange(lobby_table.gathering(), plan.holders())
        else:
            for held, chair in zip(room.broadcast.holders, plan.chairs, strict=True):
                if held is not None and chair.player is None:
                    room.forget(held, chair.name)
        if lobby_table.state not in ("gather", "running"):
            room.end()
        self.remark(lobby_table)

    def remark(self, lobby_table: LobbyTable) -> None:
        """What the lobby knows of a table is told to those at it, where it is not as they know it."""
        room = lobby_table.room
        if room is not None:
            room.host = lobby_table.plan.host
            room.send_facts(lobby_table.plan.facts(room.broadcast.facts))


def _lobby_table(kept: StoredTable) -> LobbyTable:
    """Or Unreadable."""
    with decoded("a table"):
        plan, state = msgspec.json.decode(kept.body, type=TableSetup), msgspec.convert(kept.state, State)
    return LobbyTable(kept.key, plan, state, kept.changed, kept.played)


def _by_match(entries: Sequence[Entry]) -> dict[Appender, list[PendingAppend]]:
    """Several appends of one match in one commit are one update."""
    matches: dict[Appender, list[PendingAppend]] = {}
    for entry in entries:
        assert isinstance(entry, PendingAppend)
        matches.setdefault(entry.live_match, []).append(entry)
    return matches
