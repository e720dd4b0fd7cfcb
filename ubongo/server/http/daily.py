"""The puzzle of the day over HTTP: the asker's results, everybody's, and the solutions of past days."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from datetime import date

from litestar import Controller, Request, get
from litestar.datastructures import State
from litestar.params import FromPath, FromQuery
from msgspec import Struct

from ubongo.games.solo import solution
from ubongo.games.solo.options import SoloOptions
from ubongo.games.solo.tasks import luck_of, of_day, task_of
from ubongo.material import shipped
from ubongo.pieces import Placement
from ubongo.server.clock import Timestamp
from ubongo.server.errors import Denied
from ubongo.server.http.guests import Asker, lobby_of
from ubongo.server.http.records import SoloGame, SoloRun, asker, records_of, run_of
from ubongo.server.records.match_results import RunKind, date_of, encode_kind
from ubongo.server.records.records import Records
from ubongo.server.records.streaks import Calendar, calendar_of, streak
from ubongo.server.store.entities import Key, Player
from ubongo.server.store.leaderboards import Leaderboard, Leaderboards
from ubongo.server.store.results import MatchResult
from ubongo.table import Millis, Task

DAY = Millis(24 * 3600 * 1000)
# The first year with puzzles of the day.
FIRST_YEAR = 1970
COLUMNS = 12
_SECOND, _MINUTE = 1000, 60_000
TIMES = (
    *[one * _SECOND for one in (1, 2, 5, 10, 15, 30)],
    *[one * _MINUTE for one in (1, 2, 5, 10, 30, 60, 120, 240)],
)
ROUNDS = (1, 2, 5, 10, 20, 50, 100, 1000)
GAMES: Sequence[SoloGame] = ("cards", "dice", "extreme", "cubes")


class OfDay(Struct, frozen=True):
    """One game's puzzle. `tried`: the asker has started their first try, which counts; `run` is its result, if in time.

    `people`: how many have solved it. `table`: the table of the asker's first try.
    """

    of: str
    tried: bool
    run: SoloRun | None
    place: int | None
    people: int
    table: Key | None


class Today(Struct, frozen=True):
    """`now` and `ends`, the end of the day, are milliseconds since 1970."""

    day: str
    now: Timestamp
    ends: Timestamp
    streak: int
    games: Sequence[OfDay]


class Histogram(Struct, frozen=True):
    """How many players needed how long. The first column begins at `start`; a twelfth is open-ended.

    In milliseconds, for dice in rounds. `mine` is the asker's column.
    """

    start: int
    width: int
    counts: Sequence[int]
    mine: int


class DayResult(Struct, frozen=True):
    """The asker's result among everybody's: how many were `slower`, and the `median`."""

    day: str
    of: str
    run: SoloRun
    place: int
    people: int
    slower: int
    median: int
    histogram: Histogram
    calendar: Calendar


class DailySolution(Struct, frozen=True):
    """`solution` is null for dice: there it depends on the throws."""

    of: str
    edition: str
    task: Task
    solution: Sequence[Placement] | None


async def puzzles_of_day(records: Records, player: Player | None, day: str) -> list[OfDay]:
    runs: dict[str, MatchResult] = {}
    if player is not None:
        runs = {one.game: one for one in await records.player_results.of_day(player, day)}
    return [await _of_day(records, player, day, of, runs.get(of)) for of in GAMES]


async def _of_day(records: Records, player: Player | None, day: str, of: SoloGame, result: MatchResult | None) -> OfDay:
    table = None if player is None else await records.results.first_try(player, day, of)
    board = board_of(of, day)
    people = await records.leaderboards.people(board)
    if result is None:
        return OfDay(of, table is not None, None, None, people, table)
    place = await records.place(board, result)
    return OfDay(of, table is not None, run_of(result), place, people, table)


def board_of(of: SoloGame, day: str) -> Leaderboard:
    """The leaderboard of a day's puzzle, which is from the shipped edition (S3)."""
    return Leaderboard(encode_kind(RunKind(of, "day")), shipped(of).id, day)


async def result_of(records: Records, player: Player, day: str, of: SoloGame, today: str) -> DayResult:
    result = next((one for one in await records.player_results.of_day(player, day) if one.game == of), None)
    if result is None:
        raise Denied("not_found")
    board, leaderboards = board_of(of, day), records.leaderboards
    people = await leaderboards.people(board)
    return DayResult(
        day=day,
        of=of,
        run=run_of(result),
        place=await records.place(board, result),
        people=people,
        slower=await leaderboards.behind(board, result.first, result.second),
        median=await leaderboards.nth(board, (people - 1) // 2),
        histogram=await histogram_of(leaderboards, board, people, result.first),
        calendar=await calendar_of(records.player_results, player, today),
    )


async def histogram_of(leaderboards: Leaderboards, board: Leaderboard, people: int, mine: int) -> Histogram:
    """Columns of a round width for the fastest nine in ten; the last column has all slower ones too."""
    low, high = await leaderboards.nth(board, 0), await leaderboards.nth(board, (people - 1) * 9 // 10)
    widths = ROUNDS if board.kind == encode_kind(RunKind("dice", "day")) else TIMES
    width = next((one for one in widths if high - low // one * one < (COLUMNS - 1) * one), widths[-1])
    start = low // width * width
    counts = await leaderboards.columns(board, start, width, COLUMNS)
    return Histogram(start, width, counts, min((mine - start) // width, COLUMNS - 1))


def daily_solution(of: SoloGame, day: str) -> DailySolution:
    edition = shipped(of).id
    options = SoloOptions(of=of, mode="day", day=day, edition=edition)
    task = task_of(options, of_day(of, edition, day), 1, "up", luck_of(of, day))
    return DailySolution(of, edition, task, solution(options, task))


def is_date(day: str) -> bool:
    try:
        found = date.fromisoformat(day)
        return found.isoformat() == day and found.year >= FIRST_YEAR
    except ValueError:
        return False


class DayRoutes(Controller):
    path = "/day"
    tags = ("day",)

    @get()
    async def today(self, request: Request[None, None, State], state: State) -> Today:
        """The day in UTC, when it ends, and the asker's results of its puzzles."""
        lobby, records, player = lobby_of(state), records_of(state), await asker(request, state)
        now = lobby.clock.now()
        day = date_of(now)
        days = [] if player is None else await records.player_results.days_of(player)
        return Today(
            day,
            now,
            Timestamp((now // DAY + 1) * DAY),
            streak(days, day),
            await puzzles_of_day(records, player, day),
        )

    @get("/{day:str}")
    async def solutions(self, day: FromPath[str], state: State) -> list[DailySolution]:
        """Of a day that is over: its four tasks and their solutions."""
        if not is_date(day):
            raise Denied("not_found")
        if day >= date_of(lobby_of(state).clock.now()):
            raise Denied("day_not_over")
        return [await asyncio.to_thread(daily_solution, of, day) for of in GAMES]

    @get("/{day:str}/result")
    async def result(self, day: FromPath[str], guest: Asker, state: State, of: FromQuery[SoloGame]) -> DayResult:
        """The asker's result: its place, everybody's times, and the asker's streak."""
        if not is_date(day):
            raise Denied("not_found")
        today = date_of(lobby_of(state).clock.now())
        return await result_of(records_of(state), guest.player, day, of, today)
