"""Events without a player's move: the first deal, what is due, and the time that players get after an interruption.

The functions change nothing: they return the table afterwards and what has happened.
"""

from __future__ import annotations

from ubongo.events import ClockWrong, Resumed
from ubongo.evolve import evolve
from ubongo.game import Happenings, run_until_quiet, settle
from ubongo.server.tables.match import Match
from ubongo.server.tables.match_clock import MatchClock
from ubongo.table import Instant, Millis, Table

# After a restart nothing runs out sooner than this, however long the server was down.
GRACE = Millis(10_000)


def first_events(match: Match, clock_wrong: bool) -> tuple[Table, Happenings]:
    """The first deal. `clock_wrong`: the server's clock was known to be wrong when the match started."""
    table, happened = match.opening, Happenings()
    if clock_wrong:
        happened.append((Instant(0), ClockWrong()))
        table = evolve(table, ClockWrong())
    return run_until_quiet(match.game, table, Instant(0), match.chance, happened), happened


def due_events(match: Match, table: Table, version: int, now: Instant) -> tuple[Table, Happenings]:
    happened: Happenings = []
    table = settle(match.game, table, now, match.chance, happened)
    if version == 0:
        # The first deal could not be written.
        table = run_until_quiet(match.game, table, now, match.chance, happened)
    return table, happened


def resumption_events(match: Match, table: Table, version: int, clock: MatchClock) -> tuple[Table, Happenings]:
    """No server has served this match for a while. Its time has passed, but nothing runs out at once."""
    now, happened = clock.now(), Happenings()
    if behind := clock.behind:
        # Without this the match would stand still until the clock has caught up.
        wrong = ClockWrong(behind)
        happened.append((now, wrong))
        table = evolve(table, wrong)
    stood = now - clock.last if table.limit is None else max(0, now + GRACE - table.limit)
    resumed = Resumed(Instant(now + GRACE), Millis(stood))
    happened.append((now, resumed))
    table = evolve(table, resumed)
    if version == 0:
        # The server went down before it wrote the first deal.
        table = run_until_quiet(match.game, table, now, match.chance, happened)
    return table, happened
