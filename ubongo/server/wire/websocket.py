"""The game socket by picows, on the port that uvicorn serves.

uvicorn hands over a connection that asks to become a socket, together with what was read of it. picows' protocol class
is not a documented API: so it is pinned.
"""

from __future__ import annotations

import asyncio
import logging
import socket
from typing import Any
from urllib.parse import unquote

from picows import (
    WSAutoPingStrategy,
    WSFrame,
    WSListener,
    WSMsgType,
    WSTransport,
    WSUpgradeRequest,
    WSUpgradeResponse,
    WSUpgradeResponseWithListener,
)
from picows.picows import WSProtocol  # type: ignore[attr-defined] # not documented, see above

from ubongo.server.clock import Clock
from ubongo.server.errors import Denied
from ubongo.server.lobby.table_keys import read_key
from ubongo.server.protocol import LONGEST
from ubongo.server.store.entities import Key
from ubongo.server.throttled_log import ThrottledLog
from ubongo.server.wire.admission import Admission, cookie_in
from ubongo.server.wire.connection import Connection, Connections
from ubongo.server.wire.handoff import Handoff, WorkerPlace
from ubongo.table import Millis

PATH = "/ws/tables/"
# A connection that says nothing is asked whether it is there; 15 s after the last sign of life it is gone.
PING_EVERY: Millis = 4000
DEAD_AFTER: Millis = 10_500
AT_ONCE = 100
PROTOCOL_ERROR = 1002
INVALID_TEXT = 1007
TOO_BIG = 1009
# Those that an endpoint may send: RFC 6455, 7.4, and what was registered since.
CLOSE_CODES = frozenset((*range(1000, 1004), *range(1007, 1015), *range(3000, 5000)))
# picows doubles its buffer whenever it was filled, and never lets go of it: so it must not be filled by more than a
# message and what came behind it.
READ_AT_ONCE = 2 * LONGEST

# So begins what picows logs of a connection that breaks the rules.
UNREADABLE = "WS parser error"

log = logging.getLogger("ubongo.server.wire")


