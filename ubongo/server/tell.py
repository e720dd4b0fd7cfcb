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
from ubongo.veil import veil_event, veiled, veiled_last

Changed = dict[str, Any]

_PARTS = tuple(name for name in Table.__struct_fields__ if name not in {"seats", "last"})
_SEAT_PARTS = Seat.__struct_fields__
# The only events that do not say the same to everybody.
_VEILED = frozenset((Dealt, Judged))


def changed(old: Struct, new: Struct, parts: Sequence[str]) -> Changed:
    """The fields that differ: by identity, which is quick, then by equality, since a veil is made anew each time."""
    return {
        name: after
        for name in parts
        if (before := getattr(old, name)) is not (after := getattr(new, name)) and before != after
    }


def changes(old: Table, new: Table) -> tuple[Changed, dict[SeatNo, Changed]]:
    """What everybody learns, and for each seat that sees more of its own than others do, what it learns instead."""
    public = changed(old, new, _PARTS)
    if old.last is not new.last:
        public["last"] = veiled_last(new.last, None)
    was_playing, playing = old.phase == "play", new.phase == "play"
    if old.seats is new.seats and was_playing == playing:
        return public, {}
    seats: dict[str, Changed] = {}
    own: dict[SeatNo, Changed] = {}
    for number, (before, after) in enumerate(zip(old.seats, new.seats, strict=True)):
        if before is after and was_playing == playing:
            continue
        seen_before, seen = veiled(before, False, was_playing), veiled(after, False, playing)
        if difference := changed(seen_before, seen, _SEAT_PARTS):
            seats[str(number)] = difference
        mine_before, mine = veiled(before, True, was_playing), veiled(after, True, playing)
        if mine_before is not seen_before or mine is not seen:
            own[number] = changed(mine_before, mine, _SEAT_PARTS)
    theirs = {
        number: _with_seats(_with_last(public, new, number), {**seats, str(number): mine})
        for number, mine in own.items()
    }
    return _with_seats(public, seats), theirs


def _with_last(public: Changed, new: Table, viewer: SeatNo) -> Changed:
    return {**public, "last": veiled_last(new.last, viewer)} if "last" in public else public


def _with_seats(public: Changed, seats: dict[str, Changed]) -> Changed:
    seats = {number: difference for number, difference in seats.items() if difference}
    return {**public, "seats": seats} if seats else public


class Told:
    """One update for all members of a room, encoded once for each view of it that differs."""

    def __init__(self, old: Table, new: Table, events: Sequence[AnyEvent], written: bytes | None = None) -> None:
        self._events = events
        self._differ = any(type(event) in _VEILED for event in events)
        public, self._own = changes(old, new)
        # A row of the log holds the very bytes that are sent, unless somebody may not see them all.
        spoken = encode(events) if written is None or self._differ else written
        self._public = (self._heard(None) if self._differ else spoken, encode(public))
        self._theirs: dict[SeatNo, tuple[bytes, bytes]] = {}

    def to(self, seat: SeatNo | None) -> tuple[bytes, bytes]:
        """The events and the change of the table, for that seat or (None) for a spectator."""
        if seat is None or not (self._differ or seat in self._own):
            return self._public
        found = self._theirs.get(seat)
        if found is None:
            heard = self._heard(seat) if self._differ else self._public[0]
            found = (heard, encode(self._own[seat]) if seat in self._own else self._public[1])
            self._theirs[seat] = found
        return found

    def _heard(self, seat: SeatNo | None) -> bytes:
        return encode([veil_event(event, seat) for event in self._events])
