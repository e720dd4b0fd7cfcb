"""What changes for each viewer of a table: only what is different, and only what they may see.

Veil first, then compare. To compare the tables and then veil the difference would be wrong: something that is turned
over is the same before and after, and only its veil changes. Seats that have not changed are the same objects, so few
have to be veiled at all. A test compares the result with `veil`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import astuple

from ubongo.events import AnyEvent, Dealt, Judged
from ubongo.server.protocol import encode
from ubongo.table import SeatNo, Table
from ubongo.veil import lies_open, veil, veil_event, veiled

Changed = dict[str, Any]

# The only events that differ between viewers.
_VEILED = frozenset((Dealt, Judged))


def changed(old: Struct, new: Struct) -> Changed:
    """The fields that differ, except a table's seats, which are compared one by one.

    First by identity, which is fast, then by equality, since each veil makes new objects.
    """
    return {
        name: after
        for name, before, after in zip(new.__struct_fields__, astuple(old), astuple(new), strict=True)
        if before is not after and name != "seats" and before != after
    }


def difference(old: Table, new: Table) -> Changed:
    """Everything that differs, with nothing veiled, in the form of an update."""
    seats = {
        str(number): part
        for number, (before, after) in enumerate(zip(old.seats, new.seats, strict=True))
        if (part := changed(before, after))
    }
    found = changed(old, new)
    return {**found, "seats": seats} if seats else found


def changed_seats(old: Table, new: Table) -> tuple[dict[str, Changed], dict[SeatNo, Changed]]:
    """What differs at each seat for the others, and for its own player if that is not the same."""
    was_shown, shown = lies_open(old), lies_open(new)
    others: dict[str, Changed] = {}
    own: dict[SeatNo, Changed] = {}
    if old.seats is new.seats and was_shown == shown:
        return others, own
    for number, (before, after) in enumerate(zip(old.seats, new.seats, strict=True)):
        if before is after and was_shown == shown:
            continue
        seen_before, seen = veiled(before, False, was_shown), veiled(after, False, shown)
        if difference := changed(seen_before, seen):
            others[str(number)] = difference
        mine_before, mine = veiled(before, True, was_shown), veiled(after, True, shown)
        if mine_before is not seen_before or mine is not seen:
            own[SeatNo(number)] = changed(mine_before, mine)
    return others, own


class TableChange:
    """One change of a table for all its members, encoded once for each view that differs."""

    def __init__(self, old: Table, new: Table, events: Sequence[AnyEvent], encoded: bytes | None = None) -> None:
        self._new = new
        self._events = events
        self._parts = changed(old, new)
        self._others, self._own = changed_seats(old, new)
        differ = any([type(event) in _VEILED for event in events])  # noqa: C419 - faster than a generator
        # A row of the log holds the bytes that are sent, unless some viewers may not see all of them.
        self._encoded_events = None if differ else encoded or encode(events)
        self._alike = not differ and "last" not in self._parts
        self._encoded: dict[SeatNo | None, tuple[bytes, bytes]] = {}

    def for_seat(self, seat: SeatNo | None) -> tuple[bytes, bytes]:
        """The events and the change of the table, for that seat or (None) for a spectator."""
        viewer = None if self._alike and seat not in self._own else seat
        found = self._encoded.get(viewer)
        if found is None:
            events = self._encoded_events or encode([veil_event(event, viewer) for event in self._events])
            found = self._encoded[viewer] = events, encode(self._changes(viewer))
        return found

    def _changes(self, viewer: SeatNo | None) -> Changed:
        found = self._parts
        if "last" in found:
            found = {**found, "last": veil(self._new, viewer).last}
        seats = self._others
        if viewer is not None and viewer in self._own:
            seats = {**seats, str(viewer): self._own[viewer]}
        return {**found, "seats": seats} if seats else found
