"""Rooms on a fake clock: exactly what is recorded is broadcast, in order, to the clients that may see it."""

from __future__ import annotations

import random

import msgspec
import pytest

from tests.server.fakes import START, FakeMember, by_match
from tests.server.room_harness import RoomHarness
from ubongo.events import Opened
from ubongo.table import SeatNo
from ubongo.veil import veil

pytestmark = pytest.mark.anyio


async def test_before_the_match_everybody_sees_who_is_connected() -> None:
    harness = RoomHarness()
    welcome = harness.members[0].heard[0]
    assert (welcome["type"], welcome["version"], welcome["now"], welcome["seat"]) == ("welcome", 0, 0, 0)
    assert welcome["table"]["phase"] == "gather"
    assert harness.members[0].table["seats"][1]["present"], "Bo came later, which Ann was told"
    harness.members[0].ask(type="ready")
    assert harness.members[0].last()["code"] == "not_begun"


async def test_the_start_sends_a_new_welcome() -> None:
    harness = RoomHarness()
    await harness.begin()
    for seat, member in enumerate(harness.members):
        assert member.last() | {"table": None} == {
            "type": "welcome", "version": harness.room.live_match.version, "now": 0, "seat": seat, "table": None,
        }  # fmt: skip
        assert member.table["phase"] == "ready"
    assert harness.spectator.last()["seat"] is None


async def test_a_throw_that_is_the_first_event_of_the_match_is_acked() -> None:
    """3-D opens with a throw, before which nothing is recorded; it is still acked like any other ask."""
    harness = RoomHarness("cubes")
    await harness.begin()
    ann, bo = harness.members
    assert harness.room.live_match.version == 0
    n = ann.ask(type="throw")
    harness.log.commit()
    assert [said["type"] for said in ann.heard].count("welcome") == 2, "to the table and to the match"
    assert (ann.last()["type"], ann.last()["acked"], bo.last()["acked"]) == ("update", n, None)
    assert "thrown" in [event["type"] for event in bo.last()["events"]]
    assert ann.table == msgspec.json.decode(msgspec.json.encode(veil(harness.room.shown, SeatNo(0))))


async def test_an_ask_before_the_start_is_broadcast_is_answered_after_the_welcome() -> None:
    harness = RoomHarness("cubes")
    harness.room.begin(harness.match, harness.people)
    ann, bo = harness.members
    n = ann.ask(type="throw")
    harness.log.commit()
    assert [said["type"] for said in ann.heard[-2:]] == ["welcome", "update"]
    assert ann.heard[-2]["version"] == ann.last()["version"] == harness.room.live_match.version
    assert (ann.last()["acked"], ann.last()["events"], bo.last()["acked"]) == (n, [], None)
    assert ann.table == msgspec.json.decode(msgspec.json.encode(veil(harness.room.shown, SeatNo(0))))


async def test_T12_a_player_who_leaves_during_a_round_sees_what_a_new_spectator_sees() -> None:
    harness = RoomHarness("cards")
    await harness.playing()
    ann, bo = harness.members
    for where in harness.solution(SeatNo(0))[:3]:
        ann.ask(**where)
    bo.ask(type="leave")
    harness.log.commit()
    assert harness.room.shown.phase == "over"
    for member in (ann, bo, harness.spectator):
        assert member.table == msgspec.json.decode(msgspec.json.encode(veil(harness.room.shown, member.seat)))


async def test_a_move_is_recorded_then_broadcast_then_acked() -> None:
    harness = RoomHarness()
    await harness.playing()
    ann, bo = harness.members
    before = len(ann.heard), len(bo.heard)
    n = ann.ask(**harness.solution(SeatNo(0))[0])
    assert (len(ann.heard), len(bo.heard)) == before, "nobody is told before it is recorded"
    harness.log.commit()
    told, seen = ann.last(), bo.last()
    assert (told["acked"], seen["acked"]) == (n, None)
    assert told["version"] == seen["version"] == harness.log.rows[-1].version
    assert [event["type"] for event in told["events"]] == ["placed"]
    assert list(told["table"]) == ["seats"], "only what changed"
    assert list(told["table"]["seats"]) == ["0"]
    assert list(told["table"]["seats"]["0"]) == ["laid"]


