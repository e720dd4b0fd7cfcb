"""One attacker, at an address of its own, with no accounts except those that anyone can create."""

from __future__ import annotations

import asyncio
import base64
import os
import socket
from collections import Counter
from collections.abc import Awaitable, Callable
from typing import cast
from urllib.parse import urlsplit

from bench.players import Http
from tests.server.raw import frame

EVE = "127.0.0.2"
HELLO = frame(b'{"type":"hello"}')
WAVE = 65_536
# Delay after a failed connection, so that the attacker does not saturate its own core.
BREATH_S = 0.001


class Line(asyncio.Protocol):
    """A connection whose responses are counted and discarded."""

    def __init__(self) -> None:
        loop = asyncio.get_running_loop()
        self.first: asyncio.Future[bytes] = loop.create_future()
        self.gone: asyncio.Future[None] = loop.create_future()
        self._writable = asyncio.Event()
        self._writable.set()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        # uvloop's transports are not subclasses of it.
        self.transport = cast("asyncio.Transport", transport)

    def data_received(self, data: bytes) -> None:
        if not self.first.done():
            self.first.set_result(data)

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002 - asyncio's signature
        self._writable.set()
        if not self.first.done():
            self.first.set_result(b"")
        if not self.gone.done():
            self.gone.set_result(None)

    def pause_writing(self) -> None:
        self._writable.clear()

    def resume_writing(self) -> None:
        self._writable.set()

    async def send(self, data: bytes) -> None:
        """Waits until the server takes it; raises ConnectionError if the server has closed."""
        if self.gone.done():
            raise ConnectionError
        self.transport.write(data)
        # Also yields to other tasks.
        await asyncio.sleep(0)
        await self._writable.wait()

    def cut(self) -> None:
        self.transport.abort()


class Attacker:
    """`table` is one that honest people play at, `finished` one that is over. `work` counts completed requests.

    `breach` counts what must never happen.
    """

    def __init__(self, address: str, table: str, finished: str) -> None:
        place = urlsplit(address)
        self.address = address
        self.host, self.port = place.hostname or "", place.port or 80
        self.table, self.finished = table, finished
        self.work: Counter[str] = Counter()
        self.breaches: Counter[str] = Counter()

    async def line(self, deaf: bool = False) -> Line:
        """`deaf`: never reads, and has a small receive buffer."""
        one = socket.socket()
        try:
            one.setblocking(False)
            if deaf:
                one.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            one.bind((EVE, 0))
            loop = asyncio.get_running_loop()
            await loop.sock_connect(one, (self.host, self.port))
            _, line = await loop.create_connection(Line, sock=one)
        except BaseException:
            one.close()
            raise
        self.work["connections"] += 1
        if deaf:
            line.transport.pause_reading()
        return line

    async def http(self) -> Http:
        self.work["connections"] += 1
        return await Http(self.address, EVE).open()

    async def ask(self, http: Http, method: str, path: str, body: object = None, *lines: str) -> tuple[int, bytes]:
        status, answer = await http.ask(method, path, body, *lines)
        self.work["requests"] += 1
        self.work["refused"] += status >= 400
        return status, answer

    def upgrade(self, table: str, *lines: str) -> bytes:
        key = base64.b64encode(os.urandom(16)).decode()
        host = [] if any(line.startswith("Host:") for line in lines) else [f"Host: {self.host}:{self.port}"]
        head = [
            f"GET /ws/tables/{table} HTTP/1.1", *host, "Upgrade: websocket", "Connection: Upgrade",
            f"Sec-WebSocket-Key: {key}", "Sec-WebSocket-Version: 13", *lines,
        ]  # fmt: skip
        return "".join(f"{line}\r\n" for line in [*head, ""]).encode()

    async def spectator(self, table: str | None = None) -> Line:
        """Connects to a table and sends hello; raises ConnectionError if it is refused."""
        line = await self.line()
        line.transport.write(self.upgrade(table or self.table))
        if not (await line.first).startswith(b"HTTP/1.1 101"):
            self.work["refused"] += 1
            line.cut()
            raise ConnectionError
        await line.send(HELLO)
        return line

    async def pour(self, line: Line, drop: bytes) -> None:
        """Until it is cut off."""
        wave = drop * max(1, WAVE // len(drop))
        try:
            while True:
                await line.send(wave)
                self.work["bytes"] += len(wave)
        finally:
            line.cut()

    async def again(self, lines: int, once: Callable[[], Awaitable[None]]) -> None:
        """Repeats `once` on several connections for as long as the attack lasts."""

        async def one() -> None:
            while True:
                try:
                    await once()
                except (OSError, EOFError, AssertionError):
                    self.work["cut off"] += 1
                    await asyncio.sleep(BREATH_S)

        await asyncio.gather(*(one() for _ in range(lines)))
