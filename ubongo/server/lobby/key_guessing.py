"""Limits the guessing of tables' keys: they are short enough to be said, and so to be guessed."""

from __future__ import annotations

from contextlib import suppress

from ubongo.server.clock import Clock
from ubongo.server.errors import Denied
from ubongo.server.lobby.registry import TableRegistry
from ubongo.server.lobby.rooms import Rooms
from ubongo.server.lobby.table_keys import is_sayable
from ubongo.server.rate_limit import AddressRateLimit
from ubongo.server.store.entities import Key, Player

# A class of thirty shares one address and may mistype. docs/security.md says how long guessing takes.
MISSES_BURST = 60
# One in five minutes.
MISSES_RATE = 1 / 300


class GuessLimit:
    """After too many misses an address gets no tables, except those at which its guests sit.

    It is refused whether a table exists or not; otherwise guessing could go on, only without being told of misses.
    """

    def __init__(self, clock: Clock, registry: TableRegistry, rooms: Rooms) -> None:
        self._clock = clock
        self._registry = registry
        self._rooms = rooms
        self.misses = AddressRateLimit(MISSES_RATE, MISSES_BURST)

    def is_suspect(self, key: Key, address: str) -> bool:
        return is_sayable(key) and not self.misses.has_left(address, self._clock.now())

    async def refuse_guesses(self, key: Key, address: str, player: Player | None) -> None:
        """Called before a table is looked up by its key; raises Denied."""
        if not self.is_suspect(key, address):
            return
        with suppress(Denied):
            lobby_table = await self._rooms.current(key)
            if player is not None and lobby_table.plan.seat_of(player) is not None:
                return
        raise Denied("too_many_misses")

    def note_miss(self, key: Key, address: str) -> None:
        """Counts a request for a table that does not exist. The key of a closed table is not a guess."""
        if is_sayable(key) and not self._registry.has_key(key):
            self.misses.take(address, self._clock.now())
