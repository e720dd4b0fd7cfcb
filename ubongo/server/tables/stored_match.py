"""A match as the log has it: replayed, checked for gaps, exported as JSON lines."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

import msgspec

from ubongo.events import AnyEvent
from ubongo.evolve import replay
from ubongo.game import BadOptions, opened
from ubongo.games import GAMES
from ubongo.material import BadEdition
from ubongo.server.errors import Denied
from ubongo.server.store import Row, Unreadable
from ubongo.server.store.damage import UNDECODABLE
from ubongo.server.store.entities import Bot, StoredMatch, events_of
from ubongo.server.tables.match import Match
from ubongo.table import Instant, Table, numbered
from ubongo.virtual import Happened

log = logging.getLogger("ubongo.server.tables.stored_match")


def match_of(played: StoredMatch) -> Match:
    """The match of an opening; raises BadOptions."""
    opening = played.opening
    game = GAMES[opening.game]
    names = [seat if isinstance(seat, str) else seat.name for seat in opening.seats]
    bots = {number: seat.bot for number, seat in numbered(opening.seats) if isinstance(seat, Bot)}
    options = msgspec.json.decode(opening.options, type=game.OPTIONS)
    table = opened(game, names, options, opening.seed, bots)
    return Match(played.match, game, table, opening.seed, played.started)


def edition_of(played: StoredMatch) -> str:
    """The edition of a match, which this server need not have."""
    options = msgspec.json.decode(played.opening.options, type=GAMES[played.opening.game].OPTIONS)
    return options.edition


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
    lines: list[Any] = [played.opening]
    for row, events in contiguous_rows(history):
        first = row.version - len(events) + 1
        lines += [Happened(row.at, version, event) for version, event in enumerate(events, first)]
    return b"".join(msgspec.json.encode(line) + b"\n" for line in lines)
