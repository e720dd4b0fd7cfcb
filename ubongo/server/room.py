"""One table: its people's connections, one ask at a time, recorded before anybody is told.

A room keeps three tables. `head` is played ahead: an ask is judged by all that was asked before it, also while the disk
is still writing that. `recorded` is durable. `told` is what members have on their screens. Should a write fail, head
falls back to what is recorded, and everything that was waiting is refused.
"""

from __future__ import annotations

from asyncio import Future
from collections.abc import Callable, Sequence
from itertools import groupby
from operator import itemgetter

from msgspec.structs import replace

from ubongo.events import Resumed, evolve, replay
from ubongo.game import Happenings, play, quiet, settle
from ubongo.moves import Away, Back, Move, Refused
from ubongo.server import protocol
from ubongo.server.audience import Audience
from ubongo.server.clock import Alarm, Clock
from ubongo.server.happening import Happening, Match, Member
from ubongo.server.log import Appends, Overtaken, Row, Unrecorded
from ubongo.server.log.register import events_of
from ubongo.server.protocol import encode
from ubongo.server.tell import Told
from ubongo.table import Instant, Millis, SeatNo, Table, with_seat

# After a restart nothing runs out sooner than this, however long the server was down.
GRACE: Millis = 10_000
# A disk that has just failed is not asked again at once.
RETRY: Millis = 1000

# The socket's close code: do not come back, there is nothing here any more.
CLOSED = 4404


