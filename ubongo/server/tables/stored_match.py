"""A match as the log has it: replayed, checked for gaps, exported as JSON lines."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import NamedTuple

from ubongo.events import AnyEvent
from ubongo.evolve import replay
from ubongo.game import BadOptions, opened
from ubongo.match_file import EventLine, table_arguments, write_match
from ubongo.material import BadEdition
from ubongo.server.errors import Denied
from ubongo.server.store import Row, Unreadable
from ubongo.server.store.damage import UNDECODABLE
from ubongo.server.store.entities import StoredMatch, events_of
from ubongo.server.tables.match import Match
from ubongo.table import Instant, Table

log = logging.getLogger("ubongo.server.tables.stored_match")


def match_of(played: StoredMatch) -> Match:
    """The match of an opening; raises BadOptions."""
    arguments = table_arguments(played.opening)
    return Match(played.match, arguments.game, opened(*arguments), arguments.seed, played.started)


def edition_of(played: StoredMatch) -> str:
    """The edition of a match, which this server need not have."""
    return table_arguments(played.opening).options.edition


class Replayed(NamedTuple):
    """The state at the end of a match's log."""

    match: Match
    table: Table
    version: int
    last: Instant


class Damaged(Exception):
    """The log of a match is not what was written."""


def history_in(histories: Mapping[int, list[Row]], match: int) -> list[Row]:
    """Raises Damaged if the match could not be read."""
    if match not in histories:
        raise Damaged("its rows cannot be read")
    return histories[match]


def replayed(played: StoredMatch, history: Sequence[Row]) -> Replayed:
    """Raises Damaged, or BadOptions as `match_of` does. A log may be long: call it in a thread."""
    match = match_of(played)
    table = replay(match.opening, [event for _, events in contiguous_rows(history) for event in events])
    version, last = (history[-1].version, history[-1].at) if history else (0, Instant(0))
    return Replayed(match, table, version, last)


@contextmanager
def undamaged() -> Iterator[None]:
    """Turns decoding errors into Damaged. Any other exception is a bug of ours."""
    try:
        yield
    except UNDECODABLE as problem:
        raise Damaged(f"what was written cannot be read: {problem}") from problem


def contiguous_rows(history: Sequence[Row]) -> list[tuple[Row, list[AnyEvent]]]:
    """Every row with its events; raises Damaged if one is missing."""
    found, version = [], 0
    with undamaged():
        for row in history:
            events = events_of(row)
            if row.version != version + len(events):
                raise Damaged(f"after version {version} something is missing")
            version = row.version
            found.append((row, events))
    return found


@contextmanager
def readable(played: StoredMatch) -> Iterator[None]:
    """Raises Denied for a match whose edition is missing, or that is damaged."""
    try:
        yield
    except (BadOptions, BadEdition):
        raise Denied("no_edition", edition=edition_of(played)) from None
    except Damaged as problem:
        log.error("match %d cannot be shown: %s", played.match, problem)  # noqa: TRY400 - no fault of ours
        raise Denied("damaged") from None
    except Unreadable:
        # The log has already logged what to do.
        log.error("match %d cannot be shown: its rows are damaged", played.match)  # noqa: TRY400 - no fault of ours
        raise Denied("damaged") from None


def lines_of(played: StoredMatch, history: Sequence[Row]) -> bytes:
    """A match as `ubongo referee` reads and prints it: the opening, then every event. Raises Damaged."""
    events = [(row.at, event) for row, events in contiguous_rows(history) for event in events]
    return write_match(played.opening, [EventLine(at, version, event) for version, (at, event) in enumerate(events, 1)])
