"""One seat that a bot plays: it sees what the seat sees, thinks in a thread, and asks for moves as a player does."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable
from functools import partial
from hashlib import sha256

from ubongo.moves import Move
from ubongo.server.clock import Alarm
from ubongo.server.lobby.bot_minds import BotMinds, TimedMove
from ubongo.server.lobby.takeover import bot_levels
from ubongo.server.tables.room import Room
from ubongo.table import Instant, SeatNo

log = logging.getLogger("ubongo.server.lobby.bot_seat")


class BotSeat:
    """`intent` is the move that the bot is about to make. `on_decision` is called when it has finished thinking.

    What a bot thinks is not stored: after a restart it comes to the same move.
    """

    __slots__ = (
        "_alarm",
        "_failed_version",
        "_live_match",
        "_minds",
        "_on_decision",
        "_retired",
        "_seen_version",
        "intent",
        "level",
        "room",
        "seat",
        "seed",
        "thinking",
    )

    def __init__(
        self, minds: BotMinds, room: Room, seat: SeatNo, level: str, on_decision: Callable[[Room], None]
    ) -> None:
        assert room.match is not None
        self._minds = minds
        self._live_match = room.live_match
        self._on_decision = on_decision
        self.room = room
        self.seat = seat
        self.level = level
        # Hashed, so that nothing of the table's seed can be found out from it.
        self.seed = sha256(f"bot {seat} {room.match.chance.seed}".encode()).hexdigest()
        self.intent: TimedMove | None = None
        self.thinking = False
        self._alarm: Alarm | None = None
        self._retired = False
        # The version of the match that it thinks about, and the one at which it last failed.
        self._seen_version = -1
        self._failed_version = -1

    def look(self) -> None:
        """The table has changed, so the bot thinks about it."""
        self.rest()
        if self.thinking:
            return
        self.thinking = True
        loading = self._minds.loading.get(self.room.shown.game)
        if loading is not None and not loading.done():
            # Not in the thread where bots think: those of other games need not wait.
            loading.add_done_callback(self._look_again)
            return
        self._minds.scheduler.think(self.room.owner, self._begin).add_done_callback(self._decide)

    def rest(self) -> None:
        """Drops the move that it was about to make."""
        self.intent = None
        if self._alarm is not None:
            self._alarm.cancel()
            self._alarm = None

    def retire(self) -> None:
        """The bot no longer plays this seat."""
        self.rest()
        self._retired = True

    def act(self) -> None:
        """Makes the intended move now."""
        intent = self.intent
        self.rest()
        if intent is not None:
            self._request(intent[1])

    def _look_again(self, _: asyncio.Task[None]) -> None:
        self.thinking = False
        if not self._retired:
            self.look()

    def _begin(self) -> Callable[[], TimedMove | None] | None:
        """The scheduler calls this when it is the bot's turn to think."""
        self._seen_version = self._live_match.version
        if self._retired:
            return None
        view, now = self.room.broadcast.view(self.seat), self._live_match.now()
        return partial(self._minds.mind, view, self.seat, self.level, self.seed, now)

    def _decide(self, thought: asyncio.Future[TimedMove | None]) -> None:
        self.thinking = False
        if thought.cancelled() or self._retired:
            return
        if self._live_match.version != self._seen_version:
            self.look()
            return
        problem = thought.exception()
        if problem is not None:
            log.error("a bot of %s has failed", self.room.shown.game, exc_info=problem)
            self._do_least()
        elif (intent := thought.result()) is not None:
            self._intend(*intent)
        self._on_decision(self.room)

    def _intend(self, at: Instant, move: Move) -> None:
        self.intent = at, move
        self._alarm = self.room.clock.wake(self._live_match.match_clock.server_time(at), lambda: self._request(move))

    def _request(self, move: Move) -> None:
        began = time.perf_counter()
        self._play(move)
        self._minds.scheduler.charge(self.room.owner, time.perf_counter() - began)

    def _play(self, move: Move) -> None:
        self._alarm = self.intent = None
        if self.seat not in bot_levels(self._live_match.head, self._live_match.now()):
            # The player is back, though that is not recorded yet.
            return
        if self._live_match.play_for(self.seat, move) is None:
            # The move was refused, and the bot would ask for the same again and again.
            self._do_least()

    def _do_least(self) -> None:
        if self._failed_version == self._live_match.version:
            return
        self._failed_version = self._live_match.version
        intent = self._minds.least(self.room.broadcast.view(self.seat), self.seat, self._live_match.now())
        if intent is not None:
            self._intend(*intent)
