"""The members of a table and what they have been sent: a welcome on arrival, then updates."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ubongo.events import AnyEvent
from ubongo.moves import Refused
from ubongo.server import protocol
from ubongo.server.protocol import encode
from ubongo.server.tables.member import Member
from ubongo.server.tables.pending_append import MoveRequest, PendingAppend
from ubongo.server.tables.update import TableChange, changed
from ubongo.table import Instant, SeatNo, Table
from ubongo.veil import veil

# The last request of each member that a message answers.
Acked = Mapping[Member, int]
NOBODY: Acked = {}


class Broadcast:
    """`table` and `version` are what the members have. `holders` are the players by seat, None for bots."""

    def __init__(self, table: Table, holders: Sequence[str | None]) -> None:
        self.table = table
        self.version = 0
        self.holders = tuple(holders)
        self.members: set[Member] = set()
        # What the lobby knows about the table.
        self.facts = protocol.TableFacts()

    def view(self, viewer: SeatNo | None) -> Table:
        """The table as it was sent to that seat."""
        return veil(self.table, viewer)

    def seat_of(self, player: str | None) -> SeatNo | None:
        return SeatNo(self.holders.index(player)) if player is not None and player in self.holders else None

    def welcome(self, member: Member, now: Instant) -> None:
        """Sends the whole table, as this member may see it."""
        member.seat = self.seat_of(member.player)
        member.send(protocol.welcome(self.version, now, member.seat, self.view(member.seat), self.facts))

    def welcome_all(self, now: Instant) -> None:
        for member in list(self.members):
            self.welcome(member, now)

    def send_committed(self, before: Table, appends: Sequence[PendingAppend], now: Instant) -> None:
        """Sends everything that these appends have changed since `before`, and acknowledges their requests."""
        last = appends[-1]
        events = [event for append in appends for event in append.events]
        encoded = last.rows[0].events if len(appends) == 1 and len(last.rows) == 1 else None
        acked = {
            append.request.asker: append.request.n
            for append in appends
            if append.request is not None and append.request.asker is not None
        }
        self.send_events(before, now, events, encoded, acked)

    def send_events(
        self, before: Table, now: Instant, events: Sequence[AnyEvent], encoded: bytes | None, acked: Acked = NOBODY
    ) -> None:
        """Sends an update, or welcomes if the match has just begun."""
        if before.phase != "gather":
            self.send_update(before, now, events, encoded, acked)
            return
        self.welcome_all(now)
        if acked:
            # A request from before the welcome gets its answer too.
            self.send_update(self.table, now, acked=acked)

    def send_update(
        self,
        before: Table,
        now: Instant,
        events: Sequence[AnyEvent] = (),
        encoded: bytes | None = None,
        acked: Acked = NOBODY,
    ) -> None:
        """Sends what has changed since `before`. `encoded` are the events as the log has them, if it has one row."""
        change = TableChange(before, self.table, events, encoded)
        halves: dict[tuple[bytes, bytes], tuple[bytes, bytes]] = {}
        # A member that reads too slowly may be dropped on the way.
        for member in list(self.members):
            view = change.for_seat(member.seat)
            if view not in halves:
                halves[view] = protocol.update(self.version, now, *view)
            head, tail = halves[view]
            n = acked.get(member)
            member.send(head + (b"null" if n is None else b"%d" % n) + tail)

    def decline(self, request: MoveRequest, no: Refused) -> None:
        """Answers the member that has asked, if it is still there."""
        if request.asker in self.members:
            request.asker.send(protocol.declined(request.n, no))

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
