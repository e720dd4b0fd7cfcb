"""The game socket as Litestar has it: slower than picows, and made of documented parts only."""

from __future__ import annotations

import asyncio
from typing import Any

from litestar import WebSocket, websocket
from litestar.handlers import WebsocketRouteHandler
from litestar.params import FromPath

from ubongo.server.connection import Connection, Connections
from ubongo.server.keys import read_key
from ubongo.server.wire.door import Door, cookie_in

Socket = WebSocket[Any, Any, Any]


class PlainWire:
    """What is to be sent waits, up to so many bytes; who reads too slowly is dropped.

    A list and a future instead of a queue, which takes 2 KiB for itself: there are thousands of these.
    """

    __slots__ = ("_listening", "_news", "_said", "_slow", "_waiting", "dropped")

    def __init__(self, slow: int, listening: asyncio.Task[Any] | None) -> None:
        self._slow = slow
        self._listening = listening
        self._waiting = 0
        self._said: list[bytes | tuple[int, str]] = []
        self._news: asyncio.Future[None] | None = None
        self.dropped = False

    def send(self, message: bytes) -> None:
        self._waiting += len(message)
        if self._waiting <= self._slow:
            self._say(message)
        elif not self.dropped and self._listening is not None:
            self.dropped = True
            self._listening.cancel()

    def close(self, code: int, why: str) -> None:
        self._say((code, why))

    def _say(self, what: bytes | tuple[int, str]) -> None:
        self._said.append(what)
        if self._news is not None and not self._news.done():
            self._news.set_result(None)

    async def speak(self, socket: Socket) -> None:
        while True:
            if not self._said:
                self._news = asyncio.get_running_loop().create_future()
                await self._news
                self._news = None
            said, self._said = self._said, []
            for one in said:
                match one:
                    case (code, why):
                        await socket.close(code, why)
                        return
                    case bytes(message):
                        await socket.send_data(message.decode())
                        self._waiting -= len(message)


def _let_in(socket: Socket, door: Door) -> tuple[bool, str | None, str]:
    """Whether it may come in, the cookie it brings, and from where.

    Litestar's own headers would be kept as long as it is open.
    """
    peer = socket.client.host if socket.client is not None else ""
    headers: dict[str, str] = {}
    for name, value in socket.scope["headers"]:
        before = headers.get(name.decode("latin-1"))
        headers[name.decode("latin-1")] = ", ".join(filter(None, (before, value.decode("latin-1"))))
    welcome = door.refuses(peer, headers.get) is None
    return welcome, cookie_in(headers.get("cookie")), door.address(peer, headers.get)


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
        welcome, cookie, address = _let_in(socket, door)
        if not welcome:
            # Before it is accepted, this is an answer with status 403.
            await socket.close()
            return
        await socket.accept()
        listening = asyncio.current_task()
        wire = PlainWire(door.settings.slow, listening)
        connection = connections.new(read_key(key), cookie, address, wire)
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