async def test_several_asks_in_one_commit_make_one_update() -> None:
    harness = RoomHarness()
    await harness.playing()
    ann, bo = harness.members
    first, second = harness.solution(SeatNo(0))[:2]
    ann.ask(**first)
    n = ann.ask(**second)
    m = bo.ask(**harness.solution(SeatNo(1))[0])
    before = len(ann.heard)
    harness.log.commit()
    assert len(ann.heard) == before + 1
    assert (ann.last()["acked"], bo.last()["acked"]) == (n, m)
    assert len(ann.last()["events"]) == 3


async def test_two_calls_in_one_tick_are_ordered() -> None:
    harness = RoomHarness()
    await harness.playing()
    ann, bo = harness.members
    for seat, member in ((1, bo), (0, ann)):
        for move in harness.solution(SeatNo(seat))[:-1]:
            member.ask(**move)
    last = [harness.solution(SeatNo(seat))[-1] for seat in (0, 1)]
    bo.ask(**last[1])
    ann.ask(**last[0])
    harness.log.commit()
    gems = [(event["source"], event["target"]) for event in ann.last()["events"] if event["type"] == "gem_moved"]
    assert gems[:4] == [("display", 1), ("bag", 1), ("display", 0), ("bag", 0)], "Bo's came first, at the same instant"
    assert harness.room.shown.round == 2


@pytest.mark.parametrize(("early", "finished"), [(1, True), (0, False)])
async def test_the_sand_decides_to_the_millisecond(early: int, finished: bool) -> None:
    harness = RoomHarness()
    await harness.playing()
    ann = harness.members[0]
    *most, last = harness.solution(SeatNo(0))
    for move in most:
        ann.ask(**move)
    glass = harness.room.shown.glass
    assert glass is not None
    # The alarm is late, as on a busy machine: the clock decides.
    harness.clock.pass_time(glass.ends - early, wake=False)
    ann.ask(**last)
    harness.log.commit()
    happened = [event["type"] for event in ann.last()["events"]]
    ways = [(event["source"], event["target"]) for event in ann.last()["events"] if event["type"] == "gem_moved"]
    # X12: at the deadline the second chance has begun, in which nothing comes from the display.
    assert ("glass_turned" in happened, ("display", 0) in ways) == (not finished, finished)


async def test_a_table_has_one_alarm_for_timed_events() -> None:
    harness = RoomHarness()
    await harness.playing()
    assert [alarm.at for alarm in harness.clock.open_alarms()] == [START + 60_000]
    harness.clock.pass_time(60_000)
    harness.log.commit()
    assert [event["type"] for event in harness.spectator.last()["events"]] == ["glass_turned"]
    assert [alarm.at for alarm in harness.clock.open_alarms()] == [START + 120_000]


async def test_a_refusal_goes_only_to_its_asker_and_changes_nothing() -> None:
    harness = RoomHarness()
    await harness.playing()
    ann, bo = harness.members
    before, heard = harness.room.live_match.head, len(bo.heard)
    n = ann.ask(type="call")
    assert ann.last()["n"] == n
    assert (ann.last()["type"], ann.last()["code"]) == ("refused", "not_filled")
    assert harness.room.live_match.head is before
    assert len(bo.heard) == heard
    assert not harness.log.waiting
    harness.spectator.ask(type="ready")
    assert harness.spectator.last()["code"] == "watching"
    ann.ask(type="away")
    assert ann.last()["code"] == "unreadable_move", "only the server says so"


@pytest.mark.parametrize(
    "options", [{}, {"reveal": "deal"}, {"count_in_s": 3}, {"count_in_s": 3, "reveal": "deal"}], ids=str
)
@pytest.mark.parametrize("game", ["extreme", "cubes", "cards", "dice"])
async def test_patched_updates_equal_the_veiled_table(game: str, options: dict[str, object]) -> None:
    """The law of updates: in random play, after every commit, every client's table equals a fresh welcome."""
    harness = RoomHarness(game, seats=3, **options)
    await harness.begin()
    luck = random.Random(game)
    for step in range(250):
        seat = luck.randrange(3)
        task = harness.room.live_match.head.seats[seat].task
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
        harness.members[seat].ask(**luck.choice(moves))
        if step % 10 == 9:
            harness.clock.pass_time(luck.choice([10, 5000, 20_000]))
        if luck.random() < 0.5:
            harness.log.commit()
            for member in (*harness.members, harness.spectator):
                seen = msgspec.to_builtins(veil(harness.room.live_match.recorded, member.seat))
                assert member.table == msgspec.json.decode(msgspec.json.encode(seen))
    harness.log.commit()
    assert harness.replayed() == harness.room.shown
    assert len(harness.log.events()) > 20
    assert any(isinstance(event, Opened) and event.phase == "count" for event in harness.log.events()) == (
        "count_in_s" in options
    )


