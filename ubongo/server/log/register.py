"""People, tables and matches as the file keeps them: what the lobby knows, so that a restart forgets nobody."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import msgspec
from msgspec import Raw, Struct

from ubongo.events import AnyEvent
from ubongo.server.log import Row
from ubongo.server.log.sqlite import SqliteLog
from ubongo.table import Millis

Key = str
Player = str
_KEEP_TABLE = "insert or replace into tables values (?, ?, ?, ?)"
_OPEN_MATCH = """
    insert into matches (match, table_key, opening, started, since)
    values (?, ?, ?, ?, (select coalesce(max(id), 0) from log))
"""
_LAST_MATCH = "select coalesce(max(match), 0) from (select match from matches union all select match from archive)"
# The last row of all stays, since numbers go up from it.
_FORGET_ROWS = "delete from log where id > ? and id <= ? and match = ? and id < (select max(id) from log)"
_MATCH = "select match, table_key, opening, started, since, upto from matches"
_BY_PROOF = "select player, name, guests.made from tokens join guests using (player) where hash = ?"
_BY_CODE = "select player, name, made from codes join guests using (player) where hash = ? and until > ?"
_ARCHIVED = "select match, opening, players from archived join archive using (match) where player = ?"
_events = msgspec.json.Decoder(list[AnyEvent])


class Guest(Struct, frozen=True):
    """`player` is public, a name for everybody; what proves who one is are tokens."""

    player: Player
    name: str
    made: Millis


class Bot(Struct, frozen=True):
    name: str
    bot: str


class Opening(Struct, frozen=True):
    """The first line of a match's log, as `referee` reads it."""

    game: str
    seats: tuple[str | Bot, ...]
    seed: str
    options: Raw


class Played(Struct, frozen=True):
    """A match as it was opened, and where in the log it lies."""

    match: int
    table: Key
    opening: Opening
    started: Millis
    since: int
    upto: int | None = None


