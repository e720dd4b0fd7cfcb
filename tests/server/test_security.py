"""docs/security.md: every threat has a test; plus the tests of threats that fit nowhere else."""

from __future__ import annotations

import ast
import asyncio
import re
import stat
from pathlib import Path

import pytest
from litestar.exceptions import WebSocketDisconnect
from litestar.testing import TestClient

from bench.siege.abuses import ABUSES
from bench.siege.floods import FLOODS
from tests.server.asgi_socket import build_with_socket
from tests.server.fakes import FakeClock
from tests.server.people import PATIENCE
from ubongo.games import GAMES
from ubongo.server.app import build
from ubongo.server.clock import Timestamp
from ubongo.server.lobby.lobby import Lobby
from ubongo.server.lobby.lobby_table import LobbyTable
from ubongo.server.lobby.upkeep import BATCH
from ubongo.server.rate_limit import AddressRateLimit, NewcomerRateLimit, TokenBucket, household
from ubongo.server.services import ARCHIVE_EVERY_S
from ubongo.server.settings import Settings
from ubongo.server.store.entities import Guest
from ubongo.server.store.timekeeping import DAY

TESTS = Path(__file__).parent.parent
DOCUMENT = (TESTS.parent / "docs" / "security.md").read_text(encoding="utf-8")


def known_tests() -> set[str]:
    trees = [ast.parse(path.read_text(encoding="utf-8")) for path in TESTS.rglob("test_*.py")]
    kinds = ast.FunctionDef | ast.AsyncFunctionDef
    return {node.name for tree in trees for node in ast.walk(tree) if isinstance(node, kinds)}


def test_every_threat_has_a_test_that_exists() -> None:
    threats = DOCUMENT.partition("\n## ")[0]
    lines = [line for line in threats.splitlines() if line.startswith("| ")][2:]
    assert len(lines) > 25
    known = known_tests()
    for line in lines:
        named = re.findall(r"`(test_\w+)`", line.split("|")[3])
        assert named, line
        assert set(named) <= known, line


def test_every_attack_of_the_siege_has_a_short_version() -> None:
    section = DOCUMENT.partition("\n## The siege\n")[2].partition("\n## ")[0]
    lines = [line.split("|") for line in section.splitlines() if line.startswith("| ")][2:]
    attacks = [name for line in lines for name in re.findall(r"`([\w-]+)`", line[1])]
    assert sorted(attacks) == sorted({*FLOODS, *ABUSES})
    known = known_tests()
    for line in lines:
        named = re.findall(r"`(test_\w+)`", line[3])
        assert named, line
        assert set(named) <= known, line


def test_only_the_owner_can_read_the_file(tmp_path: Path) -> None:
    with TestClient(build(tmp_path, Settings(db=tmp_path / "log.db"))):
        modes = {path.name: stat.S_IMODE(path.stat().st_mode) & 0o077 for path in tmp_path.iterdir()}
    assert modes
    assert set(modes.values()) == {0}


@pytest.mark.parametrize("started", [False, True])
def test_the_number_of_open_tables_is_limited(tmp_path: Path, started: bool) -> None:
    with TestClient(build(tmp_path, Settings(db=tmp_path / "log.db", tables_per_guest=5))) as client:
        client.post("/api/guests", json={"name": "Ann"})
        tables = [client.post("/api/tables", json={"game": "solo"}).json()["table"] for _ in range(5)]
        for table in tables if started else ():
            client.post(f"/api/tables/{table}/start")
        assert client.post("/api/tables", json={"game": "solo"}).json()["code"] == "too_many_tables"
        client.post(f"/api/tables/{tables[0]}/leave")
        assert client.post("/api/tables", json={"game": "solo"}).status_code == 201


def test_the_limit_of_open_tables_holds_for_concurrent_requests(tmp_path: Path) -> None:
    with TestClient(build(tmp_path, Settings(db=tmp_path / "log.db", tables_per_guest=5))) as client:
        hall: Lobby = client.app.state.lobby
        ann = Guest(client.post("/api/guests", json={"name": "Ann"}).json()["player"], "Ann", Timestamp(0))

        async def all_at_once() -> list[LobbyTable | BaseException]:
            asked = [hall.open_table(ann, "extreme", 2, GAMES["extreme"].OPTIONS(), (), False, True) for _ in range(20)]
            return await asyncio.gather(*asked, return_exceptions=True)

        answers = client.blocking_portal.call(all_at_once)
        assert [isinstance(answer, LobbyTable) for answer in answers] == [True] * 5 + [False] * 15


def test_a_connection_without_hello_is_closed(tmp_path: Path) -> None:
    clock = FakeClock()
    with TestClient(build_with_socket(tmp_path, Settings(db=tmp_path / "log.db"), clock)) as client:
        connections = client.app.state.services.connections
        with client.websocket_connect("/ws/tables/any") as socket:
            socket.send_text('{"type": "ping", "at": 1}')
            socket.receive_text()
            clock.time += 9_999
            client.blocking_portal.call(connections.tidy)
            assert len(connections.open) == 1
            clock.time += 1
            client.blocking_portal.call(connections.tidy)
            with pytest.raises(WebSocketDisconnect) as closed:
                socket.receive_text(timeout=PATIENCE)
            assert closed.value.code == 4408


