"""The game socket inside the test's own process, for tests that control the server's clock or lobby.

The server's own socket needs a port; Litestar's test client has none.
"""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

from litestar import Litestar, WebSocket, websocket
from litestar.params import FromPath

from ubongo.server.app import build
from ubongo.server.clock import Clock
from ubongo.server.lobby.table_keys import read_key
from ubongo.server.services import Services
from ubongo.server.settings import Settings
from ubongo.server.wire.admission import cookie_in

Socket = WebSocket[Any, Any, Any]


class Wire:
    """Queues messages until `speak` sends them."""

    def __init__(self) -> None:
        self._said: asyncio.Queue[bytes | tuple[int, str]] = asyncio.Queue()

    def send(self, message: bytes) -> None:
        self._said.put_nowait(message)

    def close(self, code: int, why: str) -> None:
        self._said.put_nowait((code, why))

    async def speak(self, socket: Socket) -> None:
        while True:
            match await self._said.get():
                case (code, why):
                    await socket.close(code, why)
                    return
                case bytes(message):
                    await socket.send_data(message.decode())


@websocket("/ws/tables/{key:str}")
async def table_socket(socket: Socket, key: FromPath[str]) -> None:
    server: Services = socket.app.state.services
    await socket.accept()
    wire = Wire()
    connection = server.connections.new(read_key(key), cookie_in(socket.headers.get("cookie")), "testclient", wire)
    speaking = asyncio.create_task(wire.speak(socket))
    try:
        while (event := await socket.receive())["type"] == "websocket.receive":
            connection.receive(event["text"] or "")
    finally:
        connection.closed()
        speaking.cancel()
        await asyncio.gather(speaking, return_exceptions=True)


def build_with_socket(static: Path, settings: Settings, clock: Clock | None = None) -> Litestar:
    app = build(static, settings, clock)
    app.register(table_socket)
    return app
