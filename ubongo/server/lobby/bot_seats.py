"""The bots of all tables: which seats they play, when they sleep, and how far a match's clock jumps ahead for them.

Bots sleep after a minute without connections. If several servers have a table open, the primary runs its bots.
"""

from __future__ import annotations

from msgspec.structs import replace

from ubongo.fast_forward import fast_forward_of, only_bots
from ubongo.server.clock import Alarm, Timestamp
from ubongo.server.lobby.bot_minds import BotMinds
from ubongo.server.lobby.bot_seat import BotSeat
from ubongo.server.lobby.takeover import bot_levels, takeovers
from ubongo.server.tables.room import Room
from ubongo.table import Instant, Millis, SeatNo, numbered

# What `speed_up` multiplies the speed of bots by.
SPEED_UP = 8
# Bots sleep after nobody has been connected for this long.
ASLEEP_AFTER = Millis(60_000)


class BotSeats:
    """Implements `BotPlayers` for the lobby."""

    def __init__(self, minds: BotMinds) -> None:
        self.minds = minds
        self.bots: dict[tuple[Room, SeatNo], BotSeat] = {}
        # The next time at which a bot takes over for a player who is away.
        self._takeovers: dict[Room, Alarm] = {}
        # The next jump of the match's clock, where nobody wants to wait for bots.
        self._skips: dict[Room, Alarm] = {}
        self._closed = False

    def expect(self, game: str) -> None:
        """A table for this game is open: its bots' code is loaded before they have to think."""
        if not self._closed:
            self.minds.load(game)

    def tidy(self) -> None:
        self.minds.scheduler.tidy()

    def look(self, room: Room) -> None:
        """The table has changed: bots take or leave seats there, and think."""
        if self._closed:
            # While the server stops, pending appends are still broadcast, but no bot thinks any more.
            return
        self._cancel_skip(room)
        # Read once: a takeover between two readings would be neither begun nor waited for.
        now = room.live_match.now()
        levels = {} if self._sleeps(room) else bot_levels(room.shown, now)
        for seat, _ in numbered(room.shown.seats):
            bot = self.bots.get((room, seat))
            level = levels.get(seat) if room.replication.primary else None
            if level is None:
                if bot is not None:
                    bot.retire()
                    del self.bots[room, seat]
                continue
            if bot is None:
                bot = self.bots[room, seat] = BotSeat(self.minds, room, seat, level, self._fast_forward)
            bot.look()
        self._send_facts(room, levels)
        self._wait_for_takeover(room, now)

    def _sleeps(self, room: Room) -> bool:
        empty_since = room.attendance.empty_since
        return (
            room.live_match.ended
            or room.shown.phase == "over"
            or (empty_since is not None and room.clock.now() - empty_since >= ASLEEP_AFTER)
        )

    def _send_facts(self, room: Room, levels: dict[SeatNo, str]) -> None:
        """Tells clients which players have a stand-in, and how fast the clock runs, so that it runs without jumps."""
        stand_ins = tuple(seat for seat in levels if room.shown.seats[seat].bot is None)
        speed = SPEED_UP if fast_forward_of(room.shown) == "speed_up" else 1
        waiting = only_bots(room.shown)
        facts = room.broadcast.facts
        if (stand_ins, waiting, speed) != (facts.stand_ins, facts.only_bots, facts.speed):
            room.send_facts(replace(facts, stand_ins=stand_ins, only_bots=waiting, speed=speed))

    def _wait_for_takeover(self, room: Room, now: Instant) -> None:
        waiting = self._takeovers.pop(room, None)
        if waiting is not None:
            waiting.cancel()
        times = [] if room.live_match.ended else [at for at in takeovers(room.shown).values() if at > now]
        if times and room.match is not None:
            at = room.live_match.match_clock.server_time(min(times))
            self._takeovers[room] = room.clock.wake(at, lambda: self.look(room))

    # Fast forward (T7a)

    def _fast_forward(self, room: Room) -> None:
        """Once every bot has decided, the match's clock jumps to the first of their moves."""
        self._cancel_skip(room)
        live_match, fast_forward = room.live_match, fast_forward_of(room.shown)
        if fast_forward is None or not room.replication.primary or live_match.ended or live_match.pending:
            return
        bots = self._bots_of(room)
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

    def close(self) -> None:
        self._closed = True
        for alarm in (*self._takeovers.values(), *self._skips.values()):
            alarm.cancel()
        for bot in self.bots.values():
            bot.retire()
        self.bots.clear()
        self.minds.close()
