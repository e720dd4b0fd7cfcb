"""Decisions of operators: bans, removed records, and every decision with its reason.

Commands write them while servers run. The servers check every second for new decisions.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from msgspec import Struct

from ubongo.server.clock import Timestamp
from ubongo.server.store import Statement, Store, VersionConflict
from ubongo.server.store.entities import Guest, Key, Player
from ubongo.server.store.results import MatchResult, result_of

Action = Literal["ban", "lift", "close_table", "remove_records", "restore_records"]

# How often a decision is retried if others are written at the same moment.
MOST_TRIES = 10

_DECISION = "select decision, at, operator, action, target, reason, done from moderation"
_ADD = "insert into moderation values (?, ?, ?, ?, ?, ?, ?) on conflict do nothing"
_DONE = "update moderation set done = ? where decision = ? and done is null"
_BAN = """
    insert into bans values (?, ?, ?, ?, ?, ?, ?) on conflict (target) do update
    set name = excluded.name, at = excluded.at, until = excluded.until, reason = excluded.reason,
        with_address = excluded.with_address
"""
_BANS = "select target, kind, name, at, until, reason, with_address from bans order by at, target"
_DEVICES = "select hash, player from tokens where player in (select target from bans where kind = 'guest')"
_OPEN_TABLES = "select key, state, body from tables where state in ('gather', 'running') order by changed desc, key"
_RECORDS = "select * from results where {which} and {chosen} order by kind, edition, day, first, second, match"
_IS_REMOVED = "exists (select 1 from removed_records r where r.match = results.match and r.seat = results.seat)"


class Ban(Struct, frozen=True):
    """`target` is a guest's id or a network; `name` is the guest's name at that time.

    `with_address`: every address from which the guest connects is banned too.
    """

    target: str
    kind: Literal["guest", "network"]
    name: str
    at: Timestamp
    until: Timestamp | None
    reason: str
    with_address: bool = False


class Decision(Struct, frozen=True):
    """`done`: when it was carried out."""

    id: int
    at: Timestamp
    operator: str
    action: Action
    target: str
    reason: str
    done: Timestamp | None = None


class RecordFilter(Struct, frozen=True):
    """Records of a run, of a guest, or of a day's puzzle; of all that are given, if several are."""

    run: int | None = None
    guest: Player | None = None
    day: str | None = None


class ModerationStore:
    """Every change is durable when its method returns."""

    def __init__(self, store: Store) -> None:
        self._store = store

    # Decisions

    async def add(
        self,
        action: Action,
        target: str,
        reason: str,
        operator: str,
        now: Timestamp,
        statements: Sequence[Statement] = (),
        done: bool = False,
    ) -> int:
        """Adds a decision and what it changes; returns its number. Numbers have no gaps."""
        for _ in range(MOST_TRIES):
            number = await self.newest() + 1
            with_number = [(sql, tuple(number if one is THIS else one for one in values)) for sql, values in statements]
            row = (number, now, operator, action, target, reason, now if done else None)
            try:
                await self._store.write(*with_number, claim=(_ADD, row))
            except VersionConflict:
                continue
            return number
        raise VersionConflict("others write decisions all the time")

    async def newest(self) -> int:
        [[number]] = await self._store.read("select coalesce(max(decision), 0) from moderation")
        return int(number)

    async def pending(self) -> list[Decision]:
        return [Decision(*row) for row in await self._store.read(f"{_DECISION} where done is null order by decision")]

    async def decision(self, number: int) -> Decision:
        [row] = await self._store.read(f"{_DECISION} where decision = ?", (number,))
        return Decision(*row)

    async def note_done(self, number: int, now: Timestamp) -> None:
        """Raises VersionConflict if another server has carried it out."""
        await self._store.write(claim=(_DONE, (now, number)))

    # Bans

    async def bans(self) -> list[Ban]:
        rows = await self._store.read(_BANS)
        return [
            Ban(target, kind, name, at, until, why, bool(also)) for target, kind, name, at, until, why, also in rows
        ]

    async def devices(self) -> list[tuple[bytes, Player]]:
        """The token hashes of banned guests, with their ids."""
        return [(bytes(token), player) for token, player in await self._store.read(_DEVICES)]

    async def drop_expired(self, before: Timestamp) -> None:
        """Bans that ended before then."""
        await self._store.write(("delete from bans where until <= ?", (before,)))

    # What decisions are about

    async def guests(self, player: Player = "", name: str = "", most: int = 10) -> list[Guest]:
        query = "select player, name, made from guests where player = ? or name = ? order by seen desc limit ?"
        return [Guest(*row) for row in await self._store.read(query, (player, name, most))]

    async def state_of(self, key: Key) -> str | None:
        found = await self._store.read("select state from tables where key = ?", (key,))
        return found[0][0] if found else None

    async def open_tables(self) -> list[tuple[Key, str, bytes]]:
        return [(key, state, body) for key, state, body in await self._store.read(_OPEN_TABLES)]

    async def records(self, chosen: RecordFilter, removed: bool = False) -> list[MatchResult]:
        """Records that count, or those that were removed; the best of each kind first."""
        conditions = {"match": chosen.run, "player": chosen.guest, "day": chosen.day}
        named = {column: value for column, value in conditions.items() if value is not None}
        where = " and ".join(f"{column} = ?" for column in named) or "1 = 1"
        which = _IS_REMOVED if removed else "scored = 1"
        rows = await self._store.read(_RECORDS.format(which=which, chosen=where), tuple(named.values()))
        return [result_of(row) for row in rows]


class _This:
    pass


# A placeholder for the number of the decision that a statement belongs to.
THIS = _This()


def ban_statement(ban: Ban) -> Statement:
    return _BAN, (ban.target, ban.kind, ban.name, ban.at, ban.until, ban.reason, int(ban.with_address))


def lift_statement(target: str) -> Statement:
    return "delete from bans where target = ?", (target,)


def remove_statements(results: Sequence[MatchResult]) -> list[Statement]:
    """They stay results, but no longer count as records."""
    note = "insert into removed_records values (?, ?, ?) on conflict do nothing"
    discount = "update results set scored = 0 where match = ? and seat = ?"
    return [
        statement
        for one in results
        for statement in ((note, (one.match, one.seat, THIS)), (discount, (one.match, one.seat)))
    ]


def restore_statements(results: Sequence[MatchResult]) -> list[Statement]:
    forget = "delete from removed_records where match = ? and seat = ?"
    count = "update results set scored = 1 where match = ? and seat = ?"
    return [(statement, (one.match, one.seat)) for one in results for statement in (forget, count)]
