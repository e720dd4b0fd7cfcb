"""The members of a table and what they have been sent: a welcome on arrival, then updates."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ubongo.server import protocol
from ubongo.server.protocol import encode
from ubongo.server.tables.member import Member
from ubongo.server.tables.update import TableChange, changed
from ubongo.table import Instant, SeatNo, Table
from ubongo.veil import veil


class Broadcast:
    """`table` and `version` are what the members have. `holders` are the players by seat, None for bots."""

    def __init__(self, table: Table, holders: Sequence[str | None]) -> None:
        self.table = table
        self.version = 0
        self.holders = tuple(holders)
        self.members: set[Member] = set()
        # What the lobby knows of the table, beside what lies on it.
        self.facts = protocol.TableFacts()

    def view(self, viewer: SeatNo | None) -> Table:
        """The table as that seat has been sent it."""
        return veil(self.table, viewer)

    def seat_of(self, player: str | None) -> SeatNo | None:
        return self.holders.index(player) if player is not None and player in self.holders else None

    def welcome(self, member: Member, now: Instant) -> None:
        """Sends the whole table, as this member may see it."""
        member.seat = self.seat_of(member.player)
        member.send(protocol.welcome(self.version, now, member.seat, self.view(member.seat), self.facts))

    def welcome_all(self, now: Instant) -> None:
        for member in list(self.members):
            self.welcome(member, now)

    def send_update(self, change: TableChange, acked: Mapping[Member, int], now: Instant) -> None:
        """Sends what has changed. `acked`: the last request of each member that this answers."""
        halves: dict[tuple[bytes, bytes], tuple[bytes, bytes]] = {}
        # A member that reads too slowly may be dropped on the way.
        for member in list(self.members):
            view = change.for_seat(member.seat)
            if view not in halves:
                halves[view] = protocol.update(self.version, now, *view)
            head, tail = halves[view]
            n = acked.get(member)
            member.send(head + (b"null" if n is None else b"%d" % n) + tail)

    def send_facts(self, facts: protocol.TableFacts, now: Instant) -> None:
        """Sends those that have changed."""
        different = changed(self.facts, facts)
        self.facts = facts
        if different:
            head, tail = protocol.update(self.version, now, b"[]", encode(different))
            self.send_to_all(head + b"null" + tail)

    def send_to_all(self, message: bytes) -> None:
        for member in list(self.members):
            member.send(message)
