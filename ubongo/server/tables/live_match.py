"""A match on its way through the log: one ask at a time, recorded before anybody is told.

There are three tables. `head` is played ahead: an ask is judged by all that was asked before it, also while the disk is
still writing that. `recorded` is durable. `told` is what members have on their screens. Should a write fail, head falls
back to what is recorded, and everything that was waiting is refused.
"""

from __future__ import annotations

from abc import abstractmethod
from asyncio import Future
from collections.abc import Callable, Iterator, Sequence
from itertools import groupby
from operator import itemgetter

from msgspec.structs import replace

from ubongo.events import TimeSkipped
from ubongo.evolve import evolve
from ubongo.game import Happenings, play, quiet, settle
from ubongo.moves import Leave, Move, Refused
from ubongo.server import protocol
from ubongo.server.clock import Alarm, Clock
from ubongo.server.protocol import encode
from ubongo.server.store import Appends, Row
from ubongo.server.tables.broadcast import Audience
from ubongo.server.tables.pending_append import Happening, Match, Member
from ubongo.server.tables.update import Told
from ubongo.table import Instant, Millis, SeatNo, Table, with_seat

# A long match of four has some thousands of events. Whoever makes so many fills the disk, and plays no more.
MOST_EVENTS = 50_000
# A disk that has just failed is not asked again at once.
RETRY: Millis = 1000
# What happens by itself is written by the first of those who serve the table; the others wait this long for it.
LATER: Millis = 250


def rows_of(number: int, version: int, happened: Happenings) -> Iterator[Row]:
    """A row for each moment."""
    for at, group in groupby(happened, itemgetter(0)):
        events = [event for _, event in group]
        version += len(events)
        yield Row(number, version, at, encode(events))


