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
from ubongo.server.lobby.setup import Chair, Plan, Sitting, State, playable, written
from ubongo.server.lobby.table_keys import new_key
from ubongo.server.records.replay_stream import told_again
from ubongo.server.records.summary import Summary, summed_up
from ubongo.server.store import Log, Overtaken, Statement
from ubongo.server.store.moderation import ModerationStore
from ubongo.server.store.register import Guest, Key, Played
from ubongo.server.store.results import Results
from ubongo.server.store.timekeeping import Timekeeping
from ubongo.server.tables.stored_match import lines_of, readable, replayed
from ubongo.table import Options, SeatNo

# So often somebody may be quicker before it is given up.
TRIES = 10

Asked = ParamSpec("Asked")
Got = TypeVar("Got")


def anew(deed: Callable[Asked, Awaitable[Got]]) -> Callable[Asked, Awaitable[Got]]:
    """What is agreed on at a table stands on what was agreed on before: whoever was late looks again."""

    @wraps(deed)
    async def done(*asked: Asked.args, **named: Asked.kwargs) -> Got:
        for _ in range(TRIES):
            try:
                return await deed(*asked, **named)
            except Overtaken:
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
        self.results = Results(log)
        self.moderation = ModerationStore(log)
        self.bans = Bans(clock)
        self.guests = Guests(self.register, self.bans, self.bots.values(), clock.now)
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
    ) -> Sitting:
        """A new table; the host takes the first seat, bots the last ones. `address`: whose limit it counts for."""
        free = seats - sit
        taken = [host.name] if sit else []
        chosen = [self.bot(level, taken) for level in bots]
        if len(bots) > free:
            raise Denied("too_many_bots", seats=seats, free=max(free, 0))
        options = playable(game, seats, options)
        chairs = [Chair()] * (seats - len(bots)) + chosen
        if sit:
            chairs[0] = Chair(host.player, host.name)
        plan = Plan(game, written(options), tuple(chairs), host.player, public, self.clock.now())
        with self.open_tables.opening(host.player, address):
            return await self._add(plan, address)

    def bot(self, level: str, taken: list[str]) -> Chair:
        """Its name is the level's, with a number if that is taken at its table: Otto, Otto 2."""
        if level not in self.bots:
            raise Denied("no_such_level", level=level, levels=", ".join(self.bots))
        name = distinct(self.bots[level], taken)
        taken.append(name)
        return Chair(name=name, bot=level)

    async def _add(self, plan: Plan, address: str) -> Sitting:
        now = self.clock.now()
        while True:
            key = await self._free_key(plan.game)
            try:
                await self.register.add_table(key, "gather", msgspec.json.encode(plan), now)
            except Overtaken:
                # Another table has got it in this very moment.
                continue
            sitting = Sitting(key, plan, "gather", now)
            sitting.address = address
            self.place(sitting)
            self.bot_players.expect(plan.game)
            return sitting

    async def _free_key(self, game: str) -> Key:
        """One that no table has; it is drawn again until then."""
        while True:
            key = self.draw_key(game)
            if not self.was_there(key) and not await self.register.has_table(key):
                return key

    async def keep(self, sitting: Sitting, plan: Plan, state: State, *also: Statement) -> None:
        """What is agreed on, and what else goes with it; Overtaken, if others have agreed on something meanwhile."""
        now, body = self.clock.now(), msgspec.json.encode(plan)
        sitting.changed = await self.register.keep_table(sitting.key, state, body, now, sitting.changed, *also)
        sitting.plan, sitting.state = plan, state
        if sitting.key in self.sittings:
            self.open_tables.note(sitting)
        self.say(sitting)

    def say(self, sitting: Sitting) -> None:
        self.cluster.publish(sitting.key)

    async def arrange(self, sitting: Sitting, plan: Plan) -> None:
        """Something else is agreed on before the match: who sits where, or how it is played."""
        await self.keep(sitting, plan, "gather")
        self.remark(sitting)
        if sitting.room is not None:
            sitting.room.arrange(sitting.gathering(), plan.holders())

    @asynccontextmanager
    async def entered(self, key: Key) -> AsyncIterator[Sitting]:
        """The table, which nobody else changes meanwhile; it may have been closed while one waited for it."""
        sitting = await self.current(key)
        async with sitting.door:
            if sitting.state == "closed":
                raise Denied("no_such_table")
            yield sitting

    @anew
    async def join(self, key: Key, guest: Guest, wanted: SeatNo = 0) -> SeatNo:
        """A seat, the same one however often it is asked for: the wanted one, if that is free."""
        async with self.entered(key) as sitting:
            seat = sitting.plan.seat_of(guest.player)
            if seat is not None:
                return seat
            if sitting.state != "gather":
                raise Denied("has_begun")
            if guest.player in sitting.plan.removed:
                raise Denied("removed")
            free = sitting.plan.free_seats()
            if not free:
                raise Denied("full")
            seat = wanted if wanted in free else free[0]
            name = distinct(guest.name, sitting.plan.names_but(seat))
            await self.arrange(sitting, sitting.plan.with_chair(seat, Chair(guest.player, name)))
            return seat

    @anew
    async def leave(self, key: Key, guest: Guest) -> None:
        """Before the match the seat is free again, during it the person is gone for good (T11)."""
        async with self.entered(key) as sitting:
            seat = sitting.plan.seat_of(guest.player)
            if seat is None:
                raise Denied("not_seated")
            if sitting.state == "gather":
                await self.vacate(sitting, seat)
            elif sitting.state == "running":
                done = (await self._opened(sitting)).live_match.say(seat, Leave())
                if done is not None:
                    await done

    async def vacate(self, sitting: Sitting, seat: SeatNo, removed: bool = False) -> None:
        """A seat is free again before the match. `removed`: whoever sat there shall not come back."""
        player = sitting.plan.chairs[seat].player
        plan = sitting.plan.with_chair(seat, Chair())
        if removed and player is not None:
            plan = plan.without(player)
        plan = plan.with_first(plan.first_of(plan.taken_seats()))
        if player == plan.host:
            await self.hand_over(sitting, plan)
        else:
            await self.arrange(sitting, plan)

    async def hand_over(self, sitting: Sitting, plan: Plan) -> None:
        """The host goes, and somebody has to be able to start it."""
        others = [chair.player for chair in plan.chairs if chair.player not in (None, plan.host)]
        if others:
            await self.arrange(sitting, replace(plan, host=str(others[0])))
        else:
            await self.close(sitting)

    async def close(self, sitting: Sitting) -> None:
        """The table is gone, and everybody is sent home; whoever asks holds its door."""
        await self.keep(sitting, sitting.plan, "closed", *self.ending(sitting))
        self.set_apart(sitting)

    def ending(self, sitting: Sitting) -> list[Statement]:
        """What has to be written for its match to be over, if it is not."""
        played = sitting.played
        if played is None or played.upto is not None:
            return []
        return self.register.ending(played.match, self.clock.now())

    # Afterwards

    async def rematch(self, key: Key, guest: Guest, address: str = "") -> tuple[Sitting, SeatNo | None]:
        """A new table, the same one whoever asks; each takes the own seat there by asking. None: there is none left."""
        following, seat = await self._rematch(key, guest, address)
        try:
            return following, await self.join(following.key, guest, seat)
        except Denied as no:
            if no.code not in ("full", "has_begun"):
                raise
            return following, None

    @anew
    async def _rematch(self, key: Key, guest: Guest, address: str) -> tuple[Sitting, SeatNo]:
        """The table, and where the asker has sat."""
        async with self.entered(key) as sitting:
            plan = sitting.plan
            seat = plan.seat_of(guest.player)
            if seat is None:
                raise Denied("not_seated")
            if sitting.state not in ("over", "abandoned"):
                raise Denied("not_over")
            if plan.next is not None:
                # Unless that has been closed.
                with suppress(Denied):
                    return await self.current(plan.next), seat
            # Whoever cannot show how it was played cannot play it again either.
            await self._opened(sitting)
            again = plan.asked_again(key, guest.player, self.clock.now())
            with self.open_tables.opening(guest.player, address):
                following = Sitting(await self._free_key(again.game), again, "gather", again.made)
                following.address = address
                added = self.register.adding(following.key, "gather", msgspec.json.encode(again), again.made)
                await self.keep(sitting, replace(plan, next=following.key, next_by=seat), sitting.state, added)
                self.place(following)
            self.remark(sitting)
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

    async def _over(self, key: Key) -> Played:
        sitting = await self.current(key)
        if sitting.played is None or sitting.state not in ("over", "abandoned"):
            raise Denied("not_over")
        return sitting.played

    async def lines(self, played: Played) -> bytes:
        """Or Damaged."""
        # Somebody may have laid and lifted for hours.
        return await asyncio.to_thread(lines_of, played, await self.register.history(played))
