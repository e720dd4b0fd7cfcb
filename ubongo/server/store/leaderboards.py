"""Queries that rank runs: the best ones, somebody's place, and how a day's runs are distributed."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from ubongo.server.clock import Timestamp
from ubongo.server.store import Log
from ubongo.server.store.entities import Player
from ubongo.server.store.results import MatchResult, result_of

# Each run with its rank among its player's runs. Every run of a forgotten guest counts as a player of its own.
_RUNS = """
    select * from (
        select results.*, row_number() over (
            partition by coalesce(player, cast(match as text)) order by first, second, match
        ) as nth
        from results where scored = 1 and kind = ? and edition = ? and day = ? and ended >= ?
    ) as runs
"""
_AHEAD = """
    select count(distinct coalesce(player, cast(match as text))) from results
    where scored = 1 and kind = ? and edition = ? and day = ? and ended >= ?
    and (first < ? or (first = ? and second < ?)) and (player is null or player <> ?)
"""
_ORDER = "order by first, second, match"
_PEOPLE = """
    select count(distinct coalesce(player, cast(match as text))) from results
    where scored = 1 and kind = ? and edition = ? and day = ? and ended >= ?
"""
# Every player has one run of a day that counts, so these count nobody twice.
_OF_DAY = "from results where scored = 1 and kind = ? and edition = ? and day = ? and ended >= ?"
_BEHIND = f"select count(*) {_OF_DAY} and (first > ? or (first = ? and second > ?))"
_NTH = f"select first {_OF_DAY} order by first limit 1 offset ?"
_COLUMNS = f"select case when first >= ? then ? else (first - ?) / ? end as bin, count(*) {_OF_DAY} group by bin"


class Leaderboard(Struct, frozen=True):
    """Which runs are compared: of a kind, on an edition, of a day (or none), and since when."""

    kind: str
    edition: str
    day: str = ""
    since: Timestamp = Timestamp(0)


class Leaderboards:
    def __init__(self, log: Log) -> None:
        self._log = log

    async def best(self, board: Leaderboard, most: int) -> list[MatchResult]:
        """Every player's best run, the best players first."""
        return await self._read(f"{_RUNS} where nth = 1 {_ORDER} limit ?", (*_values(board), most))

    async def best_of(self, board: Leaderboard, player: Player, besides: int = 0) -> MatchResult | None:
        """That player's best run, if there is one; `besides` leaves a match out."""
        own = f"{_RUNS} where player = ? and match <> ? {_ORDER} limit 1"
        return next(iter(await self._read(own, (*_values(board), player, besides))), None)

    async def runs_of(self, board: Leaderboard, player: Player, most: int) -> list[MatchResult]:
        return await self._read(f"{_RUNS} where player = ? {_ORDER} limit ?", (*_values(board), player, most))

    async def place(self, board: Leaderboard, first: int, second: int, player: Player | None) -> int:
        """1 plus the number of other players with a better best run."""
        [[better]] = await self._log.read(_AHEAD, (*_values(board), first, first, second, player or ""))
        return int(better) + 1

    async def people(self, board: Leaderboard) -> int:
        """How many players are on the leaderboard."""
        [[number]] = await self._log.read(_PEOPLE, _values(board))
        return int(number)

    async def behind(self, board: Leaderboard, first: int, second: int) -> int:
        """How many runs of a day were slower."""
        [[number]] = await self._log.read(_BEHIND, (*_values(board), first, first, second))
        return int(number)

    async def nth(self, board: Leaderboard, number: int) -> int:
        """The n-th best value of a day, from 0 on: time, or rounds with dice."""
        [[first]] = await self._log.read(_NTH, (*_values(board), number))
        return int(first)

    async def columns(self, board: Leaderboard, start: int, width: int, most: int) -> list[int]:
        """A histogram of a day; the last column has all the rest."""
        last = most - 1
        rows = await self._log.read(_COLUMNS, (start + last * width, last, start, width, *_values(board)))
        found = dict(rows)
        return [found.get(column, 0) for column in range(max(found) + 1)]

    async def _read(self, statement: str, values: tuple[Any, ...]) -> list[MatchResult]:
        return [result_of(row) for row in await self._log.read(statement, values)]


def _values(board: Leaderboard) -> tuple[str, str, str, Timestamp]:
    return (board.kind, board.edition, board.day, board.since)
