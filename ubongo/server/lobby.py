"""Where people meet: who may sit where, who may start, and what becomes of a table. Recorded first, then told."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import wraps
from typing import ParamSpec, Protocol, TypeVar

import msgspec
from msgspec.structs import replace

from ubongo.game import BadOptions
from ubongo.material import BadEdition
from ubongo.moves import Leave
from ubongo.server.again import told_again
from ubongo.server.clock import Clock
from ubongo.server.course import Course
from ubongo.server.denied import Denied
from ubongo.server.happening import Happening, Teller
from ubongo.server.identity import Guests, new_key
from ubongo.server.log import Entry, Log, Overtaken, Row, Statement, Unrecorded
from ubongo.server.log.register import Guest, Kept, Key, Played, Register
from ubongo.server.log.results import Results
from ubongo.server.room import Room
from ubongo.server.sitting import (
    Chair,
    Plan,
    Sitting,
    State,
    edition_of,
    lines_of,
    match_of,
    playable,
    resumed,
    written,
)
from ubongo.table import Options, SeatNo

MOST_TABLES = 100
# So often somebody may be quicker before it is given up.
TRIES = 10

log = logging.getLogger("ubongo.server.lobby")
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


class Neighbourhood(Protocol):
    """Other houses that share the log: `ubongo.server.neighbours`. A house that is alone has none."""

    async def serve(self, key: Key) -> bool:
        """We have that table open from now on. Whether nobody else has."""

    async def let_go(self, key: Key) -> None: ...
    async def adopt(self) -> list[Key]:
        """Tables that nobody serves, though a match is played there: they are ours now."""

    async def refresh(self, key: Key) -> None:
        """All that is kept of that table, as it is now."""

    async def look_around(self) -> None:
        """The same of every table at which something else was agreed on."""

    def say(self, key: Key, version: int = 0) -> None:
        """Others are told that something has happened there."""

    def read_on(self, room: Course) -> None: ...
    def stirred(self, room: Room) -> None: ...


class Lobby:
    """All tables and guests. `levels` are those of the bots, weakest first."""

    def __init__(self, clock: Clock, log: Log, levels: Sequence[str], told: Callable[[float], None]) -> None:
        self._told = told
        self.onlooker: Callable[[Course], None] = lambda _: None
        # Somebody who hears which games are gathered for.
        self.expect: Callable[[str], None] = lambda _: None
        self.neighbours: Neighbourhood | None = None
        self.clock = clock
        self.log = log
        self.levels = tuple(levels)
        self.register = Register(log)
        self.results = Results(log)
        self.guests = Guests(self.register)
        self.sittings: dict[Key, Sitting] = {}
        # Running matches that cannot go on, by the edition that they wait for.
        self._waiting_for: dict[Key, str] = {}

    # Waking up

    async def open(self) -> None:
        """Every table as it was; a running match that nobody serves goes on at once. The log has been started."""
        await self.guests.count()
        for key, state, body, changed in await self.register.tables():
            if state == "closed":
                continue
            plan = msgspec.json.decode(body, type=Plan)
            self.sittings[key] = Sitting(key, plan, msgspec.convert(state, State), changed)
        for played in (*await self.register.over(), *await self.register.running()):
            if played.table in self.sittings:
                self.sittings[played.table].played = played
        if self.neighbours is None:
            await self._go_on([one.key for one in self.sittings.values() if one.unfinished])
        else:
            await self.adopt()

    async def adopt(self) -> None:
        """Matches that were left alone go on here."""
        assert self.neighbours is not None
        while keys := await self.neighbours.adopt():
            await self._go_on(keys)

    async def _go_on(self, keys: Sequence[Key]) -> None:
        sittings = [self.sittings[key] for key in keys if key in self.sittings]
        running = [one for one in sittings if one.room is None and one.unfinished]
        histories = await self.register.histories([one.played for one in running if one.played is not None])
        for sitting in running:
            assert sitting.played is not None
            sitting.state = "running"
            room = self._new_room(sitting)
            try:
                resumed(room, sitting.played, sitting.plan.holders(), histories[sitting.played.match])
            except (BadOptions, BadEdition) as problem:
                # It stays in the file as it is, for when its edition is back.
                log.error("match %d cannot go on: %s", sitting.played.match, problem)  # noqa: TRY400 - no fault of ours
                del self.sittings[sitting.key]
                self._waiting_for[sitting.key] = edition_of(sitting.played)
            else:
                sitting.room = room

    def _new_room(self, sitting: Sitting) -> Room:
        room = Room(self.clock, self.log, sitting.gathering(), sitting.plan.holders(), sitting.key)
        room.facts, room.host = sitting.plan.facts(), sitting.plan.host
        room.onlooker = self.onlooker
        if self.neighbours is not None:
            room.read_on = self.neighbours.read_on
            room.doorkeeper = self.neighbours.stirred
        if sitting.state in ("gather", "running"):
            self.expect(sitting.plan.game)
        return room

    def recorded(self, entries: Sequence[Entry]) -> None:
        for room, happenings in _by_room(entries).items():
            room.tell(happenings)
            self._told((self.clock.now() - happenings[0].accepted) / 1000)
            if self.neighbours is not None:
                self.neighbours.say(room.key, room.version)

    def lost(self, entries: Sequence[Entry], problem: Unrecorded) -> None:
        for room, happenings in _by_room(entries).items():
            room.lose(happenings, problem)

    # Looking

    def sitting(self, key: Key) -> Sitting:
        """As it is known here."""
        found = self.sittings.get(key)
        if found is None and key in self._waiting_for:
            raise Denied("no_edition", edition=self._waiting_for[key])
        if found is None:
            raise Denied("no_such_table")
        if found.state == "running" and found.room is not None and found.room.recorded.phase == "over":
            found.state = "over"
        return found

    async def current(self, key: Key) -> Sitting:
        """As it is, whoever has changed it."""
        if self.neighbours is not None:
            await self.neighbours.refresh(key)
            if self.sitting(key).state == "running":
                # Only the match itself says whether it is over.
                await self._opened(self.sitting(key))
        return self.sitting(key)

    async def room(self, key: Key) -> Room:
        """The room of a table, which is set up when somebody looks."""
        return await self._opened(await self.current(key))

    async def _opened(self, sitting: Sitting) -> Room:
        if sitting.room is not None:
            return sitting.room
        alone = self.neighbours is None or await self.neighbours.serve(sitting.key)
        try:
            history = () if sitting.played is None else await self.register.history(sitting.played)
            # Whoever else waited for it may have been quicker.
            if sitting.room is None:
                sitting.room = self._set_up(sitting, history, alone)
        except (Denied, Unrecorded):
            if self.neighbours is not None and sitting.room is None:
                await self.neighbours.let_go(sitting.key)
            raise
        return sitting.room

    def _set_up(self, sitting: Sitting, history: Sequence[Row], interrupted: bool) -> Room:
        room = self._new_room(sitting)
        if sitting.played is not None:
            if sitting.state != "running":
                room.end()
            with known_edition(sitting.played):
                resumed(room, sitting.played, sitting.plan.holders(), history, interrupted)
        return room

    async def public(self) -> list[Sitting]:
        if self.neighbours is not None:
            await self.neighbours.look_around()
        listed = [self.sitting(key) for key, one in self.sittings.items() if one.plan.public]
        return [sitting for sitting in listed if sitting.state in ("gather", "running")]

    def states(self) -> list[State]:
        return [self.sitting(key).state for key in self.sittings]

    # What others have agreed on

    def bring(self, kept: Kept) -> None:
        """A table as it is kept now: what is different is told to whoever is at it here."""
        sitting = self.sittings.get(kept.key)
        if sitting is not None and (kept.changed <= sitting.changed or sitting.door.locked()):
            # What is being changed here just now will show whether it stands; this is seen again then.
            return
        plan, state = msgspec.json.decode(kept.body, type=Plan), msgspec.convert(kept.state, State)
        if sitting is None:
            if state != "closed":
                self.sittings[kept.key] = Sitting(kept.key, plan, state, kept.changed, kept.played)
            return
        sitting.plan, sitting.state, sitting.changed, sitting.played = plan, state, kept.changed, kept.played
        if sitting.room is not None:
            self._show(sitting, sitting.room)
        if state == "closed":
            del self.sittings[kept.key]

    def lose_sight(self, key: Key) -> None:
        """Others have put that table away."""
        sitting = self.sittings.pop(key, None)
        if sitting is not None and sitting.room is not None:
            sitting.room.shut()

    def _show(self, sitting: Sitting, room: Room) -> None:
        plan = sitting.plan
        if sitting.state == "closed":
            room.shut()
            return
        if room.match is None and sitting.played is not None:
            room.facts.update(plan.facts())
            try:
                room.join(match_of(sitting.played), plan.holders())
            except (BadOptions, BadEdition):
                # It is played where its edition is.
                room.shut()
        elif sitting.state == "gather":
            room.arrange(sitting.gathering(), plan.holders())
        else:
            for held, chair in zip(room.holders, plan.chairs, strict=True):
                if held is not None and chair.player is None:
                    room.forget(held, chair.name)
            if sitting.state != "running":
                room.end()
        self.remark(sitting)

    def remark(self, sitting: Sitting) -> None:
        """What the lobby knows of a table is told to those at it, where it is not as they know it."""
        room, facts = sitting.room, sitting.plan.facts()
        if room is None:
            return
        room.host = sitting.plan.host
        if any(room.facts.get(name) != fact for name, fact in facts.items()):
            room.remark(**facts)

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
        await self.register.add_table(key, "gather", msgspec.json.encode(plan), sitting.changed)
        self.sittings[key] = sitting
        self.expect(plan.game)
        return sitting

    async def keep(self, sitting: Sitting, plan: Plan, state: State, *also: Statement) -> None:
        """What is agreed on, and what else goes with it; Overtaken, if others have agreed on something meanwhile."""
        now, body = self.clock.now(), msgspec.json.encode(plan)
        sitting.changed = await self.register.keep_table(sitting.key, state, body, now, sitting.changed, *also)
        sitting.plan, sitting.state = plan, state
        self.say(sitting)

    def say(self, sitting: Sitting) -> None:
        if self.neighbours is not None:
            self.neighbours.say(sitting.key)

    async def arrange(self, sitting: Sitting, plan: Plan) -> None:
        """Something else is agreed on before the match: who sits where, or how it is played."""
        await self.keep(sitting, plan, "gather")
        self.remark(sitting)
        if sitting.room is not None:
            sitting.room.arrange(sitting.gathering(), plan.holders())

    @anew
    async def join(self, key: Key, guest: Guest) -> SeatNo:
        """A seat, the same one however often it is asked for."""
        sitting = await self.current(key)
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

    @anew
    async def leave(self, key: Key, guest: Guest) -> None:
        """Before the match the seat is free again, during it the person is gone for good (T11)."""
        sitting = await self.current(key)
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
        await self.keep(sitting, sitting.plan, "closed", *self.ending(sitting))
        self.sittings.pop(sitting.key, None)
        if sitting.room is not None:
            sitting.room.shut()

    def ending(self, sitting: Sitting) -> list[Statement]:
        """What has to be written for its match to be over, if it is not."""
        played = sitting.played
        if played is None or played.upto is not None:
            return []
        return [self.register.ending(played.match, self.clock.now())]

    # Afterwards

    @anew
    async def rematch(self, key: Key, guest: Guest) -> Sitting:
        """A new table with the same people, the same one whoever asks."""
        sitting = await self.current(key)
        async with sitting.door:
            plan = sitting.plan
            if plan.seat_of(guest.player) is None:
                raise Denied("not_seated")
            if sitting.state not in ("over", "abandoned"):
                raise Denied("not_over")
            if plan.next is not None:
                return await self.current(plan.next)
            # Whoever cannot show how it was played cannot play it again either.
            await self._opened(sitting)
            host = plan.host if plan.seat_of(plan.host) is not None else guest.player
            # Who has been forgotten since has left a free seat.
            chairs = tuple([Chair() if chair.free else chair for chair in plan.chairs])
            again = replace(plan, chairs=chairs, host=host, made=self.clock.now(), next=None)
            following = Sitting(new_key(), again, "gather", again.made)
            added = self.register.adding(following.key, "gather", msgspec.json.encode(again), again.made)
            await self.keep(sitting, replace(plan, next=following.key), sitting.state, added)
            self.sittings[following.key] = following
            self.remark(sitting)
            return following

    async def history(self, key: Key) -> bytes:
        """What happened at a table, from its opening on: open to all when it is over (T5)."""
        return await self.lines(await self._over(key))

    async def again(self, key: Key) -> Iterator[bytes]:
        """The same, to be watched: `told_again`. The log is read now, the rest can be done in another thread."""
        played = await self._over(key)
        with known_edition(played):
            opening = match_of(played).opening
        return told_again(opening, await self.register.history(played))

    async def _over(self, key: Key) -> Played:
        sitting = await self.current(key)
        if sitting.played is None or sitting.state not in ("over", "abandoned"):
            raise Denied("not_over")
        return sitting.played

    async def lines(self, played: Played) -> bytes:
        return lines_of(played, await self.register.history(played))


@contextmanager
def known_edition(played: Played) -> Iterator[None]:
    """What is played with an edition of the house's own can only be shown while that is here."""
    try:
        yield
    except (BadOptions, BadEdition):
        raise Denied("no_edition", edition=edition_of(played)) from None


def _by_room(entries: Sequence[Entry]) -> dict[Teller, list[Happening]]:
    """Several asks of one table in one commit are one update."""
    rooms: dict[Teller, list[Happening]] = {}
    for entry in entries:
        assert isinstance(entry, Happening)
        rooms.setdefault(entry.room, []).append(entry)
    return rooms
