"""What somebody has played, over HTTP: matches, runs alone and puzzles of the day, the newest first."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal

from litestar import Controller, get
from litestar.datastructures import State
from litestar.params import FromQuery
from msgspec import Struct

from ubongo.server.clock import Timestamp
from ubongo.server.errors import Denied
from ubongo.server.http.guests import Asker
from ubongo.server.http.records import SoloRun, records_of, run_of
from ubongo.server.records.records import Records
from ubongo.server.store.entities import Bot, Key
from ubongo.server.store.leaderboards import Leaderboard
from ubongo.server.store.player_results import PastMatch
from ubongo.table import Millis

PAGE = 30
# Later than anything, and further than any match.
_NEWEST = (Timestamp(2**53), 2**53)
_CURSOR = re.compile(r"(\d{1,15})-(\d{1,15})", re.ASCII)

Which = Literal["all", "matches", "runs", "days"]


class Opponent(Struct, frozen=True):
    """Somebody else at the table; `bot` is its level, None for a person."""

    name: str
    bot: str | None


class PastGame(Struct, frozen=True):
    """A game that one has played to its end, or a run that one has given up.

    `run` is None for a match with others. `rounds` is 0 where it is not known, `lasted` None. `place` is that among the
    seats of a match, among everybody on a day, and of a run where it is one's `best`; `people` is among how many.
    `table` is None once the match has been put away: then it cannot be watched.
    """

    game: str
    ended: Timestamp
    lasted: Millis | None
    table: Key | None
    others: Sequence[Opponent]
    rounds: int
    points: int
    run: SoloRun | None
    best: bool
    place: int | None
    people: int


class PastGames(Struct, frozen=True):
    """A page of them. `next` is what to ask for with `before`, None on the last page."""

    games: Sequence[PastGame]
    next: str | None


async def past_game(records: Records, past: PastMatch, bests: Sequence[int]) -> PastGame:
    result = past.result
    alone = result.kind != ""
    others = [
        Opponent(seat.name, seat.bot) if isinstance(seat, Bot) else Opponent(seat, None)
        for number, seat in enumerate(past.seats)
        if number != result.seat
    ]
    place: int | None = None if alone else result.place
    people = result.seats
    best = result.match in bests
    if result.scored and (best or result.day):
        board = Leaderboard(result.kind, result.edition, result.day)
        place, people = await records.place(board, result), await records.leaderboards.people(board)
    return PastGame(
        game=result.game,
        ended=result.ended,
        lasted=Millis(result.ended - past.started) if past.started else None,
        table=past.table,
        others=others,
        rounds=result.rounds,
        points=result.total,
        run=run_of(result) if alone else None,
        best=best,
        place=place,
        people=people,
    )


def cursor(before: str) -> tuple[Timestamp, int]:
    if not before:
        return _NEWEST
    found = _CURSOR.fullmatch(before)
    if found is None:
        raise Denied("unreadable", why="before is what the page before said")
    return Timestamp(int(found[1])), int(found[2])


class HistoryRoutes(Controller):
    path = "/guests/me/games"
    tags = ("records",)

    @get()
    async def games(
        self, guest: Asker, state: State, which: FromQuery[Which] = "all", before: FromQuery[str] = ""
    ) -> PastGames:
        """What one has played, thirty games a page."""
        records = records_of(state)
        found = await records.player_results.matches_of(guest.player, which, cursor(before), PAGE + 1)
        bests = [one.match for one in await records.bests(guest.player)]
        page = found[:PAGE]
        last = page[-1].result if len(found) > PAGE else None
        return PastGames(
            games=[await past_game(records, one, bests) for one in page],
            next=None if last is None else f"{last.ended}-{last.match}",
        )
