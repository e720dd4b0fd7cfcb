"""The log of events, and the rest of the database. An event is durable before anybody is sent it.

This is the port. `SqliteLog` and `PostgresLog` implement it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, Protocol

from ubongo.table import Instant


class Row(NamedTuple):
    """Events of one moment, encoded as they are sent. `version` is the match's version after them."""

    match: int
    version: int
    at: Instant
    events: bytes


class Entry(Protocol):
    """Rows of one match that are written together or not at all. `since` is the match's version before them."""

    @property
    def match(self) -> int: ...
    @property
    def since(self) -> int: ...
    @property
    def rows(self) -> Sequence[Row]: ...


class Span(Protocol):
    """Where a match's rows are in the log: after `since`, up to `upto`. A log with an index does not need it."""

    @property
    def match(self) -> int: ...
    @property
    def since(self) -> int: ...
    @property
    def upto(self) -> int | None: ...


class StoreError(Exception):
    """A write or a read failed: the disk is full or failing, or the database is away. The text is its message."""


class Unreadable(StoreError):
    """The stored data that was asked for is damaged; the text says what to do. Other data may still be readable."""


class VersionConflict(StoreError):
    """Another server has written to this match or table first: read again, then retry."""


class StoreBug(StoreError):
    """A bug of ours made a write fail. It has been logged with its traceback."""


Statement = tuple[str, tuple[Any, ...]]
# The rows of a commit, and the seconds that it took. May be called from the log's own thread.
OnCommit = Callable[[int, float], None]
OnRecorded = Callable[[Sequence[Entry]], None]
OnLost = Callable[[Sequence[Entry], StoreError], None]


def ignore_commit(rows: int, seconds: float) -> None:
    """For logs whose commits are not measured."""


class Appends(Protocol):
    """What a live match needs of a log. Every entry is reported once, as recorded or as lost."""

    def append(self, entry: Entry) -> None: ...


class Store(Protocol):
    """Statements are plain SQL that both databases understand, with `?` for values."""

    async def write(self, *statements: Statement, claim: Statement | None = None) -> None:
        """All of them or none, durable when it returns; raises StoreError.

        A claim has to change exactly one row, otherwise nothing is written and VersionConflict is raised. Without any
        statement it waits until everything that was appended before has been reported.
        """

    async def read(self, statement: str, values: tuple[Any, ...] = ()) -> list[Any]:
        """All rows; raises Unreadable if one of them is damaged."""


class Log(Appends, Store, Protocol):
    """What the whole server needs of a log."""

    @property
    def problem(self) -> str | None:
        """Why writes fail at the moment, if they do."""

    @property
    def damage(self) -> str | None:
        """What to do about damage, if any data that was read is damaged."""

    @property
    def end(self) -> str:
        """Where the log ends now, as an SQL expression."""

    async def start(self, recorded: OnRecorded, lost: OnLost) -> None: ...

    async def salvage(self, statement: str, values: tuple[Any, ...] = ()) -> list[Any]:
        """The rows up to the first damaged one."""

    async def histories(self, spans: Sequence[Span]) -> dict[int, list[Row]]:
        """All rows of these matches, by version."""

    async def time(self) -> tuple[int, int] | None:
        """The time of the log's machine, in nanoseconds since 1970, and what our monotonic clock showed then.

        None if the log is on this machine. All servers that share a log use its clock.
        """

    async def size(self) -> int:
        """Its size in bytes, without free space inside it."""

    async def new_match(self) -> int:
        """A number that no match has had."""

    def open_match_statements(self, match: int) -> Sequence[Statement]:
        """To be written before a match's first row."""

    def close_match_statements(self, match: int) -> Sequence[Statement]:
        """To be written when a match is over."""

    def delete_match_statements(self, span: Span) -> Sequence[Statement]:
        """Delete a match's rows."""

    async def close(self) -> None:
        """Writes everything that was appended first."""
