"""Rooms on a fake clock: what is recorded is told, in order, to whom it concerns; nothing else is."""

from __future__ import annotations

import random

import msgspec
import pytest

from tests.play import solution
from tests.server.fakes import START, FakeClock, FakeLog, FakeMember, by_room
from ubongo.events import Resumed, replay
from ubongo.game import opened
from ubongo.games import GAMES
from ubongo.server.course import RETRY, Course
from ubongo.server.happening import Match
from ubongo.server.room import GRACE, Room
from ubongo.table import Seat, SeatNo, Table
from ubongo.veil import veil

pytestmark = pytest.mark.anyio
PEOPLE = ("ann", "bo", "cy", "di")


class House:
    """A room in the middle of a match, with everyone connected and a spectator too."""

    def __init__(self, game: str = "extreme", seats: int = 2, **options: object) -> None:
        self.clock = FakeClock()
        self.log = FakeLog()
        self.game = GAMES[game]
        self.options = msgspec.convert(options, self.game.OPTIONS)
        self.people = PEOPLE[:seats]
        gathering = Table(game, self.options, tuple(Seat(name, present=False) for name in self.people))
        self.room = Room(self.clock, self.log, gathering, self.people)
        self.members = [FakeMember(self.room, player) for player in self.people]
        self.spectator = FakeMember(self.room, None)
        for member in (*self.members, self.spectator):
            self.room.enter(member)
        self.match = self.make_match()

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
        assert self.room.told.phase == "play"

    def solution(self, seat: SeatNo) -> list[dict[str, object]]:
        task = self.room.head.seats[seat].task
        assert task is not None
        known = self.game.pieces(self.options)
        laid = solution(self.game.NAME, [known[str(name)] for name in task.pieces], task)
        return [{"type": "place", "piece": one.piece, "turn": one.turn, "at": one.at} for one in laid]

    def replayed(self) -> Table:
        return replay(self.match.opening, self.log.events())

    def restarted(self) -> tuple[Room, FakeLog]:
        """What a new process makes of the log."""
        log = FakeLog()
        log.rows = list(self.log.rows)
        room = Room(self.clock, log, self.match.opening, self.people)
        last = self.log.rows[-1]
        room.resume(self.match, self.people, self.replayed(), last.version, last.at)
        return room, log


async def test_before_the_match_everybody_sees_who_is_there() -> None:
    house = House()
    welcome = house.members[0].heard[0]
    assert (welcome["type"], welcome["version"], welcome["now"], welcome["seat"]) == ("welcome", 0, 0, 0)
    assert welcome["table"]["phase"] == "gather"
    assert house.members[0].table["seats"][1]["present"], "Bo came later, which Ann was told"
    house.members[0].ask(type="ready")
    assert house.members[0].last()["code"] == "not_begun"


async def test_the_start_is_a_new_welcome() -> None:
    house = House()
    await house.begin()
    for seat, member in enumerate(house.members):
        assert member.last() | {"table": None} == {
            "type": "welcome", "version": house.room.version, "now": 0, "seat": seat, "table": None,
        }  # fmt: skip
        assert member.table["phase"] == "ready"
    assert house.spectator.last()["seat"] is None


async def test_a_throw_that_is_the_first_event_of_all_is_acked() -> None:
    """3-D opens with a throw, before which nothing is recorded, and still it is an ask like any other."""
    house = House("cubes")
    await house.begin()
    ann, bo = house.members
    assert house.room.version == 0
    n = ann.ask(type="throw")
    house.log.commit()
    assert [said["type"] for said in ann.heard].count("welcome") == 2, "to the table and to the match"
    assert (ann.last()["type"], ann.last()["acked"], bo.last()["acked"]) == ("update", n, None)
    assert "thrown" in [event["type"] for event in bo.last()["events"]]
    assert ann.table == msgspec.json.decode(msgspec.json.encode(veil(house.room.told, 0)))


async def test_who_asks_before_the_start_is_told_is_answered_after_the_welcome() -> None:
    house = House("cubes")
    house.room.begin(house.match, house.people)
    ann, bo = house.members
    n = ann.ask(type="throw")
    house.log.commit()
    assert [said["type"] for said in ann.heard[-2:]] == ["welcome", "update"]
    assert ann.heard[-2]["version"] == ann.last()["version"] == house.room.version
    assert (ann.last()["acked"], ann.last()["events"], bo.last()["acked"]) == (n, [], None)
    assert ann.table == msgspec.json.decode(msgspec.json.encode(veil(house.room.told, 0)))


