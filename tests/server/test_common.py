"""One table in several houses, on a fake clock: rooms on a log that takes one of two who write the same version."""

from __future__ import annotations

import random

import msgspec
import pytest

from tests.play import solution
from tests.server.fakes import FakeClock, FakeMember
from tests.server.playing import PEOPLE
from ubongo.events import AnyEvent, Away, Back, GlassTurned, Resumed
from ubongo.evolve import replay
from ubongo.game import opened
from ubongo.games import GAMES
from ubongo.server.cluster.served_tables import connected_players
from ubongo.server.store import Entry, Row, VersionConflict
from ubongo.server.tables.live_match import SECONDARY_DELAY
from ubongo.server.tables.match import Match
from ubongo.server.tables.pending_append import PendingAppend
from ubongo.server.tables.replication import Replica
from ubongo.server.tables.room import Room
from ubongo.table import Seat, Table
from ubongo.veil import veil

pytestmark = pytest.mark.anyio
GAME = GAMES["extreme"]
OPTIONS = GAME.OPTIONS()


class CommonLog:
    """Takes what stands on the last row; who is late has to read on. News go to everybody, or are lost."""

    def __init__(self) -> None:
        self.rows: list[Row] = []
        self.waiting: list[Entry] = []
        self.unread: list[Replica] = []
        self.late = 0

    @property
    def version(self) -> int:
        return self.rows[-1].version if self.rows else 0

    def append(self, entry: Entry) -> None:
        self.waiting.append(entry)

    def take(self, room: Room) -> list[PendingAppend]:
        """All that waits of one house becomes durable, but nobody has been told."""
        batch = [
            entry for entry in self.waiting if isinstance(entry, PendingAppend) and entry.live_match is room.live_match
        ]
        self.waiting = [entry for entry in self.waiting if entry not in batch]
        if batch and batch[0].since != self.version:
            self.late += 1
            room.live_match.lost(batch, VersionConflict("somebody else has written"))
            return []
        self.rows += [row for entry in batch for row in entry.rows]
        return batch

    def commit(self, *rooms: Room) -> None:
        """Until nothing is left to be done; `rooms` have their turn in this order."""
        while self.waiting or self.unread:
            for room in rooms:
                if batch := self.take(room):
                    room.live_match.committed(batch)
                    for other in rooms:
                        other.replication.heard(room.live_match.version)
            self.read()

    def read_on(self, replica: Replica) -> None:
        self.unread.append(replica)

    def read(self) -> None:
        unread, self.unread = self.unread, []
        for replica in unread:
            replica.rows_read([row for row in self.rows if row.version > replica.live_match.version])

    def events(self) -> list[AnyEvent]:
        return [event for row in self.rows for event in msgspec.json.decode(row.events, type=list[AnyEvent])]


class Town:
    """The same match in two houses: Ann is in the first, Bo in the other."""

    def __init__(self) -> None:
        self.clock, self.log = FakeClock(), CommonLog()
        people = PEOPLE[:2]
        gathering = Table("extreme", OPTIONS, tuple(Seat(name, present=False) for name in people))
        self.rooms = [self.make_room(gathering, "t") for _ in range(2)]
        self.rooms[1].replication.primary = False
        self.members = [FakeMember(room, player) for room, player in zip(self.rooms, people, strict=True)]
        for room, member in zip(self.rooms, self.members, strict=True):
            room.enter(member)
        self.know()
        self.match = Match(7, GAME, opened(GAME, people, OPTIONS, "abc"), "abc", self.clock.now())
        self.rooms[0].begin(self.match, people)
        self.log.commit(*self.rooms)
        self.rooms[1].join(self.match, people)
        self.log.commit(*self.rooms)

    def make_room(self, table: Table, key: str) -> Room:
        return Room(
            self.clock,
            self.log,
            table,
            PEOPLE[:2],
            key,
            replicate=lambda live_match: Replica(live_match, self.log),
        )

    def know(self) -> None:
        """Each house hears who is in the other."""
        one, other = self.rooms
        one.attend(frozenset(connected_players(other).split()), primary=True)
        other.attend(frozenset(connected_players(one).split()), primary=False)

    def play(self) -> None:
        for member in self.members:
            member.ask(type="ready")
        self.log.commit(*self.rooms)
        assert [room.shown.phase for room in self.rooms] == ["play", "play"]

    def move(self, seat: int) -> dict[str, object]:
        """What somebody can well do."""
        task = self.rooms[seat].shown.seats[seat].task
        assert task is not None
        known = GAME.pieces(OPTIONS)
        one = solution("extreme", [known[str(name)] for name in task.pieces], task)[0]
        return {"type": "place", "piece": one.piece, "turn": one.turn, "at": one.at}

    def agree(self) -> None:
        """There is one truth, which is the log's, and everybody has been told it, veiled."""
        table = replay(self.match.opening, self.log.events())
        versions = [row.version for row in self.log.rows]
        assert versions == sorted(set(versions))
        for room, member in zip(self.rooms, self.members, strict=True):
            assert room.live_match.head == room.live_match.recorded == room.shown == table
            assert member.table == msgspec.json.decode(msgspec.json.encode(veil(table, member.seat)))

    def count(self, kind: type[AnyEvent]) -> int:
        return sum(isinstance(event, kind) for event in self.log.events())


