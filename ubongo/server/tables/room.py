"""One table and the people at it: they come and go, the match begins, is restored and ends."""

from __future__ import annotations

from asyncio import Future
from collections.abc import Callable, Sequence
from typing import Protocol

from msgspec.structs import replace

from ubongo.events import ClockWrong, Resumed
from ubongo.evolve import evolve
from ubongo.game import Happenings, quiet
from ubongo.moves import ComeBack, GoAway, Leave, Move, Refused
from ubongo.server import protocol
from ubongo.server.clock import Clock
from ubongo.server.protocol import encode
from ubongo.server.store import Appends
from ubongo.server.tables.broadcast import Broadcast
from ubongo.server.tables.live_match import LiveMatch
from ubongo.server.tables.match import Match
from ubongo.server.tables.member import Member
from ubongo.server.tables.pending_append import MoveRequest
from ubongo.server.tables.reactions import Reactions
from ubongo.server.tables.replication import NoReplication, Replication
from ubongo.server.tables.seat_authority import authorized_seat
from ubongo.table import Instant, Millis, SeatNo, Table, with_seat

# A long match of four has some thousands of events. Whoever makes so many fills the disk, and plays no more.
MOST_EVENTS = 50_000
# After a restart nothing runs out sooner than this, however long the server was down.
GRACE: Millis = 10_000
# The WebSocket's close code: do not come back, there is nothing here any more.
CLOSED = 4404


class RoomListener(Protocol):
    """What the lobby wants to know of a room."""

    def room_changed(self, room: Room) -> None:
        """Something was broadcast, or has to be looked at again: bots think, a match that is over is noted."""

    def attendance_changed(self, room: Room) -> None:
        """Somebody has come or gone."""

    def reacted(self, room: Room, reaction: protocol.Reaction) -> None: ...


class NoListener:
    def room_changed(self, room: Room) -> None: ...
    def attendance_changed(self, room: Room) -> None: ...
    def reacted(self, room: Room, reaction: protocol.Reaction) -> None: ...


