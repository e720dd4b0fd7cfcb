"""The game socket as Litestar has it: slower than picows, and made of documented parts only."""

from __future__ import annotations

import asyncio
from typing import Any

from litestar import WebSocket, websocket
from litestar.handlers import WebsocketRouteHandler
from litestar.params import FromPath

from ubongo.server.connection import Connection, Connections
from ubongo.server.wire.door import COOKIE, Door

Socket = WebSocket[Any, Any, Any]


class PlainWire:
    """What is to be sent waits in a queue of so many bytes; who reads too slowly is dropped."""

    __slots__ = ("_listening", "_queue", "_slow", "_waiting", "dropped")

    def __init__(self, slow: int, listening: asyncio.Task[Any] | None) -> None:
        self._slow = slow
        self._listening = listening
        self._waiting = 0
        self._queue: asyncio.Queue[bytes | tuple[int, str]] = asyncio.Queue()
        self.dropped = False

    def send(self, message: bytes) -> None:
        self._waiting += len(message)
        if self._waiting <= self._slow:
            self._queue.put_nowait(message)
        elif not self.dropped and self._listening is not None:
            self.dropped = True
            self._listening.cancel()

    def close(self, code: int, why: str) -> None:
        self._queue.put_nowait((code, why))

    async def speak(self, socket: Socket) -> None:
        while True:
            match await self._queue.get():
                case (code, why):
                    await socket.close(code, why)
                    return
                case bytes(message):
                    await socket.send_data(message.decode())
                    self._waiting -= len(message)


async def _listen(socket: Socket, connection: Connection) -> None:
    while (event := await socket.receive())["type"] == "websocket.receive":
        text = event.get("text")
        if text is None:
            connection.heard_binary()
        else:
            connection.heard(text.encode("utf-8", "surrogatepass"))


def plain_socket(connections: Connections, door: Door) -> WebsocketRouteHandler:
    @websocket("/ws/tables/{key:str}")
    async def table_socket(socket: Socket, key: FromPath[str]) -> None:
        """The game socket; docs/protocol.md says what is spoken on it."""
        peer = socket.client.host if socket.client is not None else ""
        if door.refuses(peer, socket.headers.get) is not None:
            # Before it is accepted, this is an answer with status 403.
            await socket.close()
            return
        await socket.accept()
        listening = asyncio.current_task()
        wire = PlainWire(door.settings.slow, listening)
        connection = connections.new(key, socket.cookies.get(COOKIE), wire)
        speaking = asyncio.create_task(wire.speak(socket))
        try:
            await _listen(socket, connection)
        except asyncio.CancelledError:
            # By us, if the reader was too slow; else the server goes down.
            if not wire.dropped or listening is None:
                raise
            listening.uncancel()
        finally:
            connection.gone()
            speaking.cancel()
            await asyncio.gather(speaking, return_exceptions=True)

    return table_socket
