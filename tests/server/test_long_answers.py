"""Long responses that are being sent are limited by address, and other addresses do not wait for them."""

from __future__ import annotations

import asyncio
from typing import Any, cast

import pytest
from litestar.types import Receive, Scope, Send

from ubongo.server.http.long_answers import AT_ONCE, FILES, HISTORIES, LongAnswers
from ubongo.server.records.replay_stream import CHUNK, chunks_of
from ubongo.server.settings import Settings

pytestmark = pytest.mark.anyio
LOG, REPLAY = "/api/tables/amber-heron-4172/log", "/api/tables/amber-heron-4172/replay"


class Sending:
    """An application whose responses are read when the test says so."""

    def __init__(self) -> None:
        self.app = LongAnswers(self.answer, Settings())
        self.sending = 0
        self.taken = asyncio.Event()
        self.tasks: list[asyncio.Task[None]] = []

    async def answer(self, _scope: Scope, _receive: Receive, _send: Send) -> None:
        self.sending += 1
        try:
            await self.taken.wait()
        finally:
            self.sending -= 1

    async def ask(self, times: int, path: str, address: str = "192.0.2.7") -> None:
        scope = cast("Scope", {"type": "http", "path": path, "client": (address, 1), "headers": []})
        for _ in range(times):
            asked = self.app(scope, cast("Receive", None), cast("Send", None))
            self.tasks.append(asyncio.get_running_loop().create_task(cast("Any", asked)))
        for _ in range(3):
            await asyncio.sleep(0)


async def test_responses_sent_at_once_to_one_address_are_limited() -> None:
    sending = Sending()
    await sending.ask(20, LOG)
    await sending.ask(20, REPLAY)
    assert sending.sending == AT_ONCE[HISTORIES]
    await sending.ask(100, "/print/extreme.pdf")
    assert sending.sending == (most := AT_ONCE[HISTORIES] + AT_ONCE[FILES])
    await sending.ask(1, LOG, "198.51.100.1")
    assert sending.sending == most + 1, "others do not wait"
    await sending.ask(20, "/api/tables")
    assert sending.sending == most + 21, "nor does what is short"
    sending.taken.set()
    await asyncio.gather(*sending.tasks)
    assert not sending.app._slots, "nobody is remembered"


async def test_a_client_that_disconnects_makes_room() -> None:
    sending = Sending()
    await sending.ask(10, LOG)
    for task in sending.tasks[:6]:
        task.cancel()
    for _ in range(5):
        await asyncio.sleep(0)
    assert sending.sending == 4, "of those who are left all"
    sending.taken.set()
    await asyncio.gather(*sending.tasks, return_exceptions=True)
    assert not sending.app._slots


def test_a_log_is_sent_in_chunks() -> None:
    for size in (0, 1, CHUNK, CHUNK + 1, 3 * CHUNK):
        whole = bytes(range(256)) * (size // 256) + b"a" * (size % 256)
        pieces = list(chunks_of(whole))
        assert b"".join(pieces) == whole
        assert all(len(piece) <= CHUNK for piece in pieces)
