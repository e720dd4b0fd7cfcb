"""One table on several servers, with a fake clock: of two appends of the same version the log takes one."""

from __future__ import annotations

import random

import msgspec
import pytest

from tests.play import solution
from tests.server.fakes import FakeClock, FakeMember
from tests.server.room_harness import PEOPLE
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


class SharedLog:
    """Accepts an append to the last version; any other is a version conflict. News reach everybody, or are lost."""

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
        """Makes all pending appends of one server durable, without calling back."""
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
        """Repeats until nothing is pending; `rooms` take turns in this order."""
        while self.waiting or self.unread:
            for room in rooms:
                if batch := self.take(room):
                    room.live_match.committed(batch)
                    for other in rooms:
                        other.replication.note_version(room.live_match.version)
            self.read()

    def read_on(self, replica: Replica) -> None:
        self.unread.append(replica)

    def read(self) -> None:
        unread, self.unread = self.unread, []
        for replica in unread:
            replica.rows_read([row for row in self.rows if row.version > replica.live_match.version])

    def events(self) -> list[AnyEvent]:
        return [event for row in self.rows for event in msgspec.json.decode(row.events, type=list[AnyEvent])]


class ReplicatedRooms:
    """The same match on two servers: Ann is connected to the first, Bo to the other."""

    def __init__(self) -> None:
        self.clock, self.log = FakeClock(), SharedLog()
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
        """Each server learns the attendance of the other."""
        one, other = self.rooms
        one.attend(frozenset(connected_players(other).split()), primary=True)
        other.attend(frozenset(connected_players(one).split()), primary=False)

    def play(self) -> None:
        for member in self.members:
            member.ask(type="ready")
        self.log.commit(*self.rooms)
        assert [room.shown.phase for room in self.rooms] == ["play", "play"]

    def move(self, seat: int) -> dict[str, object]:
        """A valid move of this seat."""
        task = self.rooms[seat].shown.seats[seat].task
        assert task is not None
        known = GAME.pieces(OPTIONS)
        one = solution("extreme", [known[str(name)] for name in task.pieces], task)[0]
        return {"type": "place", "piece": one.piece, "turn": one.turn, "at": one.at}

    def agree(self) -> None:
        """Asserts that both servers and all clients have the state of the log, veiled for each viewer."""
        table = replay(self.match.opening, self.log.events())
        versions = [row.version for row in self.log.rows]
        assert versions == sorted(set(versions))
        for room, member in zip(self.rooms, self.members, strict=True):
            assert room.live_match.head == room.live_match.recorded == room.shown == table
            assert member.table == msgspec.json.decode(msgspec.json.encode(veil(table, member.seat)))

    def count(self, kind: type[AnyEvent]) -> int:
        return sum(isinstance(event, kind) for event in self.log.events())


async def test_a_match_started_on_another_server_sends_a_new_welcome() -> None:
    replicated = ReplicatedRooms()
    assert [member.table["phase"] for member in replicated.members] == ["ready", "ready"]
    assert replicated.count(Away) == 0, "each knew of the other's people"
    replicated.agree()


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
async def test_of_two_concurrent_appends_one_conflicts_and_both_are_answered(order: tuple[int, int]) -> None:
    replicated = ReplicatedRooms()
    asked = [member.ask(type="ready") for member in replicated.members]
    replicated.log.commit(*[replicated.rooms[one] for one in order])
    assert replicated.log.late == 1
    for member, n in zip(replicated.members, asked, strict=True):
        assert [said["acked"] for said in member.heard if said.get("acked") is not None][-1] == n
    replicated.agree()


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
@pytest.mark.parametrize("late", [0, SECONDARY_DELAY])
async def test_a_timed_event_on_two_servers_takes_effect_once(order: tuple[int, int], late: int) -> None:
    replicated = ReplicatedRooms()
    replicated.play()
    replicated.log.late = 0
    replicated.clock.pass_time(60_000 + late)
    assert len(replicated.log.waiting) == 1 + bool(late), "the first server writes, and if it does not, the other does"
    replicated.log.commit(*[replicated.rooms[one] for one in order])
    assert (replicated.count(GlassTurned), replicated.log.late) == (2, bool(late))
    assert replicated.rooms[0].shown.glass == replicated.rooms[1].shown.glass
    replicated.agree()


async def test_false_news_of_a_version_is_looked_up_once() -> None:
    replicated = ReplicatedRooms()
    replicated.play()
    one = replicated.rooms[0]
    one.replication.note_version(10**9)
    assert replicated.log.unread == [one.replication]
    replicated.log.read()
    replicated.members[0].ask(**replicated.move(0))
    one.live_match.committed(replicated.log.take(one))
    assert replicated.log.unread == []


async def test_a_pending_append_is_broadcast_once_though_others_built_on_it() -> None:
    replicated = ReplicatedRooms()
    replicated.play()
    one, other = replicated.rooms
    n = replicated.members[0].ask(**replicated.move(0))
    batch = replicated.log.take(one)
    # It is in the log, and another server has read it and appended before we get the acknowledgement.
    other.replication.note_version(replicated.log.version)
    replicated.log.read()
    assert len(replicated.members[1].table["seats"][0]["laid"]) == 1
    replicated.members[1].ask(**replicated.move(1))
    replicated.log.commit(other)
    one.replication.note_version(replicated.log.version)
    replicated.log.read()
    before = len(replicated.members[0].heard)
    one.live_match.committed(batch)
    assert replicated.members[0].heard[before]["acked"] == n
    replicated.log.commit(one, other)
    for member in replicated.members:
        told = [event["type"] for said in member.heard for event in said.get("events", ())]
        assert told.count("placed") == 2
    replicated.agree()


