"""Clients at a table that record everything they send and receive; some play as fast as they are answered."""

from __future__ import annotations

import asyncio
import contextlib
import json
import random
from collections.abc import Callable
from copy import deepcopy
from typing import Any
from urllib.parse import urlsplit

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException

from tests.checker import History, Message, Visit
from tests.play import lays
from tests.server.fakes import patch

CLOSE_S = 1.0
RETRY_S = 0.1


class Watcher(History):
    """A spectator. Reconnects after `silence` seconds without a message; if None, it waits for ever."""

    def __init__(self, key: str, token: str | None = None, silence: float | None = None) -> None:
        super().__init__(key)
        self.token = token
        self._silence = silence
        self.address = ""
        self.seat: int | None = None
        self.version = 0
        self.table: dict[str, Any] = {}

    async def stay(self, address: Callable[[], str]) -> None:
        """Reconnects for ever, perhaps to another server, whenever the connection is cut."""
        while True:
            await self.sit_at(address())
            await asyncio.sleep(RETRY_S)

    async def sit_at(self, address: str) -> None:
        """Until the connection is cut, or is silent for too long."""
        self.address = address
        line = connect(
            f"ws://{urlsplit(address).netloc}/ws/tables/{self.key}",
            open_timeout=self._silence,
            close_timeout=CLOSE_S,
            ping_interval=self._silence and self._silence / 2,
            ping_timeout=self._silence,
        )
        with contextlib.suppress(WebSocketException, OSError, TimeoutError):
            async with line as socket:
                visit = Visit()
                self.visits.append(visit)
                await socket.send(json.dumps({"type": "hello", "token": self.token}))
                async for message in socket:
                    said = json.loads(message)
                    visit.received.append(said)
                    await self._go_on(socket, visit, self._hear(said))

    def _hear(self, said: Message) -> int | None:
        """Records a message; returns the number of the ask that it answers, if any."""
        answer: int | None = None
        match said["type"]:
            case "welcome":
                self.table, self.seat, self.version = deepcopy(said["table"]), said["seat"], said["version"]
            case "update":
                patch(self.table, said["table"])
                self.version = said["version"]
                answer = said["acked"]
            case "refused":
                answer = said["n"]
        return answer

    async def _go_on(self, socket: ClientConnection, visit: Visit, answer: int | None) -> None:
        pass


class Witness(Watcher):
    """Places and lifts a piece. Calls `answered` for every ack, and sleeps `pause` seconds after each answer.

    `answers`: the number of acks.
    """

    def __init__(
        self,
        key: str,
        token: str,
        answered: Callable[[], None] = lambda: None,
        pause: float = 0,
        silence: float | None = None,
    ) -> None:
        super().__init__(key, token, silence)
        self.answers = 0
        self._answered = answered
        self._pause = pause

    async def _go_on(self, socket: ClientConnection, visit: Visit, answer: int | None) -> None:
        n = len(visit.sent)
        if n and answer != n:
            return
        if n:
            # While it waits for others its moves are refused; refusals do not count as play.
            if visit.received[-1]["type"] == "update":
                self.answers += 1
                self._answered()
            await asyncio.sleep(self._pause)
        visit.sent[n + 1] = self._move()
        await socket.send(json.dumps({"n": n + 1, "move": visit.sent[n + 1]}))

    def _move(self) -> Message:
        assert self.seat is not None
        me = self.table["seats"][self.seat]
        if self.table["phase"] != "play":
            return {"type": "ready"}
        if me["laid"]:
            return {"type": "lift", "piece": 0}
        return random.choice(list(lays(self.table["game"], me["task"])))
