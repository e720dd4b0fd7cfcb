"""Streaks: days in a row on which a player has solved a daily puzzle."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, timedelta

from msgspec import Struct

from ubongo.server.store.entities import Player
from ubongo.server.store.player_results import PlayerResults

# A calendar shows twelve weeks, and the rest of the first one.
CALENDAR_DAYS = 90


class DayCount(Struct, frozen=True):
    """How many of a day's puzzles the player solved in attempts that count."""

    day: str
    solved: int


class Calendar(Struct, frozen=True):
    """The current streak, the longest one, and the days of the last weeks with a solved puzzle."""

    today: str
    streak: int
    longest: int
    days: Sequence[DayCount]


async def calendar_of(player_results: PlayerResults, player: Player, today: str) -> Calendar:
    days = await player_results.days_of(player)
    since = date.fromisoformat(today) - timedelta(CALENDAR_DAYS)
    counts = await player_results.number_by_day(player, since.isoformat())
    return Calendar(today, streak(days, today), longest(days), [DayCount(*one) for one in counts])


def streak(days: Sequence[str], today: str) -> int:
    """The current streak. If today's puzzle is not solved yet, it ends yesterday.

    >>> streak(["2026-11-14", "2026-11-13", "2026-11-11"], "2026-11-15")
    2
    """
    solved = set(days)
    day = date.fromisoformat(today)
    if today not in solved:
        day -= timedelta(1)
    number = 0
    while day.isoformat() in solved:
        number, day = number + 1, day - timedelta(1)
    return number


def longest(days: Sequence[str]) -> int:
    """The longest streak ever.

    >>> longest(["2026-11-14", "2026-11-13", "2026-11-11"])
    2
    """
    found = number = 0
    before: date | None = None
    for day in sorted(map(date.fromisoformat, set(days))):
        number = number + 1 if before is not None and day - before == timedelta(1) else 1
        found, before = max(found, number), day
    return found