class Room:
    """`holders` are the players by seat; a bot's seat and a free one have none. `host` is the player who hosts.

    `owner` is the address that pays for the bots at this table, if it is known.
    """

    def __init__(
        self,
        clock: Clock,
        log: Appends,
        table: Table,
        holders: Sequence[str | None],
        key: str = "",
        *,
        listener: RoomListener | None = None,
        replicate: Callable[[LiveMatch], Replication] = NoReplication,
        host: str | None = None,
        owner: str = "",
    ) -> None:
        self.clock = clock
        self.key = key
        self.host = host
        self.owner = owner
        self.broadcast = Broadcast(table, holders)
        self.live_match = LiveMatch(key, clock, log, self.broadcast, self, replicate)
        self.replication = self.live_match.replication
        self.reactions = Reactions(clock, self.broadcast)
        # T7: since when no player has been connected to any server; None while one is.
        self.alone_since: Millis | None = clock.now()
        # The same, where spectators count too.
        self.empty_since: Millis | None = clock.now()
        # The players that are connected to other servers, as far as we know.
        self.elsewhere: frozenset[str] = frozenset()
        self._listener = listener or NoListener()

    # Reading

    @property
    def shown(self) -> Table:
        """The table as its members have it."""
        return self.broadcast.table

    @property
    def members(self) -> set[Member]:
        return self.broadcast.members

    @property
    def match(self) -> Match | None:
        return self.live_match.match

    # Before the match

    def arrange(self, table: Table, holders: Sequence[str | None]) -> None:
        """The lobby has recorded another arrangement. Members who change seats are welcomed anew, others updated."""
        self.broadcast.holders = tuple(holders)
        present = self._present()
        here = tuple(
            replace(seat, present=seat.present or (holder is not None and holder in present))
            for seat, holder in zip(table.seats, holders, strict=True)
        )
        table = replace(table, seats=here)
        moved = [member for member in self.members if member.seat != self.broadcast.seat_of(member.player)]
        if len(here) != len(self.shown.seats):
            # An update can only name seats that were there before.
            self.live_match.restore(table, 0, 0)
            moved = list(self.members)
        elif table != self.shown:
            self.live_match.show(table)
        for member in moved:
            self.broadcast.welcome(member, self.live_match.now())

    @property
    def facts(self) -> protocol.TableFacts:
        return self.broadcast.facts

    def send_facts(self, facts: protocol.TableFacts) -> None:
        self.broadcast.send_facts(facts, self.live_match.now())

    # The match begins, or goes on

    def begin(self, match: Match, holders: Sequence[str | None], clock_wrong: bool = False) -> Future[None]:
        """The match starts; done when its first events are durable. Everybody is welcomed to it."""
        self._open(match, holders)
        begun = self.live_match.begin(clock_wrong)
        self.record_presence()
        return begun

    def join(self, match: Match, holders: Sequence[str | None]) -> None:
        """Another server has started the match: it is read from the log."""
        self._open(match, holders)
        self.replication.fall_behind()

    def _open(self, match: Match, holders: Sequence[str | None]) -> None:
        self.broadcast.holders = tuple(holders)
        self.live_match.open(match)

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
        self._open(match, holders)
        self.live_match.restore(table, version, last)
        if not self.live_match.playing:
            return
        if interrupted:
            self.give_time()
        elif version:
            self.live_match.wait_for(table.until)
        else:
            # The server that has started it is about to deal, unless it has died.
            self.live_match.retry()

    def give_time(self) -> None:
        """Nobody has served this table for a while. What has run meanwhile has run, but nothing runs out at once."""
        live_match = self.live_match
        match, table, now = live_match.match, live_match.head, live_match.now()
        assert match is not None
        happened: Happenings = []
        if behind := live_match.clock_behind:
            # Without this the match would stand still until the clock is there again.
            wrong = ClockWrong(behind)
            happened.append((now, wrong))
            table = evolve(table, wrong)
        stood = now - live_match.last if table.limit is None else max(0, now + GRACE - table.limit)
        resumed = Resumed(now + GRACE, stood)
        happened.append((now, resumed))
        table = evolve(table, resumed)
        if live_match.head_version == 0:
            # The server went down before the first deal was written.
            table = quiet(match.game, table, now, match.chance, happened)
        live_match.append(table, happened)
        self.record_presence()

    # Requests

    def request(self, member: Member, n: int, move: Move, seat: SeatNo | None = None) -> None:
        """Plays a member's move; raises Refused. It is answered when it is recorded."""
        if self.live_match.head_version >= MOST_EVENTS and not isinstance(move, Leave):
            raise Refused("too_many_moves")
        mover = authorized_seat(self.live_match.head, self.facts, self.host, member, seat, move)
        self.live_match.submit(MoveRequest(mover, move, member, n))

    def react(self, member: Member, kind: protocol.ReactionKind) -> None:
        """Raises Refused."""
        reaction = self.reactions.react(member, kind)
        self._listener.reacted(self, reaction)

    # Members

    def _present(self) -> frozenset[str | None]:
        return self.elsewhere | {member.player for member in self.members}

    def record_presence(self) -> None:
        present, seats = self._present(), self.live_match.head.seats
        for seat, holder in enumerate(self.broadcast.holders):
            if holder is not None and seats[seat].present != (holder in present):
                self.live_match.say(seat, ComeBack() if holder in present else GoAway())

    def match_changed(self) -> None:
        self._listener.room_changed(self)

    def enter(self, member: Member) -> None:
        """Somebody has connected: one welcome, whatever they have missed."""
        self.members.add(member)
        self.broadcast.welcome(member, self.live_match.now())
        self._note_attendance()
        if member.seat is not None:
            if self.match is not None:
                self.live_match.say(member.seat, ComeBack())
            else:
                self._show_presence(member.seat, present=True)
        self._listener.attendance_changed(self)

    def exit(self, member: Member) -> None:
        """A connection is gone. The seat is away only with its last one."""
        self.members.discard(member)
        self._note_attendance()
        self._listener.attendance_changed(self)
        if member.seat is None or member.player in self._present():
            return
        if self.match is not None:
            self.live_match.say(member.seat, GoAway())
        else:
            self._show_presence(member.seat, present=False)

    def attend(self, elsewhere: frozenset[str], primary: bool) -> None:
        """The players that are connected to other servers, and whether we have had the table open longest."""
        if (elsewhere, primary) == (self.elsewhere, self.replication.primary):
            return
        self.elsewhere = elsewhere
        self._note_attendance()
        if primary != self.replication.primary:
            self.replication.primary = primary
            if self.live_match.playing:
                self.live_match.stop_timer()
                self.live_match.wait_for(self.live_match.head.until)
                if primary and self.live_match.clock_behind and not self.replication.behind:
                    self.give_time()
        if self.match is None:
            for seat, holder in enumerate(self.broadcast.holders):
                if holder is not None:
                    self._show_presence(seat, present=holder in self._present())
        elif self.live_match.playing:
            if primary:
                # Whoever was connected to a server that has died has not been recorded as away.
                self.record_presence()
            self._listener.room_changed(self)

    def _note_attendance(self) -> None:
        if not self.members and not self.elsewhere:
            self.empty_since = self.clock.now() if self.empty_since is None else self.empty_since
        elif self.empty_since is not None:
            self.empty_since = None
            if self.live_match.playing:
                # Its bots may be asleep.
                self._listener.room_changed(self)
        if not self._alone():
            self.alone_since = None
        elif self.alone_since is None:
            self.alone_since = self.clock.now()

    def _alone(self) -> bool:
        """T7: a spectator does not count, except where only bots play."""
        if not any(self.broadcast.holders):
            return not self.members and not self.elsewhere
        return self._present().isdisjoint(filter(None, self.broadcast.holders))

    def _show_presence(self, number: SeatNo, present: bool) -> None:
        seat = self.shown.seats[number]
        if seat.present != present:
            self.live_match.show(with_seat(self.shown, number, replace(seat, present=present)))

    def forget(self, player: str, name: str) -> None:
        """Removes a player's name from this table at once."""
        seat = self.broadcast.seat_of(player)
        if seat is None:
            return
        holders = self.broadcast.holders
        self.broadcast.holders = (*holders[:seat], None, *holders[seat + 1 :])
        self.live_match.anonymize(seat, name)
        for member in [one for one in self.members if one.player == player]:
            member.player = None
            self.broadcast.welcome(member, self.live_match.now())

    # The end

    def end(self) -> None:
        """Nothing happens here any more, though the match was not played to its end."""
        self.live_match.ended = True
        self.live_match.stop_timer()

    def reopen(self) -> None:
        """The end could not be recorded."""
        self.live_match.ended = False
        self.live_match.wait_for(self.live_match.head.until)

    def shut(self) -> None:
        """The table is closed, and all connections with it."""
        self.end()
        self._listener.room_changed(self)
        for member in list(self.members):
            member.send(encode(protocol.Fault("This table has been closed.")))
            member.close(CLOSED, "closed")
