"""Opens, joins, leaves and closes tables. Every change is stored before anybody hears of it."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager

import msgspec
from msgspec.structs import replace

from ubongo.moves import Leave
from ubongo.server.clock import Clock
from ubongo.server.errors import Denied
from ubongo.server.lobby.bans import Bans
from ubongo.server.lobby.cluster_port import Cluster
from ubongo.server.lobby.identity import Guests
from ubongo.server.lobby.lobby_table import LobbyTable, State
from ubongo.server.lobby.names import distinct
from ubongo.server.lobby.registry import TableRegistry
from ubongo.server.lobby.retry import retry_on_conflict
from ubongo.server.lobby.rooms import BotPlayers, Rooms
from ubongo.server.lobby.table_keys import new_key
from ubongo.server.lobby.table_options import complete_options, encode_options
from ubongo.server.store import Log, Statement, VersionConflict
from ubongo.server.store.entities import Guest, Key
from ubongo.server.store.guest_store import GuestStore
from ubongo.server.store.moderation import ModerationStore
from ubongo.server.store.results import ResultStore
from ubongo.server.store.timekeeping import Timekeeping
from ubongo.server.tables.table_setup import SeatSetup, TableSetup
from ubongo.table import Options, SeatNo


class Lobby:
    """All tables and guests. `bots` gives each level of bot its name, weakest first."""

    def __init__(
        self,
        clock: Clock,
        log: Log,
        registry: TableRegistry,
        rooms: Rooms,
        bot_players: BotPlayers,
        cluster: Cluster,
        bans: Bans,
        guests: Guests,
        timekeeping: Timekeeping,
        bots: Mapping[str, str],
    ) -> None:
        self.clock = clock
        self.log = log
        self.registry = registry
        self.store = registry.store
        self.rooms = rooms
        self.cluster = cluster
        self.bans = bans
        self.guests = guests
        self.timekeeping = timekeeping
        self.bots = dict(bots)
        # Stores only translate between statements and structs, and have no state.
        self.results = ResultStore(log)
        self.moderation = ModerationStore(log)
        self.guest_store = GuestStore(log)
        self.draw_key = new_key
        self._bot_players = bot_players

    # Opening

    async def open_table(
        self,
        host: Guest,
        game: str,
        seats: int,
        options: Options,
        bots: Sequence[str],
        public: bool,
        sit: bool,
        address: str = "",
    ) -> LobbyTable:
        """Opens a table. The host takes the first seat, bots the last ones. It counts for the limit of `address`."""
        free = seats - sit
        names = [host.name] if sit else []
        bot_seats = [self.bot_seat(level, names) for level in bots]
        if len(bots) > free:
            raise Denied("too_many_bots", seats=seats, free=max(free, 0))
        options = complete_options(game, seats, options)
        chairs = [SeatSetup()] * (seats - len(bots)) + bot_seats
        if sit:
            chairs[0] = SeatSetup(host.player, host.name)
        plan = TableSetup(game, encode_options(options), tuple(chairs), host.player, public, self.clock.now())
        with self.registry.open_tables.opening(host.player, address):
            return await self._add(plan, address)

    def bot_seat(self, level: str, names: list[str]) -> SeatSetup:
        """A bot is named by its level, with a number if the table has that name already: Otto, Otto 2."""
        if level not in self.bots:
            raise Denied("no_such_level", level=level, levels=", ".join(self.bots))
        name = distinct(self.bots[level], names)
        names.append(name)
        return SeatSetup(name=name, bot=level)

    async def _add(self, plan: TableSetup, address: str) -> LobbyTable:
        now = self.clock.now()
        while True:
            key = await self.free_key(plan.game)
            try:
                await self.store.add_table(key, "gather", msgspec.json.encode(plan), now)
            except VersionConflict:
                # Another server has just used the key.
                continue
            lobby_table = LobbyTable(key, plan, "gather", now)
            lobby_table.address = address
            self.registry.add(lobby_table)
            self._bot_players.expect(plan.game)
            return lobby_table

    async def free_key(self, game: str) -> Key:
        """A random key that no table has."""
        while True:
            key = self.draw_key(game)
            if not self.registry.has_key(key) and not await self.store.has_table(key):
                return key

    async def public_tables(self, skip: int, most: int) -> list[LobbyTable]:
        """Some of the tables that everybody may join or watch, the best to join first."""
        await self.cluster.refresh_all()
        return [self.registry.lobby_tables[key] for key in self.registry.open_tables.public(skip, most)]

    # Changing

    @asynccontextmanager
    async def locked(self, key: Key) -> AsyncIterator[LobbyTable]:
        """The current table, which no other request changes meanwhile; raises Denied."""
        lobby_table = await self.rooms.current(key)
        async with lobby_table.lock:
            # It may have been closed while we waited for the lock.
            if lobby_table.state == "closed":
                raise Denied("no_such_table")
            yield lobby_table

    async def save(self, lobby_table: LobbyTable, plan: TableSetup, state: State, *also: Statement) -> None:
        """Stores a change, together with other statements. The caller holds the table's lock.

        Raises VersionConflict if another server has changed the table.
        """
        now, body = self.clock.now(), msgspec.json.encode(plan)
        lobby_table.changed = await self.store.update_table(
            lobby_table.key, state, body, now, lobby_table.changed, *also
        )
        lobby_table.plan, lobby_table.state = plan, state
        if lobby_table.key in self.registry.lobby_tables:
            self.registry.open_tables.note(lobby_table)
        self.cluster.publish(lobby_table.key)

    async def arrange(self, lobby_table: LobbyTable, plan: TableSetup) -> None:
        """Changes the setup before the match: seats or options."""
        await self.save(lobby_table, plan, "gather")
        lobby_table.send_facts()
        if lobby_table.room is not None:
            lobby_table.room.arrange(lobby_table.gathering(), plan.holders())

    @retry_on_conflict
    async def join(self, key: Key, guest: Guest, preferred: SeatNo = SeatNo(0)) -> SeatNo:
        """The guest's seat: the one they have, else the preferred one if it is free, else the first free one."""
        async with self.locked(key) as lobby_table:
            seat = lobby_table.plan.seat_of(guest.player)
            if seat is not None:
                return seat
            if lobby_table.state != "gather":
                raise Denied("has_begun")
            if guest.player in lobby_table.plan.removed:
                raise Denied("removed")
            free = lobby_table.plan.free_seats()
            if not free:
                raise Denied("full")
            seat = preferred if preferred in free else free[0]
            name = distinct(guest.name, lobby_table.plan.names_but(seat))
            await self.arrange(lobby_table, lobby_table.plan.with_chair(seat, SeatSetup(guest.player, name)))
            return seat

    @retry_on_conflict
    async def leave(self, key: Key, guest: Guest) -> None:
        """Before the match the seat is free again; during it the guest is gone for good (T11)."""
        async with self.locked(key) as lobby_table:
            seat = lobby_table.plan.seat_of(guest.player)
            if seat is None:
                raise Denied("not_seated")
            if lobby_table.state == "gather":
                await self.vacate(lobby_table, seat)
            elif lobby_table.state == "running":
                recorded = (await self.rooms.open_room(lobby_table)).live_match.play_for(seat, Leave())
                if recorded is not None:
                    await recorded

    async def vacate(self, lobby_table: LobbyTable, seat: SeatNo, removed: bool = False) -> None:
        """Frees a seat before the match. `removed`: the player may not take a seat here again."""
        player = lobby_table.plan.chairs[seat].player
        plan = lobby_table.plan.with_chair(seat, SeatSetup())
        if removed and player is not None:
            plan = plan.without(player)
        plan = plan.with_first(plan.first_of(plan.taken_seats()))
        if player == plan.host:
            await self.hand_over(lobby_table, plan)
        else:
            await self.arrange(lobby_table, plan)

    async def hand_over(self, lobby_table: LobbyTable, plan: TableSetup) -> None:
        """The host leaves. The next player becomes host; without one the table is closed."""
        others = [chair.player for chair in plan.chairs if chair.player not in (None, plan.host)]
        if others:
            await self.arrange(lobby_table, replace(plan, host=str(others[0])))
        else:
            await self.close(lobby_table)

    async def close(self, lobby_table: LobbyTable) -> None:
        """Closes the table and all connections to it. The caller holds its lock."""
        await self.save(lobby_table, lobby_table.plan, "closed", *self.end_match_statements(lobby_table))
        self.registry.withdraw(lobby_table)

    def end_match_statements(self, lobby_table: LobbyTable) -> list[Statement]:
        """What ends the table's match in the store; nothing if it has none or has ended."""
        played = lobby_table.played
        if played is None or played.upto is not None:
            return []
        return self.store.end_match_statements(played.match, self.clock.now())
