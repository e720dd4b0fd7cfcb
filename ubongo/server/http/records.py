"""Rankings and results of solo runs over HTTP: docs/protocol.md shows every request."""

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
from ubongo.server.http.guests import AnyRequest, TableKey, lobby_of, token_in
from ubongo.server.records.match_results import RunKind, date_of, kind_of
from ubongo.server.records.records import LEADERBOARD_SIZE, WEEK, Records, events_in, order
from ubongo.server.records.splits import MOST_SPLITS, Split, Timeline, splits_of, timeline_of
from ubongo.server.store.entities import Key, Player
from ubongo.server.store.leaderboards import Leaderboard
from ubongo.server.store.results import MatchResult
from ubongo.table import Millis

SoloGame = Literal["cards", "dice", "extreme", "cubes"]
Mode = Literal["clock", "count", "day"]
RecordsQuery = NamedDependency[SoloOptions]
Since = Literal["week", "ever"]


class SoloRun(Struct, frozen=True):
    """One solo run. `rounds` is the dice game's score; `day` is empty unless it is a puzzle of the day."""

    kind: RunKind
    day: str
    scored: bool
    solved: int
    rounds: int
    took: Millis | None
    ended: Timestamp


class RankingRow(Struct, frozen=True):
    """A row of a ranking. `table`, with which the run can be watched, is sent to its own player only."""

    place: int
    name: str
    mine: bool
    solved: int
    rounds: int
    took: Millis | None
    ended: Timestamp
    table: Key | None


class Ranking(Struct, frozen=True):
    """The best ten players and the asker's own row, whatever its place."""

    kind: RunKind
    day: str
    since: Since
    best: Sequence[RankingRow]
    mine: RankingRow | None


class RunOutcome(Struct, frozen=True):
    """The result of a run. `before` is the player's best until then, `record` whether this run is better.

    A scored run has places: of all time among `people`, and of this week. `mine`: whether it is the asker's own.
    `splits` are its boards in their order; `timeline` is how the one board of a day's puzzle was solved.
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


def records_of(state: State) -> Records:
    found: Records = state.services.records
    return found


def run_of(result: MatchResult) -> SoloRun:
    kind = msgspec.json.decode(result.kind, type=RunKind)
    return SoloRun(kind, result.day, result.scored, result.solved, result.rounds, result.took, result.ended)


async def row_of(records: Records, result: MatchResult, place: int, player: Player | None) -> RankingRow:
    mine = player is not None and result.player == player
    table = await records.results.table_of(result.match) if mine else None
    return RankingRow(place, result.name, mine, result.solved, result.rounds, result.took, result.ended, table)


def records_query(
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
    """The options that name a ranking. Without a day, the puzzle of the day is that of today."""
    if mode == "day":
        day = day or date_of(lobby_of(state).clock.now())
    given = {"of": of, "mode": mode, "side": side, "die": die, "minutes": minutes, "tasks": tasks, "edition": edition}
    try:
        return msgspec.convert({**given, "day": day if mode == "day" else ""}, SoloOptions)
    except msgspec.ValidationError as problem:
        raise Denied("bad_options", why=problem) from None


def places(found: Sequence[MatchResult]) -> list[int]:
    """Equal results share a place."""
    return [1 + sum(order(other) < order(one) for other in found) for one in found]


async def asker(request: AnyRequest, state: State) -> Player | None:
    """None without a valid token: anyone may look."""
    guest = await lobby_of(state).guests.identify(token_in(request))
    return None if guest is None else guest.player


class RecordRoutes(Controller):
    path = "/records"
    tags = ("records",)

    @get(dependencies={"options": Provide(records_query, sync_to_thread=False)})
    async def ranking(
        self,
        request: Request[None, None, State],
        state: State,
        options: RecordsQuery,
        since: FromQuery[Since] = "ever",
    ) -> Ranking:
        """The best ten players of a kind of run; with `since=week`, of the last seven days."""
        records, player = records_of(state), await asker(request, state)
        board = records.board(options, Timestamp(lobby_of(state).clock.now() - WEEK if since == "week" else 0))
        found = await records.leaderboards.best(board, LEADERBOARD_SIZE)
        best = [await row_of(records, one, place, player) for one, place in zip(found, places(found), strict=True)]
        mine = None if player is None else await records.leaderboards.best_of(board, player)
        own = None if mine is None else await row_of(records, mine, await records.place(board, mine), player)
        return Ranking(kind_of(options), options.day, since, best, own)


class ResultRoutes(Controller):
    path = "/tables/{table:str}/result"
    tags = ("records",)

    @get()
    async def result(self, request: Request[None, None, State], key: TableKey, state: State) -> RunOutcome:
        """When a solo run is over: its result, and whether it is a new best."""
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
        told = await records.report(found[0], lobby.clock.now())
        result = told.result
        history = await asyncio.to_thread(events_in, await records.store.history(played))
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
