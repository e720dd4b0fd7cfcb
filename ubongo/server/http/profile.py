"""A player's own records and profile over HTTP: docs/protocol.md shows every request."""

from __future__ import annotations

from collections.abc import Sequence

from litestar import Controller, get
from litestar.datastructures import State
from litestar.di import Provide
from msgspec import Struct

from ubongo.server.clock import Timestamp
from ubongo.server.http.guests import Asker, lobby_of
from ubongo.server.http.records import (
    RankingRow,
    RecordsQuery,
    SoloRun,
    places,
    records_of,
    records_query,
    row_of,
    run_of,
)
from ubongo.server.records.match_results import RunKind, date_of, kind_of
from ubongo.server.records.records import LEADERBOARD_SIZE
from ubongo.server.records.streaks import Calendar, calendar_of
from ubongo.server.store.entities import Key, Player
from ubongo.server.store.leaderboards import Leaderboard
from ubongo.table import Millis


class Own(Struct, frozen=True):
    """The asker's own best ten runs of a kind."""

    kind: RunKind
    runs: Sequence[RankingRow]


class GameTally(Struct, frozen=True):
    game: str
    matches: int
    wins: int


class Best(Struct, frozen=True):
    place: int
    run: SoloRun
    table: Key | None


class Dot(Struct, frozen=True):
    """A solved task, for the plot of time by difficulty."""

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


class OwnRoutes(Controller):
    path = "/guests/me"
    tags = ("records",)

    @get("/records", dependencies={"options": Provide(records_query, sync_to_thread=False)})
    async def runs(self, guest: Asker, state: State, options: RecordsQuery) -> Own:
        """The asker's best ten runs of a kind, with their tables as long as those are stored."""
        records = records_of(state)
        found = await records.leaderboards.runs_of(records.board(options), guest.player, LEADERBOARD_SIZE)
        rows = [
            await row_of(records, one, place, guest.player) for one, place in zip(found, places(found), strict=True)
        ]
        return Own(kind_of(options), rows)

    @get("/profile")
    async def profile(self, guest: Asker, state: State) -> Profile:
        """Matches and wins by game, the best solo run of each kind, and every solved task, the newest first."""
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
