"""Which host names, origins and proxies a server accepts."""

from __future__ import annotations

import json
import re
from pathlib import Path

import httpx
import pytest

from tests.conftest import start
from tests.server.fakes import FakeClock
from tests.server.flooding import connect
from tests.server.people import PATIENCE, TRUST, Device, Person, table_for
from ubongo.server.rate_limit import AddressRateLimit, ConnectionLimit
from ubongo.server.settings import Settings
from ubongo.server.throttled_log import EVERY, ThrottledLog
from ubongo.server.wire.admission import Admission

PUBLIC = "https://play.example.org"


@pytest.mark.parametrize(
    ("host", "known"),
    [
        (None, True),
        ("", True),
        ("127.0.0.1:8000", True),
        ("[::1]:8000", True),
        ("203.0.113.9", True),
        ("localhost:8000", True),
        ("LOCALHOST", True),
        ("raspi:8000", True),
        ("raspi.local", True),
        ("ubongo.games.svc.cluster.local:80", True),
        ("nas.home.arpa", True),
        ("play.example.org", True),
        ("play.example.org.", True),
        ("Play.Example.org:443", True),
        ("evil.example", False),
        ("play.example.org.evil.example", False),
        ("evil.play.example.org", False),
        ("local.evil.example", False),
        ("evil.example:8000", False),
        ("127.0.0.1.evil.example", False),
        ("127.0.0.1, evil.example", False),
        ("evil.example@127.0.0.1", False),
        ("127.0.0.1/evil", False),
        ("[::1", False),
        ("raspi:many", True),
        ("a" * 3000, False),
        ("a b", False),
        ("<script>", False),
    ],
)
def test_a_host_is_an_address_a_local_name_or_the_public_name(host: str | None, known: bool) -> None:
    assert Settings(public_url=PUBLIC).serves(host) is known


def test_the_name_to_listen_on_is_allowed() -> None:
    assert Settings(host="games.example.org").serves("games.example.org:8000")
    assert not Settings().serves("games.example.org:8000")


@pytest.mark.parametrize(
    ("public", "host", "origin", "ours"),
    [
        (None, "127.0.0.1:8000", None, True),
        (None, "127.0.0.1:8000", "http://127.0.0.1:8000", True),
        (None, "127.0.0.1:8000", "http://127.0.0.1", False),
        (None, "nas.local", "https://nas.local", True),
        (None, "nas.local:80", "http://nas.local", True),
        (None, "nas.local", "ftp://nas.local", False),
        (None, "nas.local", "null", False),
        (None, "", "null", False),
        (PUBLIC, "play.example.org", PUBLIC, True),
        (PUBLIC, "play.example.org", "https://PLAY.example.org", True),
        (f"{PUBLIC}:443/", "play.example.org", PUBLIC, True),
        (PUBLIC, "play.example.org", "http://play.example.org", False),
        (PUBLIC, "play.example.org", "https://play.example.org:8443", False),
        (PUBLIC, "play.example.org", "https://evil.example", False),
        (PUBLIC, "evil.example", "https://evil.example", False),
    ],
)
def test_a_page_is_ours_by_scheme_host_and_port(public: str | None, host: str, origin: str | None, ours: bool) -> None:
    assert Settings(public_url=public).ours(origin, host) is ours


def ask(address: str, method: str = "GET", path: str = "healthz", **headers: str) -> httpx.Response:
    body = {"name": "Ann"} if method == "POST" else None
    return httpx.request(method, f"{address}{path}", json=body, headers=headers, timeout=PATIENCE, verify=TRUST)


def test_a_foreign_host_name_is_refused() -> None:
    """DNS rebinding: the browser takes us for the other site, and lets its page read our responses."""
    evil = {"host": "evil.example", "origin": "http://evil.example"}
    with start() as running:
        table = table_for(Person(running.address, "Ann"), start=False, seats=2)
        for method, path in (("GET", ""), ("GET", "api/tables"), ("POST", "api/guests"), ("GET", "print/extreme.pdf")):
            answer = ask(running.address, method, path, **evil)
            assert (answer.status_code, answer.json()["code"]) == (400, "unknown_host")
        for hosts in (b"Host: evil.example", b"Host: 127.0.0.1\r\nHost: evil.example"):
            with connect(running) as line:
                line.sendall(
                    b"GET /ws/tables/%b HTTP/1.1\r\n%b\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                    b"Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n\r\n"
                    % (table.encode(), hosts)
                )
                assert line.recv(65_536).startswith(b"HTTP/1.1 400")
        assert running.process.stderr is not None
        assert "--public-url" in running.process.stderr.readline()


def test_over_https_the_cookie_is_host_only_and_old_cookies_still_work() -> None:
    with start("--public-url", PUBLIC) as running:
        here = {"host": "play.example.org", "origin": PUBLIC}
        answer = ask(running.address, "POST", "api/guests", **here)
        token = answer.json()["token"]
        assert answer.headers["set-cookie"].startswith(f"__Host-ubongo={token};")
        assert answer.headers["strict-transport-security"].startswith("max-age=")
        by_http = here | {"origin": "http://play.example.org"}
        assert ask(running.address, "POST", "api/guests", **by_http).status_code == 403
        bo = Person(running.address, "Bo")
        table = table_for(bo, start=False, seats=2)
        for cookie in (f"ubongo={bo.token}", f"__Host-ubongo={bo.token}", f"ubongo={token}; __Host-ubongo={bo.token}"):
            assert ask(running.address, path="api/guests/me", cookie=cookie).json()["name"] == "Bo"
            assert Device(running.address, table, headers={"cookie": cookie}).seat == 0


def test_without_https_no_header_requires_it() -> None:
    with start() as running:
        answer = ask(running.address, "POST", "api/guests")
        assert answer.headers["set-cookie"].startswith("ubongo=")
        assert "strict-transport-security" not in answer.headers


def test_an_unconfigured_proxy_is_logged() -> None:
    with start() as running:
        assert ask(running.address, **{"x-forwarded-for": "198.51.100.1"}).status_code == 200
        assert running.process.stderr is not None
        told = json.loads(running.process.stderr.readline())
        assert (told["level"], "--proxy" in told["event"]) == ("warning", True)
        assert "127.0.0.1" not in str(told)


@pytest.mark.parametrize("header", ["x-forwarded-for", "forwarded", "x-real-ip"])
def test_only_a_nearby_unconfigured_proxy_is_logged(caplog: pytest.LogCaptureFixture, header: str) -> None:
    throttled, clock = ThrottledLog(), FakeClock()
    door = Admission(Settings(proxies=("127.0.0.1",)), AddressRateLimit(0, 0), ConnectionLimit(0), throttled, clock)
    told = []
    for peer in ("127.0.0.1", "8.8.8.8", "2606:4700::1111", "10.0.0.7", "::1", "fd00::7"):
        door.check(peer, {header: "198.51.100.1"}.get, changes=False)
        clock.time += EVERY
        throttled.tidy(clock.now())
        told.append(len(caplog.records))
    assert told == [0, 0, 0, 1, 2, 3]


@pytest.mark.parametrize("file", ["ubongo.service", "Dockerfile"])
def test_the_unit_and_the_image_name_their_proxy(file: str) -> None:
    text = (Path(__file__).parent.parent.parent / "deploy" / file).read_text(encoding="utf-8")
    [named] = re.findall(r'^(?:ENV |Environment=")UBONGO_PROXY=([^"\n]+)', text, re.MULTILINE)
    assert Settings(proxies=tuple(named.split())).contradiction() is None
