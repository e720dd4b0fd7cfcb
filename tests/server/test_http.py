"""Timeouts that uvicorn lacks: for a request that never completes, and a response that is never read."""

from __future__ import annotations

import asyncio
import signal
import socket
from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

import pytest
import uvicorn
from uvicorn.server import ServerState

from tests.conftest import start
from tests.server.fakes import FakeAlarm, FakeClock
from tests.server.people import PATIENCE, Person
from ubongo.server.clock import Timestamp
from ubongo.server.http.bounded_http import REQUEST_WITHIN_S, Http, HttpLimits
from ubongo.server.http.flow_control import TAKES_WITHIN_S
from ubongo.server.rate_limit import ConnectionLimit
from ubongo.server.settings import Settings
from ubongo.server.throttled_log import ThrottledLog

HEAD = b"POST /api/guests HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n"


class Line(asyncio.Transport):
    """A transport to a client that reads as much as the test says."""

    def __init__(self) -> None:
        super().__init__()
        self.waiting = 0
        self.cut = False

    def get_write_buffer_size(self) -> int:
        return self.waiting

    def abort(self) -> None:
        self.cut = True

    def pause_reading(self) -> None: ...

    def set_write_buffer_limits(self, high: int | None = None, low: int | None = None) -> None: ...


class Loop:
    """As much of an event loop as a request needs, with a fake clock."""

    def __init__(self) -> None:
        self.clock = FakeClock()

    def call_later(self, seconds: float, call: Callable[..., None], *values: Any) -> FakeAlarm:
        return self.clock.wake(Timestamp(self.clock.now() + int(seconds * 1000)), lambda: call(*values))

    def create_task(self, work: Any) -> asyncio.Future[None]:
        work.close()
        return asyncio.Future()

    def pass_time(self, seconds: float) -> None:
        self.clock.pass_time(int(seconds * 1000))


@pytest.fixture
def loop() -> Loop:
    return Loop()


@pytest.fixture
async def http(loop: Loop) -> Http:
    async def app(scope: Any, receive: Any, send: Any) -> None: ...

    protocol = HttpLimits(Settings(), ConnectionLimit(0), ThrottledLog()).protocol()
    made = protocol(uvicorn.Config(app, log_config=None), ServerState(), {}, _loop=loop)  # type: ignore[arg-type] # a partial fake
    made.connection_made(Line())
    return made


def cut(http: Http) -> bool:
    line = http.transport
    assert isinstance(line, Line)
    return line.cut


@pytest.mark.anyio
@pytest.mark.parametrize("said", [b"", HEAD[:30], HEAD, HEAD + b"{"])
async def test_a_connection_without_a_complete_request_is_cut_off(http: Http, loop: Loop, said: bytes) -> None:
    for number in range(len(said)):
        http.data_received(said[number : number + 1])
    loop.pass_time(REQUEST_WITHIN_S - 1)
    assert not cut(http)
    loop.pass_time(1)
    assert cut(http)


@pytest.mark.anyio
async def test_a_complete_request_waits_for_its_response_without_timeout(http: Http, loop: Loop) -> None:
    http.data_received(HEAD + b"{" * 9)
    loop.pass_time(10 * REQUEST_WITHIN_S)
    assert not cut(http)


@pytest.mark.anyio
async def test_a_client_that_reads_nothing_is_cut_off_and_a_slow_one_is_not(http: Http, loop: Loop) -> None:
    line = http.transport
    assert isinstance(line, Line)
    http.data_received(HEAD + b"{" * 9)
    line.waiting = 100
    http.pause_writing()
    for _ in range(5):
        line.waiting -= 1
        loop.pass_time(TAKES_WITHIN_S)
        assert not line.cut
    loop.pass_time(TAKES_WITHIN_S)
    assert line.cut


def test_half_a_request_does_not_delay_shutdown() -> None:
    with start() as running:
        place = urlsplit(running.address)
        with socket.create_connection((place.hostname, place.port), timeout=PATIENCE) as slow:
            slow.sendall(HEAD)
            running.process.send_signal(signal.SIGTERM)
            assert running.process.wait(PATIENCE) == 0


def test_a_client_that_disconnects_midway_is_not_logged_as_an_error() -> None:
    with start() as running:
        place = urlsplit(running.address)
        with socket.create_connection((place.hostname, place.port), timeout=PATIENCE) as hasty:
            hasty.sendall(HEAD)
        Person(running.address, "Ann")
        running.process.terminate()
        assert running.process.communicate()[1] == ""
