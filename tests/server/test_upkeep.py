"""Database maintenance as in docs/operating.md: an upgrade without downtime, a backup that can be served."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import IO
from urllib.parse import urlsplit

import pytest

from tests.conftest import start
from tests.postgres import programs, shared, somebody
from tests.server.people import Person, table_for


@pytest.fixture
def url() -> str:
    return shared().database()


def refused(url: str) -> str:
    """Why this version refuses to start."""
    command = [sys.executable, "-m", "ubongo", "serve", "--port", "0", "--db", url]
    ran = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
    assert ran.returncode == 2
    return ran.stderr


def both_play(ann: Person, bo: Person, key: str) -> None:
    """Each player places a piece, and both see both."""
    devices = ann.sit_at(key), bo.sit_at(key)
    for device in devices:
        device.ask(type="ready")
    for device in devices:
        device.see(lambda table: table["phase"] == "play")
        assert device.ask(**device.solution()[0])["type"] == "update"
    for device in devices:
        device.see(lambda table: [len(seat["laid"]) for seat in table["seats"]] == [1, 1])


def test_a_newer_version_plays_beside_the_older_one(url: str) -> None:
    """Both versions serve one table, and the older one also serves tables opened after the newer one started."""
    with start(db=url) as older:
        ann = Person(older.address, "Ann")
        before = ann.post("/tables", {"game": "extreme", "seats": 2})["table"]
        with start(db=url, module="tests.server.newer") as newer:
            bo = Person(newer.address, "Bo")
            bo.post(f"/tables/{before}/join")
            ann.post(f"/tables/{before}/start")
            both_play(ann, bo, before)
            both_play(ann, bo, table_for(ann, bo))
            assert "was written by a newer Ubongo" in refused(url)
            both_play(ann, bo, table_for(bo, ann))


def test_a_backup_of_a_running_server_can_be_served(url: str, tmp_path: Path) -> None:
    copy, file = shared().database(), tmp_path / "monday.sql"

    def run(program: str, *words: str, stdin: IO[str] | None = None, stdout: IO[str] | int | None = None) -> None:
        place = [str(programs() / program), "--host", str(shared().folder), "--username", "ubongo", *words]
        subprocess.run(place, user=somebody(), cwd="/", check=True, timeout=60, stdin=stdin, stdout=stdout)

    with start(db=url) as running:
        ann, bo = Person(running.address, "Ann"), Person(running.address, "Bo")
        key = table_for(ann, bo)
        device = ann.sit_at(key)
        version = device.version
        with file.open("w") as out:
            run("pg_dump", urlsplit(url).path[1:], stdout=out)
    with file.open() as told:
        run(
            "psql",
            "--quiet",
            "--set",
            "ON_ERROR_STOP=1",
            urlsplit(copy).path[1:],
            stdin=told,
            stdout=subprocess.DEVNULL,
        )
    with start(db=copy) as again:
        ann.address = again.address.rstrip("/")
        assert ann.get("/guests/me")["name"] == "Ann"
        assert ann.sit_at(key).version >= version
