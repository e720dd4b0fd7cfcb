"""Counts the tables that are not over by guest and address, for their limits, and orders the public ones for the list.

Counts and order are updated with each change, so opening and listing tables cost the same however many there are.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import chain, islice
from typing import NamedTuple

from msgspec import Struct

from ubongo.server.errors import Denied
from ubongo.server.lobby.lobby_table import LobbyTable
from ubongo.server.store.entities import Key, Player

# If an address has more public tables than this, the others are listed last.
LISTED_FIRST = 10

# Whether its address has many others, whether it cannot be joined, whether nobody is connected, and its free seats.
Rank = tuple[bool, bool, bool, int]


class TableLimits(Struct, frozen=True):
    """How many tables may be open at once; 0 for no limit."""

    guest: int = 0
    address: int = 0
    total: int = 0


class _Noted(NamedTuple):
    host: Player
    address: str
    rank: Rank | None


class OpenTables:
    """`limits` hold for new tables only: a table that is open stays open."""

    def __init__(self, limits: TableLimits) -> None:
        self.limits = limits
        self._noted: dict[Key, _Noted] = {}
        self._by_host: Counter[Player] = Counter()
        self._by_address: Counter[str] = Counter()
        self._listed_by_address: Counter[str] = Counter()
        # Keys by rank, in the order in which they got it.
        self._public: dict[Rank, dict[Key, None]] = {}
        # Whether `--max-disk` has been reached.
        self.out_of_space = False
        # Tables that are being stored.
        self._opening = 0
        # Goes up with every change to a public table.
        self.version = 0

    def __len__(self) -> int:
        return len(self._noted)

    def __contains__(self, key: Key) -> bool:
        return key in self._noted

    @contextmanager
    def opening(self, host: Player, address: str) -> Iterator[None]:
        """Counts a table while it is being opened; raises Denied at a limit. `address` is empty if it has no limit."""
        limits, own = self.limits, self._by_host[host]
        if limits.guest and own >= limits.guest:
            raise Denied("too_many_tables", tables=own)
        if limits.address and address and self._by_address[address] >= limits.address:
            raise Denied("too_many_tables_here")
        if self.out_of_space:
            raise Denied("out_of_space")
        if limits.total and len(self._noted) + self._opening >= limits.total:
            raise Denied("server_full")
        self._opening += 1
        _count(self._by_host, host, 1)
        _count(self._by_address, address, 1)
        try:
            yield
        finally:
            self._opening -= 1
            _count(self._by_host, host, -1)
            _count(self._by_address, address, -1)

    def note(self, lobby_table: LobbyTable) -> None:
        """Updates counts and order for a table that is new, has changed or is over."""
        key, plan = lobby_table.key, lobby_table.plan
        before = self._noted.get(key)
        if lobby_table.state not in ("gather", "running"):
            self.drop(key)
            return
        rank = None
        if plan.public:
            if before is not None and before.rank is not None:
                crowded = before.rank[0]
            else:
                crowded = lobby_table.address != "" and self._listed_by_address[lobby_table.address] >= LISTED_FIRST
            rank = rank_of(lobby_table, crowded)
        now = _Noted(plan.host, lobby_table.address, rank)
        self.version += plan.public
        if now == before:
            return
        self.drop(key)
        self._noted[key] = now
        _count(self._by_host, now.host, 1)
        _count(self._by_address, now.address, 1)
        if rank is not None:
            self._public.setdefault(rank, {})[key] = None
            _count(self._listed_by_address, now.address, 1)

    def drop(self, key: Key) -> None:
        was = self._noted.pop(key, None)
        if was is None:
            return
        _count(self._by_host, was.host, -1)
        _count(self._by_address, was.address, -1)
        if was.rank is not None:
            self.version += 1
            _count(self._listed_by_address, was.address, -1)
            ranked = self._public[was.rank]
            del ranked[key]
            if not ranked:
                del self._public[was.rank]

    def public(self, skip: int, most: int) -> list[Key]:
        """Some of the public tables, by rank; the newest first within a rank."""
        ordered = chain.from_iterable(reversed(self._public[rank]) for rank in sorted(self._public))
        return list(islice(ordered, skip, skip + most))


def rank_of(lobby_table: LobbyTable, crowded: bool) -> Rank:
    """Lower is better: tables that wait for few players come first, tables that can only be watched come last."""
    free = len(lobby_table.plan.free_seats())
    joinable = lobby_table.state == "gather" and free > 0
    return crowded, not joinable, not lobby_table.attended, free


def _count(counts: Counter[str], name: str, by: int) -> None:
    counts[name] += by
    if not counts[name]:
        del counts[name]
