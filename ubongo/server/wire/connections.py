"""All open connections: counted, checked for a hello, signed out, and closed when the server shuts down."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Collection, Coroutine
from typing import Any

from ubongo.server.lobby.key_guessing import GuessLimit
from ubongo.server.lobby.lobby import Lobby
from ubongo.server.protocol import Bye, encode
from ubongo.server.rate_limit import AddressRateLimit, is_this_machine
from ubongo.server.store.entities import Key
from ubongo.server.wire.connection import RESTART, Connection, ConnectionMetrics, Transport
from ubongo.table import Millis

# What a client that is closed as too fast costs its address, in requests: with the default limits it can reconnect
# once a second.
TOO_FAST_COSTS = 200
NO_HELLO = 4408
SIGNED_OUT = 4401
HELLO_WITHIN = Millis(10_000)
# Clients reconnect after this long, not all at the same moment.
RECONNECT_AFTER = Millis(1500)
# A shutdown waits this long for clients to answer the close frame.
CLOSE_WITHIN_S = 2


class Connections:
    def __init__(
        self,
        lobby: Lobby,
        guessing: GuessLimit,
        addresses: AddressRateLimit,
        rate: float,
        burst: float,
        metrics: ConnectionMetrics,
    ) -> None:
        self.lobby = lobby
        self._addresses = addresses
        self.guessing = guessing
        self.metrics = metrics
        self.rate = rate
        self.burst = burst
        self.open: set[Connection] = set()
        self._all_closed = asyncio.Event()
        # asyncio itself keeps only weak references to tasks.
        self._entering: set[asyncio.Task[None]] = set()

    def new(self, key: Key, cookie: str | None, address: str, transport: Transport) -> Connection:
        connection = Connection(self, key, cookie, address, transport)
        self.open.add(connection)
        self._all_closed.clear()
        return connection

    def await_entry(self, entry: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(entry)
        self._entering.add(task)
        task.add_done_callback(self._entering.discard)

    def tidy(self) -> None:
        """Closes connections that have not said hello in time."""
        now = self.lobby.clock.now()
        for connection in list(self.open):
            if connection.silent and now - connection.since >= HELLO_WITHIN:
                connection.close(NO_HELLO, "no hello")

    async def goodbye(self) -> None:
        """The server shuts down: asks every client to reconnect in a moment, and closes its connection."""
        for number, connection in enumerate(list(self.open)):
            connection.send(encode(Bye(RECONNECT_AFTER + number % 100 * 10)))
            connection.close(RESTART, "restart")
        if self.open:
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._all_closed.wait(), CLOSE_WITHIN_S)

    def charge_too_fast(self, address: str) -> None:
        """Slows down the reconnects of a client that was closed as too fast."""
        if not is_this_machine(address):
            self._addresses.charge(address, TOO_FAST_COSTS, self.lobby.clock.now())

    def devices(self) -> set[bytes]:
        """The devices that are connected here, by the hashes of their tokens."""
        return {connection.device for connection in self.open if connection.device is not None}

    def sign_out(self, devices: Collection[bytes]) -> None:
        """Closes the connections of these devices, whose tokens are no longer valid."""
        for connection in [one for one in self.open if one.device in devices]:
            connection.close(SIGNED_OUT, "signed out")

    def is_open(self, connection: Connection) -> bool:
        return connection in self.open

    def closed(self, connection: Connection) -> None:
        self.open.discard(connection)
        if not self.open:
            self._all_closed.set()
