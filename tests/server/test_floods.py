"""Floods on a real server with raw sockets and no account: memory does not grow, and an honest player is answered."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import ExitStack

import httpx
import pytest

from tests.conftest import Running, start
from tests.server.endless import FRAMES, REQUESTS
from tests.server.flooding import ENOUGH, connect, flood, memory
from tests.server.people import Device, Person, table_for
from tests.server.raw import RawSocket, frame
from ubongo.material import shipped
from ubongo.server.http.long_answers import AT_ONCE, FILES
from ubongo.server.http.print_cache import PrintRequest


@pytest.fixture(scope="module")
def running() -> Iterator[Running]:
    with start(module="tests.server.lean") as running:
        yield running


@pytest.fixture(scope="module")
def before(running: Running, table: str) -> int:
    """The server's memory before any attack."""
    Device(running.address, table)
    return memory(running)


@pytest.fixture(scope="module")
def table(running: Running) -> str:
    return table_for(Person(running.address, "Cy"), start=False, seats=2)


def pour(line: socket.socket, drop: bytes) -> Iterator[int]:
    wave = drop * max(1, 65_536 // len(drop))
    while True:
        line.sendall(wave)
        yield len(wave)


@pytest.mark.parametrize("kind", REQUESTS)
def test_an_endless_request_uses_no_memory(running: Running, before: int, kind: str) -> None:
    first, drop = REQUESTS[kind]

    def attack() -> Iterator[int]:
        with connect(running) as line:
            line.sendall(first)
            yield from pour(line, drop)

    flood(running, before, attack)


@pytest.mark.parametrize("kind", FRAMES)
def test_endless_frames_use_no_memory(running: Running, before: int, table: str, kind: str) -> None:
    def attack() -> Iterator[int]:
        with RawSocket(running.address, table) as line:
            line.send(b'{"type":"hello"}')
            yield from pour(line.socket, FRAMES[kind] * max(1, 60_000 // len(FRAMES[kind])))

    flood(running, before, attack)


def test_bursts_on_many_connections_leak_no_memory(running: Running, before: int, table: str) -> None:
    """Each connection sends its whole burst and then stays open: the messages are not kept in memory."""
    burst = frame(b'{"type":"hello"}') + frame(b"a" * 4000) * 500

    def attack() -> Iterator[int]:
        with ExitStack() as open_lines:
            lines = [open_lines.enter_context(RawSocket(running.address, table)) for _ in range(50)]
            for line in lines:
                line.socket.sendall(burst)
                yield len(burst)

    flood(running, before, attack)


def test_reconnecting_leaks_no_memory(running: Running, before: int, table: str) -> None:
    def attack() -> Iterator[int]:
        for _ in range(20):
            connect(running).close()
            with RawSocket(running.address, table) as line:
                line.send(b'{"type":"hello"}')
                yield len(line.hear())

    flood(running, before, attack)


def test_large_unread_responses_use_little_memory(running: Running, before: int) -> None:
    """A printed edition of several megabytes, requested on a hundred connections."""
    address = running.address.rstrip("/")
    wanted = PrintRequest("extreme", shipped("extreme").id, "all", "a4", "long", "en", address)
    file = running.db.parent / "print" / wanted.file_name()
    file.parent.mkdir(exist_ok=True)
    file.write_bytes(b"%PDF" + bytes(8 << 20))
    request = f"GET /print/extreme.pdf HTTP/1.1\r\nHost: {httpx.URL(address).netloc.decode()}\r\n\r\n".encode()

    def attack() -> Iterator[int]:
        lines: list[socket.socket] = []
        with ExitStack() as open_lines:
            for _ in range(100):
                line = open_lines.enter_context(connect(running))
                line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
                line.sendall(request)
                lines.append(line)
            # The other responses wait for these. By now memory has reached its peak.
            for line in lines[: AT_ONCE[FILES]]:
                assert line.recv(12, socket.MSG_PEEK) == b"HTTP/1.1 200"
            yield ENOUGH

    flood(running, before, attack)
