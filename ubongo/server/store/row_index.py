"""Which rows of the file belong to each match, so that reading a match does not scan what others played meanwhile.

An index in SQL would cost every move a tenth of its time. Instead the writer remembers the row ids of running matches,
and saves them once, when a match ends. After a restart it searches for those of running matches.
"""

from __future__ import annotations

import json
import sqlite3
from array import array
from collections.abc import Sequence
from contextlib import suppress

from ubongo.server.store import Entry, Row, Span
from ubongo.server.store.damage import is_damage

_RUNNING = """
    select match, id from log
    where id > (select min(since) from matches where ended is null)
    and match in (select match from matches where ended is null) order by id
"""
# `row_ids` is a function of the writer's connection; null if it has not seen the match from its start.
_CLOSE = """
    insert into places select match, ids from (select match, row_ids(match) as ids from matches where match = ?)
    where ids is not null on conflict do nothing
"""
_SAVE = "insert into places values (?, ?) on conflict do nothing"
_BY_ID = """
    select match, version, at, events from log where id in (
        select ids.value from places, json_each(places.ids) as ids where match in (select value from json_each(?))
    ) order by id
"""
_INDEXED = "select match from places where match in (select value from json_each(?))"
_BY_SEARCH = """
    select match, version, at, events, id from log
    where id > ? and id <= ? and match in (select value from json_each(?)) order by id
"""
# The last row of the log stays, since new ids count from it.
_DELETE = """
    delete from log where id in (select ids.value from places, json_each(places.ids) as ids where match = ?)
    and id < (select max(id) from log)
"""
_DELETE_UNINDEXED = """
    delete from log where id > ? and id <= ? and match = ? and id < (select max(id) from log)
    and not exists (select 1 from places where match = ?)
"""

SqlStatement = tuple[str, tuple[object, ...]]


class RowIndex:
    """The row ids of running matches. Only the writer's thread uses it."""

    def __init__(self, writer: sqlite3.Connection) -> None:
        self._ids: dict[int, array[int]] = {}
        self._closed: list[int] = []
        writer.create_function("row_ids", 1, self._row_ids)
        # Whatever cannot be read here is searched for, and reported, when a history is read.
        with suppress(sqlite3.DatabaseError):
            for match, number in writer.execute(_RUNNING):
                self._ids.setdefault(match, array("q")).append(number)

    def note(self, entries: Sequence[Entry], first: int) -> None:
        """These entries have been committed; their rows have consecutive ids from `first` on."""
        ids = self._ids
        for entry in entries:
            match = entry.match
            if entry.since == 0:
                ids[match] = array("q")
            known, number = ids.get(match), len(entry.rows)
            if known is not None:
                # Nearly always there is only one row.
                known.append(first) if number == 1 else known.extend(range(first, first + number))
            first += number
        if self._closed:
            for match in self._closed:
                ids.pop(match, None)
            self._closed.clear()

    def discard_closed(self) -> None:
        """After a rollback: no match has been closed."""
        self._closed.clear()

    def _row_ids(self, match: int) -> str | None:
        known = self._ids.get(match)
        if known is None:
            return None
        self._closed.append(match)
        return json.dumps(known.tolist())


def close_match_statements(match: int) -> list[SqlStatement]:
    """Save the row ids of a match that is over."""
    return [(_CLOSE, (match,))]


def save_statements(found: dict[int, list[int]]) -> list[SqlStatement]:
    """Save row ids that had to be searched for."""
    return [(_SAVE, (match, json.dumps(ids))) for match, ids in found.items()]


def delete_match_statements(span: Span) -> list[SqlStatement]:
    return [
        (_DELETE, (span.match,)),
        (_DELETE_UNINDEXED, (span.since, span.upto, span.match, span.match)),
        ("delete from places where match = ?", (span.match,)),
    ]


def read(connection: sqlite3.Connection, spans: Sequence[Span]) -> tuple[dict[int, list[Row]], dict[int, list[int]]]:
    """The rows of these matches, and the row ids of those that are over and had to be searched for."""
    found: dict[int, list[Row]] = {one.match: [] for one in spans}
    matches = json.dumps(list(found))
    try:
        for row in connection.execute(_BY_ID, (matches,)):
            found[row[0]].append(Row._make(row))
        indexed = {match for (match,) in connection.execute(_INDEXED, (matches,))}
    except sqlite3.DatabaseError as problem:
        if not is_damage(problem):
            raise
        # Perhaps only the index is damaged.
        found, indexed = {one.match: [] for one in spans}, set()
    return found, _search(connection, [one for one in spans if one.match not in indexed], found)


def _search(connection: sqlite3.Connection, spans: Sequence[Span], found: dict[int, list[Row]]) -> dict[int, list[int]]:
    """One scan of the log for all of them. Adds rows to `found`."""
    if not spans:
        return {}
    over: dict[int, list[int]] = {one.match: [] for one in spans if one.upto is not None}
    upto = {one.match: one.upto for one in spans if one.upto is not None}
    first = min(one.since for one in spans)
    last = max(2**63 - 1 if one.upto is None else one.upto for one in spans)
    for match, *row, number in connection.execute(_BY_SEARCH, (first, last, json.dumps([one.match for one in spans]))):
        if number <= upto.get(match, number):
            found[match].append(Row(match, *row))
            if match in over:
                over[match].append(number)
    return over