async def test_no_update_reveals_more_than_its_viewer_may_see() -> None:
    harness = RoomHarness("cards", reveal="deal")
    await harness.playing()
    hands = [seat.task.pieces for seat in harness.room.shown.seats if seat.task is not None]
    for viewer, member in enumerate((*harness.members, harness.spectator)):
        heard = msgspec.json.encode(member.heard)
        for seat, hand in enumerate(hands):
            assert [name for name in hand if f'"{name}"'.encode() in heard] == ([*hand] if seat == viewer else [])


@pytest.mark.parametrize("reveal", ["start", "deal"])
@pytest.mark.parametrize("game", ["extreme", "cubes", "cards"])
async def test_T2a_no_client_is_sent_a_board_before_the_count_in_is_over(game: str, reveal: str) -> None:
    harness = RoomHarness(game, count_in_s=3, reveal=reveal)
    await harness.begin()
    if game == "cubes":
        harness.members[0].ask(type="throw")
    for member in harness.members:
        member.ask(type="ready")
    harness.log.commit()
    harness.clock.pass_time(1000)
    late = FakeMember(harness.room, None)
    again = FakeMember(harness.room, "bo")
    for member in (late, again):
        harness.room.enter(member)
    harness.clock.pass_time(1999)
    harness.log.commit()
    tasks = [seat.task for seat in harness.room.shown.seats]
    viewers = (*harness.members, harness.spectator, late, again)
    for member in viewers:
        assert (member.table["phase"], member.table["limit"]) == ("count", 3000)
        for seat, task in enumerate(tasks):
            assert task is not None
            shown = reveal == "deal" and seat == member.seat
            assert (member.table["seats"][seat]["task"] is not None) == shown
            heard = msgspec.json.encode(member.heard)
            assert (msgspec.json.encode(task.pieces) in heard) == shown
            assert task.region is None or (msgspec.json.encode(task.region) in heard) == shown
    harness.clock.pass_time(1)
    harness.log.commit()
    for member in viewers:
        assert member.table["phase"] == "play"
        assert None not in [seat["task"] for seat in member.table["seats"]]


async def test_T2a_no_client_is_sent_the_dice_before_the_count_in_is_over() -> None:
    harness = RoomHarness("dice", count_in_s=3)
    await harness.begin()
    n = harness.members[0].ask(type="throw")
    harness.log.commit()
    assert harness.members[0].last()["acked"] == n, "the throw is heard at once"
    harness.clock.pass_time(2999)
    assert not harness.log.waiting
    for member in (*harness.members, harness.spectator):
        assert (member.table["phase"], member.table["limit"], member.table["dice"]) == ("count", 3000, [])
        assert b"thrown" not in msgspec.json.encode(member.heard)
    harness.clock.pass_time(1)
    harness.log.commit()
    for member in (*harness.members, harness.spectator):
        assert [event["type"] for event in member.last()["events"]] == ["thrown", "opened"]
        assert (member.table["phase"], len(member.table["dice"])) == ("grab", 4)


@pytest.mark.parametrize("late", [0, 1, 2000])
async def test_T2a_the_alarm_is_set_for_the_start_and_a_late_one_makes_no_difference(late: int) -> None:
    harness = RoomHarness(count_in_s=3)
    await harness.begin()
    for member in harness.members:
        member.ask(type="ready")
    harness.log.commit()
    assert [alarm.at for alarm in harness.clock.open_alarms()] == [START + 3000]
    harness.clock.pass_time(3000 + late, wake=False)
    harness.clock.pass_time(0)
    harness.log.commit()
    assert (harness.room.shown.started, harness.room.shown.until) == (3000, 63_000)


async def test_rooms_are_independent() -> None:
    one, other = RoomHarness(), RoomHarness()
    await one.playing()
    await other.playing()
    one.members[0].ask(**one.solution(SeatNo(0))[0])
    other.members[0].ask(**other.solution(SeatNo(0))[0])
    batch = one.log.record() + other.log.record()
    for live_match, appends in by_match(batch):
        live_match.committed(appends)
    for harness in (one, other):
        assert [event["type"] for event in harness.members[1].last()["events"]] == ["placed"]