async def test_a_match_that_another_house_has_started_is_a_new_welcome() -> None:
    town = Town()
    assert [member.table["phase"] for member in town.members] == ["ready", "ready"]
    assert town.count(Away) == 0, "each knew of the other's people"
    town.agree()


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
async def test_of_two_at_once_one_is_late_and_both_are_answered(order: tuple[int, int]) -> None:
    town = Town()
    asked = [member.ask(type="ready") for member in town.members]
    town.log.commit(*[town.rooms[one] for one in order])
    assert town.log.late == 1
    for member, n in zip(town.members, asked, strict=True):
        assert [said["acked"] for said in member.heard if said.get("acked") is not None][-1] == n
    town.agree()


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
@pytest.mark.parametrize("late", [0, SECONDARY_DELAY])
async def test_what_time_brings_in_two_houses_takes_effect_once(order: tuple[int, int], late: int) -> None:
    town = Town()
    town.play()
    town.log.late = 0
    town.clock.pass_time(60_000 + late)
    assert len(town.log.waiting) == 1 + bool(late), "the first house writes, and if it does not, the other does"
    town.log.commit(*[town.rooms[one] for one in order])
    assert (town.count(GlassTurned), town.log.late) == (2, bool(late))
    assert town.rooms[0].shown.glass == town.rooms[1].shown.glass
    town.agree()


async def test_what_was_falsely_heard_of_is_looked_for_once() -> None:
    town = Town()
    town.play()
    one = town.rooms[0]
    one.replication.heard(10**9)
    assert town.log.unread == [one.replication]
    town.log.read()
    town.members[0].ask(**town.move(0))
    one.live_match.committed(town.log.take(one))
    assert town.log.unread == []


async def test_what_is_on_its_way_is_told_once_though_others_stand_on_it() -> None:
    town = Town()
    town.play()
    one, other = town.rooms
    n = town.members[0].ask(**town.move(0))
    batch = town.log.take(one)
    # It is in the log, and another house has read it and played on before we hear that it was taken.
    other.replication.heard(town.log.version)
    town.log.read()
    assert len(town.members[1].table["seats"][0]["laid"]) == 1
    town.members[1].ask(**town.move(1))
    town.log.commit(other)
    one.replication.heard(town.log.version)
    town.log.read()
    before = len(town.members[0].heard)
    one.live_match.committed(batch)
    assert town.members[0].heard[before]["acked"] == n
    town.log.commit(one, other)
    for member in town.members:
        told = [event["type"] for said in member.heard for event in said.get("events", ())]
        assert told.count("placed") == 2
    town.agree()


