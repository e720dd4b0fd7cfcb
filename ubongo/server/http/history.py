"""A player's history over HTTP: matches, solo runs and puzzles of the day, the newest first."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal

from litestar import Controller, get
from litestar.datastructures import State
from litestar.params import FromQuery
from msgspec import Struct

from ubongo.match_file import Bot
from ubongo.server.clock import Timestamp
from ubongo.server.errors import Denied
from ubongo.server.http.guests import Asker
from ubongo.server.http.records import SoloRun, records_of, run_of
from ubongo.server.records.records import Records
from ubongo.server.store.entities import Key
from ubongo.server.store.leaderboards import Leaderboard
from ubongo.server.store.player_results import PastMatch
from ubongo.table import Millis

PAGE = 30
# After every match.
_NEWEST = (Timestamp(2**53), 2**53)
_CURSOR = re.compile(r"(\d{1,15})-(\d{1,15})", re.ASCII)

Which = Literal["all", "matches", "runs", "days"]


class Opponent(Struct, frozen=True):
    """Another player at the table; `bot` is its level, None for a person."""

    name: str
    bot: str | None


class PastGame(Struct, frozen=True):
    """A finished match, or a solo run, also one that was given up.

    `run` is None for a match with others. If unknown, `rounds` is 0 and `lasted` None. `place` is among the seats of a
    match, or among all players of a day's puzzle; a run has one if it is the player's `best`. `people`: among how many.
    `table` is None once the match is archived: then it cannot be watched.
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
    """A page of the history. `next` is the value of `before` for the next page, None on the last."""

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
        """The player's history, thirty entries a page."""
        records = records_of(state)
        found = await records.player_results.matches_of(guest.player, which, cursor(before), PAGE + 1)
        bests = [one.match for one in await records.bests(guest.player)]
        page = found[:PAGE]
        last = page[-1].result if len(found) > PAGE else None
        return PastGames(
            games=[await past_game(records, one, bests) for one in page],
            next=None if last is None else f"{last.ended}-{last.match}",
        )