async def test_recorded_then_told_then_acked() -> None:
    house = House()
    await house.playing()
    ann, bo = house.members
    before = len(ann.heard), len(bo.heard)
    n = ann.ask(**house.solution(0)[0])
    assert (len(ann.heard), len(bo.heard)) == before, "nobody is told before it is recorded"
    house.log.commit()
    told, seen = ann.last(), bo.last()
    assert (told["acked"], seen["acked"]) == (n, None)
    assert told["version"] == seen["version"] == house.log.rows[-1].version
    assert [event["type"] for event in told["events"]] == ["placed"]
    assert list(told["table"]) == ["seats"], "only what changed"
    assert list(told["table"]["seats"]) == ["0"]
    assert list(told["table"]["seats"]["0"]) == ["laid"]


async def test_several_asks_in_one_commit_are_one_update() -> None:
    house = House()
    await house.playing()
    ann, bo = house.members
    first, second = house.solution(0)[:2]
    ann.ask(**first)
    n = ann.ask(**second)
    m = bo.ask(**house.solution(1)[0])
    before = len(ann.heard)
    house.log.commit()
    assert len(ann.heard) == before + 1
    assert (ann.last()["acked"], bo.last()["acked"]) == (n, m)
    assert len(ann.last()["events"]) == 3


async def test_two_calls_in_one_tick_are_one_after_the_other() -> None:
    house = House()
    await house.playing()
    ann, bo = house.members
    for seat, member in ((1, bo), (0, ann)):
        for move in house.solution(seat)[:-1]:
            member.ask(**move)
    last = [house.solution(seat)[-1] for seat in (0, 1)]
    bo.ask(**last[1])
    ann.ask(**last[0])
    house.log.commit()
    gems = [(event["source"], event["target"]) for event in ann.last()["events"] if event["type"] == "gem_moved"]
    assert gems[:4] == [("display", 1), ("bag", 1), ("display", 0), ("bag", 0)], "Bo's came first, at the same instant"
    assert house.room.told.round == 2


@pytest.mark.parametrize(("early", "finished"), [(1, True), (0, False)])
async def test_the_sand_decides_to_the_millisecond(early: int, finished: bool) -> None:
    house = House()
    await house.playing()
    ann = house.members[0]
    *most, last = house.solution(0)
    for move in most:
        ann.ask(**move)
    glass = house.room.told.glass
    assert glass is not None
    # The alarm is late, as when the machine is busy: what counts is the clock.
    house.clock.pass_time(glass.ends - early, wake=False)
    ann.ask(**last)
    house.log.commit()
    happened = [event["type"] for event in ann.last()["events"]]
    ways = [(event["source"], event["target"]) for event in ann.last()["events"] if event["type"] == "gem_moved"]
    # X12: at the deadline the second chance has begun, in which nothing comes from the display.
    assert ("glass_turned" in happened, ("display", 0) in ways) == (not finished, finished)


async def test_one_alarm_a_table_for_what_happens_by_itself() -> None:
    house = House()
    await house.playing()
    assert [alarm.at for alarm in house.clock.open_alarms()] == [START + 60_000]
    house.clock.pass_time(60_000)
    house.log.commit()
    assert [event["type"] for event in house.spectator.last()["events"]] == ["glass_turned"]
    assert [alarm.at for alarm in house.clock.open_alarms()] == [START + 120_000]


async def test_a_refusal_is_for_its_asker_alone_and_changes_nothing() -> None:
    house = House()
    await house.playing()
    ann, bo = house.members
    before, heard = house.room.head, len(bo.heard)
    n = ann.ask(type="call")
    assert ann.last()["n"] == n
    assert (ann.last()["type"], ann.last()["code"]) == ("refused", "not_filled")
    assert house.room.head is before
    assert len(bo.heard) == heard
    assert not house.log.waiting
    house.spectator.ask(type="ready")
    assert house.spectator.last()["code"] == "watching"
    ann.ask(type="away")
    assert ann.last()["code"] == "unreadable_move", "only the server says so"


async def test_what_cannot_be_recorded_has_not_happened() -> None:
    house = House()
    await house.playing()
    ann, bo = house.members
    recorded = house.room.recorded
    heard = len(bo.heard)
    first, second = house.solution(0)[:2]
    asked = [ann.ask(**first), ann.ask(**second)]
    house.log.fail()
    assert house.room.head is house.room.recorded is recorded
    assert [(said["n"], said["code"]) for said in ann.heard[-2:]] == [(n, "not_recorded") for n in asked]
    assert len(bo.heard) == heard
    # And it goes on as soon as the disk does.
    n = ann.ask(**first)
    house.log.commit()
    assert ann.last()["acked"] == n
    assert house.replayed() == house.room.told


async def test_what_time_brings_is_tried_again_when_it_cannot_be_recorded() -> None:
    house = House()
    await house.playing()
    house.clock.pass_time(60_000)
    house.log.fail()
    assert house.room.head.glass == house.room.recorded.glass
    assert [alarm.at for alarm in house.clock.open_alarms()] == [house.clock.now() + RETRY], "not at once"
    house.clock.pass_time(RETRY)
    house.log.commit()
    assert house.room.told.glass is not None
    assert (house.room.told.glass.turned, house.room.told.glass.ends) == (2, 120_000), "at its own time all the same"