class WebSocketTransport(WSListener):
    """A connection's wire, as picows calls it."""

    def __init__(self, sockets: WebSockets, key: str, cookie: str | None, address: str) -> None:
        super().__init__()
        self._sockets = sockets
        self._asked_for = key, cookie, address
        # What has come of a message in parts.
        self._parts: bytearray | None = None
        self._parts_are_text = False
        self._connection: Connection | None = None
        self._closed = False
        self.heard = sockets.clock.now()

    def on_ws_connected(self, transport: WSTransport) -> None:
        self._transport = transport
        transport.underlying_transport.set_write_buffer_limits(high=self._sockets.admission.settings.slow)
        self._sockets.wires.add(self)
        self._sockets.limit.enter(self._asked_for[2])
        self._connection = self._sockets.connections.new(*self._asked_for, self)

    def on_ws_frame(self, transport: WSTransport, frame: WSFrame) -> None:
        """picows has checked opcodes, masks, lengths and control frames; the rest of RFC 6455 is ours."""
        assert self._connection is not None
        if self._closed:
            # More frames may have been read at once.
            return
        self.heard = self._sockets.clock.now()
        kind = frame.msg_type
        if frame.rsv1 or frame.rsv2 or frame.rsv3:
            self._fail(PROTOCOL_ERROR, "reserved bits")
        elif kind == WSMsgType.TEXT and frame.fin and self._parts is None:
            # Nearly all are: so this is asked first.
            self._message(True, frame.get_payload_as_memoryview())
        elif kind == WSMsgType.PING:
            transport.send_pong(frame.get_payload_as_bytes())
            self._connection.heard_nothing()
        elif kind == WSMsgType.PONG:
            self._connection.heard_nothing()
        elif kind == WSMsgType.CLOSE:
            self._answer_close(frame)
        elif (kind == WSMsgType.CONTINUATION) == (self._parts is None):
            self._fail(PROTOCOL_ERROR, "parts out of order")
        elif kind == WSMsgType.BINARY and frame.fin:
            self._connection.heard_binary()
        else:
            self._part(frame)

    def _message(self, text: bool, said: bytes | memoryview) -> None:
        assert self._connection is not None
        if not text:
            self._connection.heard_binary()
            return
        try:
            str(said, "utf-8")
        except UnicodeDecodeError:
            self._fail(INVALID_TEXT, "not UTF-8")
        else:
            self._connection.heard(said)

    def _part(self, frame: WSFrame) -> None:
        """A message may come in parts; all of them together are no longer than one may be."""
        assert self._connection is not None
        if self._parts is None:
            self._parts = bytearray()
            self._parts_are_text = frame.msg_type == WSMsgType.TEXT
        self._parts += frame.get_payload_as_memoryview()
        if len(self._parts) > LONGEST:
            self._fail(TOO_BIG, "too long")
        elif frame.fin:
            whole, self._parts = bytes(self._parts), None
            self._message(self._parts_are_text, whole)
        else:
            self._connection.heard_nothing()

    def _answer_close(self, frame: WSFrame) -> None:
        """With the code that they said, if it is one that may be said; none is answered with none."""
        if frame.payload_size == 0:
            self._closed = True
            self._transport.send(WSMsgType.CLOSE, b"")
            self._transport.disconnect()
        elif (code := int.from_bytes(frame.get_payload_as_bytes()[:2])) in CLOSE_CODES:
            self.close(code, "")
        else:
            self._fail(PROTOCOL_ERROR, "no such close code")

    def _fail(self, code: int, why: str) -> None:
        """They do not keep to RFC 6455, or to our limits."""
        self._sockets.throttled.note("frame")
        self.close(code, why)

    def on_ws_disconnected(self, transport: WSTransport) -> None:  # noqa: ARG002 - picows' signature
        self._sockets.wires.discard(self)
        if self._connection is not None:
            self._sockets.limit.leave(self._asked_for[2])
            self._connection.gone()
            # Both are free now, without a collector having to find the circle.
            self._connection = None

    def pause_writing(self) -> None:
        """So much waits for this reader that it is given up."""
        self._transport.disconnect(graceful=False)

    def send(self, message: bytes) -> None:
        # A broadcast may come between the close frame and the end of the connection, and no frame may follow a close.
        # picows sees to that only where it wrote the close frame: an empty one is ours.
        if not self._closed:
            self._transport.send(WSMsgType.TEXT, message)

    def close(self, code: int, why: str) -> None:
        if self._closed:
            return
        self._closed = True
        self._transport.send_close(code, why.encode())  # type: ignore[arg-type] # not in picows' list: it goes all the same
        self._transport.disconnect()

    def check(self, now: Millis) -> None:
        if now - self.heard >= DEAD_AFTER:
            self._transport.disconnect(graceful=False)
        elif now - self.heard >= PING_EVERY // 2 and not self._closed:
            self._transport.send_ping()


class WebSockets:
    """All of picows' sockets: one task looks after them, where picows would run one for each.

    `place`: among several workers, where there are.
    """

    def __init__(
        self,
        connections: Connections,
        admission: Admission,
        throttled: ThrottledLog,
        clock: Clock,
        place: WorkerPlace | None,
    ) -> None:
        self.connections = connections
        self.admission = admission
        self.limit = admission.limit
        self.throttled = throttled
        self.clock = clock
        self.wires: set[WebSocketTransport] = set()
        self.porter = None if place is None else Handoff(place, self._take)
        # Nobody else holds on to a task.
        self._coming: set[asyncio.Task[Any]] = set()

    async def watch(self) -> None:
        while True:
            await asyncio.sleep(PING_EVERY / 1000)
            for number, wire in enumerate(list(self.wires)):
                wire.check(self.clock.now())
                if number % AT_ONCE == 0:
                    # Thousands of pings are no reason to let a move wait.
                    await asyncio.sleep(0)

    def accept(self, request: WSUpgradeRequest, peer: str) -> WSUpgradeResponseWithListener | None:
        path = _path(request.path)
        if not path.startswith(PATH):
            return None

        def header(name: str) -> str | None:
            return ", ".join(request.headers.getall(name, ())) or None

        try:
            self.admission.check_socket(peer, header)
        except Denied as no:
            refusal = WSUpgradeResponse.create_error_response(no.status, no.sentence.encode())
            return WSUpgradeResponseWithListener(refusal, None)
        address = self.admission.address(peer, header)
        wire = WebSocketTransport(self, _key(path), cookie_in(request.headers.get("cookie")), address)
        return WSUpgradeResponseWithListener(WSUpgradeResponse.create_101_response(), wire)

    def protocol(self) -> type[asyncio.Protocol]:
        """The class that uvicorn makes one of for every socket."""
        sockets = self

        class Knock(Bridge):
            def __init__(self, **_: Any) -> None:
                super().__init__(sockets)

        return Knock

    def _take(self, came: socket.socket, said: bytes) -> None:
        """Another worker has brought somebody."""
        loop = asyncio.get_running_loop()
        coming = loop.create_task(loop.connect_accepted_socket(lambda: Bridge(self, said), came))
        self._coming.add(coming)
        coming.add_done_callback(self._coming.discard)


