"""What a house reads and tells of others, when the database is slow, away or odd."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from types import SimpleNamespace
from typing import Any, cast

import pytest

from tests.server.fakes import FakeClock
from tests.server.playing import House
from ubongo.server.cluster.peers import SOMEONE, Neighbours
from ubongo.server.store import Row, Unrecorded
from ubongo.server.store.register import Kept, Key
from ubongo.table import Millis

pytestmark = pytest.mark.anyio


class Others:
    """A database that answers when the test says so, or not at all."""

    def __init__(self) -> None:
        self.problem: Exception | None = None
        self.answers = asyncio.Event()
        self.answers.set()
        self.asked: list[str] = []
        self.here: str | None = None

    async def since(self, _: Mapping[int, int]) -> dict[int, list[Row]]:
        assert self.problem is not None
        raise self.problem

    async def say_who_is_here(self, tables: Mapping[Key, str]) -> None:
        [here] = tables.values()
        self.asked.append(here)
        await self.answers.wait()
        if self.problem is not None:
            raise self.problem
        self.here = here

    async def beat(self) -> None: ...

    async def changed(self, _: Millis) -> list[Kept]:
        return []


@pytest.fixture
async def others() -> Others:
    return Others()


@pytest.fixture
async def neighbours(others: Others) -> Neighbours:
    hall: Any = SimpleNamespace(sittings={}, clock=FakeClock())
    return Neighbours(hall, cast("Any", others), cast("Any", None))


async def done(neighbours: Neighbours) -> None:
    await asyncio.gather(*neighbours._tasks)


@pytest.mark.parametrize("problem", [Unrecorded("the database is away"), ValueError("odd")])
async def test_whatever_keeps_the_log_from_being_read_nobody_waits_for_ever(
    neighbours: Neighbours, others: Others, problem: Exception
) -> None:
    house = House()
    await house.playing()
    house.room.read_on = neighbours.read_on
    others.problem = problem
    ann = house.members[0]
    n = ann.ask(**house.solution(0)[0])
    house.log.overtaken()
    await done(neighbours)
    assert (ann.last()["n"], ann.last()["code"]) == (n, "not_recorded")
    ann.ask(**house.solution(0)[0])
    house.log.commit()
    assert len(house.room.told.seats[0].laid) == 1


async def test_who_is_here_is_said_one_after_the_other(neighbours: Neighbours, others: Others) -> None:
    """Two at once could be written in any order, and somebody who has gone would be there for ever."""
    house = House()
    room = house.room
    room.doorkeeper = neighbours.stirred
    others.answers.clear()
    room.exit(house.members[0])
    await asyncio.sleep(0)
    room.exit(house.members[1])
    await asyncio.sleep(0)
    assert others.asked == [f"{SOMEONE} bo"]
    others.answers.set()
    await done(neighbours)
    assert others.asked == [f"{SOMEONE} bo", SOMEONE]


async def test_who_is_here_is_said_again_when_it_could_not_be_written(neighbours: Neighbours, others: Others) -> None:
    house = House()
    house.room.doorkeeper = neighbours.stirred
    others.problem = Unrecorded("the database is away")
    house.room.exit(house.members[0])
    await done(neighbours)
    assert others.here is None
    others.problem = None
    await neighbours.look()
    assert others.here == f"{SOMEONE} bo"
