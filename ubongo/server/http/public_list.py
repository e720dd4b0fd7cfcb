"""The list of public tables: a cached page is made again only when something has changed, and compressed once."""

from __future__ import annotations

import gzip
from typing import NamedTuple

import msgspec
from msgspec.structs import replace

from ubongo.server.clock import Timestamp
from ubongo.server.errors import Denied
from ubongo.server.http.table_entries import TableEntry, entry_of
from ubongo.server.lobby.lobby import Lobby
from ubongo.server.rate_limit import AddressRateLimit
from ubongo.server.store.entities import Player
from ubongo.table import Millis, SeatNo, numbered

PAGE = 50
MOST_PAGES = 1000
# Presence and rounds may be shown this late.
FRESH = Millis(1000)
# How many pages an address may cause to be made, per second and at once. Above that it gets cached pages, or a refusal
# if there is none: it could ask for every page under every host name of this server.
MADE_RATE, MADE_BURST = 10, 20
# The size of the cache, over all pages and host names.
MOST_CACHED = 64


class Page(NamedTuple):
    """`people`: for each player at these tables, the entries and their seats. `more`: there is another page."""

    made: Timestamp
    version: int
    entries: list[TableEntry]
    people: dict[Player, list[tuple[int, SeatNo]]]
    more: bool
    plain: bytes
    packed: bytes

    def for_player(self, player: Player) -> bytes:
        """The page for a player who sits at some of these tables."""
        entries = list(self.entries)
        for number, seat in self.people[player]:
            entries[number] = replace(entries[number], seat=seat)
        return msgspec.json.encode(entries)


class PublicList:
    def __init__(self, lobby: Lobby) -> None:
        self._lobby = lobby
        self._pages: dict[tuple[str, int], Page] = {}
        self._made = AddressRateLimit(MADE_RATE, MADE_BURST)

    def tidy(self, now: Timestamp) -> None:
        self._made.tidy(now)

    async def page(self, base: str, number: int, address: str) -> Page:
        """`base` is the beginning of links, `address` the client's. Pages count from 1."""
        if not 1 <= number <= MOST_PAGES:
            raise Denied("unreadable", why=f"page is a number from 1 to {MOST_PAGES}")
        now = self._lobby.clock.now()
        cached = self._pages.get((base, number))
        if (
            cached is not None
            and cached.version == self._lobby.registry.open_tables.version
            and now - cached.made < FRESH
        ):
            return cached
        if not self._made.take(address, now):
            if cached is None:
                raise Denied("too_fast")
            return cached
        page = await self._make(base, number, now)
        self._pages.pop((base, number), None)
        self._pages[base, number] = page
        while len(self._pages) > MOST_CACHED:
            del self._pages[next(iter(self._pages))]
        return page

    async def _make(self, base: str, number: int, now: Timestamp) -> Page:
        found = await self._lobby.public_tables((number - 1) * PAGE, PAGE + 1)
        version = self._lobby.registry.open_tables.version
        lobby_tables = found[:PAGE]
        entries = [entry_of(base, one, one.shown()) for one in lobby_tables]
        people: dict[Player, list[tuple[int, SeatNo]]] = {}
        for place, lobby_table in enumerate(lobby_tables):
            for seat, chair in numbered(lobby_table.plan.chairs):
                if chair.player is not None:
                    people.setdefault(chair.player, []).append((place, seat))
        plain = msgspec.json.encode(entries)
        return Page(now, version, entries, people, len(found) > PAGE, plain, gzip.compress(plain, mtime=0))
