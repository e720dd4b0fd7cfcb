"""Records: what the logs came to, kept up to date, and made again from them whenever that is wanted."""

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
from ubongo.material import BadEdition, shipped
from ubongo.server.clock import Timestamp
from ubongo.server.records.match_results import History, kind_of, results_of, solves_of, written_kind
from ubongo.server.store import Log, Row, Unreadable, VersionConflict
from ubongo.server.store.entities import Player, StoredMatch, decoded
from ubongo.server.store.leaderboards import Leaderboard, Leaderboards
from ubongo.server.store.lobby_store import LobbyStore
from ubongo.server.store.player_results import PlayerResults
from ubongo.server.store.results import MatchResult, ResultStore, Solve
from ubongo.server.tables.stored_match import Damaged, contiguous_rows, history_in, undamaged
from ubongo.server.tables.table_setup import TableSetup
from ubongo.table import Millis
from ubongo.virtual import Happened

WEEK = Millis(7 * 24 * 3600 * 1000)
TEN = 10
# So many points are enough for a plot.
MOST_SOLVES = 1000

log = logging.getLogger("ubongo.server.records.records")

Tallied = tuple[list[MatchResult], list[Solve]]


class RunReport(Struct, frozen=True):
    """What a run came to, for its own player: the best before it, whether it is a new one, and the places it has."""

    result: MatchResult
    before: MatchResult | None
    record: bool
    place: int | None
    place_of_week: int | None


class Records:
    """Reads logs, writes results. `catch_up` does what has not been done, so nothing is ever counted twice."""

    def __init__(self, log: Log) -> None:
        self.store = LobbyStore(log)
        self.results = ResultStore(log)
        self.leaderboards = Leaderboards(log)
        self.player_results = PlayerResults(log)
        # Matches whose edition is not here, or whose log is odd: they wait.
        self._waiting: set[int] = set()
        # One at a time, so that none is counted twice.
        self._desk = asyncio.Lock()

    async def catch_up(self, archived: bool = False) -> None:
        """All matches that are over; those of long ago too, when the server wakes up."""
        async with self._desk:
            over = [one for one in await self.results.untallied() if one.match not in self._waiting]
            histories = await self.store.histories(over)
            for played in over:
                try:
                    await self._tally(played, history_in(histories, played.match))
                except (Damaged, Unreadable) as problem:
                    log.warning("match %d has to wait: %s", played.match, problem)
                    self._waiting.add(played.match)
            if archived:
                async for old in self.results.untallied_archived():
                    found = await self._counted(old.played, old.players, partial(unpacked, old.lines))
                    if found is not None:
                        with contextlib.suppress(VersionConflict):
                            await self.results.add(old.played.match, *found)

    async def tally(self, played: StoredMatch) -> None:
        """This match now, for whoever waits for what it came to."""
        async with self._desk:
            if not await self.results.is_tallied(played.match):
                await self._tally(played, await self.store.history(played))

    async def rebuild(self) -> None:
        """All of it again, from the logs alone."""
        await self.results.clear()
        await self.catch_up(archived=True)

    async def _tally(self, played: StoredMatch, rows: Sequence[Row]) -> None:
        """Until it is kept as it is agreed: who is forgotten while it is counted must not come back by it."""
        while (agreed := await self.results.players_of(played.match)) is not None:
            with decoded("a table"):
                players = msgspec.json.decode(agreed.body, type=TableSetup).holders()
            found = await self._counted(replace(played, opening=agreed.opening), players, partial(happened, rows))
            if found is None:
                return
            with contextlib.suppress(VersionConflict):
                await self.results.add(played.match, *found, agreed)
            if await self.results.is_tallied(played.match):
                return

    async def _counted(
        self, played: StoredMatch, players: Sequence[Player | None], history: Callable[[], History]
    ) -> Tallied | None:
        try:
            return await asyncio.to_thread(lambda: counted(played, players, history()))
        except (BadOptions, BadEdition, Damaged) as problem:
            log.warning("match %d has to wait: %r", played.match, problem)
        except Exception:
            # A bug of ours in one match must not keep the others from being tallied.
            log.exception("match %d cannot be tallied because of a bug, and has to wait", played.match)
        self._waiting.add(played.match)
        return None

    # Looking

    def board(self, options: SoloOptions, since: Timestamp = Timestamp(0)) -> Leaderboard:
        """The table of records on which runs with these options stand."""
        edition = options.edition or shipped(options.of).id
        return Leaderboard(written_kind(kind_of(options)), edition, options.day, since)

    async def told(self, result: MatchResult, now: Timestamp) -> RunReport:
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
        """A person's best of each kind, the days' apart."""
        kinds = await self.player_results.kinds_of(player)
        found = [await self.leaderboards.best_of(Leaderboard(kind, edition), player) for kind, edition in kinds]
        return [one for one in found if one is not None]

    async def solves(self, player: Player) -> list[Solve]:
        return await self.player_results.solves_of(player, MOST_SOLVES)


def counted(played: StoredMatch, players: Sequence[Player | None], history: History) -> Tallied:
    return list(results_of(played, players, history)), list(solves_of(played, players, history))


def order(result: MatchResult) -> tuple[int, int]:
    return result.first, result.second


def happened(rows: Sequence[Row]) -> History:
    return [(row.at, event) for row, events in contiguous_rows(rows) for event in events]


def unpacked(lines: bytes) -> History:
    """Of a match that has been put away."""
    with undamaged():
        found = [msgspec.json.decode(one, type=Happened) for one in decompress(lines).splitlines()]
    return [(one.at, one.event) for one in found]