async def test_a_start_that_cannot_be_recorded_comes_later() -> None:
    house = House()
    started = house.room.begin(house.match, house.people)
    house.log.fail()
    with pytest.raises(Exception, match="the disk is full"):
        await started
    house.clock.pass_time(RETRY)
    house.log.commit()
    assert house.members[0].last()["type"] == "welcome"
    assert house.replayed() == house.room.told


async def test_who_is_overtaken_reads_on_and_is_answered_anew() -> None:
    house = House()
    await house.playing()
    ann, bo = house.members
    reading: list[Course] = []
    house.room.read_on = reading.append
    # Another process thinks that nobody is here; Bo's phone has found it, and lays there.
    other, log = house.restarted()
    phone = FakeMember(other, "bo")
    other.enter(phone)
    phone.ask(**house.solution(1)[0])
    log.commit()
    first, second = house.solution(0)[:2]
    asked = [ann.ask(**first)]
    house.log.overtaken()
    heard = len(ann.heard)
    asked += [ann.ask(**second), ann.ask(type="lift", piece=9)]
    house.clock.pass_time(60_000)
    assert (reading, house.log.waiting, len(ann.heard)) == ([house.room], [], heard), "everybody waits, also the glass"
    house.log.rows = list(log.rows)
    house.room.follow(log.rows)
    assert ann.last()["n"] == asked[2], "judged when all is known"
    house.log.commit()
    assert [said["acked"] for said in ann.heard if said.get("acked") in asked] == [asked[1]], "both in one message"
    assert bo.last()["acked"] is None
    told = house.room.told
    assert house.replayed() == told
    assert ([len(seat.laid) for seat in told.seats], [seat.present for seat in told.seats]) == ([2, 1], [True, True])
    assert told.glass is not None
    assert told.glass.turned == 2, "the sand has run all the same"
    versions = [row.version for row in house.log.rows]
    assert versions == sorted(set(versions))
    for member in house.members:
        assert member.table == msgspec.json.decode(msgspec.json.encode(veil(told, member.seat)))


async def test_a_start_that_somebody_else_has_made_is_a_start() -> None:
    house = House()
    started = house.room.begin(house.match, house.people)
    twin = House()
    await twin.begin()
    house.log.overtaken()
    house.room.follow(twin.log.rows)
    await started
    assert ann_and_bo(house) == ["ready", "ready"]


def ann_and_bo(house: House) -> list[str]:
    return [member.table["phase"] for member in house.members]


async def test_a_log_that_cannot_be_followed_is_not_asked_for_ever() -> None:
    house = House()
    await house.playing()
    ann = house.members[0]
    n = ann.ask(**house.solution(0)[0])
    house.log.overtaken()
    house.room.follow(house.log.rows)
    assert (ann.last()["n"], ann.last()["code"]) == (n, "not_recorded")
    assert house.log.waiting == []
    assert [alarm.at for alarm in house.clock.open_alarms()] == [house.clock.now() + RETRY]


async def test_a_crash_between_record_and_tell_loses_nothing() -> None:
    house = House()
    await house.playing()
    house.members[0].ask(**house.solution(0)[0])
    house.log.record()
    assert house.room.told.seats[0].laid == ()
    house.clock.pass_time(1000, wake=False)
    room, log = house.restarted()
    log.commit()
    again = FakeMember(room, "ann")
    room.enter(again)
    assert len(again.table["seats"][0]["laid"]) == 1
    assert again.seat == 0
    log.commit()
    assert again.table["seats"][0]["present"]


@pytest.mark.parametrize(("down", "ends"), [(1000, 60_000), (55_000, 55_000 + GRACE), (3_600_000, 3_600_000 + GRACE)])
async def test_the_sand_runs_while_the_server_is_down_but_everybody_gets_ten_seconds(down: int, ends: int) -> None:
    stood = ends - 60_000
    house = House()
    await house.playing()
    house.clock.pass_time(down, wake=False)
    room, log = house.restarted()
    log.commit()
    assert [event for event in log.events() if isinstance(event, Resumed)] == [Resumed(down + GRACE, stood)]
    assert room.told.stood == stood, "bots have the same time more as people"
    assert room.told.glass is not None
    assert (room.told.glass.turned, room.told.glass.ends, room.told.until) == (1, ends, ends)
    assert [seat.present for seat in room.told.seats] == [False, False]
    house.clock.pass_time(ends - down - 1)
    assert not log.waiting
    house.clock.pass_time(1)
    log.commit()
    assert room.told.glass is not None
    assert room.told.glass.turned == 2


