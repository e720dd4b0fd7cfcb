"""A room whose server or players went away and come back."""

from __future__ import annotations

import pytest

from tests.server.fakes import FakeMember
from tests.server.room_harness import RoomHarness
from ubongo.events import Resumed
from ubongo.server.tables.automatic_events import GRACE
from ubongo.server.tables.match_clock import RETRY
from ubongo.table import Instant, Millis, SeatNo

pytestmark = pytest.mark.anyio


async def test_a_crash_between_record_and_broadcast_loses_nothing() -> None:
    harness = RoomHarness()
    await harness.playing()
    harness.members[0].ask(**harness.solution(SeatNo(0))[0])
    harness.log.record()
    assert harness.room.shown.seats[0].laid == ()
    harness.clock.pass_time(1000, wake=False)
    room, log = harness.restarted()
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
    harness = RoomHarness()
    await harness.playing()
    harness.clock.pass_time(down, wake=False)
    room, log = harness.restarted()
    log.commit()
    assert [event for event in log.events() if isinstance(event, Resumed)] == [
        Resumed(Instant(down + GRACE), Millis(stood))
    ]
    assert room.shown.stood == stood, "bots have the same time more as people"
    assert room.shown.glass is not None
    assert (room.shown.glass.turned, room.shown.glass.ends, room.shown.until) == (1, ends, ends)
    assert [seat.present for seat in room.shown.seats] == [False, False]
    harness.clock.pass_time(ends - down - 1)
    assert not log.waiting
    harness.clock.pass_time(1)
    log.commit()
    assert room.shown.glass is not None
    assert room.shown.glass.turned == 2


@pytest.mark.parametrize("down", [0, 1000, 2999, 3_600_000])
@pytest.mark.parametrize("game", ["extreme", "cubes", "cards", "dice"])
async def test_T2a_a_count_in_continues_after_a_restart_and_ends_after_ten_seconds(game: str, down: int) -> None:
    """Players who return find the round before its start, with the ten seconds that everybody gets to return."""
    harness = RoomHarness(game, count_in_s=3)
    await harness.begin()
    if game in ("cubes", "dice"):
        harness.members[0].ask(type="throw")
    for member in harness.members:
        member.ask(type="ready")
    harness.log.commit()
    harness.clock.pass_time(down, wake=False)
    room, log = harness.restarted()
    log.commit()
    ends = down + GRACE
    assert (room.shown.phase, room.shown.limit, room.shown.until) == ("count", ends, ends)
    again = FakeMember(room, "ann")
    room.enter(again)
    log.commit()
    assert (again.table["phase"], again.table["dice"] if game == "dice" else []) == ("count", [])
    assert game == "dice" or [seat["task"] for seat in again.table["seats"]] == [None, None]
    harness.clock.pass_time(GRACE - 1)
    assert not log.waiting
    harness.clock.pass_time(1)
    log.commit()
    if game == "dice":
        assert (room.shown.phase, room.shown.limit) == ("grab", ends + 20_000)
    else:
        assert (room.shown.phase, room.shown.began, room.shown.started, room.shown.stood) == ("play", ends, ends, 0)
    assert again.table["phase"] == room.shown.phase


async def test_a_round_without_a_timer_pauses_for_bots_too() -> None:
    harness = RoomHarness("cards", ready_s=0)
    await harness.playing()
    harness.clock.pass_time(3_600_000, wake=False)
    room, log = harness.restarted()
    log.commit()
    assert room.shown.limit is None
    assert room.shown.stood == 3_600_000


async def test_a_seat_is_away_only_with_its_last_connection() -> None:
    harness = RoomHarness()
    await harness.playing()
    ann, bo = harness.members
    phone = FakeMember(harness.room, "ann")
    harness.room.enter(phone)
    assert phone.seat == 0
    assert phone.table == ann.table, "all devices show the same"
    harness.room.exit(ann)
    assert not harness.log.waiting
    harness.room.exit(phone)
    harness.log.commit()
    assert bo.last()["events"] == [{"type": "away", "seat": 0, "at": 0}]
    harness.room.enter(ann)
    harness.log.commit()
    assert bo.last()["events"] == [{"type": "back", "seat": 0}]
    assert harness.room.attendance.alone_since is None
    for member in (ann, bo):
        harness.room.exit(member)
    assert harness.room.attendance.alone_since == harness.clock.now(), "a spectator is no company"


@pytest.mark.parametrize("busy", [True, False])
@pytest.mark.parametrize("comes", [True, False])
async def test_connections_that_change_while_the_disk_fails_are_recorded_afterwards(comes: bool, busy: bool) -> None:
    harness = RoomHarness()
    await harness.playing()
    ann = harness.members[0]
    if comes:
        harness.room.exit(ann)
        harness.log.commit()
        harness.room.enter(ann)
    else:
        harness.room.exit(ann)
    harness.log.fail()
    assert harness.room.live_match.head.seats[0].present != comes
    if busy:
        # A player moves before the retry.
        harness.members[1].ask(**harness.solution(SeatNo(1))[0])
    else:
        harness.clock.pass_time(RETRY)
    harness.log.commit()
    assert harness.room.shown.seats[0].present == comes
    assert harness.replayed() == harness.room.shown


async def test_a_player_who_misses_the_start_is_away() -> None:
    harness = RoomHarness()
    harness.room.exit(harness.members[1])
    await harness.begin()
    assert [seat.present for seat in harness.room.shown.seats] == [True, False]
