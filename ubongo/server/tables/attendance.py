"""Which players are connected to a table, to this server or to others, and since when none is."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from ubongo.server.clock import Clock, Timestamp
from ubongo.server.tables.broadcast import Broadcast
from ubongo.table import SeatNo, Table, numbered, with_seat


class Attendance:
    """`elsewhere` are the players that are connected to other servers, as far as we know."""

    def __init__(self, clock: Clock, broadcast: Broadcast) -> None:
        self._clock = clock
        self._broadcast = broadcast
        self.elsewhere: frozenset[str] = frozenset()
        # T7: since when no player has been connected to any server; None while one is.
        self.alone_since: Timestamp | None = clock.now()
        # The same, but a spectator counts too.
        self.empty_since: Timestamp | None = clock.now()

    def present(self) -> frozenset[str | None]:
        return self.elsewhere | {member.player for member in self._broadcast.members}

    def unrecorded(self, table: Table) -> Iterator[tuple[SeatNo, bool]]:
        """The seats of players whose presence differs from what the table says, and whether they are present."""
        present = self.present()
        for seat, holder in numbered(self._broadcast.holders):
            if holder is not None and table.seats[seat].present != (holder in present):
                yield seat, holder in present

    def note(self) -> bool:
        """Somebody has come or gone. True if the table was empty until now."""
        empty = not self._broadcast.members and not self.elsewhere
        was_empty = self.empty_since is not None
        if empty != was_empty:
            self.empty_since = self._clock.now() if empty else None
        if not self._alone():
            self.alone_since = None
        elif self.alone_since is None:
            self.alone_since = self._clock.now()
        return was_empty and not empty

    def _alone(self) -> bool:
        """T7: a spectator does not count, except at a table of bots only."""
        if not any(self._broadcast.holders):
            return not self._broadcast.members and not self.elsewhere
        return self.present().isdisjoint(filter(None, self._broadcast.holders))


def with_presence(table: Table, seat: SeatNo, present: bool) -> Table:
    return with_seat(table, seat, replace(table.seats[seat], present=present))
