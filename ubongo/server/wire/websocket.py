"""WebSockets by picows, on the port that uvicorn serves.

uvicorn hands over a connection whose request is an upgrade, together with the bytes that it has read.
"""

from __future__ import annotations

import asyncio
import socket
from typing import Any
from urllib.parse import unquote

from picows import WSUpgradeRequest, WSUpgradeResponse, WSUpgradeResponseWithListener

from ubongo.server.clock import Clock
from ubongo.server.errors import Denied
from ubongo.server.lobby.table_keys import read_key
from ubongo.server.store.entities import Key
from ubongo.server.throttled_log import ThrottledLog
from ubongo.server.wire.admission import Admission, cookie_in
from ubongo.server.wire.connections import Connections
from ubongo.server.wire.handoff import Handoff, WorkerPlace
from ubongo.server.wire.picows_protocol import read_frames
from ubongo.server.wire.websocket_transport import OpenWebSockets, WebSocketTransport

PATH = "/ws/tables/"


class WebSockets:
    """Accepts or refuses upgrades. `place`: this process's place among several workers, if there are any."""

    def __init__(
        self,
        connections: Connections,
        admission: Admission,
        throttled: ThrottledLog,
        clock: Clock,
        place: WorkerPlace | None,
    ) -> None:
        self.open = OpenWebSockets(connections, admission.limit, throttled, clock, admission.settings.slow)
        self.throttled = throttled
        self.handoff = None if place is None else Handoff(place, self._take)
        self._admission = admission
        # asyncio itself keeps only weak references to tasks.
        self._taking: set[asyncio.Task[Any]] = set()

    def accept(self, request: WSUpgradeRequest, peer: str) -> WSUpgradeResponseWithListener | None:
        path = _path(request.path)
        if not path.startswith(PATH):
            return None

        def header(name: str) -> str | None:
            return ", ".join(request.headers.getall(name, ())) or None

        try:
            self._admission.check_socket(peer, header)
        except Denied as no:
            refusal = WSUpgradeResponse.create_error_response(no.status, no.sentence.encode())
            return WSUpgradeResponseWithListener(refusal, None)
        address = self._admission.address(peer, header)
        transport = WebSocketTransport(self.open, _key(path), cookie_in(request.headers.get("cookie")), address)
        return WSUpgradeResponseWithListener(WSUpgradeResponse.create_101_response(), transport)

    def protocol(self) -> type[asyncio.Protocol]:
        """The class that uvicorn instantiates for every upgrade."""
        sockets = self

        class UvicornUpgrade(Upgrade):
            def __init__(self, **_: Any) -> None:
                super().__init__(sockets)

        return UvicornUpgrade

    def _take(self, connection: socket.socket, request: bytes) -> None:
        """Another worker has handed over a connection."""
        loop = asyncio.get_running_loop()
        task = loop.create_task(loop.connect_accepted_socket(lambda: Upgrade(self, request), connection))
        self._taking.add(task)
        task.add_done_callback(self._taking.discard)


class Upgrade(asyncio.Protocol):
    """Gives picows a connection of uvicorn, or of another worker (`request`: the bytes that were read there)."""

    def __init__(self, sockets: WebSockets, request: bytes = b"") -> None:
        self._sockets = sockets
        self._request = request
        self._reader: Any = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override] # it is a stream's
        self._transport = transport
        if self._request:
            self._read(self._request)

    def connection_lost(self, problem: Exception | None) -> None:
        if self._reader is not None:
            self._reader.connection_lost(problem)

    def data_received(self, data: bytes) -> None:
        handoff = self._sockets.handoff
        if self._reader is None and handoff is not None:
            key = _key(_path(data.split(b" ", 2)[1]))
            if handoff.hand_over(key, self._transport, data):
                # The other worker has a copy of the descriptor: this closes only ours.
                self._transport.close()
                return
        self._read(data)

    def _read(self, data: bytes) -> None:
        if self._reader is None:
            peer = (self._transport.get_extra_info("peername") or ("",))[0]
            accept = self._sockets.accept
            self._reader = read_frames(self._transport, lambda request: accept(request, peer), self._sockets.throttled)
        # These bytes have been read already; picows reads the next ones itself.
        rest = memoryview(data)
        while rest:
            buffer = memoryview(self._reader.get_buffer(len(rest)))
            size = min(len(buffer), len(rest))
            buffer[:size] = rest[:size]
            self._reader.buffer_updated(size)
            rest = rest[size:]


def _key(path: str) -> Key:
    """The table that is asked for."""
    return read_key(unquote(path.removeprefix(PATH)))


def _path(target: bytes) -> str:
    return target.decode("latin-1").partition("?")[0]
