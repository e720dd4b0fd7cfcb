"""A burst of requests is started a few at a time, so that other clients need not wait for all of it."""

from __future__ import annotations

import asyncio
from typing import Any, cast

import pytest
from litestar.types import Receive, Scope, Send

from ubongo.server.http.fair_queue import FairQueue
from ubongo.server.settings import Settings

# Of five hundred.
FEW = 40
pytestmark = pytest.mark.anyio


class Asked:
    """An application that records the requests, and counts the turns of the event loop."""

    def __init__(self) -> None:
        self.turns = FairQueue(self.answer, Settings())
        self.begun: list[str] = []
        self.most = 0
        self._seen = 0

    async def answer(self, scope: Scope, _receive: Receive, _send: Send) -> None:
        self.begun.append(cast("Any", scope)["client"][0])

    def ask(self, address: str) -> asyncio.Task[None]:
        scope = cast("Scope", {"type": "http", "client": (address, 1), "headers": []})
        return asyncio.get_running_loop().create_task(
            cast("Any", self.turns(scope, cast("Receive", None), cast("Send", None)))
        )

    async def all_of(self, tasks: list[asyncio.Task[None]]) -> None:
        while not all(task.done() for task in tasks):
            await asyncio.sleep(0)
            self.most = max(self.most, len(self.begun) - self._seen)
            self._seen = len(self.begun)


async def test_a_burst_of_requests_is_started_a_few_at_a_time() -> None:
    asked = Asked()
    await asked.all_of([asked.ask("192.0.2.7") for _ in range(500)])
    assert len(asked.begun) == 500
    assert asked.most <= FEW


async def test_other_clients_do_not_wait_for_the_whole_burst() -> None:
    asked = Asked()
    volley = [asked.ask("192.0.2.7") for _ in range(500)]
    honest = asked.ask("198.51.100.1")
    await asked.all_of([honest])
    assert len(asked.begun) <= FEW
    await asked.all_of(volley)


async def test_a_client_that_disconnected_takes_no_turn() -> None:
    asked = Asked()
    tasks = [asked.ask("192.0.2.7") for _ in range(100)]
    await asyncio.sleep(0)
    for task in tasks[50:]:
        task.cancel()
    await asked.all_of(tasks)
    assert len(asked.begun) == 50
    last = asked.ask("192.0.2.7")
    await asked.all_of([last])
    assert len(asked.begun) == 51
