"""Tables and their matches: what the lobby has to know again after a restart."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import Any

import msgspec

from ubongo.match_file import Opening, read_opening
from ubongo.server.clock import Timestamp
from ubongo.server.store import Log, Row, Statement, Unreadable, VersionConflict
from ubongo.server.store.entities import Key, Player, StoredMatch, StoredTable, decode_match, decoded

_ADD_TABLE = "insert into tables values (?, ?, ?, ?) on conflict do nothing"
_UPDATE_TABLE = "update tables set state = ?, body = ?, changed = ? where key = ? and changed = ?"
_MATCH = "select match, table_key, opening, started, since, upto from matches"
_TABLE = """
    select key, state, body, changed, m.match, m.table_key, m.opening, m.started, m.since, m.upto
    from tables left join matches m on m.table_key = key
"""
_OPEN = (
    "where state in ('gather', 'running') or (state <> 'closed' and m.ended is null and m.match > 0) order by m.match"
)
# By the index and by the table itself, each from both ends: a scan stops at the first damaged page.
_ALL_KEYS = tuple(
    f"select key from tables order by {order}"  # noqa: S608 - our own names
    for order in ("state, changed", "state desc, changed desc", "key", "key desc")
)
_OLD_TABLES = "select key from tables where state = ? and changed <= ? order by changed limit ?"
_ARCHIVE = "insert into archive (match, opening, players, ended, lines, started) values (?, ?, ?, ?, ?, ?)"
_ARCHIVED = "select match, opening, players from archived join archive using (match) where player = ?"


class LobbyStore:
    """Every change is durable when its method returns."""

    def __init__(self, log: Log) -> None:
        self.log = log

    # Tables

    def add_table_statement(self, key: Key, state: str, body: bytes, now: Timestamp) -> Statement:
        """The statement that adds a table."""
        return _ADD_TABLE, (key, state, body, now)

    async def add_table(self, key: Key, state: str, body: bytes, now: Timestamp) -> None:
        """Raises VersionConflict if there is a table with that key."""
        await self.log.write(claim=self.add_table_statement(key, state, body, now))

    async def has_table(self, key: Key) -> bool:
        return bool(await self.log.read("select 1 from tables where key = ?", (key,)))

    async def update_table(
        self, key: Key, state: str, body: bytes, now: Timestamp, since: Timestamp, *also: Statement
    ) -> Timestamp:
        """Updates a table that was last changed at `since`, else raises VersionConflict. `also` is written with it.

        Returns the time of the change, which is always after `since`, so that no two changes have the same time.
        """
        changed = max(now, since + 1)
        await self.log.write(*also, claim=(_UPDATE_TABLE, (state, body, changed, key, since)))
        return Timestamp(changed)

    async def drop_table(self, key: Key) -> None:
        await self.log.write(("delete from tables where key = ?", (key,)))

    async def table(self, key: Key) -> StoredTable | None:
        return next(iter(await self._tables("where key = ?", key)), None)

    async def open_tables(self) -> tuple[list[StoredTable], list[Key]]:
        """Tables that are not over, ordered by match number; and the keys of damaged ones."""
        try:
            return await self._tables(_OPEN), []
        except Unreadable:
            return await self._open_tables_one_by_one()

    async def _open_tables_one_by_one(self) -> tuple[list[StoredTable], list[Key]]:
        """As many as can be found from either end of the table and of its index."""
        found, damaged = [], []
        for key in {key for statement in _ALL_KEYS for (key,) in await self.log.salvage(statement)}:
            try:
                table = await self.table(key)
            except Unreadable:
                damaged.append(key)
            else:
                if table is not None and _is_open(table):
                    found.append(table)
        return sorted(found, key=lambda one: one.played.match if one.played else 0), damaged

    async def _tables(self, which: str, *values: Any) -> list[StoredTable]:
        with decoded("a table"):
            return [_decode_table(*row) for row in await self.log.read(f"{_TABLE} {which}", values)]

    async def number_by_state(self) -> dict[str, int]:
        """How many tables there are in each state."""
        return dict(await self.log.read("select state, count(*) from tables group by state"))

    async def old_tables(self, closed: Timestamp, others: Timestamp, most: int) -> list[Key]:
        """Tables closed before `closed`, and other tables without a running match, unchanged since `others`."""
        found: list[Key] = []
        for state, before in (("closed", closed), ("over", others), ("abandoned", others), ("gather", others)):
            found += [key for (key,) in await self.log.read(_OLD_TABLES, (state, before, most))]
        return found

    async def tables_of(self, player: Player) -> list[Key]:
        """Tables where that guest has a seat or is the host."""
        return [key for (key,) in await self.log.read("select table_key from seated where player = ?", (player,))]

    # Matches

    async def open_match(
        self, table: Key, opening: Opening, body: bytes, now: Timestamp, since: Timestamp | None = None
    ) -> StoredMatch:
        """Adds a match and updates its table in one transaction. Without `since` the table is new, too."""
        number = await self.log.new_match()
        place = f"insert into matches (match, table_key, opening, started, since) values (?, ?, ?, ?, {self.log.end})"  # noqa: S608 - our own names
        match = [(place, (number, table, msgspec.json.encode(opening), now)), *self.log.open_match_statements(number)]
        if since is None:
            await self.log.write(self.add_table_statement(table, "running", body, now), *match)
        else:
            await self.update_table(table, "running", body, now, since, *match)
        return await self.match(number)

    def end_match_statements(self, match: int, now: Timestamp) -> list[Statement]:
        """The statements that end a match, and note where its rows end."""
        ended = f"update matches set ended = ?, upto = {self.log.end} where match = ?", (now, match)  # noqa: S608 - our own names
        return [ended, *self.log.close_match_statements(match)]

    def replace_opening_statement(self, match: int, opening: Opening) -> Statement:
        """The statement that replaces an opening: only to remove the name of a guest who is forgotten."""
        return "update matches set opening = ? where match = ?", (msgspec.json.encode(opening), match)

    async def match(self, number: int) -> StoredMatch:
        """Raises VersionConflict if the match has been archived meanwhile."""
        with decoded("a match"):
            for row in await self.log.read(f"{_MATCH} where match = ?", (number,)):
                return decode_match(*row)
        raise VersionConflict("the match has been archived")

    async def histories(self, played: Sequence[StoredMatch]) -> dict[int, list[Row]]:
        """The rows of these matches, without the matches that are damaged."""
        try:
            return await self.log.histories(played)
        except Unreadable:
            found: dict[int, list[Row]] = {}
            for one in played:
                with suppress(Unreadable):
                    found |= await self.log.histories([one])
            return found

    async def history(self, played: StoredMatch) -> list[Row]:
        return (await self.log.histories([played]))[played.match]

    # The archive

    async def archive(
        self, played: StoredMatch, players: Sequence[Player | None], lines: bytes, now: Timestamp
    ) -> None:
        """Replaces a match's rows and its table by one row; raises VersionConflict if that has been done already."""
        opening, seats = msgspec.json.encode(played.opening), msgspec.json.encode(players).decode()
        row = (played.match, opening, seats, now, lines, played.started)
        by_player = [("insert into archived values (?, ?)", (player, played.match)) for player in players if player]
        await self.log.write(
            (_ARCHIVE, row),
            *by_player,
            *self.log.delete_match_statements(played),
            ("delete from tables where key = ?", (played.table,)),
            claim=("delete from matches where match = ?", (played.match,)),
        )

    async def forget_archived(self, player: Player, name: str) -> None:
        """Replaces a forgotten guest's name in archived matches."""
        for match, stored, players in await self.log.read(_ARCHIVED, (player,)):
            opening = read_opening(stored)
            seats: list[Player | None] = msgspec.json.decode(players)
            names = list(opening.seats)
            for seat, other in enumerate(seats):
                if other == player:
                    seats[seat], names[seat] = None, name
            renamed = msgspec.structs.replace(opening, seats=tuple(names))
            values = (msgspec.json.encode(renamed), msgspec.json.encode(seats).decode(), match)
            await self.log.write(
                ("update archive set opening = ?, players = ? where match = ?", values),
                ("delete from archived where player = ? and match = ?", (player, match)),
            )


def _is_open(table: StoredTable) -> bool:
    unfinished = table.played is not None and table.played.upto is None
    return table.state in ("gather", "running") or (table.state != "closed" and unfinished)


def _decode_table(
    key: Key, state: str, body: bytes, changed: Timestamp, match: int | None, *played: Any
) -> StoredTable:
    return StoredTable(key, state, body, changed, 0, None if match is None else decode_match(match, *played))
