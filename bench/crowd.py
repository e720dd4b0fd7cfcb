"""Players in several processes, so that they are never the bottleneck: measures moves per second."""

from __future__ import annotations

import asyncio
import multiprocessing
import time
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing.synchronize import Barrier

import uvloop

from bench.cluster_servers import guests
from bench.players import at_pace, at_will, go_home

PROCESSES = 4
WARM_S = 5.0
EVERY_S = 2.0

# A barrier for all processes, passed to each at its start.
_together: list[Barrier] = []


def crowd(addresses: Sequence[str], people: int, seconds: float) -> float:
    """Moves per second at saturation, with each table on one server."""
    fresh = multiprocessing.get_context("spawn")
    part = partial(_play, addresses, people // PROCESSES, seconds)
    with ProcessPoolExecutor(PROCESSES, fresh, _meet, (fresh.Barrier(PROCESSES),)) as pool:
        return sum(one.result() for one in [pool.submit(part) for _ in range(PROCESSES)])


def _meet(together: Barrier) -> None:
    _together.append(together)


def _play(addresses: Sequence[str], people: int, seconds: float) -> float:
    uvloop.install()
    return asyncio.run(_rate(addresses, people, seconds))


async def _rate(addresses: Sequence[str], people: int, seconds: float) -> float:
    found = await guests(addresses, people, together=True)
    await at_pace(found, EVERY_S, WARM_S)
    [together] = _together
    await asyncio.to_thread(together.wait)
    began = time.perf_counter()
    moves = await at_will(found, seconds)
    rate = moves / (time.perf_counter() - began)
    await go_home([*found])
    return rate
