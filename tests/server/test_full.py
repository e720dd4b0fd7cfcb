"""A server out of file descriptors: connected players play on, newcomers are rejected, and no loop spins."""

from __future__ import annotations

import asyncio
import os
import resource
import socket
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from litestar.testing import TestClient

from tests.conftest import Running
from tests.server.people import Person, table_for
from ubongo.server.app import build
from ubongo.server.settings import Settings
from ubongo.server.wire.handoff import Handoff, WorkerPlace

PATIENCE_S = 20
TURNS = 100


@contextmanager
def no_more_files() -> Iterator[None]:
    """Lowers the limit so that the next file descriptor would exceed it."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    with socket.socket() as following:
        lowest = following.fileno()
    resource.setrlimit(resource.RLIMIT_NOFILE, (lowest, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


class Counting(Handoff):
    """Counts the calls of accept."""

    calls = 0

    def _accept(self, ear: socket.socket) -> None:
        self.calls += 1
        super()._accept(ear)


def last_heartbeat(door: Path) -> float:
    return door.stat().st_mtime


@pytest.mark.anyio
async def test_a_worker_without_file_descriptors_pauses_accepting_until_there_is_room(tmp_path: Path) -> None:
    came: asyncio.Queue[tuple[socket.socket, bytes]] = asyncio.Queue()
    place = WorkerPlace(str(tmp_path), 1, 2)
    porter = Counting(place, lambda *one: came.put_nowait(one))
    porter.open()
    door = Path(place.socket_path(1))
    os.utime(door, (0, 0))
    theirs, ours = socket.socketpair()
    with theirs, ours, socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as line:
        with no_more_files():
            line.connect(str(door))
            socket.send_fds(line, [b"GET"], [ours.fileno()])
            for _ in range(TURNS):
                await asyncio.sleep(0)
            assert porter.calls == 1
            porter.heartbeat()
            assert last_heartbeat(door) == 0, "nobody is brought here meanwhile"
        porter.heartbeat()
        assert last_heartbeat(door) > 0
        end, said = await asyncio.wait_for(came.get(), PATIENCE_S)
        end.close()
        assert said == b"GET"
    porter.close()


def open_connection(server: Running) -> socket.socket:
    place = urlsplit(server.address)
    return socket.create_connection((place.hostname, place.port), PATIENCE_S)


def answers(newcomer: socket.socket) -> bool:
    """Whether the server answers; False, if it closes at once."""
    try:
        newcomer.send(b"GET /healthz HTTP/1.1\r\nHost: here\r\n\r\n")
        return newcomer.recv(1) != b""
    except ConnectionError:
        return False


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere nobody limits another process")
def test_a_full_server_keeps_playing_and_rejects_newcomers_until_there_is_room(server: Running) -> None:
    ann, bo = Person(server.address, "Ann"), Person(server.address, "Bo")
    # However long it takes to fill the server, the round has not begun.
    table = table_for(ann, bo, options={"ready_s": 0})
    mine, theirs = ann.sit_at(table), bo.sit_at(table)
    process = server.process.pid
    files = len(list(Path(f"/proc/{process}/fd").iterdir()))
    soft, hard = resource.prlimit(process, resource.RLIMIT_NOFILE)
    resource.prlimit(process, resource.RLIMIT_NOFILE, (files, hard))
    with ExitStack() as guests:
        sent_away = 0
        while sent_away < TURNS:
            # A newcomer may get a place that has just become free, and keeps it.
            sent_away += not answers(guests.enter_context(open_connection(server)))
        # The first refusal is logged, too.
        assert mine.ask(type="lift", piece=99)["why"]
        assert mine.ask(type="ready")["type"] == "update"
        theirs.see(lambda seen: seen["seats"][0]["ready"])
    resource.prlimit(process, resource.RLIMIT_NOFILE, (soft, hard))
    assert Person(server.address, "Cy").sit_at(table).seat is None
    server.process.terminate()
    _, errors = server.process.communicate(timeout=PATIENCE_S)
    assert errors.count("\n") <= 1, errors


def test_a_full_server_is_logged_once(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    with TestClient(build(tmp_path, Settings(db=tmp_path / "log.db"))) as client:
        server = client.app.state.services
        for said in (1, 2):
            with no_more_files():
                server.note_file_limit()
                server.note_file_limit()
            server.note_file_limit()
            assert caplog.text.count("no client can connect") == said
