"""Reads every intact row of a table in a damaged file: up to the first damage, and on after it."""

from __future__ import annotations

import sqlite3
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any

from ubongo.server.store.damage import is_damage

SalvagedRow = tuple[Any, ...]
_HIGHEST = 2**63 - 1
# After damage in a table with a text key, reading is tried again at every two printable characters, or bytes.
_PRINTABLE = range(0x20, 0x7F)
# The declared type of text columns. Other columns are numbers or bytes.
_TEXT = "text"


class Salvage:
    """One table, over a connection that returns text as bytes. `damaged`: part of the table could not be read.

    `gaps`: between which row numbers rows may be missing, if the table has row numbers.
    """

    def __init__(self, connection: sqlite3.Connection, table: str, columns: Sequence[str]) -> None:
        self._connection = connection
        self._table = table
        self._columns = columns
        self.damaged = False
        self.gaps: list[tuple[int, int]] = []
        assert connection.text_factory is bytes
        found = connection.execute(f"pragma table_info({table})")
        kinds = {name.decode(): kind.decode().lower() for _, name, kind, *_ in found}
        self._text = [kinds[column] == _TEXT for column in columns]
        [[plan]] = connection.execute("select sql from sqlite_master where type = 'table' and name = ?", (table,))
        by_rowid = b"without rowid" not in plan.lower()
        self._key = "rowid" if by_rowid else columns[0]
        self._by_number = by_rowid or kinds[self._key] == "integer"
        self._by_bytes = kinds.get(self._key) == "blob"

    def rows(self) -> Iterator[SalvagedRow]:
        """Each once, in no particular order."""
        # Row and match numbers are never negative.
        start: Any = 0 if self._by_number else b"" if self._by_bytes else ""
        while start is not None:
            last = start
            try:
                for key, *row in self._connection.execute(self._statement(">="), (start,)):
                    last = key if self._by_number or self._by_bytes else _decode(key) or last
                    if (read := self._decode_row(row)) is not None:
                        yield read
            except sqlite3.DatabaseError as problem:
                if not is_damage(problem):
                    raise
                self.damaged = True
                start = self._after_damage(last)
                if self._by_number:
                    self.gaps.append((last, _HIGHEST if start is None else start))
            else:
                return

    def _statement(self, comparison: str, limit: str = "") -> str:
        columns = ", ".join((self._key, *self._columns))
        return f"select {columns} from {self._table} where {self._key} {comparison} ? order by {self._key} {limit}"  # noqa: S608 - our own names

    def _decode_row(self, row: Sequence[Any]) -> SalvagedRow | None:
        """The row with its text decoded; None if that is damaged."""
        found: list[Any] = []
        for value, text in zip(row, self._text, strict=True):
            if text and isinstance(value, bytes):
                value = _decode(value)  # noqa: PLW2901 - the same value, read
                if value is None:
                    self.damaged = True
                    return None
            found.append(value)
        return tuple(found)

    def _after_damage(self, last: Any) -> Any:
        """The first key from which rows can be read again, or None."""
        if not self._by_number:
            starts = _starts(self._by_bytes)
            return next((one for one in starts[bisect_right(starts, last) :] if self._can_read(one)), None)
        step = 1
        while not self._can_read(last + step):
            step *= 2
            if last + step > _HIGHEST:
                return None
        # The damage ends in the second half of this step.
        low, high = last + step // 2, last + step
        while low + 1 < high:
            middle = (low + high) // 2
            low, high = (low, middle) if self._can_read(middle) else (middle, high)
        return high

    def _can_read(self, start: Any) -> bool:
        try:
            self._connection.execute(self._statement(">=", "limit 1"), (start,)).fetchone()
        except sqlite3.DatabaseError as problem:
            if not is_damage(problem):
                raise
            return False
        return True


def _decode(value: bytes) -> str | None:
    try:
        return value.decode()
    except UnicodeDecodeError:
        return None


@cache
def _starts(by_bytes: bool) -> list[Any]:
    if by_bytes:
        return [bytes((first, second)) for first in range(256) for second in range(256)]
    return [chr(first) + chr(second) for first in _PRINTABLE for second in _PRINTABLE]
