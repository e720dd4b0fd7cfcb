"""Records, results and profiles over HTTP: docs/protocol.md shows every request."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from itertools import islice
from typing import Literal

import msgspec
from litestar import Controller, Request, get
from litestar.datastructures import State
from litestar.di import NamedDependency, Provide
from litestar.params import FromQuery
from msgspec import Struct

from ubongo.games.solo.options import SoloOptions
from ubongo.server.clock import Timestamp
from ubongo.server.errors import Denied
from ubongo.server.http.guests import AnyRequest, Asker, TableKey, lobby_of, token_in
from ubongo.server.records.match_results import RunKind, date_of, kind_of
from ubongo.server.records.records import TEN, WEEK, Records, happened, order
from ubongo.server.records.splits import MOST_SPLITS, Split, Timeline, splits_of, timeline_of
from ubongo.server.records.streaks import Calendar, calendar_of
from ubongo.server.store.entities import Key, Player
from ubongo.server.store.leaderboards import Leaderboard
from ubongo.server.store.results import MatchResult
from ubongo.table import Millis

SoloGame = Literal["cards", "dice", "extreme", "cubes"]
Mode = Literal["clock", "count", "day"]
RecordsQuery = NamedDependency[SoloOptions]
Since = Literal["week", "ever"]


class SoloRun(Struct, frozen=True):
    """One run alone. `rounds` is the dice game's score; `day` is empty but for a day's puzzle."""

    kind: RunKind
    day: str
    scored: bool
    solved: int
    rounds: int
    took: Millis | None
    ended: Timestamp


class RankingRow(Struct, frozen=True):
    """A line of a table of records. `table` is told to its own player alone: who has it can look at the run."""

    place: int
    name: str
    mine: bool
    solved: int
    rounds: int
    took: Millis | None
    ended: Timestamp
    table: Key | None


class Ranking(Struct, frozen=True):
    """The best ten, everybody once, and the asker's own line wherever it is."""

    kind: RunKind
    day: str
    since: Since
    best: Sequence[RankingRow]
    mine: RankingRow | None


class Own(Struct, frozen=True):
    """The asker's own best ten runs of a kind."""

    kind: RunKind
    runs: Sequence[RankingRow]


class RunOutcome(Struct, frozen=True):
    """What a run came to, by whom. `before` is the player's best until then, `record` whether this is better.

    The places are those of a run that counts: for ever, among so many `people`, and of this week. `mine`: the asker's.
    `splits` are its boards, in their order; `timeline` is how a day's one board was solved.
    """

    run: SoloRun
    before: SoloRun | None
    record: bool
    place: int | None
    place_of_week: int | None
    people: int
    name: str
    mine: bool
    splits: Sequence[Split]
    timeline: Timeline | None


class GameTally(Struct, frozen=True):
    game: str
    matches: int
    wins: int


class Best(Struct, frozen=True):
    place: int
    run: SoloRun
    table: Key | None


class Dot(Struct, frozen=True):
    """A task solved, for the plot of time by difficulty."""

    game: str
    grade: int
    difficulty: float
    took: Millis
    ended: Timestamp


class Profile(Struct, frozen=True):
    player: Player
    name: str
    made: Timestamp
    matches: Sequence[GameTally]
    runs: int
    streak: int
    records: Sequence[Best]
    solves: Sequence[Dot]
    calendar: Calendar


def records_of(state: State) -> Records:
    found: Records = state.services.records
    return found


def run_of(result: MatchResult) -> SoloRun:
    kind = msgspec.json.decode(result.kind, type=RunKind)
    return SoloRun(kind, result.day, result.scored, result.solved, result.rounds, result.took, result.ended)


async def line_of(records: Records, result: MatchResult, place: int, player: Player | None) -> RankingRow:
    mine = player is not None and result.player == player
    table = await records.results.table_of(result.match) if mine else None
    return RankingRow(place, result.name, mine, result.solved, result.rounds, result.took, result.ended, table)


def wanted(
    state: State,
    of: FromQuery[SoloGame],
    mode: FromQuery[Mode],
    side: FromQuery[int] = 3,
    die: FromQuery[str] = "on",
    minutes: FromQuery[int] = 5,
    tasks: FromQuery[int] = 5,
    day: FromQuery[str] = "",
    edition: FromQuery[str] = "",
) -> SoloOptions:
    """Options by which a table of records is found; of a day's puzzle that of today, if no day is named."""
    if mode == "day":
        day = day or date_of(lobby_of(state).clock.now())
    given = {"of": of, "mode": mode, "side": side, "die": die, "minutes": minutes, "tasks": tasks, "edition": edition}
    try:
        return msgspec.convert({**given, "day": day if mode == "day" else ""}, SoloOptions)
    except msgspec.ValidationError as problem:
        raise Denied("bad_options", why=problem) from None


