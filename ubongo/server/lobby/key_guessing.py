"""Keys that can be said are short enough to be guessed, were it free: from one address it soon is not."""

from __future__ import annotations

from contextlib import suppress

from ubongo.server.clock import Clock
from ubongo.server.errors import Denied
from ubongo.server.lobby.registry import TableRegistry
from ubongo.server.lobby.rooms import Rooms
from ubongo.server.lobby.table_keys import sayable
from ubongo.server.rate_limit import AddressRateLimit
from ubongo.server.store.entities import Key, Player

# A class of thirty comes by one address, and may mistype; docs/security.md says how long a guesser takes.
MISSES_BURST = 60
# One in five minutes.
MISSES_RATE = 1 / 300


class GuessLimit:
    """An address that has asked for too many tables which are not there is shown none, but those its people sit at.

    Neither what is there nor what is not: else it could go on, and would only not be told of its misses.
    """

    def __init__(self, clock: Clock, registry: TableRegistry, rooms: Rooms) -> None:
        self._clock = clock
        self._registry = registry
        self._rooms = rooms
        self.misses = AddressRateLimit(MISSES_RATE, MISSES_BURST)

    def suspects(self, key: Key, address: str) -> bool:
        return sayable(key) and not self.misses.has_left(address, self._clock.now())

    async def check(self, key: Key, address: str, player: Player | None) -> None:
        """Before a table is looked up by its key."""
        if not self.suspects(key, address):
            return
        with suppress(Denied):
            lobby_table = await self._rooms.current(key)
            if player is not None and lobby_table.plan.seat_of(player) is not None:
                return
        raise Denied("too_many_misses")

    def missed(self, key: Key, address: str) -> None:
        """There was no such table. One that has been closed is no guess."""
        if sayable(key) and not self._registry.has_key(key):
            self.misses.take(address, self._clock.now())
