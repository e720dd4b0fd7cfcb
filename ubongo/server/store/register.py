"""People, tables and matches as the file keeps them: what the lobby knows, so that a restart forgets nobody."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from typing import Any

import msgspec
from msgspec import Raw, Struct

from ubongo.events import AnyEvent
from ubongo.server.store import Log, Row, Statement, Unreadable, VersionConflict
from ubongo.server.store.damage import UNDECODABLE
from ubongo.table import Millis

Key = str
Player = str
_ADD_TABLE = "insert into tables values (?, ?, ?, ?) on conflict do nothing"
_KEEP_TABLE = "update tables set state = ?, body = ?, changed = ? where key = ? and changed = ?"
_MATCH = "select match, table_key, opening, started, since, upto from matches"
_TABLE = """
    select key, state, body, changed, m.match, m.table_key, m.opening, m.started, m.since, m.upto
    from tables left join matches m on m.table_key = key
"""
_OPEN = (
    "where state in ('gather', 'running') or (state <> 'closed' and m.ended is null and m.match > 0) order by m.match"
)
# By an index, and by the table itself; each from both ends, since nothing is read beyond damage.
_ALL_KEYS = tuple(
    f"select key from tables order by {order}"  # noqa: S608 - our own names
    for order in ("state, changed", "state desc, changed desc", "key", "key desc")
)
_OLD_TABLES = "select key from tables where state = ? and changed <= ? order by changed limit ?"
_UNSEEN = """
    select player, name, made from guests
    where seen < ? and not exists (select 1 from seated where seated.player = guests.player)
    and not exists (select 1 from bans where target = guests.player) limit ?
"""
_ADD_DEVICE = "insert into tokens (hash, player, made, seen, label) values (?, ?, ?, ?, ?)"
_GUEST = "select player, name, made from guests"
_BY_PROOF = "select player, name, guests.made from tokens join guests using (player) where hash = ?"
_BY_CODE = "select player, name, made from codes join guests using (player) where hash = ? and until > ?"
_ARCHIVED = "select match, opening, players from archived join archive using (match) where player = ?"
_events = msgspec.json.Decoder(list[AnyEvent])


@contextmanager
def decoded(what: str) -> Iterator[None]:
    """What is kept in the log's own words: Unreadable, if it is not what was written there."""
    try:
        yield
    except UNDECODABLE as problem:
        raise Unreadable(f"what is kept of {what} is damaged: {problem}") from None


class Guest(Struct, frozen=True):
    """`player` is public, a name for everybody; what proves who one is are tokens."""

    player: Player
    name: str
    made: Millis


class Device(Struct, frozen=True):
    """Where a guest is known, by the hash of its token. `label` is the browser and the system, if those are known."""

    proof: bytes
    label: str
    made: Millis
    seen: Millis


class Bot(Struct, frozen=True):
    name: str
    bot: str


class Opening(Struct, frozen=True):
    """The first line of a match's log, as `referee` reads it."""

    game: str
    seats: tuple[str | Bot, ...]
    seed: str
    options: Raw


class StoredMatch(Struct, frozen=True):
    """A match as it was opened, and where in the log it lies."""

    match: int
    table: Key
    opening: Opening
    started: Millis
    since: int
    upto: int | None = None


class StoredTable(Struct, frozen=True):
    """A table as it is kept, with its match, if it has one, and how far that is."""

    key: Key
    state: str
    body: bytes
    changed: Millis
    version: int
    played: StoredMatch | None


