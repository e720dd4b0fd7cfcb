"""One table: what becomes of it, from gathering to its end, and the people who come and go at it."""

from __future__ import annotations

from asyncio import Future
from collections.abc import Callable, Sequence

from msgspec.structs import replace

from ubongo.events import ClockWrong, Resumed
from ubongo.evolve import evolve
from ubongo.game import Happenings, quiet
from ubongo.moves import Away, Back, Move, Refused
from ubongo.server import protocol
from ubongo.server.clock import Clock
from ubongo.server.protocol import encode
from ubongo.server.store import Appends
from ubongo.server.tables.pending_append import Happening, Match, Member
from ubongo.server.tables.replication import Following
from ubongo.server.tables.update import Told
from ubongo.table import Instant, Millis, SeatNo, Table, with_seat

# After a restart nothing runs out sooner than this, however long the server was down.
GRACE: Millis = 10_000

# Clocks of several servers differ by less than this; a clock that is further behind a match is wrong.
CLOCK_TOLERANCE: Millis = 1000

# One reaction of each seat in so long, and only while nobody is laying anything.
REACTION_EVERY: Millis = 1000
REACTION_PHASES = ("ready", "throw", "over")

# The socket's close code: do not come back, there is nothing here any more.
CLOSED = 4404


class Room(Following):
    """A course with people at it, here and in other houses that serve the same table."""

    def __init__(self, clock: Clock, log: Appends, table: Table, holders: Sequence[str | None], key: str = "") -> None:
        super().__init__(clock, log, table, holders, key)
        self.alone_since: Millis | None = clock.now()
        self.empty_since = clock.now()
        # Who is at this table in other houses, as far as we know.
        self.elsewhere: frozenset[str] = frozenset()
        # When each seat last reacted.
        self._reacted: dict[SeatNo, Millis] = {}
        # Somebody who tells a reaction to other houses that serve this table.
        self.relay: Callable[[Room, protocol.Reaction], None] = lambda _room, _reaction: None
        # Somebody who hears that somebody has come or gone.
        self.doorkeeper: Callable[[Room], None] = lambda _: None

    # Before the match

    def arrange(self, table: Table, holders: Sequence[str | None]) -> None:
        """Something else is agreed on before the match. Who sits elsewhere now is welcomed anew, the rest is told."""
        self.holders = tuple(holders)
        present = self._present()
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

    # The match begins, or goes on

    def begin(self, match: Match, holders: Sequence[str | None], clock_wrong: bool = False) -> Future[None]:
        """The match starts; done when its first events are durable. Everybody is welcomed to it."""
        self._take(match, holders)
        table, happened = match.opening, Happenings()
        if clock_wrong:
            happened.append((0, ClockWrong()))
            table = evolve(table, ClockWrong())
        table = quiet(match.game, table, 0, match.chance, happened)
        first = self.happen(table, happened)
        first.waiting = Future()
        self.say_who_is_there()
        return first.waiting

    def join(self, match: Match, holders: Sequence[str | None]) -> None:
        """Another house has started the match: it is read from the log."""
        self._take(match, holders)
        self.fall_behind()

    def _take(self, match: Match, holders: Sequence[str | None]) -> None:
        self.match = match
        self.holders = tuple(holders)
        self.head = self.recorded = match.opening

    def resume(
        self,
        match: Match,
        holders: Sequence[str | None],
        table: Table,
        version: int,
        last: Instant,
        interrupted: bool = True,
    ) -> None:
        """The table as the log has it. If it was interrupted, everybody gets a little time to come back."""
        self._take(match, holders)
        self.head = self.recorded = self.told = table
        self.head_version = self.version = version
        self.last = last
        if not self.playing:
            return
        if interrupted:
            self.give_time()
        elif version:
            self.wait_for(table.until)
        else:
            # Whoever has started it is about to deal, unless they have gone.
            self.due_again()

    def give_time(self) -> None:
        """Nobody has served this table for a while. What has run meanwhile has run, but nothing runs out at once."""
        match, table, now = self.match, self.head, self.now()
        assert match is not None
        happened: Happenings = []
        if self.behind() > CLOCK_TOLERANCE:
            # Without this the match would stand still until the clock is there again.
            wrong = ClockWrong(self.behind())
            happened.append((now, wrong))
            table = evolve(table, wrong)
        stood = now - self.last if table.limit is None else max(0, now + GRACE - table.limit)
        resumed = Resumed(now + GRACE, stood)
        happened.append((now, resumed))
        table = evolve(table, resumed)
        if self.head_version == 0:
            # It went down before the first deal was written.
            table = quiet(match.game, table, now, match.chance, happened)
        self.happen(table, happened)
        self.say_who_is_there()

    def judge(self, match: Match, seat: SeatNo, move: Move) -> Happening:
        if self.behind() > CLOCK_TOLERANCE and not self.head.clock_wrong and self.up_to_date:
            # A server with another clock has written this, and may still serve it: its time is not ours to move.
            self.happen(evolve(self.head, ClockWrong()), [(self.now(), ClockWrong())])
        return super().judge(match, seat, move)

    # Members

    def _present(self) -> frozenset[str | None]:
        return self.elsewhere | {member.player for member in self.members}

    def say_who_is_there(self) -> None:
        present = self._present()
        for seat, holder in enumerate(self.holders):
            if holder is not None and self.head.seats[seat].present != (holder in present):
                self.say(seat, Back() if holder in present else Away())

    def enter(self, member: Member) -> None:
        """Somebody has connected: one welcome, whatever they have missed."""
        self.members.add(member)
        self.welcome(member)
        self._note_company()
        if member.seat is not None:
            if self.match is not None:
                self.say(member.seat, Back())
            else:
                self._gathered(member.seat, present=True)
        self.doorkeeper(self)

    def exit(self, member: Member) -> None:
        """A connection is gone. The seat is away only with its last one."""
        self.members.discard(member)
        self._note_company()
        self.doorkeeper(self)
        if member.seat is None or member.player in self._present():
            return
        if self.match is not None:
            self.say(member.seat, Away())
        else:
            self._gathered(member.seat, present=False)

    def attend(self, elsewhere: frozenset[str], first: bool) -> None:
        """Who is at this table in other houses, and whether we are the first of all that serve it."""
        if (elsewhere, first) == (self.elsewhere, self.first):
            return
        self.elsewhere = elsewhere
        self._note_company()
        if first != self.first:
            self.first = first
            if self.playing:
                self.silence()
                self.wait_for(self.head.until)
                if first and self.behind() > CLOCK_TOLERANCE and self.up_to_date:
                    self.give_time()
        if self.match is None:
            for seat, holder in enumerate(self.holders):
                if holder is not None:
                    self._gathered(seat, present=holder in self._present())
        elif self.playing:
            if first:
                # Whoever has gone with their house has told nobody.
                self.say_who_is_there()
            self.onlooker(self)

    def _note_company(self) -> None:
        if not self.members and not self.elsewhere:
            self.empty_since = self.clock.now() if self.empty_since is None else self.empty_since
        elif self.empty_since is not None:
            self.empty_since = None
            if self.playing:
                # Its bots may be asleep.
                self.onlooker(self)
        if not self._alone():
            self.alone_since = None
        elif self.alone_since is None:
            self.alone_since = self.clock.now()

    def _alone(self) -> bool:
        """T7: a spectator is no company, but where bots play among themselves."""
        if not any(self.holders):
            return not self.members and not self.elsewhere
        return self._present().isdisjoint(filter(None, self.holders))

    def _gathered(self, number: SeatNo, present: bool) -> None:
        seat = self.told.seats[number]
        if seat.present != present:
            self._show(with_seat(self.told, number, replace(seat, present=present)))

    def forget(self, player: str, name: str) -> None:
        """Who sat there is not to be known any more, at once."""
        seat = self.seat_of(player)
        if seat is None:
            return
        self.holders = (*self.holders[:seat], None, *self.holders[seat + 1 :])
        self.rename(seat, name)
        for member in [one for one in self.members if one.player == player]:
            member.player = None
            self.welcome(member)

    def react(self, member: Member, what: protocol.ReactionKind) -> None:
        """Shown to everybody at the table, those who watch included. It is not recorded."""
        seat, now = member.seat, self.clock.now()
        if seat is None:
            raise Refused("watching")
        if self.told.seats[seat].gone:
            raise Refused("gone")
        if self.facts.get("muted"):
            raise Refused("muted")
        if self.told.phase not in REACTION_PHASES:
            raise Refused("not_now", move="react", phase=self.told.phase)
        if now - self._reacted.get(seat, now - REACTION_EVERY) < REACTION_EVERY:
            raise Refused("too_fast")
        reaction = protocol.Reaction(seat, what)
        self.show_reaction(reaction)
        self.relay(self, reaction)

    def show_reaction(self, reaction: protocol.Reaction) -> None:
        """Somebody has reacted, here or in another house, which has made sure that they may."""
        if self.facts.get("muted"):
            # The other house has not heard of it yet.
            return
        # One a second, wherever they are connected.
        self._reacted[reaction.seat] = self.clock.now()
        message = encode(reaction)
        for one in list(self.members):
            one.send(message)

    # The end

    def end(self) -> None:
        """Nothing happens here any more, though the match was not played to its end."""
        self.ended = True
        self.silence()

    def go_on(self) -> None:
        """It was too soon for that."""
        self.ended = False
        self.wait_for(self.head.until)

    def shut(self) -> None:
        """The table is closed, and everybody is sent home."""
        self.end()
        self.onlooker(self)
        for member in list(self.members):
            member.send(encode(protocol.Fault("This table has been closed.")))
            member.close(CLOSED, "closed")
