"""The server: its response headers, how it refuses, how it starts and stops."""

import errno
import os
import shlex
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from litestar import Litestar, get
from litestar.params import FromPath
from litestar.testing import TestClient

from tests.conftest import Running, start
from ubongo import __version__
from ubongo.server.app import build
from ubongo.server.http.security_headers import SECURITY_HEADERS
from ubongo.server.settings import Settings
from ubongo.server.wire.listener import address, advice, listen

Client = TestClient[Litestar]


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Client]:
    """One server for all tests that only read."""
    folder = tmp_path_factory.mktemp("server")
    static = folder / "static"
    (static / "assets").mkdir(parents=True)
    (static / "index.html").write_text("<!doctype html><title>Ubongo</title>")
    (static / "favicon.svg").write_text("<svg/>")
    (static / "assets" / "index-abc123.js").write_text("export {};")
    (folder / "secret.txt").write_text("not for you")
    with TestClient(build(static, Settings(db=folder / "log.db")), raise_server_exceptions=False) as client:
        yield client


def test_healthz_answers(client: Client) -> None:
    answer = client.get("/healthz")
    well = {"status": "ok", "version": __version__, "log": "ok", "damage": "ok", "news": "ok"}
    assert (answer.status_code, answer.json()) == (200, {**well, "process": os.getpid()})


@pytest.mark.parametrize("path", ["/", "/healthz", "/assets/index-abc123.js", "/nothing", "/schema/openapi.json"])
def test_every_answer_is_secured(client: Client, path: str) -> None:
    headers = client.get(path).headers
    assert {name: headers.get(name) for name in SECURITY_HEADERS} == SECURITY_HEADERS
    assert "unsafe" not in headers["content-security-policy"]


@pytest.mark.parametrize(
    ("path", "caching", "kind"),
    [
        ("/", "no-cache", "text/html"),
        ("/index.html", "no-cache", "text/html"),
        ("/favicon.svg", "no-cache", "image/svg+xml"),
        ("/assets/index-abc123.js", "public, max-age=31536000, immutable", "text/javascript"),
    ],
)
def test_only_files_with_a_hash_in_their_name_are_cached(client: Client, path: str, caching: str, kind: str) -> None:
    answer = client.get(path)
    assert answer.status_code == 200
    assert answer.headers["cache-control"] == caching
    text = kind.startswith("text/")
    assert answer.headers["content-type"] == (f"{kind}; charset=utf-8" if text else kind)


@pytest.mark.parametrize("coding", ["gzip", "identity"])
def test_the_page_is_compressed_for_clients_that_accept_it(client: Client, coding: str) -> None:
    answer = client.get("/", headers={"accept-encoding": coding})
    assert answer.headers.get("content-encoding", "identity") == coding
    assert answer.text == "<!doctype html><title>Ubongo</title>"


def test_a_page_that_has_not_changed_is_not_sent_again(client: Client) -> None:
    tag = client.get("/").headers["etag"]
    again = client.get("/", headers={"if-none-match": tag})
    assert (again.status_code, again.content) == (304, b"")
    assert client.get("/", headers={"if-none-match": '"another"'}).status_code == 200


@pytest.mark.parametrize(
    ("method", "path", "status", "code"),
    [
        ("GET", "/api/nothing", 404, "not_found"),
        ("GET", "/nothing", 404, "not_found"),
        ("GET", "/assets/index-old.js", 404, "not_found"),
        ("GET", "/assets/", 404, "not_found"),
        ("GET", "/%2e%2e/secret.txt", 404, "not_found"),
        ("GET", "/assets/..%2f..%2fsecret.txt", 404, "not_found"),
        ("GET", "/%00", 404, "not_found"),
        ("GET", f"/assets/{'x' * 300}", 404, "not_found"),
        ("POST", "/healthz", 405, "method_not_allowed"),
    ],
)
def test_refusals_have_one_shape(client: Client, method: str, path: str, status: int, code: str) -> None:
    answer = client.request(method, path)
    assert answer.status_code == status
    assert answer.json() == {"error": answer.json()["error"], "code": code}
    assert answer.json()["error"].endswith(".")


def test_a_person_who_mistypes_an_address_gets_the_page_and_a_program_a_refusal(client: Client) -> None:
    answer = client.get("/nothing", headers={"accept": "text/html,*/*;q=0.8"})
    assert (answer.status_code, answer.headers["cache-control"]) == (404, "no-store")
    assert answer.text == client.get("/").text
    for path in ("/api/nothing", "/assets/index-old.js"):
        assert client.get(path, headers={"accept": "text/html"}).json()["code"] == "not_found"