class LobbyStore:
    """Every change is durable when it returns."""

    def __init__(self, log: Log) -> None:
        self.log = log

    async def add_guest(self, guest: Guest, token: bytes, label: str = "") -> None:
        await self.log.write(
            ("insert into guests values (?, ?, ?, ?)", (guest.player, guest.name, guest.made, guest.made)),
            (_ADD_DEVICE, (token, guest.player, guest.made, guest.made, label)),
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

    async def redeem(self, code: bytes, token: bytes, player: Player, now: Millis, label: str = "") -> None:
        """A code works once; a token comes of it. Of two who come at once one is too late: Overtaken."""
        await self.log.write(
            (_ADD_DEVICE, (token, player, now, now, label)),
            claim=("delete from codes where hash = ?", (code,)),
        )

    def adding(self, key: Key, state: str, body: bytes, now: Millis) -> Statement:
        """What makes a new table."""
        return _ADD_TABLE, (key, state, body, now)

    async def add_table(self, key: Key, state: str, body: bytes, now: Millis) -> None:
        """Overtaken, if there is a table of that key."""
        await self.log.write(claim=self.adding(key, state, body, now))

    async def has_table(self, key: Key) -> bool:
        return bool(await self.log.read("select 1 from tables where key = ?", (key,)))

    async def keep_table(
        self, key: Key, state: str, body: bytes, now: Millis, since: Millis, *also: Statement
    ) -> Millis:
        """Something else is agreed on, if nobody has changed the table after `since`: else Overtaken.

        When it was changed: always after `since`, so that no two changes are taken for one.
        """
        changed = max(now, since + 1)
        await self.log.write(*also, claim=(_KEEP_TABLE, (state, body, changed, key, since)))
        return changed

    async def open_match(
        self, table: Key, opening: Opening, body: bytes, now: Millis, since: Millis | None = None
    ) -> StoredMatch:
        """The match and its table are one: who sits where is the match's from now on. Without `since` both are new."""
        number = await self.log.new_match()
        place = f"insert into matches (match, table_key, opening, started, since) values (?, ?, ?, ?, {self.log.end})"  # noqa: S608 - our own names
        match = [(place, (number, table, msgspec.json.encode(opening), now)), *self.log.opening(number)]
        if since is None:
            await self.log.write(self.adding(table, "running", body, now), *match)
        else:
            await self.keep_table(table, "running", body, now, since, *match)
        return await self.match(number)

    def ending(self, match: int, now: Millis) -> list[Statement]:
        """What says that a match is over, and where it lies from then on."""
        ended = f"update matches set ended = ?, upto = {self.log.end} where match = ?", (now, match)  # noqa: S608 - our own names
        return [ended, *self.log.closing(match)]

    async def archive(self, played: StoredMatch, players: Sequence[Player | None], lines: bytes, now: Millis) -> None:
        """The match in one piece, instead of its rows and its table; Overtaken, if somebody has done it already."""
        opening, seats = msgspec.json.encode(played.opening), msgspec.json.encode(players).decode()
        kept = (played.match, opening, seats, now, lines, played.started)
        who = [("insert into archived values (?, ?)", (player, played.match)) for player in players if player]
        await self.log.write(
            ("insert into archive (match, opening, players, ended, lines, started) values (?, ?, ?, ?, ?, ?)", kept),
            *who,
            *self.log.forgetting(played),
            ("delete from tables where key = ?", (played.table,)),
            claim=("delete from matches where match = ?", (played.match,)),
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

    async def saw(self, players: Iterable[Player], devices: Mapping[bytes, Millis], now: Millis) -> None:
        await self.log.write(
            *[("update guests set seen = ? where player = ?", (now, player)) for player in players],
            *[("update tokens set seen = ? where hash = ? and seen < ?", (at, one, at)) for one, at in devices.items()],
        )

    async def devices(self, player: Player) -> list[Device]:
        """Where this guest is known."""
        rows = await self.log.read("select hash, label, made, seen from tokens where player = ?", (player,))
        return [Device(bytes(proof), label, made, max(seen, made)) for proof, label, made, seen in rows]

    async def sign_out(self, player: Player, devices: Iterable[bytes], cancel_codes: bool) -> None:
        """These devices are nobody's any more; nor do codes that were not used yet make another one."""
        codes = [("delete from codes where player = ?", (player,))] if cancel_codes else []
        await self.log.write(
            *[("delete from tokens where hash = ? and player = ?", (one, player)) for one in devices], *codes
        )

    async def unseen(self, since: Millis, most: int) -> list[Guest]:
        """Who has not been here since then, and has no table that is kept. Who is banned must stay known."""
        return await self._guests(_UNSEEN, since, most)

    def rewriting(self, match: int, opening: Opening) -> Statement:
        """Only for names that have to go."""
        return "update matches set opening = ? where match = ?", (msgspec.json.encode(opening), match)

    async def _guests(self, statement: str, *values: Any) -> list[Guest]:
        return [Guest(*row) for row in await self.log.read(statement, values)]

    async def guests(self, players: Sequence[Player]) -> list[Guest]:
        """Those of them that are known, by name."""
        if not players:
            return []
        which = f"where player in ({', '.join('?' * len(players))}) order by name"
        return await self._guests(f"{_GUEST} {which}", *players)

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

    async def table(self, key: Key) -> StoredTable | None:
        return next(iter(await self._kept("where key = ?", key)), None)

    async def open_tables(self) -> tuple[list[StoredTable], list[Key]]:
        """Those that are not over, in the order of their matches; and those that are damaged."""
        try:
            return await self._kept(_OPEN), []
        except Unreadable:
            return await self._open_tables_one_by_one()

    async def _open_tables_one_by_one(self) -> tuple[list[StoredTable], list[Key]]:
        """As many as can be found from either end of the table and of its index."""
        found, damaged = [], []
        for key in {key for statement in _ALL_KEYS for (key,) in await self.log.salvage(statement)}:
            try:
                kept = await self.table(key)
            except Unreadable:
                damaged.append(key)
            else:
                unfinished = kept is not None and kept.played is not None and kept.played.upto is None
                if kept is not None and (
                    kept.state in ("gather", "running") or (kept.state != "closed" and unfinished)
                ):
                    found.append(kept)
        return sorted(found, key=lambda one: one.played.match if one.played else 0), damaged

    async def _kept(self, which: str, *values: Any) -> list[StoredTable]:
        with decoded("a table"):
            return [_stored_table(*row) for row in await self.log.read(f"{_TABLE} {which}", values)]

    async def number_by_state(self) -> dict[str, int]:
        """How many tables there are."""
        return dict(await self.log.read("select state, count(*) from tables group by state"))

    async def old_tables(self, closed: Millis, others: Millis, most: int) -> list[Key]:
        """Tables that were closed before one time, and others without a running match, unchanged since another."""
        found: list[Key] = []
        for state, before in (("closed", closed), ("over", others), ("abandoned", others), ("gather", others)):
            found += [key for (key,) in await self.log.read(_OLD_TABLES, (state, before, most))]
        return found

    async def tables_of(self, player: Player) -> list[Key]:
        """Where somebody sits, or is the host."""
        return [key for (key,) in await self.log.read("select table_key from seated where player = ?", (player,))]

    async def match(self, number: int) -> StoredMatch:
        """As it is kept; Overtaken, if somebody has put it away."""
        with decoded("a match"):
            for row in await self.log.read(f"{_MATCH} where match = ?", (number,)):
                return stored_match(*row)
        raise VersionConflict("it has been put away")

    async def histories(self, played: Sequence[StoredMatch]) -> dict[int, list[Row]]:
        """What happened in these matches, but for those that are damaged."""
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


def _stored_table(key: Key, state: str, body: bytes, changed: Millis, match: int | None, *played: Any) -> StoredTable:
    return StoredTable(key, state, body, changed, 0, None if match is None else stored_match(match, *played))


def stored_match(match: int, table: Key, opening: bytes, started: Millis, since: int, upto: int | None) -> StoredMatch:
    return StoredMatch(match, table, msgspec.json.decode(opening, type=Opening), started, since, upto)


def events_of(row: Row) -> list[AnyEvent]:
    return _events.decode(row.events)
