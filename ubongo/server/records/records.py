"""Records: results and leaderboards, derived from the logs of finished matches. They can be rebuilt at any time."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Callable, Sequence
from functools import partial
from zlib import decompress

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from ubongo.game import BadOptions
from ubongo.games.solo.options import SoloOptions
from ubongo.match_file import read_events
from ubongo.material import BadEdition, shipped
from ubongo.server.clock import Timestamp
from ubongo.server.records.match_results import History, encode_kind, kind_of, results_of, solves_of
from ubongo.server.store import Log, Row, Unreadable, VersionConflict
from ubongo.server.store.damage import UNDECODABLE
from ubongo.server.store.entities import Player, StoredMatch, decoded
from ubongo.server.store.leaderboards import Leaderboard, Leaderboards
from ubongo.server.store.lobby_store import LobbyStore
from ubongo.server.store.player_results import PlayerResults
from ubongo.server.store.results import MatchResult, ResultStore, Solve
from ubongo.server.tables.stored_match import Damaged, contiguous_rows, undamaged
from ubongo.server.tables.table_setup import TableSetup
from ubongo.table import Millis

WEEK = Millis(7 * 24 * 3600 * 1000)
LEADERBOARD_SIZE = 10
# Enough points for a plot.
MOST_SOLVES = 1000

log = logging.getLogger("ubongo.server.records.records")

MatchTally = tuple[list[MatchResult], list[Solve]]


class RunReport(Struct, frozen=True):
    """A run's result for its player: the best one before, whether it is a new record, and its places."""

    result: MatchResult
    before: MatchResult | None
    record: bool
    place: int | None
    place_of_week: int | None


class Records:
    """Reads logs and stores results. Every match is counted once."""

    def __init__(self, log: Log) -> None:
        self.store = LobbyStore(log)
        self.results = ResultStore(log)
        self.leaderboards = Leaderboards(log)
        self.player_results = PlayerResults(log)
        # Matches that cannot be counted: their edition is missing, their log is damaged, or we have a bug.
        self._skipped: set[int] = set()
        # Held while matches are counted, so that none is counted twice.
        self._lock = asyncio.Lock()

    async def catch_up(self, archived: bool = False) -> None:
        """Counts all matches that are over and not counted yet; with `archived` those in the archive too."""
        async with self._lock:
            # One match in memory at a time: there may be very many, and each may be very long.
            for played in [one for one in await self.results.untallied() if one.match not in self._skipped]:
                try:
                    await self._tally(played, await self.store.history(played))
                except (Damaged, Unreadable) as problem:
                    log.warning("match %d cannot be counted: %s", played.match, problem)
                    self._skipped.add(played.match)
            if archived:
                async for old in self.results.untallied_archived():
                    tally = await self._count(old.played, old.players, partial(events_in_archive, old.lines))
                    if tally is not None:
                        with contextlib.suppress(VersionConflict):
                            await self.results.add(old.played.match, *tally)

    async def tally(self, played: StoredMatch) -> None:
        """Counts this match now, for a client that waits for its result."""
        async with self._lock:
            if not await self.results.is_tallied(played.match):
                await self._tally(played, await self.store.history(played))

    async def rebuild(self) -> None:
        """Deletes all results and counts every match again."""
        await self.results.clear()
        await self.catch_up(archived=True)

    async def _tally(self, played: StoredMatch, rows: Sequence[Row]) -> None:
        """Counts a match, and again if a player was erased meanwhile: their name must not come back."""
        while (setup := await self.results.players_of(played.match)) is not None:
            with decoded("a table"):
                players = msgspec.json.decode(setup.body, type=TableSetup).holders()
            tally = await self._count(replace(played, opening=setup.opening), players, partial(events_in, rows))
            if tally is None:
                return
            with contextlib.suppress(VersionConflict):
                await self.results.add(played.match, *tally, setup)
            if await self.results.is_tallied(played.match):
                return

    async def _count(
        self, played: StoredMatch, players: Sequence[Player | None], history: Callable[[], History]
    ) -> MatchTally | None:
        try:
            return await asyncio.to_thread(lambda: count_match(played, players, history()))
        except (BadOptions, BadEdition, Damaged, *UNDECODABLE) as problem:
            log.warning("match %d cannot be counted: %s", played.match, problem)
        except Exception:
            # A bug of ours stops one match, and no other.
            log.exception("match %d cannot be counted because of a bug", played.match)
        self._skipped.add(played.match)
        return None

    # Looking

    def board(self, options: SoloOptions, since: Timestamp = Timestamp(0)) -> Leaderboard:
        """The leaderboard for runs with these options."""
        edition = options.edition or shipped(options.of).id
        return Leaderboard(encode_kind(kind_of(options)), edition, options.day, since)

    async def report(self, result: MatchResult, now: Timestamp) -> RunReport:
        board = Leaderboard(result.kind, result.edition, result.day)
        before = (
            None
            if result.player is None
            else await self.leaderboards.best_of(board, result.player, besides=result.match)
        )
        record = result.scored and (before is None or order(result) < order(before))
        if not result.scored:
            return RunReport(result, before, record, None, None)
        week = Leaderboard(board.kind, board.edition, board.day, Timestamp(now - WEEK))
        return RunReport(result, before, record, await self.place(board, result), await self.place(week, result))

    async def place(self, board: Leaderboard, result: MatchResult) -> int:
        return await self.leaderboards.place(board, result.first, result.second, result.player)

    async def bests(self, player: Player) -> list[MatchResult]:
        """A player's best run of each kind, without daily puzzles."""
        kinds = await self.player_results.kinds_of(player)
        found = [await self.leaderboards.best_of(Leaderboard(kind, edition), player) for kind, edition in kinds]
        return [one for one in found if one is not None]

    async def solves(self, player: Player) -> list[Solve]:
        return await self.player_results.solves_of(player, MOST_SOLVES)


def count_match(played: StoredMatch, players: Sequence[Player | None], history: History) -> MatchTally:
    return list(results_of(played, players, history)), list(solves_of(played, players, history))


def order(result: MatchResult) -> tuple[int, int]:
    return result.first, result.second


def events_in(rows: Sequence[Row]) -> History:
    return [(row.at, event) for row, events in contiguous_rows(rows) for event in events]


def events_in_archive(lines: bytes) -> History:
    """The events of an archived match."""
    with undamaged():
        found = read_events(decompress(lines))
    return [(line.at, line.event) for line in found]
