"""The least move of a seat, for bots that crash: their table waits no longer than the rules require."""

from __future__ import annotations

from ubongo.bots.plan import Intent, stands_in
from ubongo.moves import Grab, Move, Pass, Ready, Stop, Throw
from ubongo.table import Instant, SeatNo, Table


def least(table: Table, seat: SeatNo, now: Instant) -> Intent | None:
    """The move that keeps the table going and does as little as the rules allow."""
    move = _least(table, seat)
    return None if move is None else (now, move)


def _least(table: Table, seat: SeatNo) -> Move | None:
    me = table.seats[seat]
    match table.phase:
        case "ready" if not me.ready:
            return Ready()
        case "throw" if table.roller == seat:
            return Throw()
        # Without an hourglass an end can be agreed on (K17, W17, X15); a crashed bot does not prevent it.
        case "play" | "grab" | "enter" if not me.stop and table.glass is None and not stands_in(me):
            return Stop()
        case "grab":
            return next((Grab(number) for number in range(len(table.dice)) if _may_take(table, seat, number)), None)
        case "enter" if not me.passed:
            return Pass()
    return None


def _may_take(table: Table, seat: SeatNo, number: int) -> bool:
    wanted = table.dice[number]
    return wanted.taken is None and all(die.taken != seat or die.colour != wanted.colour for die in table.dice)
