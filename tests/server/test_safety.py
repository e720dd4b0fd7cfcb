"""Misbehaving clients are answered or dropped, and other players do not notice."""

from __future__ import annotations

import random
import signal
import socket
from collections.abc import Iterator
from urllib.parse import urlsplit

import httpx
import pytest

from tests.conftest import Running, start
from tests.server import people
from tests.server.people import Device, Person, table_for
from tests.server.raw import BINARY, CLOSE, PING, PONG, TEXT, RawSocket, frame
from ubongo.server.rate_limit import MOST_REFUSED_REQUESTS


@pytest.fixture(scope="module")
def running() -> Iterator[Running]:
    with start("--moves-rate", "0") as running:
        yield running


class Bystanders:
    """Two players at another table, who must not be disturbed."""

    def __init__(self, address: str) -> None:
        ann, bo = Person(address, "Ann"), Person(address, "Bo")
        # Long enough that the round outlasts the test.
        self.table = table_for(ann, bo, options={"hourglass_s": 3600})
        self.people = (ann, bo)
        self.devices = [person.sit_at(self.table) for person in self.people]
        for device in self.devices:
            device.ask(type="ready")
        for device in self.devices:
            device.see(lambda table: table["phase"] == "play")

    def play_on(self) -> bool:
        return all(device.ask(**device.solution()[0])["type"] == "update" for device in self.devices)


@pytest.fixture
def bystanders(running: Running) -> Bystanders:
    return Bystanders(running.address)


@pytest.fixture
def table(running: Running) -> str:
    return table_for(Person(running.address, "Cy"), start=False, seats=2)


def test_a_client_that_does_not_read_is_dropped_before_it_uses_memory(
    running: Running, table: str, bystanders: Bystanders
) -> None:
    pings = b"".join(frame(b'{"type":"ping","at":1}') for _ in range(1000))
    with RawSocket(running.address, table, receive_buffer=4096) as slow:
        slow.send(b'{"type":"hello"}')
        assert _sends_until_dropped(slow, pings, 1000)
    assert bystanders.play_on()


@pytest.mark.parametrize("nothing", [frame(b"", PING), frame(b"", PONG), frame(b"", TEXT, fin=False)])
def test_a_flood_of_meaningless_messages_is_cut_off_too(nothing: bytes) -> None:
    with start("--moves-rate", "10") as running:
        table = table_for(Person(running.address, "Cy"), start=False, seats=2)
        with RawSocket(running.address, table) as noisy:
            noisy.send(b'{"type":"hello"}')
            noisy.ping(b"before")
            with pytest.raises(ConnectionError):
                _flood(noisy, nothing)


def _flood(noisy: RawSocket, nothing: bytes) -> None:
    """Reads all answers and keeps sending, so that a disconnection is due only to what was sent."""
    for number in range(MOST_REFUSED_REQUESTS // 50):
        noisy.socket.sendall(nothing * 100)
        noisy.ping(b"after %d" % number)


def _sends_until_dropped(slow: RawSocket, frames: bytes, most: int) -> bool:
    try:
        for _ in range(most):
            slow.socket.sendall(frames)
    except ConnectionError:
        return True
    return False


@pytest.mark.parametrize("seed", range(4))
def test_random_bytes_do_not_disturb_other_players(
    running: Running, table: str, bystanders: Bystanders, seed: int
) -> None:
    luck = random.Random(seed)
    for _ in range(25):
        with RawSocket(running.address, table) as noisy:
            noisy.send(b'{"type":"hello"}')
            try:
                for _ in range(luck.randrange(1, 8)):
                    payload = luck.randbytes(luck.choice([0, 1, 20, 125, 126, 4000, 5000]))
                    match luck.randrange(4):
                        case 0:
                            noisy.socket.sendall(payload)
                        case 1:
                            noisy.send(payload, luck.choice([TEXT, BINARY, PING, CLOSE, 0, 3, 11]), luck.random() < 0.7)
                        case 2:
                            noisy.send(_almost(luck))
                        case 3:
                            noisy.socket.sendall(frame(payload)[: luck.randrange(len(payload) + 6)])
            except ConnectionError:
                continue
    assert bystanders.play_on()
    assert running.process.poll() is None


def _almost(luck: random.Random) -> bytes:
    """A message with a few corrupted bytes."""
    said = bytearray(b'{"type":"ask","n":%d,"move":{"type":"place","piece":0,"turn":1,"at":[1,2]}}' % luck.randrange(9))
    for _ in range(luck.randrange(4)):
        said[luck.randrange(len(said))] = luck.randrange(256)
    return bytes(said)


@pytest.mark.parametrize(
    "request_",
    [
        b"GET /ws/tables/x HTTP/1.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n",
        b"GET /ws/tables/x HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nOrigin: x\r\n\r\n",
        b"POST /ws/tables/x HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n",
        b"GET /elsewhere HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n",
        b"GET //[x HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n",
        b"NONSENSE\r\n\r\n",
        b"\x16\x03\x01\x02\x00\x01\x00\x01",
        b"GET / HTTP/1.1\r\nX: " + b"x" * 100_000 + b"\r\n\r\n",
    ],
)
def test_a_bad_handshake_is_refused(running: Running, bystanders: Bystanders, request_: bytes) -> None:
    place = urlsplit(running.address)
    with socket.create_connection((place.hostname, place.port), timeout=people.PATIENCE) as rude:
        rude.sendall(request_)
        rude.shutdown(socket.SHUT_WR)
        answer = rude.recv(100)
    assert answer[9:10] in (b"4", b""), answer
    assert bystanders.play_on()


def test_connections_are_closed_with_a_code_before_shutdown() -> None:
    with start() as running:
        ann = Person(running.address, "Ann")
        devices = [ann.sit_at(table_for(ann, start=False, seats=2)) for _ in range(2)]
        running.process.send_signal(signal.SIGTERM)
        assert [device.closed() for device in devices] == [1012, 1012]
        for device in devices:
            assert device.heard[-1]["type"] == "bye"
            assert device.heard[-1]["retry_ms"] > 0
        rest, complaints = running.process.communicate()
        assert (running.process.returncode, rest, complaints) == (0, "", "")


def test_a_dead_connection_is_noticed() -> None:
    """The server needs up to 15 s to notice."""
    with start() as running:
        ann = Person(running.address, "Ann")
        table = table_for(ann, start=False, seats=2)
        watching = Device(running.address, table)
        with RawSocket(running.address, table) as silent:
            silent.send(b'{"type":"hello","token":"%b"}' % ann.token.encode())
            watching.see(lambda table: table["seats"][0]["present"])
            # A suspended process answers no ping; a socket that nobody reads from behaves the same.
            watching.see(lambda table: not table["seats"][0]["present"])


def test_nothing_secret_is_written_anywhere(running: Running, bystanders: Bystanders) -> None:
    assert bystanders.play_on()
    kept = b"".join(path.read_bytes() for path in running.db.parent.iterdir())
    page = httpx.get(f"{running.address}metrics", timeout=people.PATIENCE).text
    for person in bystanders.people:
        assert person.token.encode() not in kept, "the file knows hashes only"
        assert person.token not in page
        assert person.player not in page
    for device in bystanders.devices:
        told = str(device.heard)
        assert not [person for person in bystanders.people if person.token in told]
        assert "127.0.0.1" not in told
