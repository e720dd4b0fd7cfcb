"""Checks that what clients received agrees with the log: every history is a veiled view of the log.

The input is all messages that each connection sent and received, and the rows of the log of each match. The checker
finds moves that were acknowledged and lost, events that were sent or applied twice or that differ from the log, and
data sent to clients that may not see it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import accumulate, pairwise
from typing import Any, Literal, NamedTuple

import msgspec

from tests.server.fakes import patch
from ubongo.evolve import evolve
from ubongo.match_file import read_opening
from ubongo.server.store import Row
from ubongo.server.store.entities import StoredMatch, events_of
from ubongo.server.tables.stored_match import match_of
from ubongo.table import SeatNo, Table
from ubongo.veil import veil, veil_event

Message = dict[str, Any]
Kind = Literal["lost", "twice", "left out", "different", "unveiled", "back"]

# Moves that are recorded as sent, once each, and the events that they become.
RECORDED = {"place": "placed", "lift": "lifted"}

# The queries that read a log; they work in SQLite and in PostgreSQL.
MATCHES = "select match, table_key, opening, started from matches"
ROWS = "select match, version, at, events from log order by match, version"


class Fault(NamedTuple):
    kind: Kind
    what: str


class Visit:
    """One connection, from its hello to its end: the moves sent, by number, and all messages received."""

    def __init__(self) -> None:
        self.sent: dict[int, Message] = {}
        self.received: list[Message] = []

    def answers(self) -> Iterator[tuple[Message, list[int]]]:
        """Every update, and the numbers of the moves that it accepts; refused moves are not among them."""
        refused = {message["n"] for message in self.received if message["type"] == "refused"}
        last = 0
        for message in self.received:
            if message["type"] == "update":
                upto = message["acked"] or last
                yield message, [n for n in range(last + 1, upto + 1) if n not in refused]
                last = max(last, upto)

    def outcome(self) -> tuple[list[Message], list[Message]]:
        """The moves that were accepted, and those whose outcome is unknown."""
        accepted = {n for _, some in self.answers() for n in some}
        refused = {message["n"] for message in self.received if message["type"] == "refused"}
        known = [move for n, move in self.sent.items() if n in accepted]
        return known, [move for n, move in self.sent.items() if n not in accepted | refused]


class History:
    """A person at a table, the only one at their seat if they had one, and all their connections in order."""

    def __init__(self, key: str) -> None:
        self.key = key
        self.visits: list[Visit] = []

    @property
    def accepted(self) -> int:
        """How many moves were accepted."""
        return sum(len(visit.outcome()[0]) for visit in self.visits)


class Truth:
    """A match as recorded in the log."""

    def __init__(self, opening: Table, rows: Sequence[Row]) -> None:
        self.opening = opening
        self.rows = rows
        self.events = [event for row in rows for event in events_of(row)]

    @cached_property
    def tables(self) -> list[Table]:
        """The table by version. The log must be complete."""
        return list(accumulate(self.events, evolve, initial=self.opening))

    def fault(self) -> Fault | None:
        """What is wrong with the log itself."""
        version = 0
        for row in self.rows:
            version += len(events_of(row))
            if version != row.version:
                kind: Kind = "left out" if version < row.version else "twice"
                return Fault(kind, f"a row of match {row.match} ends at {row.version}, and should at {version}")
        if any(one.at > other.at for one, other in pairwise(self.rows)):
            return Fault("back", f"time runs back in match {self.rows[0].match}")
        return None


def truths(matches: Iterable[Sequence[Any]], rows: Iterable[Sequence[Any]]) -> dict[str, Truth]:
    """By table, from the results of MATCHES and ROWS."""
    found: dict[int, list[Row]] = {}
    for row in map(Row._make, rows):
        found.setdefault(row.match, []).append(row)
    played = [StoredMatch(match, key, read_opening(opening), started, 0) for match, key, opening, started in matches]
    return {one.table: Truth(match_of(one).opening, found.get(one.match, [])) for one in played}


def faults(log: Mapping[str, Truth], histories: Iterable[History]) -> list[Fault]:
    """All contradictions; only the first one of each connection."""
    if broken := [fault for truth in log.values() if (fault := truth.fault()) is not None]:
        return broken
    found: list[Fault] = []
    for history in histories:
        truth, seen, seats = log[history.key], 0, set[SeatNo]()
        for visit in history.visits:
            view = View(truth, seen)
            found += view.faults(visit)
            seen = view.seen
            if view.seat is not None:
                seats.add(view.seat)
        for seat in seats:
            found += _done(truth, seat, history)
    return found


class View:
    """What one connection shows, compared with the log after each message."""

    def __init__(self, truth: Truth, seen: int) -> None:
        self.truth = truth
        # The newest version that this person has seen, on this connection or an earlier one.
        self.seen = seen
        self.seat: SeatNo | None = None
        self.version = 0
        self.table: Message = {}

    def faults(self, visit: Visit) -> Iterator[Fault]:
        answers = visit.answers()
        for message in visit.received:
            fault = None
            if message["type"] == "welcome":
                fault = self._check_welcome(message)
            elif message["type"] == "update":
                update, accepted = next(answers)
                fault = self._check_update(update, [visit.sent[n] for n in accepted])
            if fault is not None:
                yield fault
                return

    def _check_welcome(self, message: Message) -> Fault | None:
        self.seat, self.version = message["seat"], message["version"]
        self.table = plain(message["table"])
        if self.version < self.seen:
            return Fault("back", f"welcomed to version {self.version} after {self.seen}")
        return self._check_table()

    def _check_update(self, message: Message, accepted: Sequence[Message]) -> Fault | None:
        since, events = self.version, message["events"]
        self.version = message["version"]
        if self.version != since + len(events):
            kind: Kind = "left out" if self.version > since + len(events) else "twice"
            return Fault(kind, f"{len(events)} events led from version {since} to {self.version}")
        for number, (event, received) in enumerate(zip(self.truth.events[since:], events, strict=False), since + 1):
            if plain(veil_event(event, self.seat)) != received:
                kind = "unveiled" if plain(event) == received else "different"
                return Fault(kind, f"event {number} is {plain(event)} in the log, and was sent as {received}")
        patch(self.table, message["table"])
        mine = Counter(text for event in events if (text := _done_by(event, self.seat)))
        if missing := Counter(filter(None, map(_recorded, accepted))) - mine:
            return Fault("lost", f"{list(missing)} was accepted and had no effect")
        return self._check_table()

    def _check_table(self) -> Fault | None:
        """Checks that the whole table agrees with the log at its version."""
        self.seen = max(self.seen, self.version)
        if self.version >= len(self.truth.tables):
            return Fault("lost", f"version {self.version} was sent, and the log ends at {len(self.truth.events)}")
        if self.table["phase"] == "gather":
            # This is the lobby's table: the match has not begun.
            return None
        table = self.truth.tables[self.version]
        # The lobby adds fields that are not in the log.
        seen = {name: self.table[name] for name in table.__struct_fields__}
        right = plain(veil(table, self.seat))
        if seen == right:
            return None
        kind: Kind = "unveiled" if seen == plain(table) else "different"
        wrong = {name: (value, right.get(name)) for name, value in seen.items() if value != right.get(name)}
        return Fault(kind, f"at version {self.version} seat {self.seat} has, and should have, {wrong}")


def _done(truth: Truth, seat: SeatNo, history: History) -> Iterator[Fault]:
    """Each accepted move is in the log once, each unanswered one at most once, and no other move of that seat."""
    done = Counter(text for event in truth.events if (text := _done_by(plain(event), seat)))
    accepted, perhaps = Counter[str](), Counter[str]()
    for visit in history.visits:
        known, unknown = visit.outcome()
        accepted.update(filter(None, map(_recorded, known)))
        perhaps.update(filter(None, map(_recorded, unknown)))
    if missing := accepted - done:
        yield Fault("lost", f"seat {seat} has accepted moves {dict(missing)} that are not in the log")
    if more := done - accepted - perhaps:
        yield Fault("twice", f"seat {seat} has not sent {dict(more)}, or not as often")


def _recorded(move: Message) -> str:
    """A move as it shows in the log; empty if it becomes another kind of event."""
    kind = RECORDED.get(move["type"], "")
    return kind and _text(kind, move)


def _done_by(event: Message, seat: SeatNo | None) -> str:
    kind = event["type"]
    return _text(kind, event) if kind in RECORDED.values() and event["seat"] == seat else ""


def _text(kind: str, one: Message) -> str:
    return f"{kind} {one['piece']} {one.get('turn')} {one.get('at')}"


def plain(one: Any) -> Any:
    """The value as decoded JSON."""
    return msgspec.json.decode(msgspec.json.encode(one))
