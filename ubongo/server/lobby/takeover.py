"""Which seats a bot plays: its own, and those of players who have been away for the option `takeover_s` (T7)."""

from __future__ import annotations

from ubongo.table import Instant, Millis, SeatNo, Table, numbered

STAND_IN_LEVEL = "medium"


def bot_levels(table: Table, now: Instant) -> dict[SeatNo, str]:
    """The seats that a bot plays now, with its level."""
    own = {number: seat.bot for number, seat in numbered(table.seats) if seat.bot is not None and not seat.gone}
    return own | {number: STAND_IN_LEVEL for number, at in takeovers(table).items() if at <= now}


def takeovers(table: Table) -> dict[SeatNo, Instant]:
    """T7: the players who are away in a running round, and when a bot takes over. Time before the round counts."""
    takeover = Millis(table.options.takeover_s * 1000)
    # C1: no bot sees what lies on paper.
    if not takeover or table.options.companion or table.phase not in ("play", "grab", "enter") or len(table.seats) == 1:
        return {}
    return {
        number: Instant(seat.away + takeover)
        for number, seat in numbered(table.seats)
        if seat.away is not None and seat.bot is None and not seat.gone and not seat.present
    }