async def test_a_seat_is_away_only_without_a_connection_on_any_server() -> None:
    replicated = ReplicatedRooms()
    one, other = replicated.rooms
    phone = FakeMember(other, "ann")
    other.enter(phone)
    replicated.know()
    one.exit(replicated.members[0])
    replicated.log.commit(one, other)
    assert replicated.count(Away) == 0
    replicated.know()
    other.exit(phone)
    replicated.log.commit(one, other)
    assert replicated.count(Away) == 1
    # Concurrently, and neither knows of the other: the first server finds out when it reads.
    one.enter(replicated.members[0])
    other.enter(phone)
    replicated.know()
    one.exit(replicated.members[0])
    other.exit(phone)
    replicated.log.commit(one, other)
    assert (replicated.count(Away), replicated.count(Back)) == (1, 1)
    replicated.know()
    replicated.log.commit(one, other)
    assert replicated.count(Away) == 2
    assert one.attendance.alone_since is None, "Bo is still there, in the other server"


async def test_players_of_a_dead_server_are_away() -> None:
    replicated = ReplicatedRooms()
    replicated.rooms[0].attend(frozenset(), primary=True)
    replicated.log.commit(replicated.rooms[0])
    assert [seat.present for seat in replicated.rooms[0].shown.seats] == [True, False]
    # The other way round, the next server in order records it.
    replicated = ReplicatedRooms()
    replicated.rooms[1].attend(frozenset(), primary=True)
    replicated.log.commit(replicated.rooms[1])
    assert [seat.present for seat in replicated.rooms[1].shown.seats] == [False, True]
    assert replicated.count(Resumed) == 0, "it was served all the time"


async def test_a_server_that_wrongly_records_a_player_as_away_is_corrected() -> None:
    replicated = ReplicatedRooms()
    replicated.rooms[0].attend(frozenset(), primary=True)
    replicated.log.commit(*replicated.rooms)
    assert (replicated.count(Away), replicated.count(Back)) == (1, 1)
    replicated.agree()


async def test_before_the_match_attendance_is_shown_across_servers() -> None:
    replicated = ReplicatedRooms()
    gathering = Table("extreme", OPTIONS, tuple(Seat(name, present=False) for name in PEOPLE[:2]))
    room = replicated.make_room(gathering, "u")
    ann = FakeMember(room, "ann")
    room.enter(ann)
    for elsewhere, present in ((frozenset({"bo", "*"}), True), (frozenset({"*"}), False)):
        room.attend(elsewhere, primary=True)
        assert [seat["present"] for seat in ann.table["seats"]] == [True, present]
    room.exit(ann)
    assert room.attendance.alone_since is not None


def happen(replicated: ReplicatedRooms, untold: list[list[PendingAppend]], luck: random.Random) -> None:
    """One random event: a move, a connection opened or closed, time, an answer of the log, or news, which may be wrong.

    Acknowledgements and reads are delayed by a random time.
    """
    server = luck.randrange(2)
    room, member = replicated.rooms[server], replicated.members[server]
    match luck.randrange(9):
        case 0 | 1:
            member.ask(type="place", piece=luck.randrange(3), turn=0, at=(luck.randrange(4), luck.randrange(4)))
        case 2:
            room.exit(member) if member in room.members else room.enter(member)
        case 3:
            replicated.clock.pass_time(luck.choice([1, 300, 20_000]))
        case 4:
            untold[server] += replicated.log.take(room) if not untold[server] else []
        case 5:
            batch, untold[server] = untold[server], []
            if batch:
                room.live_match.committed(batch)
        case 6:
            room.replication.note_version(luck.randint(0, replicated.log.version + 1))
        case 7:
            replicated.log.read()
        case 8:
            replicated.know()


def whole(member: FakeMember) -> None:
    """Asserts that since its welcome a member received every event once, in order."""
    version = 0
    for said in member.heard:
        if said["type"] == "update":
            assert version + len(said["events"]) == said["version"]
        version = said.get("version", version)


@pytest.mark.parametrize("seed", range(20))
async def test_random_events_on_two_servers_leave_one_consistent_match(seed: int) -> None:
    luck = random.Random(seed)
    replicated = ReplicatedRooms()
    replicated.play()
    untold: list[list[PendingAppend]] = [[], []]
    for _ in range(200):
        happen(replicated, untold, luck)
    for room, batch in zip(replicated.rooms, untold, strict=True):
        if batch:
            room.live_match.committed(batch)
    for room, member in zip(replicated.rooms, replicated.members, strict=True):
        if member not in room.members:
            room.enter(member)
    for _ in range(2):
        replicated.log.commit(*replicated.rooms)
        for room in replicated.rooms:
            room.replication.note_version(replicated.log.version)
    replicated.log.commit(*replicated.rooms)
    replicated.agree()
    for member in replicated.members:
        whole(member)
