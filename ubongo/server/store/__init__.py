"""The log: what has happened, durable before anybody is told. This is the port; a file each implements it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, Protocol

from ubongo.table import Instant


class Row(NamedTuple):
    """Events of one moment, as they are told. `version` is the match's after them."""

    match: int
    version: int
    at: Instant
    events: bytes


class Entry(Protocol):
    """Rows of one match that become durable together or not at all. `since` is the match's version before them."""

    @property
    def match(self) -> int: ...
    @property
    def since(self) -> int: ...
    @property
    def rows(self) -> Sequence[Row]: ...


class Span(Protocol):
    """Where a match lies in the log: after `since`, up to `upto`. Only a log without an index has to know."""

    @property
    def match(self) -> int: ...
    @property
    def since(self) -> int: ...
    @property
    def upto(self) -> int | None: ...


class StoreError(Exception):
    """It could not be written down: a full disk, a failing one. The text says what the disk says."""


class Unreadable(StoreError):
    """What was asked for is damaged where it is kept; the text says what to do. Other things can still be had."""


class VersionConflict(StoreError):
    """Somebody else has written to this match: it goes on from there."""


Statement = tuple[str, tuple[Any, ...]]
# The rows of a commit, and the seconds that it took. May be called from the log's own thread.
OnCommit = Callable[[int, float], None]
OnRecorded = Callable[[Sequence[Entry]], None]
OnLost = Callable[[Sequence[Entry], StoreError], None]


def ignore_commit(rows: int, seconds: float) -> None:
    """For logs whose commits are not measured."""


class Appends(Protocol):
    """What a room needs of a log. Whoever owns both hears of every entry once: recorded, or lost."""

    def append(self, entry: Entry) -> None: ...


class Store(Protocol):
    """Statements are plain SQL that both databases understand, with `?` for values."""

    async def write(self, *statements: Statement, claim: Statement | None = None) -> None:
        """All of them or none, durable when it returns; raises Unrecorded.

        A claim has to change exactly one row, else nothing is written: Overtaken. Without any of them it waits until
        all that was appended has been answered.
        """

    async def read(self, statement: str, values: tuple[Any, ...] = ()) -> list[Any]:
        """All rows; Unreadable, if one of them is damaged."""


class Log(Appends, Store, Protocol):
    """What the whole server needs of one.

    `problem` is the disk's error message while it refuses writes. `damage` says what to do if anything that was read
    is damaged.
    """

    problem: str | None
    damage: str | None

    @property
    def end(self) -> str:
        """Where the log ends now, in SQL."""

    async def start(self, recorded: OnRecorded, lost: OnLost) -> None: ...

    async def salvage(self, statement: str, values: tuple[Any, ...] = ()) -> list[Any]:
        """The rows up to the first that is damaged."""

    async def histories(self, spans: Sequence[Span]) -> dict[int, list[Row]]:
        """What happened in these matches, each in its order."""

    async def time(self) -> tuple[int, int] | None:
        """What time it is where the log is, in nanoseconds since 1970, and what our monotonic clock said then.

        None where that is this very machine. All who write to a log go by the same clock.
        """

    async def size(self) -> int:
        """How many bytes it takes on the disk, without what is free to be used again."""

    async def new_match(self) -> int:
        """A number that no match has had."""

    def open_match_statements(self, match: int) -> Sequence[Statement]:
        """What has to be written before a match's first row."""

    def close_match_statements(self, match: int) -> Sequence[Statement]:
        """What has to be written when a match is over."""

    def delete_match_statements(self, span: Span) -> Sequence[Statement]:
        """What removes a match's rows."""

    async def close(self) -> None:
        """Everything that was appended is written first."""
