"""Bots at a table on a virtual clock: who moves next, and what if a bot fails."""

from __future__ import annotations

from collections.abc import Sequence

from ubongo.bots.pace import Level
from ubongo.bots.plan import Intent
from ubongo.bots.player import next_move
from ubongo.moves import Grab, Move, Pass, Ready, Refused, Stop, Throw
from ubongo.table import Instant, SeatNo, Table
from ubongo.veil import veil
from ubongo.virtual import Happened, VirtualTable


class Bots:
    """Every seat of a table, by its level. `luck` is theirs: each has a part of its own, and none of the table's."""

    def __init__(self, match: VirtualTable, levels: Sequence[Level], luck: str) -> None:
        self.match = match
        self.levels = levels
        self.lucks = [f"{luck} {seat}" for seat in range(len(levels))]
        self.failed: set[SeatNo] = set()

    def step(self) -> list[Happened]:
        """What happens next, with the match's clock moved on to it."""
        match = self.match
        intents = [(*intent, seat) for seat in range(len(self.levels)) if (intent := self.intent(seat)) is not None]
        first = min(intents, key=lambda intent: intent[0], default=None)
        until = match.table.until
        if until is not None and (first is None or until <= first[0]):
            return match.pass_to(until)
        assert first is not None, f"nobody at this table of {match.game.NAME} does anything any more"
        at, move, seat = first
        before = match.table
        try:
            happened = match.ask(seat, move, max(at, match.now))
        except Refused:
            happened = []
        if match.table is before:
            # It would ask for the same for ever.
            self.failed.add(seat)
        elif self.failed:
            self.failed.clear()
        return happened

    def intent(self, seat: SeatNo) -> Intent | None:
        """A bot that fails is passed over: no table waits for it longer than the rules need it to."""
        table, now = self.match.table, self.match.now
        seen = veil(table, seat)
        if seat not in self.failed:
            try:
                return next_move(seen, seat, self.levels[seat], self.lucks[seat], now)
            except Exception:  # noqa: BLE001 - whatever a bot fails by, its table goes on
                self.failed.add(seat)
        return least(seen, seat, now)

    def play(self) -> None:
        while self.match.table.phase != "over":
            self.step()


def least(table: Table, seat: SeatNo, now: Instant) -> Intent | None:
    """What keeps a table going if nothing else comes to mind; as little as the rules let a seat do."""
    move = _least(table, seat)
    return None if move is None else (now, move)


def _least(table: Table, seat: SeatNo) -> Move | None:
    me = table.seats[seat]
    match table.phase:
        case "ready" if not me.ready:
            return Ready()
        case "throw" if table.roller == seat:
            return Throw()
        case "grab":
            return next((Grab(i) for i, die in enumerate(table.dice) if _may_take(table, seat, i, die.taken)), None)
        case "enter" if not me.passed:
            return Pass()
        case "play" if me.called is None and not me.stop and table.glass is None:
            return Stop()
    return None


def _may_take(table: Table, seat: SeatNo, number: int, taken: SeatNo | None) -> bool:
    colour = table.dice[number].colour
    return taken is None and all(die.taken != seat or die.colour != colour for die in table.dice)
