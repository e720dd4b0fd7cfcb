"""What a server reads from its peers, and announces to them, when the database is slow, unavailable or failing."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Mapping
from types import SimpleNamespace
from typing import Any, cast

import pytest

from tests.server.fakes import FakeClock
from tests.server.room_harness import RoomHarness
from ubongo.server.clock import Timestamp
from ubongo.server.cluster.news import NoNews
from ubongo.server.cluster.peers import PeerCluster
from ubongo.server.cluster.served_tables import SOMEONE
from ubongo.server.store import Row, StoreError
from ubongo.server.store.entities import ChangedTables, Key
from ubongo.table import SeatNo

pytestmark = pytest.mark.anyio


class FakeMembership:
    """A database that answers when the test says so, or not at all."""

    def __init__(self) -> None:
        self.problem: Exception | None = None
        self.answers = asyncio.Event()
        self.answers.set()
        self.asked: list[str] = []
        self.here: str | None = None

    async def rows_since(self, _: Mapping[int, int]) -> dict[int, list[Row]]:
        assert self.problem is not None
        raise self.problem

    async def set_attendance(self, tables: Mapping[Key, str]) -> None:
        [here] = tables.values()
        self.asked.append(here)
        await self.answers.wait()
        if self.problem is not None:
            raise self.problem
        self.here = here

    async def join(self, _: Callable[[str], None]) -> None: ...
    async def heartbeat(self) -> None: ...

    async def tables_changed(self, _: Timestamp) -> ChangedTables:
        return ChangedTables([], [])


class NoDevices:
    def devices(self) -> Collection[bytes]:
        return ()

    def sign_out(self, devices: Collection[bytes]) -> None: ...


@pytest.fixture
async def membership() -> FakeMembership:
    return FakeMembership()


@pytest.fixture
async def cluster(membership: FakeMembership) -> PeerCluster:
    registry: Any = SimpleNamespace(lobby_tables={})
    cluster = PeerCluster(cast("Any", membership), cast("Any", NoNews()), FakeClock(), registry)
    await cluster.open(cast("Any", None), NoDevices())
    return cluster


async def done(cluster: PeerCluster) -> None:
    await asyncio.gather(*cluster.tasks.running)


@pytest.mark.parametrize("problem", [StoreError("the database is away"), ValueError("odd")])
async def test_no_reader_waits_for_ever_when_the_log_cannot_be_read(
    cluster: PeerCluster, membership: FakeMembership, problem: Exception
) -> None:
    harness = RoomHarness()
    harness.reader = cluster.match_reader
    await harness.playing()
    membership.problem = problem
    ann = harness.members[0]
    n = ann.ask(**harness.solution(SeatNo(0))[0])
    harness.log.report_conflict()
    await done(cluster)
    assert (ann.last()["n"], ann.last()["code"]) == (n, "not_recorded")
    ann.ask(**harness.solution(SeatNo(0))[0])
    harness.log.commit()
    assert len(harness.room.shown.seats[0].laid) == 1


async def test_attendance_is_announced_one_write_at_a_time(cluster: PeerCluster, membership: FakeMembership) -> None:
    """Concurrent writes could be reordered, and a player who left would be shown as present for ever."""
    harness = RoomHarness()
    room = harness.room
    harness.listener.attendance = cluster.attendance_changed
    membership.answers.clear()
    room.exit(harness.members[0])
    await asyncio.sleep(0)
    room.exit(harness.members[1])
    await asyncio.sleep(0)
    assert membership.asked == [f"{SOMEONE} bo"]
    membership.answers.set()
    await done(cluster)
    assert membership.asked == [f"{SOMEONE} bo", SOMEONE]


async def test_attendance_is_announced_again_after_a_failed_write(
    cluster: PeerCluster, membership: FakeMembership
) -> None:
    harness = RoomHarness()
    harness.listener.attendance = cluster.attendance_changed
    membership.problem = StoreError("the database is away")
    harness.room.exit(harness.members[0])
    await done(cluster)
    assert membership.here is None
    membership.problem = None
    await cluster.look()
    assert membership.here == f"{SOMEONE} bo"
