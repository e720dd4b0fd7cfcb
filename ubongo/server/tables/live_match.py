"""A match in play: one request at a time is judged, appended to the log, and broadcast once it is durable.

There are three tables. `head` is ahead of the disk: a request is judged by everything that was accepted before it, even
while that is still being written. `recorded` is durable. `broadcast.table` is what members have on their screens. If a
write fails, `head` falls back to `recorded`, and all requests that were waiting are refused.
"""

from __future__ import annotations

from asyncio import Future
from collections.abc import Callable, Sequence

from ubongo.events import ClockWrong, TimeSkipped
from ubongo.evolve import evolve, replay
from ubongo.game import Happenings, play
from ubongo.moves import ComeBack, Move, Refused
from ubongo.server.clock import Clock
from ubongo.server.store import Appends, Row, VersionConflict
from ubongo.server.store.entities import events_of
from ubongo.server.tables.anonymous_names import AnonymousNames
from ubongo.server.tables.automatic_events import due_events, first_events, resumption_events
from ubongo.server.tables.broadcast import Broadcast
from ubongo.server.tables.match import Match
from ubongo.server.tables.match_clock import MatchClock
from ubongo.server.tables.match_listener import MatchListener
from ubongo.server.tables.pending_append import MoveRequest, PendingAppend, new_append
from ubongo.server.tables.replication import Replication
from ubongo.table import Instant, Millis, SeatNo, Table

