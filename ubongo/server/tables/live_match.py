"""A match in play: one request at a time is judged, appended to the log, and broadcast once it is durable.

There are three tables. `head` is ahead of the disk: a request is judged by everything that was accepted before it, also
while that is still being written. `recorded` is durable. `broadcast.table` is what members have on their screens. If a
write fails, `head` falls back to `recorded`, and everything that was waiting is refused.
"""

from __future__ import annotations

from asyncio import Future
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import groupby
from operator import itemgetter
from typing import Protocol

from msgspec.structs import replace

from ubongo.events import AnyEvent, ClockWrong, TimeSkipped
from ubongo.evolve import evolve, replay
from ubongo.game import Happenings, play, quiet, settle
from ubongo.moves import ComeBack, Move, Refused
from ubongo.server import protocol
from ubongo.server.clock import Clock
from ubongo.server.protocol import encode
from ubongo.server.store import Appends, Row, VersionConflict
from ubongo.server.store.entities import events_of
from ubongo.server.tables.broadcast import Broadcast
from ubongo.server.tables.deadline import Deadline
from ubongo.server.tables.match import Match
from ubongo.server.tables.member import Member
from ubongo.server.tables.pending_append import MoveRequest, PendingAppend
from ubongo.server.tables.replication import Replication
from ubongo.server.tables.update import TableChange
from ubongo.table import Instant, Millis, SeatNo, Table, with_seat

Acked = Mapping[Member, int]

# A disk that has just failed is not asked again at once.
RETRY: Millis = 1000
# Clocks of several servers differ by less than this; a clock that is further behind a match is wrong.
CLOCK_TOLERANCE: Millis = 1000
# The primary writes what happens by itself; the other servers of the table wait this long for it.
SECONDARY_DELAY: Millis = 250


class MatchListener(Protocol):
    """The room, as its match knows it."""

    def match_changed(self) -> None:
        """Something has been recorded and broadcast."""

    def record_presence(self) -> None:
        """Plays `away` and `back` for everybody of whom the log does not say so yet."""


def rows_of(number: int, version: int, happened: Happenings) -> Iterator[Row]:
    """A row for each moment."""
    for at, group in groupby(happened, itemgetter(0)):
        events = [event for _, event in group]
        version += len(events)
        yield Row(number, version, at, encode(events))


