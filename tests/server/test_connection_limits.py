"""Connection limits by address, and what is logged about clients that violate HTTP."""

from __future__ import annotations

import json
import socket
from contextlib import ExitStack

import pytest
from websockets.exceptions import InvalidStatus

from tests.conftest import Running, start
from tests.server.flooding import connect
from tests.server.people import Device, Person, table_for
from tests.server.raw import RawSocket, frame
from ubongo.server.clock import Timestamp
from ubongo.server.rate_limit import MOST_REFUSED_CONNECTIONS
from ubongo.server.throttled_log import EVERY, ThrottledLog

GET = b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"


def ask(line: socket.socket, request: bytes = GET) -> bytes:
    """The response until the connection ends; empty, if it is cut off."""
    said = b""
    try:
        line.sendall(request)
        while more := line.recv(65_536):
            said += more
    except ConnectionError:
        pass
    return said


def answers(line: socket.socket) -> bool:
    """Whether a request is answered on a connection that stays open."""
    line.sendall(GET)
    said = b""
    while not said.endswith(b"}"):
        said += line.recv(65_536)
    return said.startswith(b"HTTP/1.1 200")


def test_connections_from_one_address_are_limited() -> None:
    with start("--connections", "5") as running, ExitStack() as lines:
        table = table_for(Person(running.address, "Ann"), start=False, seats=2)
        held = [lines.enter_context(RawSocket(running.address, table)) for _ in range(3)]
        kept = [lines.enter_context(connect(running)) for _ in range(2)]
        assert all(answers(line) for line in kept), "so many are welcome"
        refused = ask(lines.enter_context(connect(running)))
        head, _, body = refused.partition(b"\r\n\r\n")
        assert head.startswith(b"HTTP/1.1 429")
        assert json.loads(body)["code"] == "too_many_connections"
        assert all(answers(line) for line in kept), "and they stay"
        held.pop().socket.close()
        _until_served(running)


def _until_served(running: Running) -> None:
    """Waits until the server has noticed the closed connections."""
    while True:
        with connect(running) as line:
            if answers(line):
                return


def test_far_too_many_connections_are_dropped_without_a_response() -> None:
    with start("--connections", "1") as running, ExitStack() as lines:
        kept = lines.enter_context(connect(running))
        assert answers(kept)
        waiting = [lines.enter_context(connect(running)) for _ in range(MOST_REFUSED_CONNECTIONS)]
        assert ask(lines.enter_context(connect(running))) == b""
        assert ask(waiting[0]).startswith(b"HTTP/1.1 429")
        assert answers(kept)


def test_sockets_are_counted_by_the_address_behind_the_proxy() -> None:
    with start("--connections", "2", "--proxy", "127.0.0.1") as running:
        table = table_for(Person(running.address, "Ann"), start=False, seats=2)
        one, other = ({"x-forwarded-for": address} for address in ("192.0.2.1", "192.0.2.2"))
        for _ in range(2):
            Device(running.address, table, headers=one)
        with pytest.raises(InvalidStatus) as refused:
            Device(running.address, table, headers=one)
        assert refused.value.response.status_code == 429
        assert Device(running.address, table, headers=other).table["phase"] == "gather"


def test_data_sent_before_the_response_closes_the_connection_after_it() -> None:
    with start() as running, connect(running) as hasty:
        said = ask(hasty, GET * 3)
        assert said.count(b"HTTP/1.1 200") == 1
        assert b"connection: close" in said
        with connect(running) as patient:
            assert answers(patient)
            assert answers(patient), "one after the other is well"


def test_a_trailer_is_not_a_request_header() -> None:
    with start() as running, connect(running) as sly:
        token = Person(running.address, "Ann").token.encode()
        head = b"GET /api/guests/me HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n"
        said = ask(sly, head + b"Transfer-Encoding: chunked\r\n\r\n0\r\nAuthorization: Bearer " + token + b"\r\n\r\n")
        assert said.startswith(b"HTTP/1.1 401")


def test_unreadable_requests_are_logged_once_a_minute(caplog: pytest.LogCaptureFixture) -> None:
    throttled = ThrottledLog()
    for now in range(0, 2 * EVERY, 1000):
        throttled.note("frame")
        throttled.note("request")
        throttled.tidy(Timestamp(now))
    assert [record.times for record in caplog.records] == [1, 1, 60, 60]  # type: ignore[attr-defined] # an extra


def test_the_server_logs_many_rejections_in_one_line() -> None:
    with start() as running:
        table = table_for(Person(running.address, "Ann"), start=False, seats=2)
        for _ in range(20):
            with connect(running) as rude:
                assert ask(rude, b"NONSENSE\r\n\r\n").startswith(b"HTTP/1.1 400")
            with RawSocket(running.address, table) as odd:
                odd.socket.sendall(frame(b"", 3))
                assert ask(odd.socket, b"")
        assert running.process.stderr is not None
        first = json.loads(running.process.stderr.readline())
        running.process.terminate()
        rest = running.process.communicate()[1].splitlines()
    assert "connections were closed" in first["event"]
    assert len(rest) <= 1, "one for HTTP and one for frames"
