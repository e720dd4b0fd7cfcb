"""A run of tasks: when it began, when it ends, and what follows a task."""

from __future__ import annotations

from collections.abc import Sequence

from ubongo.chance import Chance
from ubongo.events import AnyEvent, MatchClosed, RoundClosed, Scored
from ubongo.game import SECOND, Events, count_in
from ubongo.games.solo.options import options_of
from ubongo.games.solo.tasks import ONLY_SEAT
from ubongo.moves import Refused
from ubongo.table import Instant, Millis, Places, Table

STANDING: Places = ((ONLY_SEAT,),)


def ends(table: Table, now: Instant) -> Instant | None:
    """Q22: when the clock runs out; it started with the first task."""
    options = options_of(table)
    began = now if table.began is None else table.began
    return Instant(began + options.minutes * 60 * SECOND) if options.mode == "clock" else None


def count_in_first(table: Table, now: Instant) -> Events:
    """T2a: before the first task only; not in practice, where no time is taken."""
    counted = table.began is None and options_of(table).mode != "practice"
    return count_in(table, now) if counted else ()


def solved(table: Table) -> int:
    return sum(table.seats[ONLY_SEAT].points)


def enough(table: Table, points: int) -> bool:
    """Q23, S3: whether the run is over after these points; a day has one task, practice never ends."""
    options = options_of(table)
    wanted = {"count": options.tasks, "day": 1}.get(options.mode)
    return wanted is not None and solved(table) + points >= wanted


def scored(table: Table, points: int) -> list[AnyEvent]:
    """Points are 1 for a task solved, 0 for one set aside."""
    return [Scored(ONLY_SEAT, points), RoundClosed(table.round)]


def closed(table: Table, points: int, now: Instant, chance: Chance) -> MatchClosed:
    """`took` is the result of modes `count` and `day`, the total that of mode `clock`."""
    assert table.began is not None
    return MatchClosed(STANDING, (solved(table) + points,), chance.seed, Millis(now - table.began))


def time_is_up(table: Table, now: Instant, chance: Chance) -> Sequence[AnyEvent]:
    """Q22: the clock has run out. An unfinished task does not count."""
    return (RoundClosed(table.round), closed(table, 0, now, chance))


def refuse_unless_another_comes(table: Table) -> None:
    """S3: a day has one task."""
    if options_of(table).mode == "day":
        raise Refused("one_a_day")
