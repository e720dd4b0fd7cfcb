"""A room whose append fails or has a version conflict: nothing is lost, nothing happens twice."""

from __future__ import annotations

import asyncio

import msgspec
import pytest

from tests.server.fakes import FakeMember, FakeReader
from tests.server.room_harness import RoomHarness
from ubongo.server.store import StoreError
from ubongo.server.tables.match_clock import RETRY
from ubongo.table import SeatNo
from ubongo.veil import veil

pytestmark = pytest.mark.anyio


async def test_a_move_that_cannot_be_recorded_has_no_effect() -> None:
    harness = RoomHarness()
    await harness.playing()
    ann, bo = harness.members
    recorded = harness.room.live_match.recorded
    heard = len(bo.heard)
    first, second = harness.solution(SeatNo(0))[:2]
    asked = [ann.ask(**first), ann.ask(**second)]
    harness.log.fail()
    assert harness.room.live_match.head is harness.room.live_match.recorded is recorded
    assert [(said["n"], said["code"]) for said in ann.heard[-2:]] == [(n, "not_recorded") for n in asked]
    assert len(bo.heard) == heard
    # And it continues as soon as the disk works again.
    n = ann.ask(**first)
    harness.log.commit()
    assert ann.last()["acked"] == n
    assert harness.replayed() == harness.room.shown


async def test_a_timed_event_that_cannot_be_recorded_is_retried() -> None:
    harness = RoomHarness()
    await harness.playing()
    harness.clock.pass_time(60_000)
    harness.log.fail()
    assert harness.room.live_match.head.glass == harness.room.live_match.recorded.glass
    assert [alarm.at for alarm in harness.clock.open_alarms()] == [harness.clock.now() + RETRY], "not at once"
    harness.clock.pass_time(RETRY)
    harness.log.commit()
    assert harness.room.shown.glass is not None
    assert (harness.room.shown.glass.turned, harness.room.shown.glass.ends) == (2, 120_000), (
        "at its own time all the same"
    )


async def test_nothing_is_retried_at_a_closed_table() -> None:
    """A table may be closed while an earlier move is a pending append to a failing disk."""
    harness = RoomHarness()
    await harness.playing()
    harness.members[0].ask(**harness.solution(SeatNo(0))[0])
    harness.room.end()
    harness.log.fail()
    harness.clock.pass_time(600_000)
    assert harness.log.waiting == []


async def test_rows_written_elsewhere_before_the_end_are_read_without_waiting() -> None:
    """News that a match was abandoned may arrive before its last moves."""
    harness = RoomHarness()
    await harness.playing()
    other, log = harness.restarted()
    phone = FakeMember(other, "bo")
    other.enter(phone)
    phone.ask(**harness.solution(SeatNo(1))[0])
    log.commit()
    harness.room.end()
    harness.room.replication.rows_read(log.rows)
    assert len(harness.room.shown.seats[1].laid) == 1
    harness.clock.pass_time(600_000)
    assert harness.log.waiting == []


async def test_a_start_that_cannot_be_recorded_is_retried() -> None:
    harness = RoomHarness()
    started = harness.room.begin(harness.match, harness.people)
    harness.log.fail()
    with pytest.raises(Exception, match="the disk is full"):
        await started
    harness.clock.pass_time(RETRY)
    harness.log.commit()
    assert harness.members[0].last()["type"] == "welcome"
    assert harness.replayed() == harness.room.shown