class Bridge(asyncio.Protocol):
    """From uvicorn, or from another worker (`said`: what was read there), to picows."""

    def __init__(self, sockets: WebSockets, said: bytes = b"") -> None:
        self._sockets = sockets
        self._said = said
        self._socket: Any = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override] # it is a stream's
        self._transport = transport
        if self._said:
            self._read(self._said)

    def connection_lost(self, problem: Exception | None) -> None:
        if self._socket is not None:
            self._socket.connection_lost(problem)

    def data_received(self, data: bytes) -> None:
        porter = self._sockets.porter
        if self._socket is None and porter is not None and porter.brings(_key(_asked(data)), self._transport, data):
            # It is open there; here it is only let go.
            self._transport.close()
            return
        self._read(data)

    def _read(self, data: bytes) -> None:
        if self._socket is None:
            self._socket = _protocol(self._transport, self._sockets)
        # What had been read already; from the next turn on picows reads for itself.
        rest = memoryview(data)
        while rest:
            room = memoryview(self._socket.get_buffer(len(rest)))
            size = min(len(room), len(rest))
            room[:size] = rest[:size]
            self._socket.buffer_updated(size)
            rest = rest[size:]


def _asked(request: bytes) -> str:
    return _path(request.split(b" ", 2)[1])


def _key(path: str) -> Key:
    """The table that is asked for."""
    return read_key(unquote(path.removeprefix(PATH)))


def _path(asked: bytes) -> str:
    return asked.decode("latin-1").partition("?")[0]


class Reading(WSProtocol):  # type: ignore[misc] # picows has no types for it
    """picows' reader of frames, with a buffer that stays small."""

    def get_buffer(self, size_hint: int) -> memoryview:
        room: memoryview = super().get_buffer(size_hint)
        return room[:READ_AT_ONCE]


class ConnectionLog(logging.LoggerAdapter[logging.Logger]):
    """Where picows logs what concerns one connection: what it cannot read is counted, and nothing more is read."""

    def __init__(self, transport: asyncio.ReadTransport, throttled: ThrottledLog) -> None:
        super().__init__(log)
        self._transport = transport
        self._throttled = throttled

    def error(self, msg: object, *args: object, **kwargs: Any) -> None:
        if not str(msg).startswith(UNREADABLE):
            super().error(msg, *args, **kwargs)
            return
        self._throttled.note("frame")
        # picows tells them and then hangs up, but goes on reading until then.
        self._transport.pause_reading()


def _protocol(transport: asyncio.Transport, sockets: WebSockets) -> Any:
    peer = (transport.get_extra_info("peername") or ("",))[0]
    made = Reading(
        None,  # host and path: a client's
        None,
        False,
        lambda request: sockets.accept(request, peer),
        ConnectionLog(transport, sockets.throttled),
        True,  # a fault of ours ends the connection
        10,  # seconds for the handshake
        False,  # pings: see WebSockets.watch
        10,
        10,
        WSAutoPingStrategy.PING_WHEN_IDLE,
        False,  # pongs: by hand, so that they are counted
        LONGEST,
        None,
        2048,
    )
    made.connection_made(transport)
    asyncio.get_running_loop().call_soon(transport.set_protocol, made)
    return made