def test_after_hello_a_connection_waits_for_a_busy_log_without_timeout(tmp_path: Path) -> None:
    clock = FakeClock()
    with TestClient(build_with_socket(tmp_path, Settings(db=tmp_path / "log.db"), clock)) as client:
        client.post("/api/guests", json={"name": "Ann"})
        key = client.post("/api/tables", json={"game": "extreme"}).json()["table"]
        server, portal = client.app.state.services, client.blocking_portal
        busy, known = portal.call(asyncio.Event), server.lobby.guests.identify

        async def known_later(token: str | None) -> Guest | None:
            await busy.wait()
            found: Guest | None = await known(token)
            return found

        server.lobby.guests.identify = known_later
        with client.websocket_connect(f"/ws/tables/{key}") as socket:
            socket.send_text('{"type": "hello"}')
            while [connection.silent for connection in server.connections.open] != [False]:
                portal.call(asyncio.sleep, 0.001)
            clock.time += 60_000
            portal.call(server.connections.tidy)
            portal.call(busy.set)
            assert '"type":"welcome"' in socket.receive_text(timeout=PATIENCE)


def test_a_bucket_refills() -> None:
    bucket = TokenBucket(rate=10, burst=2, now=Timestamp(0))
    assert [bucket.take(Timestamp(0)) for _ in range(3)] == [True, True, False]
    assert [bucket.take(Timestamp(100)), bucket.take(Timestamp(100))] == [True, False]
    assert not bucket.is_full(Timestamp(150))
    assert bucket.is_full(Timestamp(300))


def test_a_client_in_debt_waits_until_the_bucket_has_refilled() -> None:
    addresses = AddressRateLimit(10, 20)
    addresses.charge("192.0.2.7", 25, Timestamp(0))
    assert not addresses.take("192.0.2.7", Timestamp(500))
    assert addresses.take("192.0.2.7", Timestamp(700))
    assert addresses.take("198.51.100.1", Timestamp(0)), "others do not"
    addresses.charge("192.0.2.7", 1_000_000, Timestamp(1000))
    assert addresses.take("192.0.2.7", Timestamp(4000)), "nobody is locked out for long"


@pytest.mark.parametrize(
    ("address", "whose"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("2001:db8::1", "2001:0db8:0000:0000"),
        ("2001:db8:0:0:ffff::9", "2001:0db8:0000:0000"),
        # An IPv4 client as written by a proxy that listens on a dual-stack socket.
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("testclient", "testclient"),
    ],
)
def test_an_ipv6_household_shares_one_bucket(address: str, whose: str) -> None:
    assert household(address) == whose


def test_no_address_creates_more_guests_in_a_day_than_expire_in_one() -> None:
    settings = Settings()
    newcomers = NewcomerRateLimit(settings.guests_rate, settings.guests_burst)
    made = sum(newcomers.take("192.0.2.7", Timestamp(now)) for now in range(0, DAY, 400))
    assert made < BATCH * DAY // (ARCHIVE_EVERY_S * 1000)
    for here in ("127.0.0.1", "::1", "::ffff:127.0.0.1"):
        assert all(newcomers.take(here, Timestamp(DAY)) for _ in range(1000))


def test_addresses_are_dropped_when_their_buckets_are_full() -> None:
    addresses = AddressRateLimit(rate=1, burst=1)
    assert [
        addresses.take("a", Timestamp(0)),
        addresses.take("a", Timestamp(0)),
        addresses.take("b", Timestamp(0)),
    ] == [
        True,
        False,
        True,
    ]
    addresses.tidy(Timestamp(1000))
    assert not addresses._buckets


@pytest.mark.parametrize(
    ("proxies", "peer", "forwarded", "address"),
    [
        ((), "192.0.2.7", "198.51.100.1", "192.0.2.7"),
        (("10.0.0.1",), "192.0.2.7", "198.51.100.1", "192.0.2.7"),
        (("10.0.0.1",), "10.0.0.1", "198.51.100.1", "198.51.100.1"),
        (("10.0.0.1",), "10.0.0.1", "203.0.113.9, 198.51.100.1", "198.51.100.1"),
        (("10.0.0.1", "10.0.0.2"), "10.0.0.1", "203.0.113.9, 198.51.100.1, 10.0.0.2", "198.51.100.1"),
        (("10.0.0.1",), "10.0.0.1", None, "10.0.0.1"),
        (("10.0.0.1",), "10.0.0.1", "", "10.0.0.1"),
    ],
)
def test_only_configured_proxies_are_trusted(
    proxies: tuple[str, ...], peer: str, forwarded: str | None, address: str
) -> None:
    assert Settings(proxies=proxies).address(peer, forwarded) == address
