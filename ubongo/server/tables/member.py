"""A connection, as a room knows it."""

from __future__ import annotations

from typing import Protocol

from ubongo.table import SeatNo


class Member(Protocol):
    """One connection. A seat may have several: all of them get the same messages."""

    player: str | None
    seat: SeatNo | None

    def send(self, message: bytes) -> None: ...
    def close(self, code: int, why: str) -> None: ...