async def test_where_nothing_runs_out_the_round_stood_still_for_bots_too() -> None:
    house = House("cards", ready_s=0)
    await house.playing()
    house.clock.pass_time(3_600_000, wake=False)
    room, log = house.restarted()
    log.commit()
    assert room.told.limit is None
    assert room.told.stood == 3_600_000


async def test_a_seat_is_away_only_with_its_last_connection() -> None:
    house = House()
    await house.playing()
    ann, bo = house.members
    phone = FakeMember(house.room, "ann")
    house.room.enter(phone)
    assert phone.seat == 0
    assert phone.table == ann.table, "all devices show the same"
    house.room.exit(ann)
    assert not house.log.waiting
    house.room.exit(phone)
    house.log.commit()
    assert bo.last()["events"] == [{"type": "away", "seat": 0, "at": 0}]
    house.room.enter(ann)
    house.log.commit()
    assert bo.last()["events"] == [{"type": "back", "seat": 0}]
    assert house.room.alone_since is None
    for member in (ann, bo):
        house.room.exit(member)
    assert house.room.alone_since == house.clock.now(), "a spectator is no company"


@pytest.mark.parametrize("busy", [True, False])
@pytest.mark.parametrize("comes", [True, False])
async def test_who_comes_or_goes_while_the_disk_fails_is_noted_afterwards(comes: bool, busy: bool) -> None:
    house = House()
    await house.playing()
    ann = house.members[0]
    if comes:
        house.room.exit(ann)
        house.log.commit()
        house.room.enter(ann)
    else:
        house.room.exit(ann)
    house.log.fail()
    assert house.room.head.seats[0].present != comes
    if busy:
        # Somebody moves before it is tried again.
        house.members[1].ask(**house.solution(1)[0])
    else:
        house.clock.pass_time(RETRY)
    house.log.commit()
    assert house.room.told.seats[0].present == comes
    assert house.replayed() == house.room.told


async def test_who_does_not_come_to_the_start_is_away() -> None:
    house = House()
    house.room.exit(house.members[1])
    await house.begin()
    assert [seat.present for seat in house.room.told.seats] == [True, False]


@pytest.mark.parametrize("options", [{}, {"reveal": "deal"}])
@pytest.mark.parametrize("game", ["extreme", "cubes", "cards", "dice"])
async def test_what_a_viewer_patches_together_is_the_veil_of_the_table(game: str, options: dict[str, object]) -> None:
    """The law of updates: random play, and after every commit every screen is as if it were drawn afresh."""
    house = House(game, seats=3, **options)
    await house.begin()
    luck = random.Random(game)
    for step in range(250):
        seat = luck.randrange(3)
        task = house.room.head.seats[seat].task
        pieces = len(task.pieces) if task is not None else 0
        moves: list[dict[str, object]] = [
            {"type": kind} for kind in ("ready", "ready", "throw", "throw", "pass", "call")
        ]
        moves += [{"type": "grab", "die": luck.randrange(6)}] * 4 + [
            {"type": "lift", "piece": luck.randrange(pieces + 1)}
        ]
        if pieces and task is not None and task.face != "down":
            here = luck.choice(task.region or [(x, y) for x in range(0, 9, 2) for y in range(0, 9, 3)])
            moves += [{"type": "place", "piece": luck.randrange(pieces), "turn": luck.randrange(4), "at": here}] * 12
        house.members[seat].ask(**luck.choice(moves))
        if step % 10 == 9:
            house.clock.pass_time(luck.choice([10, 5000, 20_000]))
        if luck.random() < 0.5:
            house.log.commit()
            for member in (*house.members, house.spectator):
                seen = msgspec.to_builtins(veil(house.room.recorded, member.seat))
                assert member.table == msgspec.json.decode(msgspec.json.encode(seen))
    house.log.commit()
    assert house.replayed() == house.room.told
    assert len(house.log.events()) > 20


async def test_no_update_says_more_than_its_viewer_may_hear() -> None:
    house = House("cards", reveal="deal")
    await house.playing()
    hands = [seat.task.pieces for seat in house.room.told.seats if seat.task is not None]
    for viewer, member in enumerate((*house.members, house.spectator)):
        heard = msgspec.json.encode(member.heard)
        for seat, hand in enumerate(hands):
            assert [name for name in hand if f'"{name}"'.encode() in heard] == ([*hand] if seat == viewer else [])


async def test_rooms_do_not_disturb_each_other() -> None:
    one, other = House(), House()
    await one.playing()
    await other.playing()
    one.members[0].ask(**one.solution(0)[0])
    other.members[0].ask(**other.solution(0)[0])
    batch = one.log.record() + other.log.record()
    for room, happenings in by_room(batch):
        room.tell(happenings)
    for house in (one, other):
        assert [event["type"] for event in house.members[1].last()["events"]] == ["placed"]
