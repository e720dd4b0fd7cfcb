"""Results of finished matches: written once per match, by tallying its log, from which all of them can be rebuilt."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable, Sequence
from contextlib import suppress
from typing import Any

import msgspec
from msgspec import Struct

from ubongo.match_file import Opening, read_opening
from ubongo.server.clock import Timestamp
from ubongo.server.store import Log, Statement, Unreadable
from ubongo.server.store.entities import Key, Player, StoredMatch, decode_match, decoded
from ubongo.table import Millis, SeatNo

_UNTALLIED = """
    select match, table_key, opening, started, since, upto from matches
    where ended is not null and match not in (select match from tallied) order by match
"""
_UNTALLIED_ARCHIVED = "select match from archive where match not in (select match from tallied) order by match"
_ARCHIVED = "select match, opening, players, started, ended, lines from archive where match = ?"
_PLAYERS = "select opening, key, body, changed from matches join tables on key = table_key where match = ?"
_TALLIED = "insert into tallied values (?) on conflict do nothing"
_TALLIED_IF_UNCHANGED = """
    insert into tallied select cast(? as bigint) from tables where key = ? and changed = ? on conflict do nothing
"""
_ADD_RESULT = "insert into results values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) on conflict do nothing"
# A record that an operator removed stays a result.
_REMOVED = """
    update results set scored = 0 where match = ?
    and exists (select 1 from removed_records r where r.match = results.match and r.seat = results.seat)
"""
_ADD_SOLVE = "insert into solves values (?, ?, ?, ?, ?, ?, ?, ?)"


class MatchResult(Struct, frozen=True):
    """A person's result in a match that was played to its end.

    `kind` is what solo runs are compared by; it is empty for a match of several players. Runs are ranked by `first`,
    then `second`; lower is better. `day` is the day of the puzzle. `scored`: the result counts as a record.
    """

    match: int
    seat: SeatNo
    player: Player | None
    name: str
    game: str
    ended: Timestamp
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
    ended: Timestamp


class MatchPlayers(Struct, frozen=True):
    """Who plays a match: its opening, and the setup of its table, which was last `changed` then."""

    opening: Opening
    table: Key
    body: bytes
    changed: Timestamp


class ArchivedMatch(Struct, frozen=True):
    """`lines` are compressed."""

    played: StoredMatch
    players: tuple[Player | None, ...]
    lines: bytes


class ResultStore:
    """Every change is durable when its method returns."""

    def __init__(self, log: Log) -> None:
        self._log = log

    # Writing

    async def add(
        self, match: int, results: Iterable[MatchResult], solves: Iterable[Solve], players: MatchPlayers | None = None
    ) -> None:
        """Adds what a match came to, all of it and once.

        Raises VersionConflict if the match has been tallied, or if its table has changed since `players` was read: a
        guest may have been forgotten.
        """
        once: Statement = _TALLIED, (match,)
        if players is not None:
            once = _TALLIED_IF_UNCHANGED, (match, players.table, players.changed)
        await self._log.write(
            *[(_ADD_RESULT, msgspec.structs.astuple(one)) for one in results],
            (_REMOVED, (match,)),
            *[(_ADD_SOLVE, msgspec.structs.astuple(one)) for one in solves],
            claim=once,
        )

    async def clear(self) -> None:
        await self._log.write(("delete from results", ()), ("delete from solves", ()), ("delete from tallied", ()))

    async def forget(self, player: Player, name: str) -> None:
        await self._log.write(
            ("update results set player = null, name = ? where player = ?", (name, player)),
            ("delete from solves where player = ?", (player,)),
            ("delete from tries where player = ?", (player,)),
        )

    async def claim(self, player: Player, day: str, game: str, table: Key) -> bool:
        """Whether this table is where that player first began that puzzle of the day."""
        await self._log.write(
            ("insert into tries values (?, ?, ?, ?) on conflict do nothing", (player, day, game, table))
        )
        return await self.first_try(player, day, game) == table

    # Reading

    async def first_try(self, player: Player, day: str, game: str) -> Key | None:
        """The table where that player first began that puzzle of the day."""
        found = await self._log.read(
            "select table_key from tries where player = ? and day = ? and game = ?", (player, day, game)
        )
        return found[0][0] if found else None

    async def number(self) -> int:
        [[number]] = await self._log.read("select count(*) from results")
        return int(number)

    async def is_tallied(self, match: int) -> bool:
        return bool(await self._log.read("select 1 from tallied where match = ?", (match,)))

    async def untallied(self) -> list[StoredMatch]:
        """Finished matches that have not been tallied, without damaged ones."""
        found = []
        for row in await self._log.salvage(_UNTALLIED):
            with suppress(Unreadable), decoded("a match"):
                found.append(decode_match(*row))
        return found

    async def untallied_archived(self) -> AsyncIterator[ArchivedMatch]:
        """One at a time, since there may be very many."""
        numbers = await self._log.salvage(_UNTALLIED_ARCHIVED)
        for (number,) in numbers:
            try:
                found = await self._archived(number)
            except Unreadable:
                continue
            yield found

    async def _archived(self, number: int) -> ArchivedMatch:
        with decoded("an archived match"):
            [[match, opening, players, started, ended, lines]] = await self._log.read(_ARCHIVED, (number,))
            # Matches that were archived before there were results have no time of start.
            played = StoredMatch(match, "", read_opening(opening), started or ended, 0)
            return ArchivedMatch(played, msgspec.json.decode(players, type=tuple[Player | None, ...]), lines)

    async def players_of(self, match: int) -> MatchPlayers | None:
        """As stored now, even if the table is closed; None if the match has been archived."""
        with decoded("a match"):
            for opening, table, body, changed in await self._log.read(_PLAYERS, (match,)):
                return MatchPlayers(read_opening(opening), table, body, changed)
        return None

    async def of_match(self, match: int) -> list[MatchResult]:
        rows = await self._log.read("select * from results where match = ? order by seat", (match,))
        return [result_of(row) for row in rows]

    async def table_of(self, match: int) -> Key | None:
        found = await self._log.read("select table_key from matches where match = ?", (match,))
        return found[0][0] if found else None


def result_of(row: Sequence[Any]) -> MatchResult:
    found = dict(zip(MatchResult.__struct_fields__, row, strict=False))
    return MatchResult(**found | {"scored": bool(found["scored"])})
