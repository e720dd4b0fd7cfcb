"""Bots of different addresses take turns thinking, and each address is limited to its share of a core."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from ubongo.server.lobby import bot_scheduler
from ubongo.server.lobby.bot_scheduler import RESERVE_S, SHARE, BotScheduler

pytestmark = pytest.mark.anyio

EVE, ANN = "192.0.2.7", "198.51.100.1"


class Time:
    def __init__(self) -> None:
        self.now = 100.0


@pytest.fixture
def pool() -> Iterator[ThreadPoolExecutor]:
    with ThreadPoolExecutor(1) as found:
        yield found


@pytest.fixture
def time() -> Time:
    return Time()


@pytest.fixture
def ours(pool: ThreadPoolExecutor, time: Time) -> BotScheduler[str]:
    return BotScheduler(pool, lambda: time.now)


def saying(what: str) -> Callable[[], Callable[[], str]]:
    return lambda: lambda: what


async def test_every_address_gets_its_turn(ours: BotScheduler[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bot_scheduler, "AHEAD", 1)
    thought: list[str] = []
    go_on = threading.Event()

    def thinking(of: str) -> Callable[[], Callable[[], str]]:
        def think() -> str:
            assert go_on.wait(60)
            thought.append(of)
            return of

        return lambda: think

    answers = [ours.think(EVE, thinking(EVE)) for _ in range(5)]
    answers.append(ours.think(ANN, thinking(ANN)))
    go_on.set()
    assert await asyncio.gather(*answers) == [EVE] * 5 + [ANN]
    # The first had begun before any other was submitted.
    assert thought == [EVE, EVE, ANN, EVE, EVE, EVE]


async def test_only_an_address_that_used_up_its_share_waits(ours: BotScheduler[str], time: Time) -> None:
    ours.charge(EVE, RESERVE_S + SHARE)
    waits = ours.think(EVE, saying("eve"))
    assert await ours.think(ANN, saying("ann")) == "ann"
    assert await ours.think("", saying("here")) == "here"
    assert not waits.done()
    time.now += 0.9
    ours._wake()
    assert not waits.done()
    time.now += 0.2
    ours._wake()
    assert await waits == "eve"
    ours.close()


async def test_a_failed_or_cancelled_computation_does_not_block_others(ours: BotScheduler[str]) -> None:
    def fail() -> str:
        raise ValueError("odd")

    def never() -> Callable[[], str]:
        raise ValueError("odder")

    wrong = [ours.think(EVE, lambda: fail), ours.think(EVE, never)]
    for one in wrong:
        with pytest.raises(ValueError, match="odd"):
            await one
    assert await ours.think(EVE, lambda: None) is None
    assert await ours.think(EVE, saying("fine")) == "fine"


async def test_an_idle_address_is_dropped(ours: BotScheduler[str], time: Time) -> None:
    assert await ours.think(EVE, saying("eve")) == "eve"
    ours.charge(EVE, SHARE)
    ours.tidy()
    assert list(ours._owners) == [EVE]
    time.now += 2
    ours.tidy()
    assert not ours._owners
