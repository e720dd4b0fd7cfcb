"""People, tables and matches as the file keeps them: what the lobby knows, so that a restart forgets nobody."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import msgspec
from msgspec import Raw, Struct

from ubongo.events import AnyEvent
from ubongo.server.log import Log, Row
from ubongo.table import Millis

Key = str
Player = str
_KEEP_TABLE = """
    insert into tables values (?, ?, ?, ?)
    on conflict (key) do update set state = excluded.state, body = excluded.body, changed = excluded.changed
"""
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

    def __init__(self, log: Log) -> None:
        self.log = log

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
        number = await self.log.new_match()
        place = f"insert into matches (match, table_key, opening, started, since) values (?, ?, ?, ?, {self.log.end})"  # noqa: S608
        await self.log.write(
            (_KEEP_TABLE, (table, "running", body, now)),
            (place, (number, table, msgspec.json.encode(opening), now)),
            *self.log.opening(number),
        )
        return await self.match(number)

    async def close_match(self, match: int, now: Millis) -> None:
        await self.log.write((f"update matches set ended = ?, upto = {self.log.end} where match = ?", (now, match)))  # noqa: S608

    async def archive(self, played: Played, players: Sequence[Player | None], lines: bytes, now: Millis) -> None:
        """The match in one piece, instead of its rows and its table."""
        opening, seats = msgspec.json.encode(played.opening), msgspec.json.encode(players).decode()
        kept = (played.match, opening, seats, now, lines, played.started)
        who = [("insert into archived values (?, ?)", (player, played.match)) for player in players if player]
        await self.log.write(
            ("insert into archive (match, opening, players, ended, lines, started) values (?, ?, ?, ?, ?, ?)", kept),
            *who,
            *self.log.forgetting(played),
            ("delete from matches where match = ?", (played.match,)),
            ("delete from tables where key = ?", (played.table,)),
        )

    async def forget_archived(self, player: Player, name: str) -> None:
        """In matches of long ago, too, who is forgotten has that name."""
        for match, opening, players in await self.log.read(_ARCHIVED, (player,)):
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

    async def unseen(self, since: Millis, most: int) -> list[Guest]:
        return await self._guests("select player, name, made from guests where seen < ? limit ?", since, most)

    async def rewrite(self, match: int, opening: Opening) -> None:
        """Only for names that have to go."""
        await self.log.write(
            ("update matches set opening = ? where match = ?", (msgspec.json.encode(opening), match)),
        )

    async def _guests(self, statement: str, *values: Any) -> list[Guest]:
        return [Guest(*row) for row in await self.log.read(statement, values)]

    async def guest_with(self, token: bytes) -> Guest | None:
        return next(iter(await self._guests(_BY_PROOF, token)), None)

    async def guest_by_code(self, code: bytes, now: Millis) -> Guest | None:
        return next(iter(await self._guests(_BY_CODE, code, now)), None)

    async def number_of_guests(self) -> int:
        [[number]] = await self.log.read("select count(*) from guests")
        return int(number)

    async def drop_codes(self, now: Millis) -> None:
        """Those that have run out."""
        await self.log.write(("delete from codes where until <= ?", (now,)))

    async def tables(self) -> list[tuple[Key, str, bytes, Millis]]:
        return await self.log.read("select key, state, body, changed from tables")

    async def running(self) -> list[Played]:
        return [_played(*row) for row in await self.log.read(f"{_MATCH} where ended is null order by match")]

    async def over(self) -> list[Played]:
        return [_played(*row) for row in await self.log.read(f"{_MATCH} where ended is not null order by match")]

    async def match(self, number: int) -> Played:
        [row] = await self.log.read(f"{_MATCH} where match = ?", (number,))
        return _played(*row)

    async def histories(self, played: Sequence[Played]) -> dict[int, list[Row]]:
        """What happened in these matches."""
        return await self.log.histories(played)

    async def history(self, played: Played) -> list[Row]:
        return (await self.log.histories([played]))[played.match]


def _played(match: int, table: Key, opening: bytes, started: Millis, since: int, upto: int | None) -> Played:
    return Played(match, table, msgspec.json.decode(opening, type=Opening), started, since, upto)


def events_of(row: Row) -> list[AnyEvent]:
    return _events.decode(row.events)