class LiveMatch:
    """`replicate` makes the component that reads what other servers write to the same match."""

    def __init__(
        self,
        key: str,
        clock: Clock,
        log: Appends,
        broadcast: Broadcast,
        listener: MatchListener,
        replicate: Callable[[LiveMatch], Replication],
    ) -> None:
        self.key = key
        self.clock = clock
        self.broadcast = broadcast
        self.match: Match | None = None
        self.head = self.recorded = broadcast.table
        self.head_version = 0
        # When the last event happened.
        self.last: Instant = 0
        self.ended = False
        self._log = log
        self._listener = listener
        self._deadline = Deadline(clock)
        # The names that replace those of people who had themselves forgotten, by seat.
        self._anonymous: dict[SeatNo, str] = {}
        # A write has failed since it was last recorded who is present.
        self._presence_unsure = False
        self.replication = replicate(self)

    def now(self) -> Instant:
        """The match's own time, which never runs behind what has happened."""
        if self.match is None:
            return 0
        return max(self._measured(self.match), self.last)

    def _measured(self, match: Match) -> Instant:
        return self.clock.now() - match.started + self.head.time_skipped

    @property
    def clock_behind(self) -> Millis:
        """How far the clock is behind what has happened in this match, beyond what may well differ."""
        if self.match is None:
            return 0
        behind = self.last - self._measured(self.match)
        return behind if behind > CLOCK_TOLERANCE else 0

    def time_of(self, at: Instant) -> Millis:
        """When it will be that instant of the match, by the server's clock."""
        assert self.match is not None
        return self.match.started + at - self.head.time_skipped

    @property
    def version(self) -> int:
        """Of what is recorded and broadcast."""
        return self.broadcast.version

    @property
    def pending(self) -> bool:
        """Whether something is on its way to the log."""
        return self.head_version != self.broadcast.version

    @property
    def playing(self) -> bool:
        return self.match is not None and not self.ended and self.head.phase != "over"

    # Start

    def open(self, match: Match) -> None:
        self.match = match
        self.head = self.recorded = match.opening

    def begin(self, clock_wrong: bool = False) -> Future[None]:
        """The first events; done when they are durable."""
        assert self.match is not None
        table, happened = self.match.opening, Happenings()
        if clock_wrong:
            happened.append((0, ClockWrong()))
            table = evolve(table, ClockWrong())
        table = quiet(self.match.game, table, 0, self.match.chance, happened)
        done: Future[None] = Future()
        self.append(table, happened, MoveRequest(None, None, done=done))
        return done

    def restore(self, table: Table, version: int, last: Instant) -> None:
        """As the log has it."""
        self.head = self.recorded = self.broadcast.table = table
        self.head_version = self.broadcast.version = version
        self.last = last

    def show(self, table: Table) -> None:
        """Before the match nothing is logged: what the lobby has recorded is broadcast at once."""
        before = self.broadcast.table
        self.head = self.recorded = self.broadcast.table = table
        self._send(before, (), None, {})

    # Requests

    def submit(self, request: MoveRequest) -> None:
        """Plays a move; raises Refused. It is answered when it is recorded."""
        match, seat, move = self.match, request.seat, request.move
        if seat is None or move is None:
            raise Refused("watching")
        if match is None:
            raise Refused("not_begun")
        if self.ended:
            raise Refused("over")
        if self.replication.behind:
            self.replication.postpone(request)
            return
        if self.clock_behind and not self.head.clock_wrong:
            # A server with another clock has written this, and may still serve it: its time is not ours to move.
            self.append(evolve(self.head, ClockWrong()), [(self.now(), ClockWrong())])
        table, happened = play(match.game, self.head, seat, move, self.now(), match.chance)
        self.append(table, happened, request)

    def say(self, seat: SeatNo, move: Move) -> Future[None] | None:
        """A move that the server itself makes for a seat; None where the rules refuse it."""
        done: Future[None] = Future()
        try:
            self.submit(MoveRequest(seat, move, done=done))
        except Refused:
            return None
        return done

    def skip_to(self, to: Instant) -> None:
        """T7a: the match's clock jumps ahead, for everybody."""
        by = to - self.now()
        if by > 0 and not self.replication.behind:
            skipped = TimeSkipped(by)
            self.append(evolve(self.head, skipped), [(to, skipped)])

    def append(self, table: Table, happened: Happenings, request: MoveRequest | None = None) -> None:
        """Queues what has happened for the log."""
        assert self.match is not None
        number, since = self.match.number, self.head_version
        events = [event for _, event in happened]
        version = since + len(events)
        if happened:
            self.last = happened[-1][0]
        if happened and happened[0][0] == self.last:
            # Nearly always there is but one moment.
            rows = [Row(number, version, self.last, encode(events))]
        else:
            rows = list(rows_of(number, since, happened))
        self.head, self.head_version = table, version
        accepted = self.clock.now()
        self._log.append(PendingAppend(self, number, since, rows, table, version, events, accepted, request))
        self.wait_for(table.until)

    # Time

    def wait_for(self, until: Instant | None) -> None:
        """Sets the timer to the one deadline of the table."""
        at = None if until is None or self.match is None or self.ended else self.time_of(until)
        self._deadline.set(at, self.due, 0 if self.replication.primary else SECONDARY_DELAY)

    def stop_timer(self) -> None:
        self._deadline.clear()

    def due(self) -> None:
        """What happens by itself, happens."""
        self._deadline.clear()
        if self.replication.behind:
            return
        match = self.match
        assert match is not None
        happened: Happenings = []
        now = self.now()
        table = settle(match.game, self.head, now, match.chance, happened)
        if self.head_version == 0:
            # The first deal was lost.
            table = quiet(match.game, table, now, match.chance, happened)
        if happened:
            self.append(table, happened)
        else:
            # Woken a moment early, or after a failed write by which nothing was due.
            self.wait_for(self.head.until)

    def retry(self) -> None:
        """In a moment: what was due, who had come or gone, and what a bot had asked for."""
        self._deadline.clear()
        if not self.ended:
            self._deadline.retry(RETRY, self._retry)

    def _retry(self) -> None:
        self.due()
        self._listener.record_presence()
        self._listener.match_changed()

    # Answers of the log

    def committed(self, appends: Sequence[PendingAppend]) -> None:
        """These are durable: everybody gets one message."""
        last = appends[-1]
        before = self.broadcast.table
        self.recorded = self.broadcast.table = self.anonymized(last.table)
        self.broadcast.version = last.version
        requests = [append.request for append in appends if append.request is not None]
        for request in requests:
            request.resolve()
        if self.broadcast.members:
            self._broadcast(before, appends, requests)
        if self._presence_unsure:
            self._presence_unsure = False
            self._listener.record_presence()
        self._listener.match_changed()
        self.replication.committed()

    def _broadcast(self, before: Table, appends: Sequence[PendingAppend], requests: Sequence[MoveRequest]) -> None:
        acked = {one.asker: one.n for one in requests if one.asker is not None}
        if before.phase == "gather":
            self.broadcast.welcome_all(self.now())
            if acked:
                # A request from before the welcome is answered all the same.
                self._send(self.broadcast.table, (), None, acked)
            return
        last = appends[-1]
        events = [event for append in appends for event in append.events]
        encoded = last.rows[0].events if len(appends) == 1 and len(last.rows) == 1 else None
        self._send(before, events, encoded, acked)

    def _send(self, before: Table, events: Sequence[AnyEvent], encoded: bytes | None, acked: Acked) -> None:
        change = TableChange(before, self.broadcast.table, events, encoded)
        self.broadcast.send_update(change, acked, self.now())

    def lost(self, appends: Sequence[PendingAppend], problem: Exception) -> None:
        """These are not durable, so they have not happened."""
        self.head, self.head_version = self.recorded, self.version
        requests = [append.request for append in appends if append.request is not None]
        if isinstance(problem, VersionConflict) and self.replication.conflicted(requests):
            return
        self.refuse(requests, problem)
        self.replication.lost()

    def refuse(self, requests: Sequence[MoveRequest], problem: Exception) -> None:
        """The log does not take these."""
        for request in requests:
            request.fail(problem)
            self.decline(request, Refused("not_recorded"))
        self._presence_unsure = True
        self.retry()

    def decline(self, request: MoveRequest, no: Refused) -> None:
        if request.asker in self.broadcast.members:
            request.asker.send(protocol.declined(request.n, no))

    # What other servers have written

    def apply(self, rows: Sequence[Row]) -> None:
        """Rows of the log that others have written are broadcast here too."""
        before = self.broadcast.table
        events = [event for row in rows for event in events_of(row)]
        table = self.anonymized(replay(self.recorded, events))
        self.restore(table, rows[-1].version, rows[-1].at)
        if before.phase == "gather":
            self.broadcast.welcome_all(self.now())
        elif self.broadcast.members:
            self._send(before, events, rows[0].events if len(rows) == 1 else None, {})
        self.wait_for(self.head.until)

    def caught_up(self) -> None:
        """What others have written is applied, and postponed requests are judged."""
        for seat in {member.seat for member in self.broadcast.members}:
            if seat is not None and not self.head.seats[seat].present:
                # The other server has not seen this connection.
                self.say(seat, ComeBack())
        self._listener.match_changed()

    # Names

    def anonymize(self, seat: SeatNo, name: str) -> None:
        """The seat is called so from now on, also in what is on its way to the log."""
        self._anonymous[seat] = name
        before = self.broadcast.table
        self.head, self.recorded = self.anonymized(self.head), self.anonymized(self.recorded)
        self.broadcast.table = self.anonymized(before)
        self._send(before, (), None, {})

    def anonymized(self, table: Table) -> Table:
        for seat, name in self._anonymous.items():
            if table.seats[seat].name != name:
                table = with_seat(table, seat, replace(table.seats[seat], name=name))
        return table
