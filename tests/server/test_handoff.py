"""Workers hand connections over to each other, and serve those that they cannot hand over."""

from __future__ import annotations

import asyncio
import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.server.people import PATIENCE
from ubongo.server.wire import handoff
from ubongo.server.wire.handoff import Handoff, WorkerPlace

pytestmark = pytest.mark.anyio
# By their checksums, the first belongs to worker 0 and the second to worker 1.
HIS, HERS = "d", "a"
SAID = b"GET /ws/tables/a HTTP/1.1\r\n\r\n"


class Worker:
    def __init__(self, folder: Path, number: int) -> None:
        self.came: asyncio.Queue[tuple[socket.socket, bytes]] = asyncio.Queue()
        self.handoff = Handoff(WorkerPlace(str(folder), number, 2), lambda *came: self.came.put_nowait(came))
        self.handoff.open()

    async def met(self) -> tuple[socket.socket, bytes]:
        return await asyncio.wait_for(self.came.get(), PATIENCE)

    def die(self) -> None:
        """Its socket file stays, and no process listens on it."""
        for incoming in self.handoff._incoming:
            asyncio.get_running_loop().remove_reader(incoming)
            incoming.close()
        self.handoff._incoming.clear()


class Transport(asyncio.Transport):
    def __init__(self, end: socket.socket) -> None:
        super().__init__({"socket": end})


@contextmanager
def caller() -> Iterator[tuple[socket.socket, Transport]]:
    """A client's socket, and the worker's end of it."""
    theirs, ours = socket.socketpair()
    with theirs, ours:
        yield theirs, Transport(ours)


@pytest.fixture
async def workers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    # No worker sends heartbeats here, and a busy machine is slow.
    monkeypatch.setattr(handoff, "ALIVE_WITHIN_S", 3600)
    both = [Worker(tmp_path, number) for number in range(2)]
    yield both
    for worker in both:
        worker.handoff.close()


async def test_a_connection_is_handed_to_the_tables_worker_with_its_request(workers: list[Worker]) -> None:
    with caller() as (theirs, transport):
        assert workers[0].handoff.hand_over(HERS, transport, SAID)
        transport.get_extra_info("socket").close()
        end, said = await workers[1].met()
        with end:
            assert said == SAID
            end.send(b"welcome")
            assert theirs.recv(100) == b"welcome"


async def test_a_worker_does_not_hand_over_its_own_tables(workers: list[Worker]) -> None:
    with caller() as (_, transport):
        assert not workers[0].handoff.hand_over(HIS, transport, SAID)
        assert not workers[1].handoff.hand_over(HERS, transport, SAID)


async def test_no_connection_is_handed_to_a_worker_that_hangs_or_died(workers: list[Worker], tmp_path: Path) -> None:
    door = tmp_path / "1"
    with caller() as (_, transport):
        seen = door.stat().st_mtime
        os.utime(door, (seen, seen - handoff.ALIVE_WITHIN_S - 1))
        assert not workers[0].handoff.hand_over(HERS, transport, SAID)
        os.utime(door)
        assert workers[0].handoff.hand_over(HERS, transport, SAID)
        (await workers[1].met())[0].close()
        workers[1].die()
        assert not workers[0].handoff.hand_over(HERS, transport, SAID)
        door.unlink()
        assert not workers[0].handoff.hand_over(HERS, transport, SAID)
        workers[1].handoff.open()
        assert workers[0].handoff.hand_over(HERS, transport, SAID)
        (await workers[1].met())[0].close()


async def test_a_restarted_worker_takes_over_the_socket_of_the_dead_one(workers: list[Worker], tmp_path: Path) -> None:
    workers[1].die()
    assert (tmp_path / "1").exists()
    workers[1].handoff.open()
    with caller() as (_, transport):
        assert workers[0].handoff.hand_over(HERS, transport, SAID)
        (await workers[1].met())[0].close()


async def test_many_connections_are_handed_over_at_once(workers: list[Worker]) -> None:
    with caller() as (_, transport):
        assert all(workers[0].handoff.hand_over(HERS, transport, SAID) for _ in range(100))
        for _ in range(100):
            (await workers[1].met())[0].close()


async def test_a_request_too_large_to_hand_over_is_served_locally(workers: list[Worker]) -> None:
    with caller() as (_, transport):
        assert not workers[0].handoff.hand_over(HERS, transport, b"x" * (1 << 22))


async def test_without_a_handoff_socket_every_worker_serves_its_own_connections(tmp_path: Path) -> None:
    """The path of a Unix socket is limited to about a hundred characters, and a temporary directory may be longer."""
    folder = tmp_path / ("x" * 120)
    folder.mkdir()
    both = [Worker(folder, number) for number in range(2)]
    with caller() as (_, transport):
        assert not both[0].handoff.hand_over(HERS, transport, SAID)
    for worker in both:
        worker.handoff.close()