class Course(Audience):
    """An audience with something to see."""

    def __init__(self, clock: Clock, log: Appends, table: Table, holders: Sequence[str | None], key: str) -> None:
        super().__init__(table, holders)
        self.clock = clock
        self.log = log
        self.key = key
        self.head = self.recorded = table
        self.head_version = 0
        self.match: Match | None = None
        self.host: str | None = None
        self.ended = False
        # Of all houses that serve this table we have done so longest.
        self.first = True
        # Since when nobody has been connected, in no house; None while somebody is.
        self.empty_since: Millis | None = None
        # The address whose table it is, if that is known: what its bots may cost.
        self.owner = ""
        # Who has been forgotten, by seat: the table would have them named.
        self._somebody: dict[SeatNo, str] = {}
        # Somebody who looks whenever something has been told.
        self.onlooker: Callable[[Course], None] = lambda _: None
        # Somebody who hears that the match is over.
        self.when_over: Callable[[Course], None] = lambda _: None
        self.last: Instant = 0
        self._alarm: Alarm | None = None
        self._alarm_at: Millis | None = None
        # A write has failed since who is there was last written down.
        self._unsure = False

    def now(self) -> Instant:
        """The match's own time, which never runs behind what has happened."""
        if self.match is None:
            return 0
        return max(self._measured(self.match), self.last)

    def behind(self) -> Millis:
        """How far the clock is behind what has happened in this match."""
        return 0 if self.match is None else max(0, self.last - self._measured(self.match))

    def _measured(self, match: Match) -> Instant:
        return self.clock.now() - match.started + self.head.time_skipped

    def time_of(self, at: Instant) -> Millis:
        """When it will be that instant of the match, by the machine's clock."""
        assert self.match is not None
        return self.match.started + at - self.head.time_skipped

    def skip_to(self, to: Instant) -> None:
        """T7a: nobody waits until then, and the match goes on from there for everybody."""
        by = to - self.now()
        if by > 0:
            skipped = TimeSkipped(by)
            self.happen(evolve(self.head, skipped), [(to, skipped)])

    @property
    def playing(self) -> bool:
        return self.match is not None and not self.ended and self.head.phase != "over"

    @abstractmethod
    def say_who_is_there(self) -> None:
        """Has the match note who has come or gone without its being noted."""

    # Asks

    def ask(self, member: Member, n: int, move: Move, seat: SeatNo | None = None) -> None:
        """Plays a member's move; raises Refused. It is answered when it is recorded."""
        if self.head_version >= MOST_EVENTS and not isinstance(move, Leave):
            raise Refused("too_many_moves")
        happening = self.play(self._speaks_for(member, seat, move), move)
        happening.asker = member
        happening.n = n

    def _speaks_for(self, member: Member, seat: SeatNo | None, move: Move) -> SeatNo | None:
        """Everybody for themselves; C8: the host also for who has no device, and anybody for whose device is gone."""
        if seat is None or seat == member.seat:
            return member.seat
        if member.seat is not None and self.head.seats[member.seat].gone:
            raise Refused("not_your_seat")
        voiced = seat in self.facts.get("voiced", ())
        if voiced and member.player is not None and member.player == self.host:
            return seat
        # Nobody is made to leave by others.
        if isinstance(move, Leave) or not self._stands_in(member, self.facts.get("host") if voiced else seat):
            raise Refused("not_your_seat")
        return seat

    def _stands_in(self, member: Member, seat: SeatNo | None) -> bool:
        """C8: whether somebody at a table of paper may say what a seat's device, which is gone, would have said."""
        seats = self.head.seats
        if not self.head.options.companion or member.seat is None:
            return False
        # A host who does not sit here has no device at the table.
        return seat is None or (0 <= seat < len(seats) and (seats[seat].gone or not seats[seat].present))

    def say(self, seat: SeatNo, move: Move) -> Future[None] | None:
        """What the server itself has to say for a seat; None where the rules have nothing to add."""
        try:
            happening = self.play(seat, move)
        except Refused:
            return None
        happening.waiting = Future()
        return happening.waiting

    def play(self, seat: SeatNo | None, move: Move) -> Happening:
        match = self.match
        if seat is None:
            raise Refused("watching")
        if match is None:
            raise Refused("not_begun")
        if self.ended:
            raise Refused("over")
        happening = self.judge(match, seat, move)
        happening.seat, happening.move = seat, move
        return happening

    def judge(self, match: Match, seat: SeatNo, move: Move) -> Happening:
        return self.happen(*play(match.game, self.head, seat, move, self.now(), match.chance))

    def happen(self, table: Table, happened: Happenings) -> Happening:
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
        happening = Happening(self, number, since, rows, table, version, events)
        self.head, self.head_version = table, version
        self.log.append(happening)
        self.wait_for(table.until)
        return happening

    # Time

    def wait_for(self, until: Instant | None) -> None:
        """One alarm a table, for the one deadline there is."""
        at = None if until is None or self.match is None else self.time_of(until)
        if at == self._alarm_at and self._alarm is not None:
            return
        self.silence()
        if at is not None and not self.ended:
            self._alarm_at = at
            later = 0 if self.first else LATER
            self._alarm = self.clock.wake(at + later, self.due)

    def silence(self) -> None:
        """Waits for nothing any more."""
        if self._alarm is not None:
            self._alarm.cancel()
        self._alarm = self._alarm_at = None

    def due(self) -> None:
        self._alarm = self._alarm_at = None
        match = self.match
        assert match is not None
        happened: Happenings = []
        now = self.now()
        table = settle(match.game, self.head, now, match.chance, happened)
        if self.head_version == 0:
            # The first deal was lost.
            table = quiet(match.game, table, now, match.chance, happened)
        if happened:
            self.happen(table, happened)
        else:
            # Woken a moment early, or after a failed write by which nothing was due.
            self.wait_for(self.head.until)

    def due_again(self) -> None:
        """In a moment: what was due, who had come or gone, and what a bot had asked for."""
        self.silence()
        if not self.ended:
            self._alarm = self.clock.wake(self.clock.now() + RETRY, self._due_again)

    def _due_again(self) -> None:
        self.due()
        self.say_who_is_there()
        self.onlooker(self)

    # Recorded, or not

    def tell(self, happenings: Sequence[Happening]) -> None:
        """These are durable: everybody is told, in one message each."""
        last = happenings[-1]
        before = self.told
        self.recorded = self.told = self.nameless(last.table)
        self.version = last.version
        for happening in happenings:
            if happening.waiting is not None and not happening.waiting.done():
                happening.waiting.set_result(None)
        if self.members:
            self._tell_members(before, happenings)
        if self._unsure:
            self._unsure = False
            self.say_who_is_there()
        self.onlooker(self)
        if last.table.phase == "over":
            self.when_over(self)

    def welcome_all(self) -> None:
        """The start: nobody has seen anything of the match."""
        for member in list(self.members):
            self.welcome(member)

    def _tell_members(self, before: Table, happenings: Sequence[Happening]) -> None:
        acked = {one.asker: one.n for one in happenings if one.asker is not None}
        if before.phase == "gather":
            self.welcome_all()
            if acked:
                # Who was quicker than their welcome is answered all the same, though it has told them everything.
                self.update(Told(self.told, self.told, ()), acked)
            return
        last = happenings[-1]
        events = [event for happening in happenings for event in happening.events]
        alone = last.rows[0].events if len(happenings) == 1 and len(last.rows) == 1 else None
        self.update(Told(before, self.told, events, alone), acked)

    def lose(self, happenings: Sequence[Happening], problem: Exception) -> None:
        """These are not durable, so they have not happened."""
        self.fall_back()
        self.refuse(happenings, problem)

    def fall_back(self) -> None:
        self.head, self.head_version = self.recorded, self.version

    def refuse(self, happenings: Sequence[Happening], problem: Exception) -> None:
        no = Refused("not_recorded")
        for happening in happenings:
            if happening.waiting is not None and not happening.waiting.done():
                happening.waiting.set_exception(problem)
                # Not everybody waits for what they said: that nobody looked is no fault to be noted.
                happening.waiting.exception()
            if happening.asker in self.members:
                happening.asker.send(protocol.declined(happening.n, no))
        self._unsure = True
        self.due_again()

    # Names

    def rename(self, seat: SeatNo, name: str) -> None:
        """Whoever sits there is called so from now on, also in what is on its way to the log."""
        self._somebody[seat] = name
        before = self.told
        self.head, self.recorded, self.told = map(self.nameless, (self.head, self.recorded, self.told))
        self.update(Told(before, self.told, ()), {})

    def nameless(self, table: Table) -> Table:
        for seat, name in self._somebody.items():
            if table.seats[seat].name != name:
                table = with_seat(table, seat, replace(table.seats[seat], name=name))
        return table
