"""Where people meet: who may sit where, who may start, and what becomes of a table. Recorded first, then told."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

import msgspec
from msgspec.structs import replace

from ubongo.game import BadOptions
from ubongo.material import BadEdition
from ubongo.moves import Leave
from ubongo.server.again import told_again
from ubongo.server.clock import Clock
from ubongo.server.denied import Denied
from ubongo.server.happening import Happening, Teller
from ubongo.server.identity import Guests, new_key
from ubongo.server.log import Entry, Log, Row, Unrecorded
from ubongo.server.log.register import Guest, Key, Played, Register
from ubongo.server.log.results import Results
from ubongo.server.room import Room
from ubongo.server.sitting import Chair, Plan, Sitting, State, lines_of, match_of, playable, resumed, written
from ubongo.table import Options, SeatNo

MOST_TABLES = 100

log = logging.getLogger("ubongo.server.lobby")


class Lobby:
    """All tables and guests. `levels` are those of the bots, weakest first."""

    def __init__(self, clock: Clock, log: Log, levels: Sequence[str], told: Callable[[float], None]) -> None:
        self._told = told
        self.onlooker: Callable[[Room], None] = lambda _: None
        # Somebody who hears which games are gathered for.
        self.expect: Callable[[str], None] = lambda _: None
        self.clock = clock
        self.log = log
        self.levels = tuple(levels)
        self.register = Register(log)
        self.results = Results(log)
        self.guests = Guests(self.register)
        self.sittings: dict[Key, Sitting] = {}
        # Nobody else holds on to a task.
        self._reading: set[asyncio.Task[None]] = set()

    # Waking up

    async def open(self) -> None:
        """Every table as it was; a running match goes on at once. The log has been started."""
        await self.guests.count()
        for key, state, body, changed in await self.register.tables():
            if state == "closed":
                continue
            plan = msgspec.json.decode(body, type=Plan)
            self.sittings[key] = Sitting(key, plan, msgspec.convert(state, State), changed)
        for played in await self.register.over():
            if played.table in self.sittings:
                self.sittings[played.table].played = played
        running = [one for one in await self.register.running() if one.table in self.sittings]
        histories = await self.register.histories(running)
        for played in running:
            sitting = self.sittings[played.table]
            sitting.played, sitting.state = played, "running"
            room = sitting.room = self._new_room(sitting)
            try:
                resumed(room, played, sitting.plan.holders(), histories[played.match])
            except (BadOptions, BadEdition) as problem:
                # It stays in the file as it is, for when its edition is back.
                log.error("match %d cannot go on: %s", played.match, problem)  # noqa: TRY400 - no fault of ours
                del self.sittings[played.table]
        for sitting in self.sittings.values():
            if sitting.state == "gather":
                sitting.room = self._new_room(sitting)

    def _new_room(self, sitting: Sitting) -> Room:
        room = Room(self.clock, self.log, sitting.gathering(), sitting.plan.holders())
        room.facts, room.host = sitting.plan.facts(), sitting.plan.host
        room.onlooker = self.onlooker
        room.read_on = self._read_on
        if sitting.state in ("gather", "running"):
            self.expect(sitting.plan.game)
        return room

    def recorded(self, entries: Sequence[Entry]) -> None:
        for room, happenings in _by_room(entries).items():
            room.tell(happenings)
            self._told((self.clock.now() - happenings[0].accepted) / 1000)

    def lost(self, entries: Sequence[Entry], problem: Unrecorded) -> None:
        for room, happenings in _by_room(entries).items():
            room.lose(happenings, problem)

    def _read_on(self, room: Room) -> None:
        task = asyncio.get_running_loop().create_task(self._caught_up(room))
        self._reading.add(task)
        task.add_done_callback(self._reading.discard)

    async def _caught_up(self, room: Room) -> None:
        """Another server has played on at this table."""
        played = next((one.played for one in self.sittings.values() if one.room is room), None)
        history: Sequence[Row] = ()
        with contextlib.suppress(Unrecorded):
            history = () if played is None else await self.register.history(played)
        room.follow(history)

    # Looking

    def sitting(self, key: Key) -> Sitting:
        found = self.sittings.get(key)
        if found is None:
            raise Denied("no_such_table")
        if found.state == "running" and found.room is not None and found.room.recorded.phase == "over":
            found.state = "over"
        return found

    async def room(self, key: Key) -> Room:
        """The room of a table; of one that is over it is set up again when somebody looks."""
        sitting = self.sitting(key)
        if sitting.room is not None:
            return sitting.room
        assert sitting.played is not None
        history = await self.register.history(sitting.played)
        # Whoever else waited for it may have been quicker.
        if sitting.room is None:
            room = self._new_room(sitting)
            room.end()
            with known_edition():
                resumed(room, sitting.played, sitting.plan.holders(), history)
            sitting.room = room
        return sitting.room

    def public(self) -> list[Sitting]:
        listed = [self.sitting(key) for key, one in self.sittings.items() if one.plan.public]
        return [sitting for sitting in listed if sitting.state in ("gather", "running")]

    def states(self) -> list[State]:
        return [self.sitting(key).state for key in self.sittings]

    # Coming together

    async def open_table(
        self, host: Guest, game: str, seats: int, options: Options, bots: Sequence[str], public: bool, sit: bool
    ) -> Sitting:
        """A new table; the host takes the first seat, bots the last ones."""
        free = seats - sit
        chosen = [self.bot(level) for level in bots]
        if len(bots) > free:
            raise Denied("too_many_bots", seats=seats, free=max(free, 0))
        options = playable(game, seats, options)
        own = [one for one in self.sittings.values() if one.plan.host == host.player and one.state == "gather"]
        if len(own) >= MOST_TABLES:
            raise Denied("too_many_tables", tables=len(own))
        chairs = [Chair()] * (seats - len(bots)) + chosen
        if sit:
            chairs[0] = Chair(host.player, host.name)
        plan = Plan(game, written(options), tuple(chairs), host.player, public, self.clock.now())
        return await self._add(new_key(), plan)

    def bot(self, level: str) -> Chair:
        if level not in self.levels:
            raise Denied("no_such_level", level=level, levels=", ".join(self.levels))
        return Chair(name=f"{level.capitalize()} bot", bot=level)

    async def _add(self, key: Key, plan: Plan) -> Sitting:
        sitting = Sitting(key, plan, "gather", self.clock.now())
        await self.keep(sitting, plan, "gather")
        sitting.room = self._new_room(sitting)
        self.sittings[key] = sitting
        return sitting

    async def keep(self, sitting: Sitting, plan: Plan, state: State) -> None:
        now = self.clock.now()
        await self.register.keep_table(sitting.key, state, msgspec.json.encode(plan), now)
        sitting.plan, sitting.state, sitting.changed = plan, state, now

    async def arrange(self, sitting: Sitting, plan: Plan) -> None:
        """Something else is agreed on before the match: who sits where, or how it is played."""
        await self.keep(sitting, plan, "gather")
        assert sitting.room is not None
        facts, sitting.room.host = plan.facts(), plan.host
        if facts != sitting.room.facts:
            sitting.room.remark(**facts)
        sitting.room.arrange(sitting.gathering(), plan.holders())

    async def join(self, key: Key, guest: Guest) -> SeatNo:
        """A seat, the same one however often it is asked for."""
        sitting = self.sitting(key)
        async with sitting.door:
            seat = sitting.plan.seat_of(guest.player)
            if seat is not None:
                return seat
            if sitting.state != "gather":
                raise Denied("has_begun")
            free = sitting.plan.free_seats()
            if not free:
                raise Denied("full")
            await self.arrange(sitting, sitting.plan.with_chair(free[0], Chair(guest.player, guest.name)))
            return free[0]

    async def leave(self, key: Key, guest: Guest) -> None:
        """Before the match the seat is free again, during it the person is gone for good (T11)."""
        sitting = self.sitting(key)
        async with sitting.door:
            seat = sitting.plan.seat_of(guest.player)
            if seat is None:
                raise Denied("not_seated")
            if sitting.state == "gather":
                await self.vacate(sitting, seat)
            elif sitting.state == "running":
                assert sitting.room is not None
                done = sitting.room.say(seat, Leave())
                if done is not None:
                    await done

    async def vacate(self, sitting: Sitting, seat: SeatNo) -> None:
        """A seat is free again before the match."""
        plan = sitting.plan.with_chair(seat, Chair())
        if sitting.plan.chairs[seat].player == plan.host:
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
        if sitting.played is not None and sitting.played.upto is None:
            await self.register.close_match(sitting.played.match, self.clock.now())
        await self.keep(sitting, sitting.plan, "closed")
        self.sittings.pop(sitting.key, None)
        if sitting.room is not None:
            sitting.room.shut()

    # Afterwards

    async def rematch(self, key: Key, guest: Guest) -> Sitting:
        """A new table with the same people, the same one whoever asks."""
        sitting = self.sitting(key)
        async with sitting.door:
            plan = sitting.plan
            if plan.seat_of(guest.player) is None:
                raise Denied("not_seated")
            if sitting.state not in ("over", "abandoned"):
                raise Denied("not_over")
            if plan.next is not None:
                return self.sitting(plan.next)
            room = await self.room(key)
            host = plan.host if plan.seat_of(plan.host) is not None else guest.player
            # Who has been forgotten since has left a free seat.
            chairs = tuple([Chair() if chair.free else chair for chair in plan.chairs])
            again = replace(plan, chairs=chairs, host=host, made=self.clock.now(), next=None)
            following = await self._add(new_key(), again)
            await self.keep(sitting, replace(plan, next=following.key), sitting.state)
            room.remark(**sitting.plan.facts())
            return following

    async def history(self, key: Key) -> bytes:
        """What happened at a table, from its opening on: open to all when it is over (T5)."""
        return await self.lines(self._over(key))

    async def again(self, key: Key) -> Iterator[bytes]:
        """The same, to be watched: `told_again`. The log is read now, the rest can be done in another thread."""
        played = self._over(key)
        with known_edition():
            opening = match_of(played).opening
        return told_again(opening, await self.register.history(played))

    def _over(self, key: Key) -> Played:
        sitting = self.sitting(key)
        if sitting.played is None or sitting.state not in ("over", "abandoned"):
            raise Denied("not_over")
        return sitting.played

    async def lines(self, played: Played) -> bytes:
        return lines_of(played, await self.register.history(played))


@contextmanager
def known_edition() -> Iterator[None]:
    """What is played with an edition of the house's own can only be shown while that is here."""
    try:
        yield
    except (BadOptions, BadEdition):
        raise Denied("no_edition") from None


def _by_room(entries: Sequence[Entry]) -> dict[Teller, list[Happening]]:
    """Several asks of one table in one commit are one update."""
    rooms: dict[Teller, list[Happening]] = {}
    for entry in entries:
        assert isinstance(entry, Happening)
        rooms.setdefault(entry.room, []).append(entry)
    return rooms
