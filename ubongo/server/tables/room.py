"""One table and the connections to it: members come and go; its match begins, is resumed and ends."""

from __future__ import annotations

from asyncio import Future
from collections.abc import Callable, Sequence
from typing import Protocol

from ubongo.moves import ComeBack, GoAway, Leave, Move, Refused
from ubongo.server import protocol
from ubongo.server.clock import Clock
from ubongo.server.protocol import encode
from ubongo.server.store import Appends
from ubongo.server.tables.attendance import Attendance, with_presence
from ubongo.server.tables.broadcast import Broadcast
from ubongo.server.tables.live_match import LiveMatch
from ubongo.server.tables.match import Match
from ubongo.server.tables.member import Member
from ubongo.server.tables.pending_append import MoveRequest
from ubongo.server.tables.reactions import Reactions
from ubongo.server.tables.replication import NoReplication, Replication
from ubongo.server.tables.seat_authority import authorized_seat
from ubongo.server.tables.stored_match import Replayed
from ubongo.table import Instant, SeatNo, Table

# A long match of four has some thousands of events. A client that makes so many is filling the disk.
MOST_EVENTS = 50_000


class RoomListener(Protocol):
    """The lobby, as a room knows it."""

    def room_changed(self, room: Room) -> None:
        """Something was broadcast, or bots have to look at the table again."""

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
        self.attendance = Attendance(clock, self.broadcast)
        self._listener = listener or NoListener()

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
        """The lobby has recorded another arrangement. Members who change seats get a welcome, the others an update."""
        self.broadcast.holders = tuple(holders)
        for seat, present in list(self.attendance.unrecorded(table)):
            if present:
                table = with_presence(table, seat, present)
        moved = [member for member in self.members if member.seat != self.broadcast.seat_of(member.player)]
        if len(table.seats) != len(self.shown.seats):
            # An update can only name seats that were there before.
            self.live_match.restore(table, 0, Instant(0))
            moved = list(self.members)
        elif table != self.shown:
            self.live_match.show(table)
        for member in moved:
            self.broadcast.welcome(member, self.live_match.now())

    def send_facts(self, facts: protocol.TableFacts) -> None:
        self.broadcast.send_facts(facts, self.live_match.now())

    # The match begins, or goes on

    def begin(self, match: Match, holders: Sequence[str | None], clock_wrong: bool = False) -> Future[None]:
        """Starts the match; done when its first events are durable. Every member gets a welcome."""
        self._open(match, holders)
        begun = self.live_match.begin(clock_wrong)
        self.record_presence()
        return begun

    def join(self, match: Match, holders: Sequence[str | None]) -> None:
        """Another server has started the match: reads it from the log."""
        self._open(match, holders)
        self.replication.fall_behind()

    def _open(self, match: Match, holders: Sequence[str | None]) -> None:
        self.broadcast.holders = tuple(holders)
        self.live_match.open(match)

    def resume(self, replayed: Replayed, holders: Sequence[str | None], interrupted: bool = True) -> None:
        """Restores the match as the log has it. If it was interrupted, players get a little time to come back."""
        self._open(replayed.match, holders)
        self.live_match.restore(replayed.table, replayed.version, replayed.last)
        if not self.live_match.playing:
            return
        if interrupted:
            self.give_time()
        elif replayed.version:
            self.live_match.set_timer()
        else:
            # The server that has started it is about to deal, unless it has died.
            self.live_match.retry()

    def give_time(self) -> None:
        """No server has served this table for a while: nothing runs out at once."""
        self.live_match.resume()
        self.record_presence()

    # Requests

    def request(self, member: Member, n: int, move: Move, seat: SeatNo | None = None) -> None:
        """Plays a member's move; raises Refused. The member gets an answer when it is recorded."""
        if self.live_match.head_version >= MOST_EVENTS and not isinstance(move, Leave):
            raise Refused("too_many_moves")
        mover = authorized_seat(self.live_match.head, self.broadcast.facts, self.host, member, seat, move)
        self.live_match.submit(MoveRequest(mover, move, member, n))

    def react(self, member: Member, kind: protocol.ReactionKind) -> None:
        """Raises Refused."""
        self._listener.reacted(self, self.reactions.react(member, kind))

    # Members

    def record_presence(self) -> None:
        for seat, present in list(self.attendance.unrecorded(self.live_match.head)):
            self._set_presence(seat, present)

    def _set_presence(self, seat: SeatNo, present: bool) -> None:
        """An event of the match; before it, only a change of the table that is shown."""
        if self.match is not None:
            self.live_match.play_for(seat, ComeBack() if present else GoAway())
        elif self.shown.seats[seat].present != present:
            self.live_match.show(with_presence(self.shown, seat, present))

    def match_changed(self) -> None:
        self._listener.room_changed(self)

    def enter(self, member: Member) -> None:
        """A member has connected: it gets one welcome, however much it has missed."""
        self.members.add(member)
        self.broadcast.welcome(member, self.live_match.now())
        self._note_attendance()
        if member.seat is not None:
            self._set_presence(member.seat, present=True)
        self._listener.attendance_changed(self)

    def exit(self, member: Member) -> None:
        """A connection is closed. Its seat is away when that was the last one."""
        self.members.discard(member)
        self._note_attendance()
        self._listener.attendance_changed(self)
        if member.seat is not None and member.player not in self.attendance.present():
            self._set_presence(member.seat, present=False)

    def attend(self, elsewhere: frozenset[str], primary: bool) -> None:
        """`elsewhere`: the players connected to other servers. `primary`: we have had the table open longest."""
        if (elsewhere, primary) == (self.attendance.elsewhere, self.replication.primary):
            return
        self.attendance.elsewhere = elsewhere
        self._note_attendance()
        if primary != self.replication.primary:
            self.replication.primary = primary
            if self.live_match.playing:
                self.live_match.match_clock.stop_timer()
                self.live_match.set_timer()
                if primary and self.live_match.match_clock.behind and not self.replication.behind:
                    self.give_time()
        if self.match is None or (primary and self.live_match.playing):
            # The players of a server that has died have not been recorded as away.
            self.record_presence()
        if self.live_match.playing:
            self._listener.room_changed(self)

    def _note_attendance(self) -> None:
        if self.attendance.note() and self.live_match.playing:
            # Its bots may be asleep.
            self._listener.room_changed(self)

    def forget(self, player: str, name: str) -> None:
        """Replaces a deleted player's name at this table at once."""
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
        """Stops the match, though it was not played to its end."""
        self.live_match.ended = True
        self.live_match.match_clock.stop_timer()

    def reopen(self) -> None:
        """The end could not be recorded."""
        self.live_match.ended = False
        self.live_match.set_timer()

    def shut(self) -> None:
        """Closes the table and all connections to it."""
        self.end()
        self._listener.room_changed(self)
        for member in list(self.members):
            member.send(encode(protocol.Fault("This table has been closed.")))
            member.close(protocol.CLOSED, "closed")
