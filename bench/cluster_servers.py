"""Servers on one PostgreSQL and one NATS for bench/cluster.py, and the people who play on them."""

from __future__ import annotations

import asyncio
import contextlib
import random
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from itertools import count
from typing import NamedTuple

from picows import WSFrame, WSMsgType, WSTransport

from bench.players import SEATS, Player, open_tables, sit_down, until
from bench.serving import Server, family_s
from tests.nats import Nats
from tests.postgres import Postgres

UPDATE = b'{"type":"update","version":'


class Spent(NamedTuple):
    """CPU seconds."""

    servers: float
    database: float
    news: float

    def since(self, before: Spent) -> Spent:
        return Spent(*(now - then for now, then in zip(self, before, strict=True)))


class ClusterServers:
    """Servers, each in a process of its own."""

    def __init__(self, servers: list[Server], postgres: Postgres, nats: Nats) -> None:
        self.servers = servers
        self._others = postgres.process.pid, nats.process.pid

    @property
    def addresses(self) -> list[str]:
        return [server.address for server in self.servers]

    def spent(self) -> Spent:
        return Spent(sum(family_s(server.process.pid) for server in self.servers), *map(family_s, self._others))


@contextlib.contextmanager
def cluster_servers(number: int, postgres: Postgres, nats: Nats, *more: str) -> Iterator[ClusterServers]:
    rates = ["--moves-rate", "0", "--requests-rate", "0", "--connections", "0"]
    flags = ["--port", "0", "--db", postgres.database(), "--nats", nats.url, *rates, *more]
    servers: list[Server] = []
    try:
        for _ in range(number):
            began = time.perf_counter()
            command = [sys.executable, "-m", "ubongo", "serve", *flags]
            process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
            assert process.stdout is not None
            address = process.stdout.readline().split()[3]
            servers.append(Server(process, address, time.perf_counter() - began))
        yield ClusterServers(servers, postgres, nats)
    finally:
        for server in servers:
            server.process.kill()
            server.process.wait()


class Guest(Player):
    """Records when its moves were answered, and when it got each version."""

    def __init__(self, table: str, token: str, server: int) -> None:
        super().__init__(token, lambda _, __: None)
        self.at = table
        self.server = server
        self.told: list[tuple[int, float]] = []
        # When a move was due, when it was answered, and with which version.
        self.answers: list[tuple[float, float, int]] = []

    def on_ws_frame(self, transport: WSTransport, frame: WSFrame) -> None:
        waiting, playing = self.sent[:1], self.moves is not None
        super().on_ws_frame(transport, frame)
        if not playing or frame.msg_type != WSMsgType.TEXT:
            return
        start = bytes(frame.get_payload_as_memoryview()[: len(UPDATE) + 20])
        if start.startswith(UPDATE):
            version, now = int(start[len(UPDATE) : start.index(b",", len(UPDATE))]), time.perf_counter()
            self.told.append((version, now))
            if waiting and self.sent[:1] != waiting:
                self.answers.append((self.due, now, version))


async def guests(addresses: Sequence[str], people: int, together: bool) -> list[Guest]:
    """Seats everybody: each table on one server, or spread over all of them."""
    opened = await asyncio.gather(
        *(open_tables(address, people // SEATS // len(addresses), "extreme") for address in addresses)
    )
    turns = count()
    found = [
        Guest(table, token, server if together else next(turns) % len(addresses))
        for server, seats in enumerate(opened)
        for table, token in seats
    ]
    for first in range(0, len(found), 100):
        some = found[first : first + 100]
        await asyncio.gather(*(sit_down(one, addresses[one.server], one.at) for one in some))
    await until(lambda: all(one.moves for one in found))
    # Shuffled: in the order of the servers only one of them would be busy at a time.
    random.Random(len(found)).shuffle(found)
    return found
