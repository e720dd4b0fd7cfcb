"""`ubongo serve --workers`: several processes on one port, and flags that exclude each other."""

from __future__ import annotations

import asyncio
import os
import re
import signal
from contextlib import suppress
from functools import partial
from pathlib import Path

import httpx
import pytest

from tests import nats, postgres
from tests.conftest import Running, start
from tests.postgres import fetch
from tests.program import ubongo
from tests.server.people import Person, table_for
from tests.server.two_servers import PATIENCE_S, health, wait_for


def metrics(running: Running) -> str:
    return httpx.get(f"{running.address}metrics", timeout=PATIENCE_S).text


def connections(running: Running, processes: set[int]) -> dict[int, int]:
    """The number of connections of each process; any of them can answer."""
    found: dict[int, int] = {}

    def asked_all() -> bool:
        for process, number in re.findall(r'ubongo_connections\{process="(\d+)"\} (\d+)', metrics(running)):
            found[int(process)] = int(number)
        return found.keys() == processes

    wait_for(asked_all, "all have answered")
    return found


def test_workers_share_a_port_and_a_dead_one_is_restarted() -> None:
    url = postgres.shared().database()
    # One reachable address of the NATS cluster is enough.
    flags = "--workers", "2", "--nats", f"nats://127.0.0.1:1,{nats.shared().url}"
    # No connection would be handed to a worker that stalled for a moment.
    with start(*flags, db=url, module="tests.server.patient") as running:
        known: set[int] = set()

        def answered(number: int) -> bool:
            # A killed worker drops the requests it has just received.
            with suppress(OSError):
                known.add(health(running)["process"])
            return len(known) == number

        wait_for(partial(answered, 2), "both answer")
        ann, bo = Person(running.address, "Ann"), Person(running.address, "Bo")
        table = table_for(ann, bo)
        devices = [person.sit_at(table) for person in (ann, bo, ann, bo, ann, bo)]
        assert [device.seat for device in devices] == [0, 1] * 3
        assert sorted(connections(running, known).values()) == [0, 6], "whoever heard them, one serves the table"
        devices[0].ask(type="ready")
        for device in devices:
            device.see(lambda seen: seen["seats"][0]["ready"])
        os.kill(min(known), signal.SIGKILL)
        wait_for(partial(answered, 3), "there are two again")
        again = ann.sit_at(table)
        assert again.table["seats"][0]["ready"]
        assert 'ubongo_moves_total{process="' in metrics(running)
        running.process.send_signal(signal.SIGTERM)
        assert again.until(lambda said: said["type"] == "bye")["retry_ms"] >= 1500
        out, errors = running.process.communicate(timeout=PATIENCE_S)
        assert (running.process.returncode, out) == (0, "")
        assert "Traceback" not in errors
    # A killed worker cannot deregister, and expires after a minute.
    assert asyncio.run(fetch(url, "select count(*) <= 1 from houses")) == [(True,)], "the others have said goodbye"


@pytest.mark.parametrize(
    ("flags", "why"),
    [
        (("--workers", "2"), "--workers: a file is for one; several need --db postgresql://"),
        (("--workers", "0", "--db", "postgresql://x/y"), "at least one has to serve"),
        (("--nats", "nats://127.0.0.1:4222"), "--nats is for servers that share a database"),
        (("--nats", "here", "--db", "postgresql://x/y"), "--nats names no address"),
        (("--proxy", "localhost"), "--proxy is a machine's own address"),
        (("--nats", "nats://h:4222,nats://ann:secret@h:port", "--db", "postgresql://x/y"), "no address"),
        (("--workers", "2", "--db", "postgresql://127.0.0.1:1/y"), "cannot be used"),
        (("--public-url", "play.example.org"), "--public-url is what people type"),
        (("--keep-days", "-1"), "not less than 0"),
        (("--keep-days", "inf"), "are numbers"),
        (("--requests-rate", "nan"), "are numbers"),
    ],
)
def test_conflicting_flags_are_reported_once(flags: tuple[str, ...], why: str, tmp_path: Path) -> None:
    db = () if "--db" in flags else ("--db", str(tmp_path / "log.db"))
    ran = ubongo("serve", "--port", "0", *flags, *db)
    assert (ran.returncode, ran.stdout, ran.stderr.count("\n")) == (2, "", 1), ran.stderr
    assert why in ran.stderr
    assert "secret" not in ran.stderr
    assert not (tmp_path / "log.db").exists()
