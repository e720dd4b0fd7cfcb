"""The log: what has happened, durable before anybody is told. This is the port; a file each implements it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple, Protocol

from ubongo.table import Instant


class Row(NamedTuple):
    """Events of one moment, as they are told. `version` is the match's after them."""

    match: int
    version: int
    at: Instant
    events: bytes


class Entry(Protocol):
    """Rows that become durable together or not at all."""

    @property
    def rows(self) -> Sequence[Row]: ...


class Unrecorded(Exception):
    """It could not be written down: a full disk, a failing one. The text says what the disk says."""


Recorded = Callable[[Sequence[Entry]], None]
Lost = Callable[[Sequence[Entry], Unrecorded], None]


class Appends(Protocol):
    """What a room needs of a log. Whoever owns both hears of every entry once: recorded, or lost."""

    def append(self, entry: Entry) -> None: ...
