"""Whether what people were told and what the log holds are one truth: every history is a veiled view of the log.

Of every connection there is all that was asked and all that was heard, of every match the rows of the log. From these
alone follows whether something was lost that somebody had an answer to, told or done twice, told otherwise than it was
written, or shown to who may not see it.
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

# Moves that are recorded as they are asked for, once each; and the events that they become.
RECORDED = {"place": "placed", "lift": "lifted"}

# What of a log is looked at; a file and PostgreSQL understand it alike.
MATCHES = "select match, table_key, opening, started from matches"
ROWS = "select match, version, at, events from log order by match, version"


class Fault(NamedTuple):
    kind: Kind
    what: str


class Visit:
    """One connection, from its hello to its end: what was asked, by number, and all that was heard."""

    def __init__(self) -> None:
        self.asked: dict[int, Message] = {}
        self.heard: list[Message] = []

    def answers(self) -> Iterator[tuple[Message, list[int]]]:
        """Every update, and which asks it says yes to; asks that were refused are none of them."""
        no = {said["n"] for said in self.heard if said["type"] == "refused"}
        last = 0
        for said in self.heard:
            if said["type"] == "update":
                upto = said["acked"] or last
                yield said, [n for n in range(last + 1, upto + 1) if n not in no]
                last = max(last, upto)

    def outcome(self) -> tuple[list[Message], list[Message]]:
        """Moves that were answered with yes, and those of which nobody knows what became of them."""
        yes = {n for _, some in self.answers() for n in some}
        no = {said["n"] for said in self.heard if said["type"] == "refused"}
        known = [move for n, move in self.asked.items() if n in yes]
        return known, [move for n, move in self.asked.items() if n not in yes | no]


class History:
    """Whoever was at a table, alone at their seat if they had one, and all their connections, one after the other."""

    def __init__(self, key: str) -> None:
        self.key = key
        self.visits: list[Visit] = []

    @property
    def yes(self) -> int:
        """How many moves were answered with yes."""
        return sum(len(visit.outcome()[0]) for visit in self.visits)


class Truth:
    """A match as the log has it."""

    def __init__(self, opening: Table, rows: Sequence[Row]) -> None:
        self.opening = opening
        self.rows = rows
        self.events = [event for row in rows for event in events_of(row)]

    @cached_property
    def tables(self) -> list[Table]:
        """By version; of a log that is whole."""
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
    """By table, from what MATCHES and ROWS find."""
    found: dict[int, list[Row]] = {}
    for row in map(Row._make, rows):
        found.setdefault(row.match, []).append(row)
    played = [StoredMatch(match, key, read_opening(opening), started, 0) for match, key, opening, started in matches]
    return {one.table: Truth(match_of(one).opening, found.get(one.match, [])) for one in played}


def faults(log: Mapping[str, Truth], histories: Iterable[History]) -> list[Fault]:
    """All that does not fit together; of one connection only what comes first."""
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
    """What one connection has on its screen, held against the log message by message."""

    def __init__(self, truth: Truth, seen: int) -> None:
        self.truth = truth
        # The newest version that this person has seen, here or before.
        self.seen = seen
        self.seat: SeatNo | None = None
        self.version = 0
        self.table: Message = {}

    def faults(self, visit: Visit) -> Iterator[Fault]:
        answers = visit.answers()
        for said in visit.heard:
            fault = None
            if said["type"] == "welcome":
                fault = self._welcomed(said)
            elif said["type"] == "update":
                update, yes = next(answers)
                fault = self._updated(update, [visit.asked[n] for n in yes])
            if fault is not None:
                yield fault
                return

    def _welcomed(self, said: Message) -> Fault | None:
        self.seat, self.version = said["seat"], said["version"]
        self.table = plain(said["table"])
        if self.version < self.seen:
            return Fault("back", f"welcomed to version {self.version} after {self.seen}")
        return self._looked()

    def _updated(self, said: Message, yes: Sequence[Message]) -> Fault | None:
        since, told = self.version, said["events"]
        self.version = said["version"]
        if self.version != since + len(told):
            kind: Kind = "left out" if self.version > since + len(told) else "twice"
            return Fault(kind, f"{len(told)} events led from version {since} to {self.version}")
        for number, (event, heard) in enumerate(zip(self.truth.events[since:], told, strict=False), since + 1):
            if plain(veil_event(event, self.seat)) != heard:
                kind = "unveiled" if plain(event) == heard else "different"
                return Fault(kind, f"event {number} is {plain(event)} in the log, and was told as {heard}")
        patch(self.table, said["table"])
        mine = Counter(text for event in told if (text := _done_by(event, self.seat)))
        if missing := Counter(filter(None, map(_asked, yes))) - mine:
            return Fault("lost", f"nothing came of {list(missing)}, which was answered with yes")
        return self._looked()

    def _looked(self) -> Fault | None:
        """The whole table is as the log has it after as many events."""
        self.seen = max(self.seen, self.version)
        if self.version >= len(self.truth.tables):
            return Fault("lost", f"version {self.version} was told, and the log ends at {len(self.truth.events)}")
        if self.table["phase"] == "gather":
            # The lobby's: the match has not begun.
            return None
        table = self.truth.tables[self.version]
        # Beside it stands what the lobby adds, of which the log knows nothing.
        seen = {name: self.table[name] for name in table.__struct_fields__}
        right = plain(veil(table, self.seat))
        if seen == right:
            return None
        kind: Kind = "unveiled" if seen == plain(table) else "different"
        wrong = {name: (value, right.get(name)) for name, value in seen.items() if value != right.get(name)}
        return Fault(kind, f"at version {self.version} seat {self.seat} has, and should have, {wrong}")


def _done(truth: Truth, seat: SeatNo, history: History) -> Iterator[Fault]:
    """Each yes is in the log once, each ask without an answer at most once, and nothing else of that seat."""
    done = Counter(text for event in truth.events if (text := _done_by(plain(event), seat)))
    yes, perhaps = Counter[str](), Counter[str]()
    for visit in history.visits:
        known, unknown = visit.outcome()
        yes.update(filter(None, map(_asked, known)))
        perhaps.update(filter(None, map(_asked, unknown)))
    if missing := yes - done:
        yield Fault("lost", f"seat {seat} has a yes to {dict(missing)} that is not in the log")
    if more := done - yes - perhaps:
        yield Fault("twice", f"seat {seat} has not asked for {dict(more)}, or not as often")


def _asked(move: Message) -> str:
    """What of a move shows in the log; nothing, if it becomes something else there."""
    kind = RECORDED.get(move["type"], "")
    return kind and _text(kind, move)


def _done_by(event: Message, seat: SeatNo | None) -> str:
    kind = event["type"]
    return _text(kind, event) if kind in RECORDED.values() and event["seat"] == seat else ""


def _text(kind: str, one: Message) -> str:
    return f"{kind} {one['piece']} {one.get('turn')} {one.get('at')}"


def plain(one: Any) -> Any:
    """As JSON has it."""
    return msgspec.json.decode(msgspec.json.encode(one))
