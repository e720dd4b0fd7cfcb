"""A room on a fake clock, in the middle of a match."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from tests.play import solution
from tests.server.fakes import FakeClock, FakeListener, FakeLog, FakeMember, FakeReader
from ubongo.evolve import replay
from ubongo.game import opened
from ubongo.games import GAMES
from ubongo.server.tables.match import Match
from ubongo.server.tables.replication import LogReader, Replica
from ubongo.server.tables.room import Room
from ubongo.server.tables.stored_match import Replayed
from ubongo.table import Seat, SeatNo, Table

PEOPLE = ("ann", "bo", "cy", "di")


class RoomHarness:
    """A room in the middle of a match, with everyone connected and a spectator too."""

    def __init__(self, game: str = "extreme", seats: int = 2, **options: object) -> None:
        self.listener = FakeListener()
        self.reader: LogReader = FakeReader()
        self.clock = FakeClock()
        self.log = FakeLog()
        self.game = GAMES[game]
        self.options = msgspec.convert(options, self.game.OPTIONS)
        self.people = PEOPLE[:seats]
        gathering = Table(game, self.options, tuple(Seat(name, present=False) for name in self.people))
        self.room = self.make_room(self.log, gathering, self.people)
        self.members = [FakeMember(self.room, player) for player in self.people]
        self.spectator = FakeMember(self.room, None)
        for member in (*self.members, self.spectator):
            self.room.enter(member)
        self.match = self.make_match()

    def make_room(self, log: FakeLog, table: Table, people: Sequence[str | None]) -> Room:
        """A room that other servers may have open too."""
        return Room(
            self.clock,
            log,
            table,
            people,
            listener=self.listener,
            replicate=lambda live_match: Replica(live_match, self),
        )

    def read_on(self, replica: Replica) -> None:
        self.reader.read_on(replica)

    def make_match(self) -> Match:
        return Match(7, self.game, opened(self.game, self.people, self.options, "abc"), "abc", self.clock.now())

    async def begin(self) -> None:
        started = self.room.begin(self.match, self.people)
        assert not started.done()
        self.log.commit()
        await started

    async def playing(self) -> None:
        await self.begin()
        for member in self.members:
            member.ask(type="ready")
        self.log.commit()
        assert self.room.shown.phase == "play"

    def solution(self, seat: SeatNo) -> list[dict[str, object]]:
        task = self.room.live_match.head.seats[seat].task
        assert task is not None
        known = self.game.pieces(self.options)
        laid = solution(self.game.NAME, [known[str(name)] for name in task.pieces], task)
        return [{"type": "place", "piece": one.piece, "turn": one.turn, "at": one.at} for one in laid]

    def replayed(self) -> Table:
        return replay(self.match.opening, self.log.events())

    def restarted(self) -> tuple[Room, FakeLog]:
        """The room as a new process restores it from the log."""
        log = FakeLog()
        log.rows = list(self.log.rows)
        room = self.make_room(log, self.match.opening, self.people)
        last = self.log.rows[-1]
        room.resume(Replayed(self.match, self.replayed(), last.version, last.at), self.people)
        return room, log
