"""Bots at tables: they see what their seat sees, think beside the loop, and ask as anybody does.

Whoever has been away for the time of the option `takeover_s` is played for in a running round until they are back (T7).
What a bot thinks is not kept: after a restart it thinks the same again. Where nobody has been connected for a minute
bots sleep until somebody comes.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from hashlib import sha256

from msgspec.structs import replace

from ubongo.fast_forward import fast_forward_of, only_bots
from ubongo.moves import Move
from ubongo.server.clock import Alarm, Timestamp
from ubongo.server.lobby.bot_scheduler import BotScheduler
from ubongo.server.tables.room import Room
from ubongo.table import Instant, Millis, SeatNo, Table, numbered

TimedMove = tuple[Instant, Move]
# What its seat sees, its level, luck of its own and the time give a bot's next move and when; None: nothing now.
Mind = Callable[[Table, SeatNo, str, str, Instant], TimedMove | None]
# The least that a seat has to do, so that no table waits for a bot that fails.
Least = Callable[[Table, SeatNo, Instant], TimedMove | None]

STAND_IN = "medium"
# What `speed_up` multiplies the speed of bots by.
SPEED_UP = 8
# Nobody has looked for so long: bots need not play for anybody.
ASLEEP_AFTER = Millis(60_000)

log = logging.getLogger("ubongo.server.lobby.bot_seats")


# Compiles what `prepare` loads for a game, in another process.
Precompile = Callable[[str], Awaitable[None]]


async def nothing_to_compile(_game: str) -> None:
    """For bots that count with nothing compiled."""


class BotSeat:
    """One seat that a bot plays, for as long as it does."""

    __slots__ = ("_alarm", "_failed", "_thinking", "_thought_of", "company", "intent", "level", "luck", "room", "seat")

    def __init__(self, company: BotSeats, room: Room, seat: SeatNo, level: str) -> None:
        assert room.match is not None
        self.company = company
        self.room = room
        self.seat = seat
        self.level = level
        # Its own: of the table's seed nothing can be told from it.
        self.luck = sha256(f"bot {seat} {room.match.chance.seed}".encode()).hexdigest()
        # What it is about to do.
        self.intent: TimedMove | None = None
        self._alarm: Alarm | None = None
        self._thinking = False
        self._thought_of = -1
        self._failed = -1

    def look(self) -> None:
        """The table has changed, so there is something to think about."""
        self.rest()
        if self._thinking:
            return
        self._thinking = True
        loading = self.company.loading.get(self.room.shown.game)
        if loading is not None and not loading.done():
            # Here, and not in the thread where bots think: those of other games need not wait.
            loading.add_done_callback(self._look_again)
            return
        self.company.shares.think(self.room.owner, self._begin).add_done_callback(self._intend)

    def _begin(self) -> Callable[[], TimedMove | None] | None:
        """Its turn to think has come."""
        self._thought_of = self.room.live_match.version
        if self.company.bots.get((self.room, self.seat)) is not self:
            return None
        seen, now = self.room.broadcast.view(self.seat), self.room.live_match.now()
        return partial(self.company.mind, seen, self.seat, self.level, self.luck, now)

    def _look_again(self, _: asyncio.Task[None]) -> None:
        self._thinking = False
        if self.company.bots.get((self.room, self.seat)) is self:
            self.look()

    @property
    def thinking(self) -> bool:
        return self._thinking

    def rest(self) -> None:
        self.intent = None
        if self._alarm is not None:
            self._alarm.cancel()
            self._alarm = None

    def _intend(self, thought: asyncio.Future[TimedMove | None]) -> None:
        self._thinking = False
        if thought.cancelled() or self.company.bots.get((self.room, self.seat)) is not self:
            return
        if self.room.live_match.version != self._thought_of:
            self.look()
            return
        problem = thought.exception()
        if problem is not None:
            log.error("a bot of %s fails", self.room.shown.game, exc_info=problem)
            self._do_least()
        elif (intent := thought.result()) is not None:
            self._wait(*intent)
        self.company.fast_forward(self.room)

    def _wait(self, at: Instant, move: Move) -> None:
        self.intent = at, move
        self._alarm = self.room.clock.wake(self.room.live_match.match_clock.server_time(at), lambda: self._ask(move))

    def act(self) -> None:
        """Its time has come."""
        intent = self.intent
        self.rest()
        if intent is not None:
            self._ask(intent[1])

    def _ask(self, move: Move) -> None:
        began = time.perf_counter()
        self._play(move)
        self.company.shares.charge(self.room.owner, time.perf_counter() - began)

    def _play(self, move: Move) -> None:
        self._alarm = self.intent = None
        if self.seat not in played_for(self.room.live_match.head, self.room.live_match.now()):
            # Its person is back, though that is still being written down.
            return
        if self.room.live_match.play_for(self.seat, move) is None:
            # It would ask for the same for ever.
            self._do_least()

    def _do_least(self) -> None:
        if self._failed == self.room.live_match.version:
            return
        self._failed = self.room.live_match.version
        intent = self.company.least(self.room.broadcast.view(self.seat), self.seat, self.room.live_match.now())
        if intent is not None:
            self._wait(*intent)


class BotSeats:
    """All bots of the server."""

    def __init__(
        self, mind: Mind, least: Least, prepare: Callable[[str], None], precompile: Precompile = nothing_to_compile
    ) -> None:
        self.mind = mind
        self.least = least
        self.prepare = prepare
        self.precompile = precompile
        self.loading: dict[str, asyncio.Task[None]] = {}
        self.pool = ThreadPoolExecutor(1, "bots")
        self.shares: BotScheduler[TimedMove | None] = BotScheduler(self.pool)
        self.bots: dict[tuple[Room, SeatNo], BotSeat] = {}
        self._until: dict[Room, Alarm] = {}
        # Where nobody waits for bots: the next jump of the match's clock.
        self._skips: dict[Room, Alarm] = {}
        self._closed = False

    def expect(self, game: str) -> None:
        """Somebody gathers for this game: what its bots have to load is there when they think."""
        if game not in self.loading and not self._closed:
            self.loading[game] = asyncio.get_running_loop().create_task(self._load(game))

    async def _load(self, game: str) -> None:
        try:
            await self.precompile(game)
            await asyncio.to_thread(self.prepare, game)
        except Exception:
            # Its bots will say so again, and do the least.
            log.exception("what bots of %s need cannot be loaded", game)

    def look(self, room: Room) -> None:
        """Something has been told at this table: whoever is played for thinks about it."""
        if self._closed:
            # What was on its way to the log is told to the end, but nobody thinks any more.
            return
        self._cancel_skip(room)
        # Once: whoever's time came between two looks at the clock would be neither played for nor waited for.
        now = room.live_match.now()
        still = (
            room.live_match.ended
            or room.shown.phase == "over"
            or (room.attendance.empty_since is not None and asleep(room, room.attendance.empty_since))
        )
        wanted = {} if still else played_for(room.shown, now)
        for seat, _ in numbered(room.shown.seats):
            bot = self.bots.get((room, seat))
            # Of several houses that serve the table one thinks, which is enough.
            level = wanted.get(seat) if room.replication.primary else None
            if level is None:
                if bot is not None:
                    bot.rest()
                    del self.bots[room, seat]
                continue
            if bot is None:
                bot = self.bots[room, seat] = BotSeat(self, room, seat, level)
            bot.look()
        self._remark(room, wanted)
        self._wait_for_absent(room, now)

    def _remark(self, room: Room, wanted: dict[SeatNo, str]) -> None:
        """The table says who is played for, and how fast its time passes, which pages show without jumps."""
        stand_ins = tuple(seat for seat in wanted if room.shown.seats[seat].bot is None)
        speed = SPEED_UP if fast_forward_of(room.shown) == "speed_up" else 1
        waiting = only_bots(room.shown)
        known = room.broadcast.facts
        if (stand_ins, waiting, speed) != (known.stand_ins, known.only_bots, known.speed):
            room.send_facts(replace(known, stand_ins=stand_ins, only_bots=waiting, speed=speed))

    def fast_forward(self, room: Room) -> None:
        """T7a: once every bot knows what it will do, the clock jumps to the first of it."""
        self._cancel_skip(room)
        live_match, fast_forward = room.live_match, fast_forward_of(room.shown)
        bots = self._bots_of(room)
        if fast_forward is None or not room.replication.primary or live_match.ended or live_match.pending:
            return
        times = [bot.intent[0] for bot in bots if bot.intent is not None]
        times += [] if room.shown.until is None else [room.shown.until]
        if times and not any(bot.thinking for bot in bots):
            now = live_match.now()
            to = max(now, min(times))
            pause = (to - now) // SPEED_UP if fast_forward == "speed_up" else 0
            self._skips[room] = room.clock.wake(Timestamp(room.clock.now() + pause), lambda: self._skip_to(room, to))

    def _skip_to(self, room: Room, to: Instant) -> None:
        self._skips.pop(room, None)
        live_match = room.live_match
        live_match.skip_to(to)
        if live_match.head.until is not None and live_match.head.until <= to:
            # T3: what is due happens first.
            live_match.due()
            return
        for bot in self._bots_of(room):
            if bot.intent is not None and bot.intent[0] <= to:
                bot.act()

    def _cancel_skip(self, room: Room) -> None:
        skip = self._skips.pop(room, None)
        if skip is not None:
            skip.cancel()

    def _bots_of(self, room: Room) -> list[BotSeat]:
        found = [self.bots.get((room, seat)) for seat, _ in numbered(room.shown.seats)]
        return [bot for bot in found if bot is not None]

    def _wait_for_absent(self, room: Room, now: Instant) -> None:
        waiting = self._until.pop(room, None)
        if waiting is not None:
            waiting.cancel()
        times = [] if room.live_match.ended else [at for at in takeovers(room.shown).values() if at > now]
        if times and room.match is not None:
            self._until[room] = room.clock.wake(
                room.live_match.match_clock.server_time(min(times)), lambda: self.look(room)
            )

    def close(self) -> None:
        self._closed = True
        for loading in self.loading.values():
            loading.cancel()
        for alarm in (*self._until.values(), *self._skips.values()):
            alarm.cancel()
        for bot in self.bots.values():
            bot.rest()
        self.bots.clear()
        self.shares.close()
        self.pool.shutdown(wait=False, cancel_futures=True)


def asleep(room: Room, empty_since: Timestamp) -> bool:
    return room.clock.now() - empty_since >= ASLEEP_AFTER


def played_for(table: Table, now: Instant) -> dict[SeatNo, str]:
    """Which seats a bot plays now, by its level."""
    own = {number: seat.bot for number, seat in numbered(table.seats) if seat.bot is not None and not seat.gone}
    return own | {number: STAND_IN for number, at in takeovers(table).items() if at <= now}


def takeovers(table: Table) -> dict[SeatNo, Instant]:
    """T7: who is away in a running round, and from when on a bot plays for them: also since before it started."""
    takeover = Millis(table.options.takeover_s * 1000)
    # C1: no bot sees what lies on paper.
    if not takeover or table.options.companion or table.phase not in ("play", "grab", "enter") or len(table.seats) == 1:
        return {}
    return {
        number: Instant(seat.away + takeover)
        for number, seat in numbered(table.seats)
        if seat.away is not None and seat.bot is None and not seat.gone and not seat.present
    }
