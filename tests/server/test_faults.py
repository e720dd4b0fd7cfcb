"""Faults in a cluster: processes die or hang, connections are cut, the database and NATS restart.

Play continues, or pauses and resumes by itself. At the end everything that clients saw is compared with the log:
nothing acknowledged is lost, nothing happened twice, and all clients agree.
"""

from __future__ import annotations

import asyncio
import signal
from collections.abc import AsyncIterator

import pytest

from tests.postgres import shared
from tests.server.cluster import Cluster, Party
from ubongo.events import Resumed

pytestmark = pytest.mark.anyio


@pytest.fixture(scope="module")
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(scope="module")
def url() -> str:
    return shared().database()


@pytest.fixture(scope="module")
async def cluster(tmp_path_factory: pytest.TempPathFactory, url: str) -> AsyncIterator[Cluster]:
    async with Cluster(tmp_path_factory.mktemp("cluster"), url) as one:
        yield one


@pytest.fixture
async def party(cluster: Cluster) -> AsyncIterator[Party]:
    async with Party(cluster) as one:
        yield one
        await one.all_go_on()
    log = await cluster.log()
    assert one.faults(log) == []
    assert sum(player.accepted for player in one.players) > 100


async def resumed(cluster: Cluster, party: Party) -> list[str]:
    """The tables that got extra time, as if no server had been running."""
    log = await cluster.log()
    keys = {player.key for player in party.players}
    return [key for key in keys if any(isinstance(event, Resumed) for event in log[key].events)]


async def test_a_process_is_killed_and_replaced(cluster: Cluster, party: Party) -> None:
    await cluster.nodes[1].kill()
    await party.go_on(party.players)
    await cluster.nodes[1].start()
    assert await resumed(cluster, party) == [], "the other one was there all the time"


async def test_a_process_is_suspended_and_resumed(cluster: Cluster, party: Party) -> None:
    cluster.nodes[1].signal(signal.SIGSTOP)
    await party.go_on(party.players)
    cluster.nodes[1].signal(signal.SIGCONT)


async def test_a_process_is_cut_off_from_nats(cluster: Cluster, party: Party) -> None:
    await cluster.nodes[1].news.cut()
    await cluster.nodes[1].says("news", well=False)
    await party.all_go_on()
    cluster.nodes[1].news.mend()
    await cluster.nodes[1].says("news", well=True)


async def test_a_process_is_cut_off_from_the_database(cluster: Cluster, party: Party) -> None:
    await cluster.nodes[1].database.cut()
    await cluster.nodes[1].says("log", well=False)
    await party.go_on(party.at(cluster.nodes[0]))
    cluster.nodes[1].database.mend()
    await cluster.nodes[1].says("log", well=True)


async def test_a_process_gets_no_responses_from_the_database(cluster: Cluster, party: Party) -> None:
    cluster.nodes[1].database.hold()
    await party.go_on(party.at(cluster.nodes[0]))
    cluster.nodes[1].database.mend()


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGQUIT])
async def test_the_database_is_restarted(cluster: Cluster, party: Party, how: signal.Signals) -> None:
    """With a clean shutdown, and with a crash."""
    await asyncio.to_thread(shared().stop, how)
    await asyncio.gather(*(node.says("log", well=False) for node in cluster.nodes))
    await asyncio.to_thread(shared().start)
    await party.all_go_on()
    assert await resumed(cluster, party) == [], "both were there all the time"


async def test_nats_is_restarted(cluster: Cluster, party: Party) -> None:
    await asyncio.to_thread(cluster.nats.stop)
    await asyncio.gather(*(node.says("news", well=False) for node in cluster.nodes))
    await party.all_go_on()
    await asyncio.to_thread(cluster.nats.start)
    await asyncio.gather(*(node.says("news", well=True) for node in cluster.nodes))
