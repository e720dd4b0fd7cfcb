"""Real servers on one PostgreSQL and one NATS, over connections that a test can cut; people play on all of them."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Callable, Mapping, Sequence
from contextlib import AsyncExitStack
from itertools import count
from pathlib import Path
from typing import Any, Self
from urllib.parse import urlsplit

import httpx

from tests.checker import MATCHES, ROWS, Fault, Truth, faults, truths
from tests.conftest import Running, start
from tests.cuttable_proxy import CuttableNats, CuttablePostgres
from tests.nats import Nats
from tests.postgres import fetch, shared
from tests.server.people import TRUST, Person, table_for
from tests.server.witness import Watcher, Witness

TABLES = 4
PATIENCE_S = 60.0
SILENCE_S = 2.0
LOOK_S = 0.02


class Node:
    """One server, and its connections to PostgreSQL and NATS."""

    def __init__(self, database: CuttablePostgres, news: CuttableNats, name: str) -> None:
        self.database = database
        self.news = news
        self._flags = ("--nats", news.url, "--moves-rate", "0", "--requests-rate", "0")
        self._db = database.url(name)
        self.running: Running | None = None

    @property
    def address(self) -> str:
        assert self.running is not None
        return self.running.address

    async def start(self) -> None:
        self.running = await asyncio.to_thread(lambda: start(*self._flags, db=self._db))

    def signal(self, which: signal.Signals) -> None:
        assert self.running is not None
        os.kill(self.running.process.pid, which)

    async def kill(self) -> None:
        self.signal(signal.SIGKILL)
        assert self.running is not None
        await asyncio.to_thread(self.running.process.communicate)

    async def says(self, part: str, well: bool) -> None:
        """Waits until it reports its log, or its connection to NATS, as healthy or not."""
        async with httpx.AsyncClient(verify=TRUST, timeout=PATIENCE_S) as client, asyncio.timeout(PATIENCE_S):
            while ((await client.get(f"{self.address}healthz")).json()[part] == "ok") != well:  # noqa: ASYNC110 - a server sends no notification
                await asyncio.sleep(LOOK_S)

    def end(self) -> None:
        """Also ends a suspended process."""
        if self.running is not None and self.running.process.poll() is None:
            self.signal(signal.SIGCONT)
            self.running.__exit__()


class Cluster:
    """Two nodes, shared by several tests."""

    def __init__(self, folder: Path, url: str) -> None:
        self._folder = folder
        self.url = url
        self.nodes: list[Node] = []
        self._left = AsyncExitStack()

    async def __aenter__(self) -> Self:
        self.nats = await asyncio.to_thread(Nats)
        self._left.callback(self.nats.stop)
        name = urlsplit(self.url).path[1:]
        for number in range(2):
            place = self._folder / str(number)
            place.mkdir()
            database = await self._left.enter_async_context(CuttablePostgres(place, shared().folder))
            news = await self._left.enter_async_context(CuttableNats(self.nats.port))
            node = Node(database, news, name)
            # In a thread: this loop forwards the server's connections, which it uses until it exits.
            self._left.push_async_callback(asyncio.to_thread, node.end)
            self.nodes.append(node)
        await asyncio.gather(*(node.start() for node in self.nodes))
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._left.aclose()

    async def log(self) -> dict[str, Truth]:
        matches: Any = await fetch(self.url, MATCHES)
        rows: Any = await fetch(self.url, ROWS)
        return truths(matches, rows)


class Party:
    """People at new tables of a cluster, and everything they saw."""

    def __init__(self, cluster: Cluster) -> None:
        self.cluster = cluster
        self.players: list[Witness] = []
        self.watchers: list[Watcher] = []
        self._tasks: list[asyncio.Task[None]] = []

    async def __aenter__(self) -> Self:
        for number in range(TABLES):
            await asyncio.to_thread(self._seat, number)
        self._tasks = [
            *(asyncio.create_task(one.stay(self._door(number))) for number, one in enumerate(self.players)),
            *(asyncio.create_task(one.stay(self._same(number))) for number, one in enumerate(self.watchers)),
        ]
        await self.all_go_on()
        return self

    async def __aexit__(self, *_: object) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def _seat(self, number: int) -> None:
        """Seats two people connected to different servers; each table has a spectator."""
        nodes = self.cluster.nodes
        people = [Person(node.address, f"{name}{number}") for node, name in zip(nodes, ("Ann", "Bo"), strict=True)]
        # Half of the tables have short hourglasses: a timeout on both servers must take effect once.
        key = table_for(*people, options={"hourglass_s": (3600, 2)[number % 2], "ready_s": 1})
        self.players += [Witness(key, person.token, pause=0.02, silence=SILENCE_S) for person in people]
        self.watchers += [Watcher(key) for _ in nodes]

    def _door(self, first: int) -> Callable[[], str]:
        """Round robin, like a load balancer without affinity."""
        turns = count(first)
        return lambda: self.cluster.nodes[next(turns) % 2].address

    def _same(self, number: int) -> Callable[[], str]:
        return lambda: self.cluster.nodes[number % 2].address

    def at(self, node: Node) -> list[Witness]:
        """The players connected to that node now: on a busy machine a client may have reconnected to another."""
        return [player for player in self.players if player.address == node.address]

    async def go_on(self, players: Sequence[Witness], answers: int = 10) -> None:
        """Waits until each of them has had this many moves accepted."""
        wanted = {player: player.answers + answers for player in players}
        await until(lambda: all(player.answers >= number for player, number in wanted.items()))

    async def all_go_on(self) -> None:
        """Everybody plays and sees the others' moves, whichever node they are connected to."""
        await self.go_on(self.players)
        newest = {player.key: player.version for player in self.players}
        await until(lambda: all(watcher.version >= newest[watcher.key] for watcher in self.watchers))

    def faults(self, log: Mapping[str, Truth]) -> list[Fault]:
        """Disconnects everybody, and compares what they saw with the log."""
        return faults(log, [*self.players, *self.watchers])


async def until(condition: Callable[[], bool]) -> None:
    async with asyncio.timeout(PATIENCE_S):
        while not condition():  # noqa: ASYNC110 - there is no event to wait for
            await asyncio.sleep(LOOK_S)