def test_an_internal_error_is_logged_and_not_shown(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    @get("/broken/{key:str}", sync_to_thread=False)
    def broken(key: FromPath[str]) -> str:
        raise RuntimeError(f"the inside of {len(key)}")

    app = build(tmp_path, Settings(db=tmp_path / "log.db"))
    app.register(broken)
    with TestClient(app, raise_server_exceptions=False) as client:
        answer = client.get("/broken/secret")
    assert answer.status_code == 500
    assert answer.json()["code"] == "internal_server_error"
    assert "inside" not in answer.text
    assert "GET /broken/{key} failed" in caplog.text
    assert "secret" not in caplog.text, "an address may be a table's link"


def test_the_api_describes_itself(client: Client) -> None:
    description = client.get("/schema/openapi.json").json()
    assert description["info"] == {"title": "Ubongo", "version": __version__}
    assert {"/healthz", "/api/guests", "/api/games", "/api/tables/{table}/join"} <= set(description["paths"])


@pytest.mark.parametrize(
    ("host", "shown"),
    [
        ("127.0.0.1", "http://127.0.0.1:8000/"),
        ("0.0.0.0", "http://127.0.0.1:8000/"),
        ("::", "http://[::1]:8000/"),
        ("::1", "http://[::1]:8000/"),
        ("example.test", "http://example.test:8000/"),
    ],
)
def test_the_server_names_an_address_that_can_be_opened(host: str, shown: str) -> None:
    assert address(host, 8000) == shown


@pytest.mark.parametrize(
    ("host", "port", "why"),
    [
        ("127.0.0.1", 65_536, "a port is a number from 0 to 65535."),
        ("127.0.0.1", -1, "a port is a number from 0 to 65535."),
        ("no host.invalid", 0, "there is no host 'no host.invalid'."),
        ("a" * 70 + ".invalid", 0, "there is no host"),
        ("192.0.2.1", 0, "this machine does not have that address."),
    ],
)
def test_the_server_says_why_it_cannot_listen(
    host: str, port: int, why: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit, match=r"^2$"):
        listen(host, port)
    error = capsys.readouterr().err
    assert error.startswith(f"ubongo serve: cannot listen on {host}:{port}: {why}")
    assert error.count("\n") == 1


def test_the_server_says_that_a_port_is_taken(capsys: pytest.CaptureFixture[str]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        taken: int = other.getsockname()[1]
        with pytest.raises(SystemExit, match=r"^2$"):
            listen("127.0.0.1", taken)
    assert f"the port is taken. Another one: --port {taken + 1}" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("problem", "why"),
    [
        (OSError(errno.EACCES, "Permission denied"), "ports below 1024 are for the system. Another one: --port 8000."),
        (OSError(errno.EMFILE, "Too many open files"), "[Errno 24] Too many open files."),
    ],
)
def test_advice_explains_why_the_server_cannot_listen(problem: OSError, why: str) -> None:
    assert advice(problem, "127.0.0.1", 80) == why


@pytest.mark.parametrize("stop", [signal.SIGINT, signal.SIGTERM])
def test_the_server_ends_cleanly_on_a_signal(server: Running, stop: signal.Signals) -> None:
    server.process.send_signal(stop)
    rest, complaints = server.process.communicate()
    assert (server.process.returncode, rest, complaints) == (0, "", "")


def test_a_taken_port_ends_the_program(server: Running) -> None:
    port = server.address.rstrip("/").rpartition(":")[2]
    second = subprocess.run(
        [sys.executable, "-m", "ubongo", "serve", "--port", port],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (second.returncode, second.stdout) == (2, "")
    assert second.stderr.startswith(f"ubongo serve: cannot listen on 127.0.0.1:{port}: the port is taken.")


def test_open_starts_a_browser(tmp_path: Path) -> None:
    # The 'browser' writes the address it was opened with; reading blocks until it has.
    opened = tmp_path / "opened"
    os.mkfifo(opened)
    browser = [sys.executable, "-c", "import sys; open(sys.argv[1], 'w').write(sys.argv[2])", str(opened), "%s"]
    running = start("--open", BROWSER=shlex.join(browser))
    with running:
        assert opened.read_text() == running.address
        running.process.terminate()
