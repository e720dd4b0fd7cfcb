"""Fakes of what a room depends on: a clock, a log that can fail, members that record what they receive."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from copy import deepcopy
from typing import Any

import msgspec

from ubongo.events import AnyEvent
from ubongo.moves import Refused
from ubongo.server.clock import MachineClock, Timestamp
from ubongo.server.protocol import Ask, Reaction, TableFacts, declined, move_of
from ubongo.server.store import Entry, Row, StoreError, VersionConflict
from ubongo.server.store.sqlite import SqliteLog
from ubongo.server.tables.pending_append import Appender, PendingAppend
from ubongo.server.tables.replication import Replica
from ubongo.server.tables.room import Room
from ubongo.table import SeatNo

Message = dict[str, Any]
START = 1_700_000_000_000


class FakeAlarm:
    def __init__(self, at: Timestamp, call: Callable[[], None]) -> None:
        self.at = at
        self.call = call
        self.cancelled = False

    def cancel(self) -> None:
        self.cancelled = True


class FakeClock:
    def __init__(self) -> None:
        self.time: int = START
        self.alarms: list[FakeAlarm] = []

    def now(self) -> Timestamp:
        return Timestamp(self.time)

    def wake(self, at: Timestamp, call: Callable[[], None]) -> FakeAlarm:
        self.alarms.append(FakeAlarm(at, call))
        return self.alarms[-1]

    def open_alarms(self) -> list[FakeAlarm]:
        return [alarm for alarm in self.alarms if not alarm.cancelled]

    def pass_time(self, time: int, wake: bool = True) -> None:
        """Advances the clock by milliseconds. Without `wake` the alarms are late, as on a busy machine."""
        self.time += time
        while wake and (due := [alarm for alarm in self.open_alarms() if alarm.at <= self.time]):
            due[0].cancelled = True
            due[0].call()


class WrongClock(MachineClock):
    """The clock of a machine that is set wrong."""

    def __init__(self, off: int) -> None:
        super().__init__()
        self._at += off * 1_000_000


class FakeLog:
    """Durable when the test says so."""

    def __init__(self) -> None:
        self.waiting: list[Entry] = []
        self.rows: list[Row] = []

    def append(self, entry: Entry) -> None:
        self.waiting.append(entry)

    def record(self) -> list[Entry]:
        """Makes everything that waits durable, without calling back."""
        batch, self.waiting = self.waiting, []
        self.rows += [row for entry in batch for row in entry.rows]
        return batch

    def commit(self) -> None:
        while batch := self.record():
            for live_match, entries in by_match(batch):
                live_match.committed(entries)

    def fail(self) -> None:
        batch, self.waiting = self.waiting, []
        for live_match, entries in by_match(batch):
            live_match.lost(entries, StoreError("the disk is full"))

    def report_conflict(self) -> None:
        """Reports a version conflict: another server wrote first."""
        batch, self.waiting = self.waiting, []
        for live_match, entries in by_match(batch):
            live_match.lost(entries, VersionConflict("somebody else has written"))

    def events(self) -> list[AnyEvent]:
        return [event for row in self.rows for event in msgspec.json.decode(row.events, type=list[AnyEvent])]


def by_match(batch: Sequence[Entry]) -> list[tuple[Appender, list[PendingAppend]]]:
    matches: dict[Appender, list[PendingAppend]] = {}
    for entry in batch:
        assert isinstance(entry, PendingAppend)
        matches.setdefault(entry.live_match, []).append(entry)
    return list(matches.items())


class FakeListener:
    """Passes what a room reports to the callbacks that a test sets."""

    def __init__(self) -> None:
        self.look: Callable[[Room], None] = lambda _: None
        self.attendance: Callable[[Room], None] = lambda _: None
        self.reactions: list[Reaction] = []

    def room_changed(self, room: Room) -> None:
        self.look(room)

    def attendance_changed(self, room: Room) -> None:
        self.attendance(room)

    def reacted(self, _: Room, reaction: Reaction) -> None:
        self.reactions.append(reaction)


class FakeReader:
    """Collects the requests to read on; the test reads the log."""

    def __init__(self) -> None:
        self.unread: list[Replica] = []

    def read_on(self, replica: Replica) -> None:
        self.unread.append(replica)


class FakeMember:
    """A client that records what it receives, and patches its table as a browser does."""

    def __init__(self, room: Room, player: str | None) -> None:
        self.room = room
        self.player = player
        self.seat: SeatNo | None = None
        self.n = 0
        self.asked: dict[int, Message] = {}
        self.heard: list[Message] = []
        self.table: dict[str, Any] = {}
        self.facts: dict[str, Any] = {}

    def send(self, message: bytes) -> None:
        said = msgspec.json.decode(message)
        self.heard.append(said)
        if said["type"] == "welcome":
            # A copy, since the patches below would change it.
            self.table = deepcopy(said["table"])
            self.facts = {name: self.table.pop(name) for name in TableFacts.__struct_fields__}
        elif said["type"] == "update":
            change = dict(said["table"])
            self.facts |= {name: change.pop(name) for name in list(change) if name in self.facts}
            patch(self.table, change)

    def close(self, code: int, why: str) -> None:
        self.heard.append({"type": "closed", "code": code, "why": why})

    def ask(self, **move: Any) -> int:
        self.n += 1
        self.asked[self.n] = move
        try:
            self.room.request(self, self.n, move_of(Ask(self.n, msgspec.Raw(msgspec.json.encode(move)))))
        except Refused as no:
            self.send(declined(self.n, no))
        return self.n

    def last(self) -> Message:
        return self.heard[-1]


def patch(table: dict[str, Any], change: dict[str, Any]) -> None:
    """A field in the change replaces the whole old field; seats come by number."""
    for number, parts in change.get("seats", {}).items():
        table["seats"][int(number)].update(parts)
    table.update({name: value for name, value in change.items() if name != "seats"})


def full(log: SqliteLog, is_full: bool) -> None:
    """Allows no new page: SQLite then fails as it does on a full disk."""
    [pages] = log._reader.execute("pragma page_count").fetchone()
    log._writer.connection.execute(f"pragma max_page_count = {pages if is_full else 2**30}")