class Register:
    """Every change is durable when it returns."""

    def __init__(self, log: SqliteLog) -> None:
        self.log = log
        [[last]] = log.read(_LAST_MATCH)
        self._matches: int = last

    async def add_guest(self, guest: Guest, token: bytes) -> None:
        await self.log.write(
            ("insert into guests values (?, ?, ?, ?)", (guest.player, guest.name, guest.made, guest.made)),
            ("insert into tokens values (?, ?, ?)", (token, guest.player, guest.made)),
        )

    async def rename(self, player: Player, name: str) -> None:
        await self.log.write(("update guests set name = ? where player = ?", (name, player)))

    async def forget(self, player: Player) -> None:
        await self.log.write(
            ("delete from guests where player = ?", (player,)),
            ("delete from tokens where player = ?", (player,)),
            ("delete from codes where player = ?", (player,)),
        )

    async def add_code(self, code: bytes, player: Player, until: Millis) -> None:
        await self.log.write(("insert into codes values (?, ?, ?)", (code, player, until)))

    async def redeem(self, code: bytes, token: bytes, player: Player, now: Millis) -> None:
        """A code works once; a token comes of it."""
        await self.log.write(
            ("delete from codes where hash = ?", (code,)),
            ("insert into tokens values (?, ?, ?)", (token, player, now)),
        )

    async def keep_table(self, key: Key, state: str, body: bytes, now: Millis) -> None:
        await self.log.write((_KEEP_TABLE, (key, state, body, now)))

    async def open_match(self, table: Key, opening: Opening, body: bytes, now: Millis) -> Played:
        """The match and its table are one: who sits where is the match's from now on."""
        self._matches += 1
        number = self._matches
        await self.log.write(
            (_KEEP_TABLE, (table, "running", body, now)),
            (_OPEN_MATCH, (number, table, msgspec.json.encode(opening), now)),
        )
        return self.match(number)

    async def close_match(self, match: int, now: Millis) -> None:
        await self.log.write(
            (
                "update matches set ended = ?, upto = (select max(id) from log) where match = ?",
                (now, match),
            )
        )

    async def archive(self, played: Played, players: Sequence[Player | None], lines: bytes, now: Millis) -> None:
        """The match in one piece, instead of its rows and its table."""
        opening, seats = msgspec.json.encode(played.opening), msgspec.json.encode(players).decode()
        kept = (played.match, opening, seats, now, lines, played.started)
        who = [("insert into archived values (?, ?)", (player, played.match)) for player in players if player]
        await self.log.write(
            ("insert into archive (match, opening, players, ended, lines, started) values (?, ?, ?, ?, ?, ?)", kept),
            *who,
            (_FORGET_ROWS, (played.since, played.upto, played.match)),
            ("delete from matches where match = ?", (played.match,)),
            ("delete from tables where key = ?", (played.table,)),
        )

    async def forget_archived(self, player: Player, name: str) -> None:
        """In matches of long ago, too, who is forgotten has that name."""
        for match, opening, players in self.log.read(_ARCHIVED, (player,)):
            seats: list[Player | None] = msgspec.json.decode(players)
            names = list(msgspec.json.decode(opening, type=Opening).seats)
            for seat, other in enumerate(seats):
                if other == player:
                    seats[seat], names[seat] = None, name
            kept = msgspec.structs.replace(msgspec.json.decode(opening, type=Opening), seats=tuple(names))
            values = (msgspec.json.encode(kept), msgspec.json.encode(seats).decode(), match)
            await self.log.write(
                ("update archive set opening = ?, players = ? where match = ?", values),
                ("delete from archived where player = ? and match = ?", (player, match)),
            )

    async def drop_table(self, key: Key) -> None:
        await self.log.write(("delete from tables where key = ?", (key,)))

    async def saw(self, players: Iterable[Player], now: Millis) -> None:
        await self.log.write(*[("update guests set seen = ? where player = ?", (now, player)) for player in players])

    def unseen(self, since: Millis, most: int) -> list[Guest]:
        return self._guests("select player, name, made from guests where seen < ? limit ?", since, most)

    async def rewrite(self, match: int, opening: Opening) -> None:
        """Only for names that have to go."""
        await self.log.write(
            ("update matches set opening = ? where match = ?", (msgspec.json.encode(opening), match)),
        )

    def _guests(self, statement: str, *values: Any) -> list[Guest]:
        return [Guest(*row) for row in self.log.read(statement, values)]

    def guest_with(self, token: bytes) -> Guest | None:
        return next(iter(self._guests(_BY_PROOF, token)), None)

    def guest_by_code(self, code: bytes, now: Millis) -> Guest | None:
        return next(iter(self._guests(_BY_CODE, code, now)), None)

    def number_of_guests(self) -> int:
        [[number]] = self.log.read("select count(*) from guests")
        return int(number)

    async def drop_codes(self, now: Millis) -> None:
        """Those that have run out."""
        await self.log.write(("delete from codes where until <= ?", (now,)))

    def tables(self) -> list[tuple[Key, str, bytes, Millis]]:
        return self.log.read("select key, state, body, changed from tables")

    def running(self) -> list[Played]:
        return [_played(*row) for row in self.log.read(f"{_MATCH} where ended is null order by match")]

    def over(self) -> list[Played]:
        return [_played(*row) for row in self.log.read(f"{_MATCH} where ended is not null order by match")]

    def match(self, number: int) -> Played:
        [row] = self.log.read(f"{_MATCH} where match = ?", (number,))
        return _played(*row)

    def histories(self, played: list[Played]) -> dict[int, list[Row]]:
        """What happened in these matches; one look through the log for all of them."""
        rows: dict[int, list[Row]] = {one.match: [] for one in played}
        if played:
            open_end = any(one.upto is None for one in played)
            upto = None if open_end else max(one.upto or 0 for one in played)
            for row in self.log.rows(min(one.since for one in played), upto):
                if row.match in rows:
                    rows[row.match].append(row)
        return rows


def _played(match: int, table: Key, opening: bytes, started: Millis, since: int, upto: int | None) -> Played:
    return Played(match, table, msgspec.json.decode(opening, type=Opening), started, since, upto)


def events_of(row: Row) -> list[AnyEvent]:
    return _events.decode(row.events)