def places(found: Sequence[MatchResult]) -> list[int]:
    """Who is equal shares a place."""
    return [1 + sum(order(other) < order(one) for other in found) for one in found]


async def asker(request: AnyRequest, state: State) -> Player | None:
    """To look is free: whoever has no token is nobody."""
    guest = await lobby_of(state).guests.known(token_in(request))
    return None if guest is None else guest.player


class RecordRoutes(Controller):
    path = "/records"
    tags = ("records",)

    @get(dependencies={"options": Provide(wanted, sync_to_thread=False)})
    async def ranking(
        self,
        request: Request[None, None, State],
        state: State,
        options: RecordsQuery,
        since: FromQuery[Since] = "ever",
    ) -> Ranking:
        """The best ten of a kind of run, everybody once; `since=week` has the last seven days only."""
        records, player = records_of(state), await asker(request, state)
        board = records.board(options, Timestamp(lobby_of(state).clock.now() - WEEK if since == "week" else 0))
        found = await records.leaderboards.best(board, TEN)
        best = [await line_of(records, one, place, player) for one, place in zip(found, places(found), strict=True)]
        mine = None if player is None else await records.leaderboards.best_of(board, player)
        own = None if mine is None else await line_of(records, mine, await records.place(board, mine), player)
        return Ranking(kind_of(options), options.day, since, best, own)


class OwnRoutes(Controller):
    path = "/guests/me"
    tags = ("records",)

    @get("/records", dependencies={"options": Provide(wanted, sync_to_thread=False)})
    async def runs(self, guest: Asker, state: State, options: RecordsQuery) -> Own:
        """One's own best ten runs of a kind, with the tables they were played at, as long as those are there."""
        records = records_of(state)
        found = await records.leaderboards.runs_of(records.board(options), guest.player, TEN)
        lines = [
            await line_of(records, one, place, guest.player) for one, place in zip(found, places(found), strict=True)
        ]
        return Own(kind_of(options), lines)

    @get("/profile")
    async def profile(self, guest: Asker, state: State) -> Profile:
        """Matches and wins by game, the best of each kind of run alone, and every task solved, the newest first."""
        records, today = records_of(state), date_of(lobby_of(state).clock.now())
        calendar = await calendar_of(records.player_results, guest.player, today)
        bests = [
            Best(
                await records.place(Leaderboard(one.kind, one.edition), one),
                run_of(one),
                await records.results.table_of(one.match),
            )
            for one in await records.bests(guest.player)
        ]
        return Profile(
            player=guest.player,
            name=guest.name,
            made=guest.made,
            matches=[GameTally(*row) for row in await records.player_results.tally_of(guest.player)],
            runs=await records.player_results.number_of_runs(guest.player),
            streak=calendar.streak,
            records=bests,
            solves=[Dot(s.game, s.grade, s.difficulty, s.took, s.ended) for s in await records.solves(guest.player)],
            calendar=calendar,
        )


class ResultRoutes(Controller):
    path = "/tables/{table:str}/result"
    tags = ("records",)

    @get()
    async def result(self, request: Request[None, None, State], key: TableKey, state: State) -> RunOutcome:
        """As soon as a run alone is over: what it came to, and whether it is a new best."""
        lobby, records = lobby_of(state), records_of(state)
        lobby_table = await lobby.rooms.current(key)
        if lobby_table.plan.game != "solo":
            raise Denied("not_found")
        played = lobby_table.played
        if played is None or lobby_table.state != "over":
            raise Denied("not_over")
        await records.tally(played)
        found = await records.results.of_match(played.match)
        if not found:
            raise Denied("not_found")
        told = await records.told(found[0], lobby.clock.now())
        result = told.result
        history = await asyncio.to_thread(happened, await records.store.history(played))
        splits = await asyncio.to_thread(lambda: list(islice(splits_of(played, history), MOST_SPLITS)))
        return RunOutcome(
            run=run_of(result),
            before=None if told.before is None else run_of(told.before),
            record=told.record,
            place=told.place,
            place_of_week=told.place_of_week,
            people=await records.leaderboards.people(Leaderboard(result.kind, result.edition, result.day)),
            name=result.name,
            mine=result.player is not None and result.player == await asker(request, state),
            splits=splits,
            timeline=timeline_of(history) if result.day and result.solved else None,
        )
