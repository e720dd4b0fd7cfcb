"""The list of public tables: a page is made when something has changed, not for everybody who looks; packed once."""

from __future__ import annotations

import gzip
from typing import NamedTuple

import msgspec
from msgspec.structs import replace

from ubongo.server.clock import Timestamp
from ubongo.server.errors import Denied
from ubongo.server.http.table_entries import TableEntry, entered
from ubongo.server.lobby.lobby import Lobby
from ubongo.server.rate_limit import AddressRateLimit
from ubongo.server.store.entities import Player
from ubongo.table import Millis, SeatNo, numbered

PAGE = 50
MOST_PAGES = 1000
# Who has come, and which round it is, is shown a little late.
FRESH = Millis(1000)
# An address has so many pages made a second, and so many at once. If it asks more often it is given what was made last,
# and refused where nothing was: it may ask for every page, and by every name that is ours.
MADE_RATE, MADE_BURST = 10, 20
# So many are kept, of all pages and of all names that this server has.
KEPT = 64


class Page(NamedTuple):
    """`people`: where those who sit at these tables sit, by the number of the entry. `more`: there is another page."""

    made: Timestamp
    version: int
    entries: list[TableEntry]
    people: dict[Player, list[tuple[int, SeatNo]]]
    more: bool
    plain: bytes
    packed: bytes

    def for_player(self, player: Player) -> bytes:
        """The same for somebody who sits at some of them."""
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
        """`base` is what links begin with, `address` where it is asked from. Pages count from 1."""
        if not 1 <= number <= MOST_PAGES:
            raise Denied("unreadable", why=f"page is a number from 1 to {MOST_PAGES}")
        now = self._lobby.clock.now()
        kept = self._pages.get((base, number))
        if kept is not None and kept.version == self._lobby.registry.open_tables.version and now - kept.made < FRESH:
            return kept
        if not self._made.take(address, now):
            if kept is None:
                raise Denied("too_fast")
            return kept
        page = await self._make(base, number, now)
        self._pages.pop((base, number), None)
        self._pages[base, number] = page
        while len(self._pages) > KEPT:
            del self._pages[next(iter(self._pages))]
        return page

    async def _make(self, base: str, number: int, now: Timestamp) -> Page:
        found = await self._lobby.public_tables((number - 1) * PAGE, PAGE + 1)
        version = self._lobby.registry.open_tables.version
        lobby_tables = found[:PAGE]
        entries = [entered(base, one, one.shown()) for one in lobby_tables]
        people: dict[Player, list[tuple[int, SeatNo]]] = {}
        for place, lobby_table in enumerate(lobby_tables):
            for seat, chair in numbered(lobby_table.plan.chairs):
                if chair.player is not None:
                    people.setdefault(chair.player, []).append((place, seat))
        plain = msgspec.json.encode(entries)
        return Page(now, version, entries, people, len(found) > PAGE, plain, gzip.compress(plain, mtime=0))
