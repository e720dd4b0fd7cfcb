"""What a change of the table means to each viewer: only what is different, and only what they may see.

Veil first, then compare. Comparing the tables and veiling the difference would be wrong: what is turned over is the
same thing before and after, and only its veil has changed.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec import Struct

from ubongo.events import AnyEvent, Dealt, Judged
from ubongo.server.protocol import encode
from ubongo.table import Seat, SeatNo, Table
from ubongo.veil import veil, veil_event

Changed = dict[str, Any]

_PARTS = tuple(name for name in Table.__struct_fields__ if name != "seats")
_SEAT_PARTS = Seat.__struct_fields__
# The only events that do not say the same to everybody.
_VEILED = frozenset((Dealt, Judged))


class Views:
    """A table as each viewer sees it. Where a spectator sees all of it, so does everybody, and there is one view."""

    __slots__ = ("_seen", "open", "table")

    def __init__(self, table: Table) -> None:
        self.table = table
        public = veil(table, None)
        self.open = public is table
        self._seen: dict[SeatNo | None, Table] = {None: public}

    def of(self, viewer: SeatNo | None) -> Table:
        if self.open:
            return self.table
        found = self._seen.get(viewer)
        if found is None:
            found = self._seen[viewer] = veil(self.table, viewer)
        return found


def changed(old: Struct, new: Struct, parts: Sequence[str]) -> Changed:
    """The fields that differ: by identity, which is quick, then by equality, since a veil is made anew each time."""
    return {
        name: after
        for name in parts
        if (before := getattr(old, name)) is not (after := getattr(new, name)) and before != after
    }


def changes(old: Table, new: Table) -> Changed:
    """What a viewer of the one table has to be told to have the other."""
    found = changed(old, new, _PARTS)
    if old.seats is not new.seats:
        seats = {
            str(number): difference
            for number, (before, after) in enumerate(zip(old.seats, new.seats, strict=True))
            if before is not after and (difference := changed(before, after, _SEAT_PARTS))
        }
        if seats:
            found["seats"] = seats
    return found


class Told:
    """One update for all members of a room, encoded once for each view of it that differs."""

    def __init__(self, old: Views, new: Views, events: Sequence[AnyEvent], written: bytes | None = None) -> None:
        self._old = old
        self._new = new
        self._events = events
        self._differ = any([type(event) in _VEILED for event in events])  # noqa: C419 - quicker than a generator
        # A row of the log holds the very bytes that are sent, unless somebody may not see them all.
        self._written = None if self._differ else written or encode(events)
        self._alike = old.open and new.open and not self._differ
        self._said: dict[SeatNo | None, tuple[bytes, bytes]] = {}

    def to(self, seat: SeatNo | None) -> tuple[bytes, bytes]:
        """The events and the change of the table, for that seat or (None) for a spectator."""
        viewer = None if self._alike else seat
        found = self._said.get(viewer)
        if found is None:
            heard = self._written or encode([veil_event(event, viewer) for event in self._events])
            found = self._said[viewer] = heard, encode(changes(self._old.of(viewer), self._new.of(viewer)))
        return found
