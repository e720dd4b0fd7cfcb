"""Bots at a table on a virtual clock: which of them moves next, and what happens if one crashes."""

from __future__ import annotations

import traceback
from collections.abc import Sequence

from msgspec import Struct

from ubongo.bots.least import least
from ubongo.bots.pace import Level
from ubongo.bots.plan import Intent
from ubongo.bots.player import next_move
from ubongo.match_file import EventLine
from ubongo.moves import Move, Refused
from ubongo.table import Instant, SeatNo
from ubongo.veil import veil
from ubongo.virtual import VirtualTable


class Upcoming(Struct, frozen=True):
    """The next move of a seat; without a seat, what happens by itself."""

    at: Instant
    seat: SeatNo | None = None
    move: Move | None = None


class BotCrash(Struct, frozen=True):
    """An exception of a bot. The table goes on with the least move, so nothing else shows that it happened."""

    seat: SeatNo
    traceback: str


class Bots:
    """The bots of all seats, by their levels. `luck`: the seed of their own luck, independent of the table's."""

    def __init__(self, match: VirtualTable, levels: Sequence[Level], luck: str) -> None:
        self.match = match
        self.levels = levels
        self.lucks = [f"{luck} {seat}" for seat in range(len(levels))]
        # The bots that make only the least moves until the table changes.
        self.failed: set[SeatNo] = set()
        self.crashes: list[BotCrash] = []

    def upcoming(self) -> Upcoming:
        """What happens next; of several things at the same time first what is due by itself (T3)."""
        table = self.match.table
        intents = [
            (*intent, seat) for seat in range(len(self.levels)) if (intent := self.intent(SeatNo(seat))) is not None
        ]
        first = min(intents, key=lambda intent: intent[0], default=None)
        if table.until is not None and (first is None or table.until <= first[0]):
            return Upcoming(table.until)
        assert first is not None, f"nobody at this table of {self.match.game.NAME} does anything any more"
        at, move, seat = first
        return Upcoming(max(at, self.match.now), SeatNo(seat), move)

    def let_happen(self, upcoming: Upcoming) -> list[EventLine]:
        """Advances the match's clock to it, and returns what happened."""
        if upcoming.seat is None or upcoming.move is None:
            return self.match.pass_to(upcoming.at)
        before = self.match.table
        try:
            happened = self.match.ask(upcoming.seat, upcoming.move, upcoming.at)
        except Refused:
            happened = []
        if self.match.table is before:
            # It would repeat the same move for ever.
            self.failed.add(upcoming.seat)
        elif self.failed:
            self.failed.clear()
        return happened

    def intent(self, seat: SeatNo) -> Intent | None:
        """The next move of a seat. A bot that has crashed makes the least one, so that its table goes on."""
        table, now = self.match.table, self.match.now
        seen = veil(table, seat)
        if seat not in self.failed:
            try:
                return next_move(seen, seat, self.levels[seat], self.lucks[seat], now)
            except Exception:  # noqa: BLE001 - the match goes on; `simulate` and `watch` report the crash
                self.crashes.append(BotCrash(seat, traceback.format_exc()))
                self.failed.add(seat)
        return least(seen, seat, now)

    def play(self) -> None:
        while self.match.table.phase != "over":
            self.let_happen(self.upcoming())
