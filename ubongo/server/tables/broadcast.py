"""Who is at a table, from which seat they look, and what they are told."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any

from ubongo.server import protocol
from ubongo.server.protocol import encode
from ubongo.server.tables.pending_append import Member
from ubongo.server.tables.update import Told
from ubongo.table import Instant, SeatNo, Table
from ubongo.veil import veil


class Audience(ABC):
    """`holders` are the people at the seats, by number; a bot's seat and a free one have none."""

    def __init__(self, table: Table, holders: Sequence[str | None]) -> None:
        self.holders = tuple(holders)
        self.told = table
        self.version = 0
        self.members: set[Member] = set()
        # What the lobby knows of the table, beside what lies on it.
        self.facts: dict[str, Any] = {}

    @abstractmethod
    def now(self) -> Instant:
        """The match's own time."""

    def view(self, viewer: SeatNo | None) -> Table:
        """The table as that seat has been told."""
        return veil(self.told, viewer)

    def seat_of(self, player: str | None) -> SeatNo | None:
        return self.holders.index(player) if player is not None and player in self.holders else None

    def remark(self, **facts: Any) -> None:
        """Something that the lobby knows of this table has changed."""
        self.facts.update(facts)
        head, tail = protocol.update(self.version, self.now(), b"[]", encode(facts))
        for member in list(self.members):
            member.send(head + b"null" + tail)

    def welcome(self, member: Member) -> None:
        """The whole table, as whoever holds a seat here or only watches may see it."""
        member.seat = self.seat_of(member.player)
        table = encode(self.view(member.seat))
        known = table[:-1] + b"," + encode(self.facts)[1:] if self.facts else table
        member.send(protocol.welcome(self.version, self.now(), member.seat, known))

    def update(self, told: Told, acked: Mapping[Member, int]) -> None:
        """What has changed, and to each who asked for it how far they are answered."""
        now, halves = self.now(), {}
        # A member that is too slow may be dropped while it is told.
        for member in list(self.members):
            view = told.to(member.seat)
            if view not in halves:
                halves[view] = protocol.update(self.version, now, *view)
            head, tail = halves[view]
            n = acked.get(member)
            member.send(head + (b"null" if n is None else b"%d" % n) + tail)
