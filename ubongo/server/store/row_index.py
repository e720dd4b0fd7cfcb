"""Where the rows of each match lie in the file, so that nobody looks through what was played elsewhere meanwhile.

An index on the log would cost every move a tenth of its time. Instead the writer remembers the rows of running matches,
and writes them down once, when a match ends. After a restart those of running matches are looked for.
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
# The writer knows what `row_ids` stands for; null, if it has not seen the match from its start.
_CLOSE = """
    insert into places select match, ids from (select match, row_ids(match) as ids from matches where match = ?)
    where ids is not null on conflict do nothing
"""
_KEEP = "insert into places values (?, ?) on conflict do nothing"
_BY_PLACE = """
    select match, version, at, events from log where id in (
        select ids.value from places, json_each(places.ids) as ids where match in (select value from json_each(?))
    ) order by id
"""
_PLACED = "select match from places where match in (select value from json_each(?))"
_BY_SEARCH = """
    select match, version, at, events, id from log
    where id > ? and id <= ? and match in (select value from json_each(?)) order by id
"""
# The last row of all stays, since numbers go up from it.
_FORGET = """
    delete from log where id in (select ids.value from places, json_each(places.ids) as ids where match = ?)
    and id < (select max(id) from log)
"""
_FORGET_UNPLACED = """
    delete from log where id > ? and id <= ? and match = ? and id < (select max(id) from log)
    and not exists (select 1 from places where match = ?)
"""

SqlStatement = tuple[str, tuple[object, ...]]


class RowIndex:
    """The writer's own: nobody else touches it."""

    def __init__(self, writer: sqlite3.Connection) -> None:
        self._ids: dict[int, array[int]] = {}
        self._closed: list[int] = []
        writer.create_function("row_ids", 1, self._written)
        # What cannot be read is searched for, and complained of, when somebody asks for it.
        with suppress(sqlite3.DatabaseError):
            for match, number in writer.execute(_RUNNING):
                self._ids.setdefault(match, array("q")).append(number)

    def note(self, entries: Sequence[Entry], first: int) -> None:
        """These have been committed, one row after the other from that number on."""
        ids = self._ids
        for entry in entries:
            match = entry.match
            if entry.since == 0:
                ids[match] = array("q")
            known, number = ids.get(match), len(entry.rows)
            if known is not None:
                # Nearly always there is but one row.
                known.append(first) if number == 1 else known.extend(range(first, first + number))
            first += number
        if self._closed:
            for match in self._closed:
                ids.pop(match, None)
            self._closed.clear()

    def fail(self) -> None:
        """What was to be committed has not happened."""
        self._closed.clear()

    def _written(self, match: int) -> str | None:
        known = self._ids.get(match)
        if known is None:
            return None
        self._closed.append(match)
        return json.dumps(known.tolist())


def close_match_statements(match: int) -> list[SqlStatement]:
    """What writes down where a match lies that is over."""
    return [(_CLOSE, (match,))]


def keeping(found: dict[int, list[int]]) -> list[SqlStatement]:
    """What writes down where matches lie that had to be searched for."""
    return [(_KEEP, (match, json.dumps(ids))) for match, ids in found.items()]


def delete_match_statements(span: Span) -> list[SqlStatement]:
    return [
        (_FORGET, (span.match,)),
        (_FORGET_UNPLACED, (span.since, span.upto, span.match, span.match)),
        ("delete from places where match = ?", (span.match,)),
    ]


def read(connection: sqlite3.Connection, spans: Sequence[Span]) -> tuple[dict[int, list[Row]], dict[int, list[int]]]:
    """What happened in these matches, and where those that are over lie whose place was not known."""
    found: dict[int, list[Row]] = {one.match: [] for one in spans}
    wanted = json.dumps(list(found))
    try:
        for row in connection.execute(_BY_PLACE, (wanted,)):
            found[row[0]].append(Row._make(row))
        placed = {match for (match,) in connection.execute(_PLACED, (wanted,))}
    except sqlite3.DatabaseError as problem:
        if not is_damage(problem):
            raise
        # Perhaps only what says where they lie is damaged.
        found, placed = {one.match: [] for one in spans}, set()
    return found, _searched(connection, [one for one in spans if one.match not in placed], found)


def _searched(
    connection: sqlite3.Connection, spans: Sequence[Span], found: dict[int, list[Row]]
) -> dict[int, list[int]]:
    """One look through the log for all of them."""
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
