"""Results as the file keeps them. The statements are plain SQL, so that another database can take the file's place."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable, Sequence
from contextlib import suppress
from typing import Any

import msgspec
from msgspec import Struct

from ubongo.server.store import Log, Statement, Unreadable
from ubongo.server.store.register import Bot, Key, Opening, Player, StoredMatch, decoded, stored_match
from ubongo.table import Millis, SeatNo

_UNTALLIED = """
    select match, table_key, opening, started, since, upto from matches
    where ended is not null and match not in (select match from tallied) order by match
"""
_OLD = "select match from archive where match not in (select match from tallied) order by match"
_ARCHIVED = "select match, opening, players, started, ended, lines from archive where match = ?"
_AGREED = "select opening, key, body, changed from matches join tables on key = table_key where match = ?"
_TALLIED = "insert into tallied values (?) on conflict do nothing"
_TALLIED_AS_AGREED = """
    insert into tallied select cast(? as bigint) from tables where key = ? and changed = ? on conflict do nothing
"""
_KEEP_RESULT = (
    "insert into results values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) on conflict do nothing"
)
# What an operator has removed is a result, but no record.
_REMOVED = """
    update results set scored = 0 where match = ?
    and exists (select 1 from removed_records r where r.match = results.match and r.seat = results.seat)
"""
_KEEP_SOLVE = "insert into solves values (?, ?, ?, ?, ?, ?, ?, ?)"
# Runs that are compared, each the n-th of its player; who has been forgotten is somebody each time.
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
# Of a day everybody has one run that counts, so nobody is counted twice.
_OF_DAY = "from results where scored = 1 and kind = ? and edition = ? and day = ? and ended >= ?"
_BEHIND = f"select count(*) {_OF_DAY} and (first > ? or (first = ? and second > ?))"
_NTH = f"select first {_OF_DAY} order by first limit 1 offset ?"
_COLUMNS = f"select case when first >= ? then ? else (first - ?) / ? end as bin, count(*) {_OF_DAY} group by bin"
_GAMES_OF = """
    select results.*, m.table_key, coalesce(m.opening, a.opening), coalesce(m.started, a.started)
    from results left join matches m on m.match = results.match left join archive a on a.match = results.match
    where player = ? and (results.ended, results.match) < (?, ?) {which}
    order by results.ended desc, results.match desc limit ?
"""
_WHICH = {"all": "", "matches": "and kind = ''", "runs": "and kind <> '' and day = ''", "days": "and day <> ''"}


class MatchResult(Struct, frozen=True):
    """A person's at a match that was played to its end.

    `kind` is what runs alone are compared by, empty for a match of several. `first`, then `second`, is what counts
    there, the less the better. `day` is the puzzle's, `scored` whether it is a record at all.
    """

    match: int
    seat: SeatNo
    player: Player | None
    name: str
    game: str
    ended: Millis
    kind: str = ""
    edition: str = ""
    day: str = ""
    scored: bool = False
    first: int = 0
    second: int = 0
    solved: int = 0
    rounds: int = 0
    took: Millis | None = None
    place: int = 1
    seats: int = 1
    total: int = 0


class Solve(Struct, frozen=True):
    """A task that a person solved, how hard it was, and how long it took."""

    match: int
    seat: SeatNo
    player: Player
    game: str
    grade: int
    difficulty: float
    took: Millis
    ended: Millis


class Agreed(Struct, frozen=True):
    """Who plays a match, by the opening and by what was agreed on at its table, which was `changed` then."""

    opening: Opening
    table: Key
    body: bytes
    changed: Millis


class Past(Struct, frozen=True):
    """A person's result with the match it was in. `table` is None once that has been put away."""

    result: MatchResult
    table: Key | None
    seats: tuple[str | Bot, ...]
    started: Millis


class Archived(Struct, frozen=True):
    """A match of long ago: its lines are packed."""

    played: StoredMatch
    players: tuple[Player | None, ...]
    lines: bytes


class Leaderboard(Struct, frozen=True):
    """Which runs are compared: of a kind, on an edition, of a day (or none), and since when."""

    kind: str
    edition: str
    day: str = ""
    since: Millis = 0