class Room(Audience):
    """An audience with something to see."""

    def __init__(self, clock: Clock, log: Appends, table: Table, holders: Sequence[str | None]) -> None:
        super().__init__(table, holders)
        self.clock = clock
        self.log = log
        self.head = self.recorded = table
        self.head_version = 0
        self.match: Match | None = None
        # Who has been forgotten, by seat: the table would have them named.
        self._somebody: dict[SeatNo, str] = {}
        self.alone_since: Millis | None = clock.now()
        self.host: str | None = None
        self.ended = False
        # Somebody who looks whenever something has been told.
        self.onlooker: Callable[[Room], None] = lambda _: None
        # Somebody who reads on in the log, and comes back with `follow`; until then, whoever asks something waits.
        self.read_on: Callable[[Room], None] = lambda _: None
        self._behind: list[Happening] | None = None
        self._last: Instant = 0
        self._alarm: Alarm | None = None
        self._alarm_at: Instant | None = None
        # A write has failed since who is there was last written down.
        self._unsure = False

    def now(self) -> Instant:
        """The match's own time, which never runs behind what has happened."""
        return 0 if self.match is None else max(self.clock.now() - self.match.started, self._last)

    # Before the match

    def arrange(self, table: Table, holders: Sequence[str | None]) -> None:
        """Something else is agreed on before the match. Who sits elsewhere now is welcomed anew, the rest is told."""
        self.holders = tuple(holders)
        present = {member.player for member in self.members}
        here = tuple(
            replace(seat, present=seat.present or (holder is not None and holder in present))
            for seat, holder in zip(table.seats, holders, strict=True)
        )
        table = replace(table, seats=here)
        moved = [member for member in self.members if member.seat != self.seat_of(member.player)]
        if len(here) != len(self.told.seats):
            # An update speaks of seats that were there before.
            self.head = self.recorded = self.told = table
            moved = list(self.members)
        elif table != self.told:
            self._show(table)
        for member in moved:
            self.welcome(member)

    def _show(self, table: Table) -> None:
        """Before the match nothing is logged: what the lobby has recorded is told at once."""
        before = self.told
        self.head = self.recorded = self.told = table
        self.update(Told(before, table, ()), {})

    def begin(self, match: Match, holders: Sequence[str | None]) -> Future[None]:
        """The match starts; done when its first events are durable. Everybody is welcomed to it."""
        self.match = match
        self.holders = tuple(holders)
        self.head = self.recorded = match.opening
        happened: Happenings = []
        table = quiet(match.game, match.opening, 0, match.chance, happened)
        first = self._happen(table, happened)
        first.waiting = Future()
        self._say_who_is_there()
        return first.waiting

    def resume(self, match: Match, holders: Sequence[str | None], table: Table, version: int, last: Instant) -> None:
        """After a restart: the table as the log has it, and a little time for everyone to come back."""
        self.match = match
        self.holders = tuple(holders)
        self.head = self.recorded = self.told = table
        self.head_version = self.version = version
        self._last = last
        if table.phase == "over" or self.ended:
            return
        now = self.now()
        stood = now - last if table.limit is None else max(0, now + GRACE - table.limit)
        resumed = Resumed(now + GRACE, stood)
        happened: Happenings = [(now, resumed)]
        table = evolve(table, resumed)
        if version == 0:
            # It went down before the first deal was written.
            table = quiet(match.game, table, now, match.chance, happened)
        self._happen(table, happened)
        self._say_who_is_there()

    def _say_who_is_there(self) -> None:
        here = {member.player for member in self.members}
        for seat, holder in enumerate(self.holders):
            if holder is not None and self.head.seats[seat].present != (holder in here):
                self.say(seat, Back() if holder in here else Away())

    # Asks and time

    def ask(self, member: Member, n: int, move: Move, seat: SeatNo | None = None) -> None:
        """Plays a member's move; raises Refused. It is answered when it is recorded."""
        happening = self._play(self._speaks_for(member, seat), move)
        happening.asker = member
        happening.n = n

    def _speaks_for(self, member: Member, seat: SeatNo | None) -> SeatNo | None:
        """Everybody for themselves; C8: the host also for who has no device."""
        if seat is None or seat == member.seat:
            return member.seat
        if member.player is None or member.player != self.host or seat not in self.facts.get("voiced", ()):
            raise Refused("not_your_seat")
        return seat

    def say(self, seat: SeatNo, move: Move) -> Future[None] | None:
        """What the server itself has to say for a seat; None where the rules have nothing to add."""
        try:
            happening = self._play(seat, move)
        except Refused:
            return None
        happening.waiting = Future()
        return happening.waiting

    def _play(self, seat: SeatNo | None, move: Move) -> Happening:
        match = self.match
        if seat is None:
            raise Refused("watching")
        if match is None:
            raise Refused("not_begun")
        if self.ended:
            raise Refused("over")
        if self._behind is not None:
            happening = Happening(self, match.number, self.version, [], self.recorded, self.version, [])
            self._behind.append(happening)
        else:
            happening = self._happen(*play(match.game, self.head, seat, move, self.now(), match.chance))
        happening.seat, happening.move = seat, move
        return happening

    def _happen(self, table: Table, happened: Happenings) -> Happening:
        assert self.match is not None
        number, version, rows = self.match.number, self.head_version, []
        for at, group in groupby(happened, itemgetter(0)):
            events = [event for _, event in group]
            version += len(events)
            rows.append(Row(number, version, at, encode(events)))
            self._last = at
        happening = Happening(self, number, self.head_version, rows, table, version, [event for _, event in happened])
        self.head, self.head_version = table, version
        self.log.append(happening)
        self._wait_for(table.until)
        return happening

    def _wait_for(self, until: Instant | None) -> None:
        """One alarm a table, for the one deadline there is."""
        if until == self._alarm_at and self._alarm is not None:
            return
        self.silence()
        if until is not None and self.match is not None:
            self._alarm_at = until
            self._alarm = self.clock.wake(self.match.started + until, self._due)

    def silence(self) -> None:
        """Waits for nothing any more."""
        if self._alarm is not None:
            self._alarm.cancel()
        self._alarm = self._alarm_at = None

    def _due(self) -> None:
        self._alarm = self._alarm_at = None
        match = self.match
        assert match is not None
        if self._behind is not None:
            return
        happened: Happenings = []
        now = self.now()
        table = settle(match.game, self.head, now, match.chance, happened)
        if self.head_version == 0:
            # The first deal was lost.
            table = quiet(match.game, table, now, match.chance, happened)
        if happened:
            self._happen(table, happened)
        else:
            # Woken a moment early, or after a failed write by which nothing was due.
            self._wait_for(self.head.until)

    def _due_again(self) -> None:
        """After a failed write: what was due, and who had come or gone."""
        self._due()
        self._say_who_is_there()

    # Recorded, or not

    def tell(self, happenings: Sequence[Happening]) -> None:
        """These are durable: everybody is told, in one message each."""
        last = happenings[-1]
        before = self.told
        self.recorded = self.told = self._nameless(last.table)
        self.version = last.version
        for happening in happenings:
            if happening.waiting is not None and not happening.waiting.done():
                happening.waiting.set_result(None)
        if self.members:
            self._tell_members(before, happenings)
        if self._unsure:
            self._unsure = False
            self._say_who_is_there()
        self.onlooker(self)

    def _welcome_all(self) -> None:
        """The start: nobody has seen anything of the match."""
        for member in list(self.members):
            self.welcome(member)

    def _tell_members(self, before: Table, happenings: Sequence[Happening]) -> None:
        acked = {one.asker: one.n for one in happenings if one.asker is not None}
        if before.phase == "gather":
            self._welcome_all()
            if acked:
                # Who was quicker than their welcome is answered all the same, though it has told them everything.
                self.update(Told(self.told, self.told, ()), acked)
            return
        last = happenings[-1]
        events = [event for happening in happenings for event in happening.events]
        alone = last.rows[0].events if len(happenings) == 1 and len(last.rows) == 1 else None
        self.update(Told(before, self.told, events, alone), acked)

    def lose(self, happenings: Sequence[Happening], problem: Exception) -> None:
        """These are not durable, so they have not happened. Who was only overtaken is answered when that is read."""
        assert self.match is not None
        self.head, self.head_version = self.recorded, self.version
        if isinstance(problem, Overtaken):
            self.silence()
            if self._behind is not None:
                self._behind += happenings
            else:
                self._behind = list(happenings)
                self.read_on(self)
            return
        self._refuse(happenings, problem)

    def _refuse(self, happenings: Sequence[Happening], problem: Exception) -> None:
        no = Refused("not_recorded")
        for happening in happenings:
            if happening.waiting is not None and not happening.waiting.done():
                happening.waiting.set_exception(problem)
                # Not everybody waits for what they said: that nobody looked is no fault to be noted.
                happening.waiting.exception()
            if happening.asker in self.members:
                happening.asker.send(protocol.declined(happening.n, no))
        self._unsure = True
        self.silence()
        self._alarm = self.clock.wake(self.clock.now() + RETRY, self._due_again)

    def follow(self, history: Sequence[Row]) -> None:
        """What others have written to this match is told here too, and whoever waited for it is answered anew."""
        waiting, self._behind = self._behind or [], None
        rows = [row for row in history if row.version > self.version]
        if not rows:
            # It is not to be had, or it is no longer there: to ask again at once would be to ask for ever.
            self._refuse(waiting, Unrecorded("the log cannot be followed"))
            return
        before = self.told
        events = [event for row in rows for event in events_of(row)]
        self.head = self.recorded = self.told = self._nameless(replay(self.recorded, events))
        self.head_version = self.version = rows[-1].version
        self._last = rows[-1].at
        if before.phase == "gather":
            self._welcome_all()
        else:
            self.update(Told(before, self.told, events), {})
        self._wait_for(self.head.until)
        for happening in waiting:
            self._again(happening)
        for seat in {member.seat for member in self.members}:
            if seat is not None and not self.head.seats[seat].present:
                # Whoever wrote that has not seen them.
                self.say(seat, Back())
        self.onlooker(self)

    def _again(self, lost: Happening) -> None:
        """Judged by the table as it is now; what happens by itself has happened, or will when it is due."""
        try:
            if lost.move is not None:
                again = self._play(lost.seat, lost.move)
                again.asker, again.n, again.waiting = lost.asker, lost.n, lost.waiting
                return
        except Refused as no:
            if lost.asker in self.members:
                lost.asker.send(protocol.declined(lost.n, no))
        if lost.waiting is not None and not lost.waiting.done():
            lost.waiting.set_result(None)

    # Members

    def enter(self, member: Member) -> None:
        """Somebody has connected: one welcome, whatever they have missed."""
        self.members.add(member)
        self.welcome(member)
        if not self._alone():
            self.alone_since = None
        if member.seat is not None:
            if self.match is not None:
                self.say(member.seat, Back())
            else:
                self._gathered(member.seat, present=True)

    def exit(self, member: Member) -> None:
        """A connection is gone. The seat is away only with its last one."""
        self.members.discard(member)
        if self._alone() and self.alone_since is None:
            self.alone_since = self.clock.now()
        if member.seat is None or any(other.seat == member.seat for other in self.members):
            return
        if self.match is not None:
            self.say(member.seat, Away())
        else:
            self._gathered(member.seat, present=False)

    def _alone(self) -> bool:
        """T7: a spectator is no company, but where bots play among themselves."""
        here = self.members if not any(self.holders) else [one for one in self.members if one.seat is not None]
        return not here

    def _gathered(self, number: SeatNo, present: bool) -> None:
        seat = self.told.seats[number]
        if seat.present != present:
            self._show(with_seat(self.told, number, replace(seat, present=present)))

    def forget(self, player: str, name: str) -> None:
        """Who sat there is not to be known any more, at once, also in what is on its way to the log."""
        seat = self.seat_of(player)
        if seat is None:
            return
        self._somebody[seat] = name
        self.holders = (*self.holders[:seat], None, *self.holders[seat + 1 :])
        before = self.told
        self.head, self.recorded, self.told = map(self._nameless, (self.head, self.recorded, self.told))
        self.update(Told(before, self.told, ()), {})
        for member in [one for one in self.members if one.player == player]:
            member.player = None
            self.welcome(member)

    def _nameless(self, table: Table) -> Table:
        for seat, name in self._somebody.items():
            if table.seats[seat].name != name:
                table = with_seat(table, seat, replace(table.seats[seat], name=name))
        return table

    def end(self) -> None:
        """Nothing happens here any more, though the match was not played to its end."""
        self.ended = True
        self.silence()

    def shut(self) -> None:
        """The table is closed, and everybody is sent home."""
        self.end()
        for member in list(self.members):
            member.send(encode(protocol.Fault("This table has been closed.")))
            member.close(CLOSED, "closed")
