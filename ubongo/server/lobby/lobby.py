"""Where people meet: who may sit where, who may start, and what becomes of a table. Recorded first, then told."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from functools import wraps
from typing import ParamSpec, TypeVar

import msgspec
from msgspec.structs import replace

from ubongo.moves import Leave
from ubongo.server.clock import Clock
from ubongo.server.errors import Denied
from ubongo.server.lobby.bans import Bans
from ubongo.server.lobby.cluster_port import Cluster
from ubongo.server.lobby.identity import Guests
from ubongo.server.lobby.names import distinct
from ubongo.server.lobby.open_tables import TableLimits
from ubongo.server.lobby.registry import BotPlayers, TableRegistry
from ubongo.server.lobby.setup import LobbyTable, State, playable, written
from ubongo.server.lobby.table_keys import new_key
from ubongo.server.records.replay_stream import told_again
from ubongo.server.records.summary import Summary, summed_up
from ubongo.server.store import Log, Statement, VersionConflict
from ubongo.server.store.entities import Guest, Key, StoredMatch
from ubongo.server.store.guest_store import GuestStore
from ubongo.server.store.moderation import ModerationStore
from ubongo.server.store.results import ResultStore
from ubongo.server.store.timekeeping import Timekeeping
from ubongo.server.tables.stored_match import lines_of, readable, replayed
from ubongo.server.tables.table_setup import SeatSetup, TableSetup
from ubongo.table import Options, SeatNo

# So often somebody may be quicker before it is given up.
TRIES = 10

Asked = ParamSpec("Asked")
Got = TypeVar("Got")


def retry_on_conflict(deed: Callable[Asked, Awaitable[Got]]) -> Callable[Asked, Awaitable[Got]]:
    """What is agreed on at a table stands on what was agreed on before: whoever was late looks again."""

    @wraps(deed)
    async def done(*asked: Asked.args, **named: Asked.kwargs) -> Got:
        for _ in range(TRIES):
            try:
                return await deed(*asked, **named)
            except VersionConflict:
                continue
        return await deed(*asked, **named)

    return done


class Lobby(TableRegistry):
    """All tables and guests. `bots` gives each level of bot its name, weakest first."""

    def __init__(
        self,
        clock: Clock,
        log: Log,
        limits: TableLimits,
        bots: Mapping[str, str],
        bot_players: BotPlayers,
        cluster: Cluster,
        broadcast_took: Callable[[float], None],
    ) -> None:
        super().__init__(clock, log, limits, bot_players, cluster, broadcast_took)
        self.bots = dict(bots)
        self.results = ResultStore(log)
        self.moderation = ModerationStore(log)
        self.bans = Bans(clock)
        self.guest_store = GuestStore(log)
        self.guests = Guests(self.guest_store, self.bans, self.bots.values(), clock.now)
        self.timekeeping = Timekeeping(clock, log)
        self.draw_key = new_key

    # Coming together

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
        """A new table; the host takes the first seat, bots the last ones. `address`: whose limit it counts for."""
        free = seats - sit
        taken = [host.name] if sit else []
        chosen = [self.bot(level, taken) for level in bots]
        if len(bots) > free:
            raise Denied("too_many_bots", seats=seats, free=max(free, 0))
        options = playable(game, seats, options)
        chairs = [SeatSetup()] * (seats - len(bots)) + chosen
        if sit:
            chairs[0] = SeatSetup(host.player, host.name)
        plan = TableSetup(game, written(options), tuple(chairs), host.player, public, self.clock.now())
        with self.open_tables.opening(host.player, address):
            return await self._add(plan, address)

    def bot(self, level: str, taken: list[str]) -> SeatSetup:
        """Its name is the level's, with a number if that is taken at its table: Otto, Otto 2."""
        if level not in self.bots:
            raise Denied("no_such_level", level=level, levels=", ".join(self.bots))
        name = distinct(self.bots[level], taken)
        taken.append(name)
        return SeatSetup(name=name, bot=level)

    async def _add(self, plan: TableSetup, address: str) -> LobbyTable:
        now = self.clock.now()
        while True:
            key = await self._free_key(plan.game)
            try:
                await self.register.add_table(key, "gather", msgspec.json.encode(plan), now)
            except VersionConflict:
                # Another table has got it in this very moment.
                continue
            lobby_table = LobbyTable(key, plan, "gather", now)
            lobby_table.address = address
            self.place(lobby_table)
            self.bot_players.expect(plan.game)
            return lobby_table

    async def _free_key(self, game: str) -> Key:
        """One that no table has; it is drawn again until then."""
        while True:
            key = self.draw_key(game)
            if not self.was_there(key) and not await self.register.has_table(key):
                return key

    async def keep(self, lobby_table: LobbyTable, plan: TableSetup, state: State, *also: Statement) -> None:
        """What is agreed on, and what else goes with it; Overtaken, if others have agreed on something meanwhile."""
        now, body = self.clock.now(), msgspec.json.encode(plan)
        lobby_table.changed = await self.register.update_table(
            lobby_table.key, state, body, now, lobby_table.changed, *also
        )
        lobby_table.plan, lobby_table.state = plan, state
        if lobby_table.key in self.lobby_tables:
            self.open_tables.note(lobby_table)
        self.say(lobby_table)

    def say(self, lobby_table: LobbyTable) -> None:
        self.cluster.publish(lobby_table.key)

    async def arrange(self, lobby_table: LobbyTable, plan: TableSetup) -> None:
        """Something else is agreed on before the match: who sits where, or how it is played."""
        await self.keep(lobby_table, plan, "gather")
        self.remark(lobby_table)
        if lobby_table.room is not None:
            lobby_table.room.arrange(lobby_table.gathering(), plan.holders())

    @asynccontextmanager
    async def entered(self, key: Key) -> AsyncIterator[LobbyTable]:
        """The table, which nobody else changes meanwhile; it may have been closed while one waited for it."""
        lobby_table = await self.current(key)
        async with lobby_table.lock:
            if lobby_table.state == "closed":
                raise Denied("no_such_table")
            yield lobby_table

    @retry_on_conflict
    async def join(self, key: Key, guest: Guest, wanted: SeatNo = 0) -> SeatNo:
        """A seat, the same one however often it is asked for: the wanted one, if that is free."""
        async with self.entered(key) as lobby_table:
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
            seat = wanted if wanted in free else free[0]
            name = distinct(guest.name, lobby_table.plan.names_but(seat))
            await self.arrange(lobby_table, lobby_table.plan.with_chair(seat, SeatSetup(guest.player, name)))
            return seat

    @retry_on_conflict
    async def leave(self, key: Key, guest: Guest) -> None:
        """Before the match the seat is free again, during it the person is gone for good (T11)."""
        async with self.entered(key) as lobby_table:
            seat = lobby_table.plan.seat_of(guest.player)
            if seat is None:
                raise Denied("not_seated")
            if lobby_table.state == "gather":
                await self.vacate(lobby_table, seat)
            elif lobby_table.state == "running":
                done = (await self._opened(lobby_table)).live_match.play_for(seat, Leave())
                if done is not None:
                    await done

    async def vacate(self, lobby_table: LobbyTable, seat: SeatNo, removed: bool = False) -> None:
        """A seat is free again before the match. `removed`: whoever sat there shall not come back."""
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
        """The host goes, and somebody has to be able to start it."""
        others = [chair.player for chair in plan.chairs if chair.player not in (None, plan.host)]
        if others:
            await self.arrange(lobby_table, replace(plan, host=str(others[0])))
        else:
            await self.close(lobby_table)

    async def close(self, lobby_table: LobbyTable) -> None:
        """The table is gone, and everybody is sent home; the caller holds its lock."""
        await self.keep(lobby_table, lobby_table.plan, "closed", *self.ending(lobby_table))
        self.set_apart(lobby_table)

    def ending(self, lobby_table: LobbyTable) -> list[Statement]:
        """What has to be written for its match to be over, if it is not."""
        played = lobby_table.played
        if played is None or played.upto is not None:
            return []
        return self.register.end_match_statements(played.match, self.clock.now())

    # Afterwards

    async def rematch(self, key: Key, guest: Guest, address: str = "") -> tuple[LobbyTable, SeatNo | None]:
        """A new table, the same one whoever asks; each takes the own seat there by asking. None: there is none left."""
        following, seat = await self._rematch(key, guest, address)
        try:
            return following, await self.join(following.key, guest, seat)
        except Denied as no:
            if no.code not in ("full", "has_begun"):
                raise
            return following, None

    @retry_on_conflict
    async def _rematch(self, key: Key, guest: Guest, address: str) -> tuple[LobbyTable, SeatNo]:
        """The table, and where the asker has sat."""
        async with self.entered(key) as lobby_table:
            plan = lobby_table.plan
            seat = plan.seat_of(guest.player)
            if seat is None:
                raise Denied("not_seated")
            if lobby_table.state not in ("over", "abandoned"):
                raise Denied("not_over")
            if plan.next is not None:
                # Unless that has been closed.
                with suppress(Denied):
                    return await self.current(plan.next), seat
            # Whoever cannot show how it was played cannot play it again either.
            await self._opened(lobby_table)
            again = plan.asked_again(key, guest.player, self.clock.now())
            with self.open_tables.opening(guest.player, address):
                following = LobbyTable(await self._free_key(again.game), again, "gather", again.made)
                following.address = address
                added = self.register.add_table_statement(
                    following.key, "gather", msgspec.json.encode(again), again.made
                )
                await self.keep(lobby_table, replace(plan, next=following.key, next_by=seat), lobby_table.state, added)
                self.place(following)
            self.remark(lobby_table)
            return following, seat

    async def history(self, key: Key) -> bytes:
        """What happened at a table, from its opening on: open to all when it is over (T5)."""
        played = await self._over(key)
        with readable(played):
            return await self.lines(played)

    async def again(self, key: Key) -> Iterator[bytes]:
        """The same, to be watched: `told_again`. The log is read now, the rest can be done in another thread."""
        played = await self._over(key)
        with readable(played):
            history = await self.register.history(played)
            was = await asyncio.to_thread(replayed, played, history)
        return told_again(was.match.opening, history)

    async def summary(self, key: Key) -> Summary:
        """What is worth telling of it."""
        played = await self._over(key)
        with readable(played):
            return await asyncio.to_thread(summed_up, played, await self.register.history(played))

    async def _over(self, key: Key) -> StoredMatch:
        lobby_table = await self.current(key)
        if lobby_table.played is None or lobby_table.state not in ("over", "abandoned"):
            raise Denied("not_over")
        return lobby_table.played

    async def lines(self, played: StoredMatch) -> bytes:
        """Or Damaged."""
        # Somebody may have laid and lifted for hours.
        return await asyncio.to_thread(lines_of, played, await self.register.history(played))