class ResultStore:
    """Every change is durable when it returns."""

    def __init__(self, log: Log) -> None:
        self.log = log

    # Writing

    async def keep(
        self, match: int, results: Iterable[MatchResult], solves: Iterable[Solve], agreed: Agreed | None = None
    ) -> None:
        """What a match came to, in one piece and once.

        Overtaken, if somebody else has kept it, or if it is no longer as agreed: somebody may have been forgotten.
        """
        once: Statement = _TALLIED, (match,)
        if agreed is not None:
            once = _TALLIED_AS_AGREED, (match, agreed.table, agreed.changed)
        await self.log.write(
            *[(_KEEP_RESULT, msgspec.structs.astuple(one)) for one in results],
            (_REMOVED, (match,)),
            *[(_KEEP_SOLVE, msgspec.structs.astuple(one)) for one in solves],
            claim=once,
        )

    async def clear(self) -> None:
        await self.log.write(("delete from results", ()), ("delete from solves", ()), ("delete from tallied", ()))

    async def forget(self, player: Player, name: str) -> None:
        await self.log.write(
            ("update results set player = null, name = ? where player = ?", (name, player)),
            ("delete from solves where player = ?", (player,)),
            ("delete from tries where player = ?", (player,)),
        )

    async def claim(self, player: Player, day: str, game: str, table: Key) -> bool:
        """Whether this table is where that person first began that puzzle."""
        await self.log.write(
            ("insert into tries values (?, ?, ?, ?) on conflict do nothing", (player, day, game, table))
        )
        return await self.tried(player, day, game) == table

    # Reading

    async def _read(self, statement: str, values: tuple[Any, ...]) -> list[MatchResult]:
        return [result_of(row) for row in await self.log.read(statement, values)]

    async def tried(self, player: Player, day: str, game: str) -> Key | None:
        found = await self.log.read(
            "select table_key from tries where player = ? and day = ? and game = ?", (player, day, game)
        )
        return found[0][0] if found else None

    async def number(self) -> int:
        [[number]] = await self.log.read("select count(*) from results")
        return int(number)

    async def tallied(self, match: int) -> bool:
        return bool(await self.log.read("select 1 from tallied where match = ?", (match,)))

    async def untallied(self) -> list[StoredMatch]:
        """But for those that are damaged."""
        found = []
        for row in await self.log.salvage(_UNTALLIED):
            with suppress(msgspec.DecodeError):
                found.append(stored_match(*row))
        return found

    async def untallied_archived(self) -> AsyncIterator[Archived]:
        """One at a time: there may be years of them."""
        numbers = await self.log.salvage(_OLD)
        for (number,) in numbers:
            try:
                found = await self._archived(number)
            except Unreadable:
                # It stays as it is.
                continue
            yield found

    async def _archived(self, number: int) -> Archived:
        with decoded("an old match"):
            [[match, opening, players, started, put_away, lines]] = await self.log.read(_ARCHIVED, (number,))
            # What was put away before results were kept does not say when it began.
            played = StoredMatch(match, "", msgspec.json.decode(opening, type=Opening), started or put_away, 0)
            return Archived(played, msgspec.json.decode(players, type=tuple[Player | None, ...]), lines)

    async def agreed(self, match: int) -> Agreed | None:
        """As it is kept now, also if the table has been closed; None, if the match has been put away."""
        with decoded("a match"):
            for opening, table, body, changed in await self.log.read(_AGREED, (match,)):
                return Agreed(msgspec.json.decode(opening, type=Opening), table, body, changed)
        return None

    async def best(self, board: Leaderboard, most: int) -> list[MatchResult]:
        """Everybody's best, the first ones."""
        return await self._read(f"{_RUNS} where nth = 1 {_ORDER} limit ?", (*_asked(board), most))

    async def best_of(self, board: Leaderboard, player: Player, besides: int = 0) -> MatchResult | None:
        """That person's best, if there is one; `besides` leaves a match out."""
        own = f"{_RUNS} where player = ? and match <> ? {_ORDER} limit 1"
        return next(iter(await self._read(own, (*_asked(board), player, besides))), None)

    async def runs_of(self, board: Leaderboard, player: Player, most: int) -> list[MatchResult]:
        return await self._read(f"{_RUNS} where player = ? {_ORDER} limit ?", (*_asked(board), player, most))

    async def place(self, board: Leaderboard, first: int, second: int, player: Player | None) -> int:
        """How many others have a better best, and one."""
        [[better]] = await self.log.read(_AHEAD, (*_asked(board), first, first, second, player or ""))
        return int(better) + 1

    async def people(self, board: Leaderboard) -> int:
        """How many are on a table of records."""
        [[number]] = await self.log.read(_PEOPLE, _asked(board))
        return int(number)

    async def behind(self, board: Leaderboard, first: int, second: int) -> int:
        """How many were slower on a day."""
        [[number]] = await self.log.read(_BEHIND, (*_asked(board), first, first, second))
        return int(number)

    async def nth(self, board: Leaderboard, number: int) -> int:
        """What the n-th of a day came to, from 0 on: time, or rounds with dice."""
        [[first]] = await self.log.read(_NTH, (*_asked(board), number))
        return int(first)

    async def columns(self, board: Leaderboard, start: int, width: int, most: int) -> list[int]:
        """How many of a day came to what, in columns; the last one has all the rest."""
        last = most - 1
        rows = await self.log.read(_COLUMNS, (start + last * width, last, start, width, *_asked(board)))
        found = dict(rows)
        return [found.get(column, 0) for column in range(max(found) + 1)]

    async def games_of(self, player: Player, which: str, before: tuple[Millis, int], most: int) -> list[Past]:
        """What somebody has played, the newest first."""
        found = []
        for *row, table, opening, started in await self.log.read(
            _GAMES_OF.format(which=_WHICH[which]), (player, *before, most)
        ):
            seats = () if opening is None else msgspec.json.decode(opening, type=Opening).seats
            found.append(Past(result_of(row), table, seats, started or 0))
        return found

    async def of_match(self, match: int) -> list[MatchResult]:
        return await self._read("select * from results where match = ? order by seat", (match,))

    async def kinds_of(self, player: Player) -> list[tuple[str, str]]:
        """Which records somebody has: kinds and editions, but the days'."""
        wanted = "select distinct kind, edition from results where player = ? and scored = 1 and day = '' order by 1, 2"
        return [(kind, edition) for kind, edition in await self.log.read(wanted, (player,))]

    async def tally_of(self, player: Player) -> list[tuple[str, int, int]]:
        """By game: matches of several, and how many were won."""
        wanted = """
            select game, count(*), sum(case when place = 1 then 1 else 0 end) from results
            where player = ? and seats > 1 group by game order by game
        """
        return [(game, matches, wins) for game, matches, wins in await self.log.read(wanted, (player,))]

    async def runs(self, player: Player) -> int:
        [[number]] = await self.log.read("select count(*) from results where player = ? and kind <> ''", (player,))
        return int(number)

    async def solves_of(self, player: Player, most: int) -> list[Solve]:
        """The newest ones."""
        wanted = "select * from solves where player = ? order by ended desc, match desc limit ?"
        return [Solve(*row) for row in await self.log.read(wanted, (player, most))]

    async def days_of(self, player: Player) -> list[str]:
        """The days whose puzzle somebody has solved in a try that counts, newest first."""
        wanted = "select distinct day from results where player = ? and day <> '' and scored = 1 order by day desc"
        return [day for (day,) in await self.log.read(wanted, (player,))]

    async def number_by_day(self, player: Player, since: str) -> list[tuple[str, int]]:
        """How many puzzles of each day somebody has solved in tries that count."""
        wanted = """
            select day, count(*) from results where player = ? and day >= ? and scored = 1 group by day order by day
        """
        return [(day, number) for day, number in await self.log.read(wanted, (player, since))]

    async def of_day(self, player: Player, day: str) -> list[MatchResult]:
        """What somebody's tries of a day that count came to."""
        return await self._read("select * from results where player = ? and day = ? and scored = 1", (player, day))

    async def table_of(self, match: int) -> Key | None:
        found = await self.log.read("select table_key from matches where match = ?", (match,))
        return found[0][0] if found else None


def result_of(row: Sequence[Any]) -> MatchResult:
    found = dict(zip(MatchResult.__struct_fields__, row, strict=False))
    return MatchResult(**found | {"scored": bool(found["scored"])})


def _asked(board: Leaderboard) -> tuple[str, str, str, Millis]:
    return (board.kind, board.edition, board.day, board.since)
