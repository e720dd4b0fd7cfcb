"""What operators have decided, as the database keeps it: bans, removed records, and every decision with its reason.

Commands write it while servers run; these look every second for decisions that are new.
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

# Somebody else may decide something in the same moment; but not so often.
TRIES = 10

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
    """`target` is a guest's id or a network; `name` is what the guest was called.

    `with_address`: wherever the guest is seen, that address is banned too.
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
    """Which records: of a run, of a guest, of a day's puzzle, or of all that are named."""

    run: int | None = None
    guest: Player | None = None
    day: str | None = None


class ModerationStore:
    """Every change is durable when it returns."""

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
        """A decision, together with what it changes; its number. Numbers go up without a gap, also with two at once."""
        for _ in range(TRIES):
            number = await self.newest() + 1
            with_number = [(sql, tuple(number if one is THIS else one for one in values)) for sql, values in statements]
            row = (number, now, operator, action, target, reason, now if done else None)
            try:
                await self._store.write(*with_number, claim=(_ADD, row))
            except VersionConflict:
                continue
            return number
        raise VersionConflict("others decide something all the time")

    async def newest(self) -> int:
        [[number]] = await self._store.read("select coalesce(max(decision), 0) from moderation")
        return int(number)

    async def pending(self) -> list[Decision]:
        return [Decision(*row) for row in await self._store.read(f"{_DECISION} where done is null order by decision")]

    async def decision(self, number: int) -> Decision:
        [row] = await self._store.read(f"{_DECISION} where decision = ?", (number,))
        return Decision(*row)

    async def note_done(self, number: int, now: Timestamp) -> None:
        """Overtaken, if another server has carried it out."""
        await self._store.write(claim=(_DONE, (now, number)))

    # Bans

    async def bans(self) -> list[Ban]:
        rows = await self._store.read(_BANS)
        return [
            Ban(target, kind, name, at, until, why, bool(also)) for target, kind, name, at, until, why, also in rows
        ]

    async def devices(self) -> list[tuple[bytes, Player]]:
        """The tokens of banned guests, as hashes."""
        return [(bytes(token), player) for token, player in await self._store.read(_DEVICES)]

    async def drop_expired(self, before: Timestamp) -> None:
        """Bans that ended before then."""
        await self._store.write(("delete from bans where until <= ?", (before,)))

    # What is decided about

    async def guests(self, player: Player = "", name: str = "", most: int = 10) -> list[Guest]:
        wanted = "select player, name, made from guests where player = ? or name = ? order by seen desc limit ?"
        return [Guest(*row) for row in await self._store.read(wanted, (player, name, most))]

    async def state_of(self, key: Key) -> str | None:
        found = await self._store.read("select state from tables where key = ?", (key,))
        return found[0][0] if found else None

    async def open_tables(self) -> list[tuple[Key, str, bytes]]:
        return [(key, state, body) for key, state, body in await self._store.read(_OPEN_TABLES)]

    async def records(self, chosen: RecordFilter, removed: bool = False) -> list[MatchResult]:
        """Those that count, or those that were removed; the best of each kind first."""
        conditions = {"match": chosen.run, "player": chosen.guest, "day": chosen.day}
        named = {column: value for column, value in conditions.items() if value is not None}
        where = " and ".join(f"{column} = ?" for column in named) or "1 = 1"
        which = _IS_REMOVED if removed else "scored = 1"
        rows = await self._store.read(_RECORDS.format(which=which, chosen=where), tuple(named.values()))
        return [result_of(row) for row in rows]


class _This:
    pass


# Stands for the number of the decision that a statement belongs to.
THIS = _This()


def banning(ban: Ban) -> Statement:
    return _BAN, (ban.target, ban.kind, ban.name, ban.at, ban.until, ban.reason, int(ban.with_address))


def lifting(target: str) -> Statement:
    return "delete from bans where target = ?", (target,)


def removing(results: Sequence[MatchResult]) -> list[Statement]:
    """They stay results, but count no more."""
    noted = "insert into removed_records values (?, ?, ?) on conflict do nothing"
    uncounted = "update results set scored = 0 where match = ? and seat = ?"
    return [
        statement
        for one in results
        for statement in ((noted, (one.match, one.seat, THIS)), (uncounted, (one.match, one.seat)))
    ]


def restoring(results: Sequence[MatchResult]) -> list[Statement]:
    forgotten = "delete from removed_records where match = ? and seat = ?"
    counted = "update results set scored = 1 where match = ? and seat = ?"
    return [(statement, (one.match, one.seat)) for one in results for statement in (forgotten, counted)]