async def test_a_seat_is_away_only_with_its_last_connection_in_any_house() -> None:
    town = Town()
    one, other = town.rooms
    phone = FakeMember(other, "ann")
    other.enter(phone)
    town.know()
    one.exit(town.members[0])
    town.log.commit(one, other)
    assert town.count(Away) == 0
    town.know()
    other.exit(phone)
    town.log.commit(one, other)
    assert town.count(Away) == 1
    # Both at once, and neither knows of it: the first house sees it when it looks.
    one.enter(town.members[0])
    other.enter(phone)
    town.know()
    one.exit(town.members[0])
    other.exit(phone)
    town.log.commit(one, other)
    assert (town.count(Away), town.count(Back)) == (1, 1)
    town.know()
    town.log.commit(one, other)
    assert town.count(Away) == 2
    assert one.attendance.alone_since is None, "Bo is still there, in the other house"


async def test_who_has_gone_with_their_house_is_away() -> None:
    town = Town()
    town.rooms[0].attend(frozenset(), primary=True)
    town.log.commit(town.rooms[0])
    assert [seat.present for seat in town.rooms[0].shown.seats] == [True, False]
    # The other way round the next in line says so.
    town = Town()
    town.rooms[1].attend(frozenset(), primary=True)
    town.log.commit(town.rooms[1])
    assert [seat.present for seat in town.rooms[1].shown.seats] == [False, True]
    assert town.count(Resumed) == 0, "it was served all the time"


async def test_whoever_wrongly_says_that_somebody_is_away_is_told_better() -> None:
    town = Town()
    town.rooms[0].attend(frozenset(), primary=True)
    town.log.commit(*town.rooms)
    assert (town.count(Away), town.count(Back)) == (1, 1)
    town.agree()


async def test_before_the_match_it_is_seen_who_is_where() -> None:
    town = Town()
    gathering = Table("extreme", OPTIONS, tuple(Seat(name, present=False) for name in PEOPLE[:2]))
    room = town.make_room(gathering, "u")
    ann = FakeMember(room, "ann")
    room.enter(ann)
    for elsewhere, present in ((frozenset({"bo", "*"}), True), (frozenset({"*"}), False)):
        room.attend(elsewhere, primary=True)
        assert [seat["present"] for seat in ann.table["seats"]] == [True, present]
    room.exit(ann)
    assert room.attendance.alone_since is not None


def happen(town: Town, untold: list[list[PendingAppend]], luck: random.Random) -> None:
    """A move, a connection that comes or goes, time, an answer of the log, or a word of news, which may be wrong.

    An answer comes some time after the log has taken it, and what is read some time after it was asked for.
    """
    house = luck.randrange(2)
    room, member = town.rooms[house], town.members[house]
    match luck.randrange(9):
        case 0 | 1:
            member.ask(type="place", piece=luck.randrange(3), turn=0, at=(luck.randrange(4), luck.randrange(4)))
        case 2:
            room.exit(member) if member in room.members else room.enter(member)
        case 3:
            town.clock.pass_time(luck.choice([1, 300, 20_000]))
        case 4:
            untold[house] += town.log.take(room) if not untold[house] else []
        case 5:
            batch, untold[house] = untold[house], []
            if batch:
                room.live_match.committed(batch)
        case 6:
            room.replication.heard(luck.randint(0, town.log.version + 1))
        case 7:
            town.log.read()
        case 8:
            town.know()


def whole(member: FakeMember) -> None:
    """Since a welcome a member was told every event once, in order."""
    version = 0
    for said in member.heard:
        if said["type"] == "update":
            assert version + len(said["events"]) == said["version"]
        version = said.get("version", version)


@pytest.mark.parametrize("seed", range(20))
async def test_whatever_happens_in_both_houses_there_is_one_truth(seed: int) -> None:
    luck = random.Random(seed)
    town = Town()
    town.play()
    untold: list[list[PendingAppend]] = [[], []]
    for _ in range(200):
        happen(town, untold, luck)
    for room, batch in zip(town.rooms, untold, strict=True):
        if batch:
            room.live_match.committed(batch)
    for room, member in zip(town.rooms, town.members, strict=True):
        if member not in room.members:
            room.enter(member)
    for _ in range(2):
        town.log.commit(*town.rooms)
        for room in town.rooms:
            room.replication.heard(town.log.version)
    town.log.commit(*town.rooms)
    town.agree()
    for member in town.members:
        whole(member)