async def test_a_version_conflict_reads_on_and_answers_again() -> None:
    harness, reader = RoomHarness(), FakeReader()
    harness.reader = reader
    await harness.playing()
    ann, bo = harness.members
    # Another process records that nobody is connected; Bo's phone has reconnected there, and places a piece.
    other, log = harness.restarted()
    phone = FakeMember(other, "bo")
    other.enter(phone)
    phone.ask(**harness.solution(SeatNo(1))[0])
    log.commit()
    first, second = harness.solution(SeatNo(0))[:2]
    asked = [ann.ask(**first)]
    harness.log.report_conflict()
    heard = len(ann.heard)
    asked += [ann.ask(**second), ann.ask(type="lift", piece=9)]
    harness.clock.pass_time(60_000)
    assert (reader.unread, harness.log.waiting, len(ann.heard)) == ([harness.room.replication], [], heard), (
        "everybody waits, also the glass"
    )
    harness.log.rows = list(log.rows)
    harness.room.replication.rows_read(log.rows)
    assert ann.last()["n"] == asked[2], "judged when all is known"
    harness.log.commit()
    assert [said["acked"] for said in ann.heard if said.get("acked") in asked] == [asked[1]], "both in one message"
    assert bo.last()["acked"] is None
    told = harness.room.shown
    assert harness.replayed() == told
    assert ([len(seat.laid) for seat in told.seats], [seat.present for seat in told.seats]) == ([2, 1], [True, True])
    assert told.glass is not None
    assert told.glass.turned == 2, "the sand has run all the same"
    versions = [row.version for row in harness.log.rows]
    assert versions == sorted(set(versions))
    for member in harness.members:
        assert member.table == msgspec.json.decode(msgspec.json.encode(veil(told, member.seat)))


async def test_a_start_made_by_another_server_counts() -> None:
    harness = RoomHarness()
    started = harness.room.begin(harness.match, harness.people)
    twin = RoomHarness()
    await twin.begin()
    harness.log.report_conflict()
    harness.room.replication.rows_read(twin.log.rows)
    await started
    assert ann_and_bo(harness) == ["ready", "ready"]


def ann_and_bo(harness: RoomHarness) -> list[str]:
    return [member.table["phase"] for member in harness.members]


async def test_a_version_conflict_with_unreadable_rows_is_retried_and_takes_effect_once() -> None:
    """The database may become unavailable just after it has reported a version conflict."""
    harness = RoomHarness()
    await harness.playing()
    ann = harness.members[0]
    other, log = harness.restarted()
    phone = FakeMember(other, "bo")
    other.enter(phone)
    phone.ask(**harness.solution(SeatNo(1))[0])
    log.commit()
    first = harness.solution(SeatNo(0))[0]
    n = ann.ask(**first)
    harness.log.report_conflict()
    harness.room.replication.rows_read(None)
    assert (ann.last()["n"], ann.last()["code"]) == (n, "not_recorded")
    assert "Try again" in ann.last()["why"]
    n = ann.ask(**first)
    harness.log.report_conflict()
    harness.log.rows = list(log.rows)
    harness.room.replication.rows_read(log.rows)
    harness.log.commit()
    assert n in [said.get("acked") for said in ann.heard]
    assert [len(seat.laid) for seat in harness.room.shown.seats] == [1, 1]
    assert [type(event).__name__ for event in harness.log.events()].count("Placed") == 2
    assert harness.replayed() == harness.room.shown


async def test_nobody_is_admitted_while_rows_of_another_server_cannot_be_read() -> None:
    """They may have seen it on another server, and would be sent an older state."""
    harness = RoomHarness()
    await harness.playing()
    harness.room.replication.note_version(harness.room.live_match.version + 1)
    coming = [asyncio.create_task(harness.room.replication.catch_up()) for _ in range(2)]
    await asyncio.sleep(0)
    harness.room.replication.rows_read(None)
    for one in coming:
        with pytest.raises(StoreError):
            await one
    # If the log can be read and has no newer rows, there is nothing to wait for.
    again = asyncio.create_task(harness.room.replication.catch_up())
    await asyncio.sleep(0)
    assert not again.done()
    harness.room.replication.rows_read(())
    await again


async def test_reading_an_inconsistent_log_is_not_retried_for_ever() -> None:
    harness = RoomHarness()
    await harness.playing()
    ann = harness.members[0]
    n = ann.ask(**harness.solution(SeatNo(0))[0])
    harness.log.report_conflict()
    harness.room.replication.rows_read(harness.log.rows)
    assert (ann.last()["n"], ann.last()["code"]) == (n, "not_recorded")
    assert harness.log.waiting == []
    assert [alarm.at for alarm in harness.clock.open_alarms()] == [harness.clock.now() + RETRY]