# The primary writes events that are due; the other servers of the table wait this long for it.
SECONDARY_DELAY = Millis(250)


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
        self.match_clock = MatchClock(clock)
        self.broadcast = broadcast
        self.match: Match | None = None
        self.head = self.recorded = broadcast.table
        self.head_version = 0
        self.ended = False
        self._log = log
        self._listener = listener
        self._names = AnonymousNames()
        # A write has failed since presence was last recorded.
        self._presence_unsure = False
        self.replication = replicate(self)

    def now(self) -> Instant:
        return self.match_clock.now()

    @property
    def version(self) -> int:
        """The version that is recorded and broadcast."""
        return self.broadcast.version

    @property
    def pending(self) -> bool:
        """Whether an append is on its way to the log."""
        return self.head_version != self.broadcast.version

    @property
    def playing(self) -> bool:
        return self.match is not None and not self.ended and self.head.phase != "over"

    # Start

    def open(self, match: Match) -> None:
        self.match = match
        self.head = self.recorded = match.opening
        self.match_clock.started = match.started

    def begin(self, clock_wrong: bool = False) -> Future[None]:
        """Appends the first events; done when they are durable."""
        assert self.match is not None
        done: Future[None] = Future()
        self.append(*first_events(self.match, clock_wrong), MoveRequest(None, None, done=done))
        return done

    def restore(self, table: Table, version: int, last: Instant) -> None:
        """Sets the state that the log has."""
        self.head = self.recorded = self.broadcast.table = table
        self.head_version = self.broadcast.version = version
        self.match_clock.last, self.match_clock.skipped = last, table.time_skipped

    def resume(self) -> None:
        """After an interruption players get a little time to come back."""
        assert self.match is not None
        self.append(*resumption_events(self.match, self.head, self.head_version, self.match_clock))

    def show(self, table: Table) -> None:
        """Before the match nothing is logged: what the lobby has recorded is broadcast at once."""
        before, self.head, self.recorded, self.broadcast.table = self.broadcast.table, table, table, table
        self.broadcast.send_update(before, self.now())

    # Requests

    def submit(self, request: MoveRequest) -> None:
        """Plays a move; raises Refused. The asker gets an answer when it is recorded."""
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
        now = self.now()
        if now == self.match_clock.last and self.match_clock.behind and not self.head.clock_wrong:
            # A server with another clock has written this, and may still serve the match: we must not move its time.
            self.append(evolve(self.head, ClockWrong()), [(now, ClockWrong())])
        table, happened = play(match.game, self.head, seat, move, now, match.chance)
        self.append(table, happened, request)

    def play_for(self, seat: SeatNo, move: Move) -> Future[None] | None:
        """A move that the server itself makes for a seat; None if the rules refuse it."""
        done: Future[None] = Future()
        try:
            self.submit(MoveRequest(seat, move, done=done))
        except Refused:
            return None
        return done

    def skip_to(self, to: Instant) -> None:
        """T7a: advances the match's clock, for everybody."""
        by = to - self.now()
        if by > 0 and not self.replication.behind:
            skipped = TimeSkipped(Millis(by))
            self.append(evolve(self.head, skipped), [(to, skipped)])

    def append(self, table: Table, happened: Happenings, request: MoveRequest | None = None) -> None:
        """Queues what has happened for the log."""
        assert self.match is not None
        entry = new_append(self, self.match.number, self.head_version, table, happened, self.clock.now(), request)
        if happened:
            self.match_clock.last = happened[-1][0]
        self.head, self.head_version = table, entry.version
        self.match_clock.skipped = table.time_skipped
        self._log.append(entry)
        self.set_timer()

    # Time

    def set_timer(self) -> None:
        """Waits for the table's one deadline."""
        until = None if self.ended else self.head.until
        self.match_clock.set_timer(until, self.due, Millis(0) if self.replication.primary else SECONDARY_DELAY)

    def due(self) -> None:
        """Appends the events that happen by themselves."""
        self.match_clock.stop_timer()
        if self.replication.behind:
            return
        assert self.match is not None
        table, happened = due_events(self.match, self.head, self.head_version, self.now())
        if happened:
            self.append(table, happened)
        else:
            # The alarm was a moment early, or a write failed and nothing was due before it.
            self.set_timer()

    def retry(self) -> None:
        """In a moment: what was due, who had come or gone, and what a bot had asked for."""
        self.match_clock.stop_timer()
        if not self.ended:
            self.match_clock.retry(self._retry)

    def _retry(self) -> None:
        self.due()
        self._listener.record_presence()
        self._listener.match_changed()

    # Answers of the log

    def committed(self, appends: Sequence[PendingAppend]) -> None:
        """These are durable: each member gets one message for all of them."""
        before, last = self.broadcast.table, appends[-1]
        self.recorded = self.broadcast.table = self._names.apply(last.table)
        self.broadcast.version = last.version
        for append in appends:
            if append.request is not None:
                append.request.resolve()
        if self.broadcast.members:
            self.broadcast.send_committed(before, appends, self.now())
        if self._presence_unsure:
            self._presence_unsure = False
            self._listener.record_presence()
        self._listener.match_changed()
        self.replication.committed()

    def lost(self, appends: Sequence[PendingAppend], problem: Exception) -> None:
        """These are not durable, so they have not happened."""
        self.head, self.head_version = self.recorded, self.version
        self.match_clock.skipped = self.head.time_skipped
        requests = [append.request for append in appends if append.request is not None]
        if isinstance(problem, VersionConflict) and self.replication.conflicted(requests):
            return
        self.refuse(requests, problem)
        self.replication.lost()

    def refuse(self, requests: Sequence[MoveRequest], problem: Exception) -> None:
        """The log could not record these."""
        for request in requests:
            request.fail(problem)
            self.broadcast.decline(request, Refused("not_recorded"))
        self._presence_unsure = True
        self.retry()

    # What other servers have written

    def apply(self, rows: Sequence[Row]) -> None:
        """Broadcasts rows of the log that others have written."""
        before, events = self.broadcast.table, [event for row in rows for event in events_of(row)]
        table = self._names.apply(replay(self.recorded, events))
        self.restore(table, rows[-1].version, rows[-1].at)
        if self.broadcast.members:
            self.broadcast.send_events(before, self.now(), events, rows[0].events if len(rows) == 1 else None)
        self.set_timer()

    def caught_up(self) -> None:
        """The rows of others are applied, and postponed requests are judged."""
        for seat in {member.seat for member in self.broadcast.members}:
            if seat is not None and not self.head.seats[seat].present:
                # The other server does not know this connection.
                self.play_for(seat, ComeBack())
        self._listener.match_changed()

    # Deleted players

    def anonymize(self, seat: SeatNo, name: str) -> None:
        """Replaces a seat's name, also in what is on its way to the log."""
        self._names.add(seat, name)
        before = self.broadcast.table
        self.head, self.recorded = self._names.apply(self.head), self._names.apply(self.recorded)
        self.broadcast.table = self._names.apply(before)
        self.broadcast.send_update(before, self.now())
