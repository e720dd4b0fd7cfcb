"""Queries about one player: past matches, tallies, solved tasks, days."""

from __future__ import annotations

from msgspec import Struct

from ubongo.match_file import Bot, read_opening
from ubongo.server.clock import Timestamp
from ubongo.server.store import Log
from ubongo.server.store.entities import Key, Player
from ubongo.server.store.results import MatchResult, Solve, result_of

_MATCHES_OF = """
    select results.*, m.table_key, coalesce(m.opening, a.opening), coalesce(m.started, a.started)
    from results left join matches m on m.match = results.match left join archive a on a.match = results.match
    where player = ? and (results.ended, results.match) < (?, ?) {which}
    order by results.ended desc, results.match desc limit ?
"""
_WHICH = {"all": "", "matches": "and kind = ''", "runs": "and kind <> '' and day = ''", "days": "and day <> ''"}
_KINDS = "select distinct kind, edition from results where player = ? and scored = 1 and day = '' order by 1, 2"
_TALLY = """
    select game, count(*), sum(case when place = 1 then 1 else 0 end) from results
    where player = ? and seats > 1 group by game order by game
"""
_SOLVES = "select * from solves where player = ? order by ended desc, match desc limit ?"
_DAYS = "select distinct day from results where player = ? and day <> '' and scored = 1 order by day desc"
_NUMBER_BY_DAY = """
    select day, count(*) from results where player = ? and day >= ? and scored = 1 group by day order by day
"""


class PastMatch(Struct, frozen=True):
    """A player's result and its match. `table` is None once the match has been archived."""

    result: MatchResult
    table: Key | None
    seats: tuple[str | Bot, ...]
    started: Timestamp


class PlayerResults:
    def __init__(self, log: Log) -> None:
        self._log = log

    async def matches_of(self, player: Player, which: str, before: tuple[Timestamp, int], most: int) -> list[PastMatch]:
        """The newest first."""
        found = []
        for *row, table, opening, started in await self._log.read(
            _MATCHES_OF.format(which=_WHICH[which]), (player, *before, most)
        ):
            seats = () if opening is None else read_opening(opening).seats
            found.append(PastMatch(result_of(row), table, seats, Timestamp(started or 0)))
        return found

    async def kinds_of(self, player: Player) -> list[tuple[str, str]]:
        """The kinds and editions of which that player has records, without puzzles of the day."""
        return [(kind, edition) for kind, edition in await self._log.read(_KINDS, (player,))]

    async def tally_of(self, player: Player) -> list[tuple[str, int, int]]:
        """By game: matches of several players, and how many were won."""
        return [(game, matches, wins) for game, matches, wins in await self._log.read(_TALLY, (player,))]

    async def number_of_runs(self, player: Player) -> int:
        [[number]] = await self._log.read("select count(*) from results where player = ? and kind <> ''", (player,))
        return int(number)

    async def solves_of(self, player: Player, most: int) -> list[Solve]:
        """The newest first."""
        return [Solve(*row) for row in await self._log.read(_SOLVES, (player, most))]

    async def days_of(self, player: Player) -> list[str]:
        """Days on which that player solved a puzzle of the day in a try that counts, newest first."""
        return [day for (day,) in await self._log.read(_DAYS, (player,))]

    async def number_by_day(self, player: Player, since: str) -> list[tuple[str, int]]:
        """How many puzzles of each day that player solved in tries that count."""
        return [(day, number) for day, number in await self._log.read(_NUMBER_BY_DAY, (player, since))]

    async def of_day(self, player: Player, day: str) -> list[MatchResult]:
        """The results of that player's tries of a day that count."""
        rows = await self._log.read("select * from results where player = ? and day = ? and scored = 1", (player, day))
        return [result_of(row) for row in rows]
