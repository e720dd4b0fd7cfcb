"""Floods from the outside: a real server, raw sockets, no account. Nothing grows, and an honest player is answered."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import ExitStack

import pytest

from tests.conftest import Running, start
from tests.server.flooding import connect, flood, memory
from tests.server.people import Device, Person, table_for
from tests.server.raw import BINARY, PING, PONG, TEXT, RawSocket, frame

CHUNKED = b"POST /api/guests HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"
GET = b"GET /healthz HTTP/1.1\r\nHost: x\r\n"
# It takes seconds to be answered, in another process.
SLOW = b"GET /print/extreme.pdf HTTP/1.1\r\nHost: x\r\n\r\n"

# What is said first, and what then never ends.
REQUESTS = {
    "many trailers": (CHUNKED + b"0\r\n", b"a: b\r\n"),
    "one endless trailer": (CHUNKED + b"0\r\na: ", b"b"),
    "many header lines": (GET, b"a: b\r\n"),
    "one endless header line": (GET + b"a: ", b"b"),
    "an endless address": (b"GET /", b"a"),
    "empty lines": (b"", b"\r\n"),
    "a body without an end": (CHUNKED, b"400\r\n" + b"a" * 1024 + b"\r\n"),
    "a body in bytes": (CHUNKED, b"1\r\na\r\n"),
    "a chunk with an endless extension": (CHUNKED + b"1;", b"a"),
    "requests before the first is answered": (b"", GET + b"\r\n"),
    "a head before the first is answered": (SLOW + GET, b"a: b\r\n"),
    "what follows a change to another protocol": (GET + b"Connection: upgrade\r\nUpgrade: x\r\n\r\n", b"a"),
    "what follows nonsense": (b"NONSENSE\r\n\r\n", b"a"),
}  # fmt: skip


@pytest.fixture(scope="module")
def running() -> Iterator[Running]:
    with start(module="tests.server.lean") as running:
        yield running


@pytest.fixture(scope="module")
def before(running: Running, table: str) -> int:
    """What the server takes before anybody attacks it."""
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
def test_a_request_without_an_end_costs_nothing(running: Running, before: int, kind: str) -> None:
    first, drop = REQUESTS[kind]

    def attack() -> Iterator[int]:
        with connect(running) as line:
            line.sendall(first)
            yield from pour(line, drop)

    flood(running, before, attack)


FRAMES = {
    "pings": frame(b"", PING),
    "pongs": frame(b"", PONG),
    "long pings": frame(b"a" * 125, PING),
    "text": frame(b'{"type":"ping","at":1}'),
    "long text": frame(b"a" * 4096),
    "parts of text": frame(b"", TEXT, fin=False),
    "binary": frame(b"", BINARY),
    "frames that are not allowed": frame(b"", 3),
    "frames that are too long": frame(b"a" * 100_000),
}


@pytest.mark.parametrize("kind", FRAMES)
def test_frames_without_an_end_cost_nothing(running: Running, before: int, table: str, kind: str) -> None:
    def attack() -> Iterator[int]:
        with RawSocket(running.address, table) as line:
            line.send(b'{"type":"hello"}')
            yield from pour(line.socket, FRAMES[kind] * max(1, 60_000 // len(FRAMES[kind])))

    flood(running, before, attack)


def test_a_burst_on_many_connections_leaves_nothing_behind(running: Running, before: int, table: str) -> None:
    """As much as each may say at once, and then they stay: what they said is not kept."""
    burst = frame(b'{"type":"hello"}') + frame(b"a" * 4000) * 500

    def attack() -> Iterator[int]:
        with ExitStack() as open_lines:
            lines = [open_lines.enter_context(RawSocket(running.address, table)) for _ in range(50)]
            for line in lines:
                line.socket.sendall(burst)
                yield len(burst)

    flood(running, before, attack)
