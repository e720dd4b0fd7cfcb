"""Tables that are not over: how many each guest and each address has, and in which order the public ones are listed.

Everything is kept up to date with each change: opening a table and listing some cost the same however many there are.
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

# An address with more public tables than this has the rest of them listed after everybody else's.
LISTED_FIRST = 10

# Whether its address has many others, whether nobody can join, whether nobody waits there, and how many seats are free.
Rank = tuple[bool, bool, bool, int]


class TableLimits(Struct, frozen=True):
    """How many tables may be open at once; 0 is no limit."""

    guest: int = 0
    address: int = 0
    total: int = 0


class _Noted(NamedTuple):
    host: Player
    address: str
    rank: Rank | None


class OpenTables:
    """`limits` hold for new tables alone: what is open stays open."""

    def __init__(self, limits: TableLimits) -> None:
        self.limits = limits
        self._noted: dict[Key, _Noted] = {}
        self._by_host: Counter[Player] = Counter()
        self._by_address: Counter[str] = Counter()
        self._listed_by_address: Counter[str] = Counter()
        # By rank, each in the order in which they came to it.
        self._public: dict[Rank, dict[Key, None]] = {}
        # Whether there is no room on the disk for another one.
        self.out_of_space = False
        # Tables that are just being written down.
        self._opening = 0
        # Goes up with every change to a public table.
        self.version = 0

    def __len__(self) -> int:
        return len(self._noted)

    def __contains__(self, key: Key) -> bool:
        return key in self._noted

    @contextmanager
    def opening(self, host: Player, address: str) -> Iterator[None]:
        """Counts a table that is being opened; refuses one too many. An address that is not counted is empty."""
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
        """A table as it is now: new, changed, or over."""
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
        """Some of the public tables, the best to join first; of equally good ones the newest."""
        ordered = chain.from_iterable(reversed(self._public[rank]) for rank in sorted(self._public))
        return list(islice(ordered, skip, skip + most))


def rank_of(lobby_table: LobbyTable, crowded: bool) -> Rank:
    """The less the better: where somebody waits and few are missing. What can only be watched comes later."""
    free = len(lobby_table.plan.free_seats())
    joinable = lobby_table.state == "gather" and free > 0
    return crowded, not joinable, not lobby_table.attended, free


def _count(counts: Counter[str], name: str, by: int) -> None:
    counts[name] += by
    if not counts[name]:
        del counts[name]
