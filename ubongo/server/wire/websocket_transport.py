"""The WebSocket of one connection: frames in, messages out, heartbeats. And the registry of all of them.

picows has checked opcodes, masks, lengths and control frames; the rest of RFC 6455 is checked here.
"""

from __future__ import annotations

import asyncio
import logging
from collections import deque

from picows import WSFrame, WSListener, WSMsgType, WSTransport

from ubongo.server.clock import Clock, Timestamp
from ubongo.server.protocol import LONGEST
from ubongo.server.rate_limit import ConnectionLimit, household, is_this_machine
from ubongo.server.throttled_log import ThrottledLog
from ubongo.server.wire.connection import Connection
from ubongo.server.wire.connections import Connections
from ubongo.server.wire.fair_messages import FairMessages
from ubongo.table import Millis

# A connection without traffic gets a ping; 15 s after its last frame it is dropped.
PING_EVERY = Millis(4000)
DEAD_AFTER = Millis(10_500)
PINGS_AT_ONCE = 100
PROTOCOL_ERROR = 1002
INVALID_TEXT = 1007
TOO_BIG = 1009
INTERNAL_ERROR = 1011
# Those that an endpoint may send: RFC 6455, 7.4, and what was registered since.
CLOSE_CODES = frozenset((*range(1000, 1004), *range(1007, 1015), *range(3000, 5000)))

log = logging.getLogger("ubongo.server.wire")


class OpenWebSockets:
    """All open WebSockets. One task sends the heartbeats of all, where picows would run one task for each.

    `slow`: how many unsent bytes make a client too slow.
    """

    def __init__(
        self, connections: Connections, limit: ConnectionLimit, throttled: ThrottledLog, clock: Clock, slow: int
    ) -> None:
        self.connections = connections
        self.limit = limit
        self.throttled = throttled
        self.clock = clock
        self.slow = slow
        self.fair_messages = FairMessages()
        self.transports: set[WebSocketTransport] = set()

    async def watch(self) -> None:
        """Sends heartbeats until it is cancelled."""
        while True:
            await asyncio.sleep(PING_EVERY / 1000)
            for number, transport in enumerate(list(self.transports)):
                transport.check(self.clock.now())
                if number % PINGS_AT_ONCE == 0:
                    # Moves must not wait for thousands of pings.
                    await asyncio.sleep(0)


class WebSocketTransport(WSListener):
    """A connection's transport, as picows calls it. `last_frame` is when the client last sent anything."""

    def __init__(self, sockets: OpenWebSockets, key: str, cookie: str | None, address: str) -> None:
        super().__init__()
        self._sockets = sockets
        self._request = key, cookie, address
        # What has come of a fragmented message.
        self._fragments: bytearray | None = None
        self._fragments_are_text = False
        self._connection: Connection | None = None
        self._closed = False
        # The address that this connection waits with; None if it never has to.
        self._waits_with = None if is_this_machine(address) else household(address)
        # Messages that wait for their turn; while there are any, nothing is read.
        self._waiting: deque[str] | None = None
        self.last_frame = sockets.clock.now()

    def on_ws_connected(self, transport: WSTransport) -> None:
        self._transport = transport
        transport.underlying_transport.set_write_buffer_limits(high=self._sockets.slow)
        self._sockets.transports.add(self)
        self._sockets.limit.enter(self._request[2])
        self._connection = self._sockets.connections.new(*self._request, self)

    def on_ws_frame(self, transport: WSTransport, frame: WSFrame) -> None:
        assert self._connection is not None
        if self._closed:
            # picows may have read more frames at once.
            return
        self.last_frame = self._sockets.clock.now()
        kind = frame.msg_type
        if frame.rsv1 or frame.rsv2 or frame.rsv3:
            self._fail(PROTOCOL_ERROR, "reserved bits")
        elif kind == WSMsgType.TEXT and frame.fin and self._fragments is None:
            # The usual case, so it is checked first.
            try:
                text = frame.get_payload_as_utf8_text()
            except UnicodeDecodeError:
                self._fail(INVALID_TEXT, "not UTF-8")
            else:
                self._receive(text)
        elif kind == WSMsgType.PING:
            transport.send_pong(frame.get_payload_as_bytes())
            self._connection.count_frame()
        elif kind == WSMsgType.PONG:
            self._connection.count_frame()
        elif kind == WSMsgType.CLOSE:
            self._answer_close(frame)
        elif (kind == WSMsgType.CONTINUATION) == (self._fragments is None):
            self._fail(PROTOCOL_ERROR, "parts out of order")
        elif kind == WSMsgType.BINARY and frame.fin:
            self._connection.receive_binary()
        else:
            self._fragment(frame)

    def _receive(self, message: str) -> None:
        """Handles the message, or lets it wait if its address has sent very many at once."""
        assert self._connection is not None
        address = self._waits_with
        if self._waiting is not None:
            self._waiting.append(message)
        elif address is None or self._sockets.fair_messages.take(address, self.last_frame):
            self._connection.receive(message)
        else:
            # picows hands over what it has read already, at most READ_AT_ONCE bytes.
            self._waiting = deque((message,))
            self._transport.underlying_transport.pause_reading()
            self._sockets.fair_messages.wait(address, self)

    def handle_next(self) -> bool:
        """Handles the first of the waiting messages. Returns whether more are waiting."""
        assert self._waiting is not None
        if self._connection is not None and not self._closed:
            try:
                self._connection.receive(self._waiting.popleft())
            except Exception:
                # picows does the same where it calls us.
                log.exception("a message could not be handled")
                self.close(INTERNAL_ERROR, "internal error")
        if self._connection is None or self._closed:
            self._waiting = None
            return False
        if self._waiting:
            return True
        self._waiting = None
        self._transport.underlying_transport.resume_reading()
        return False

    def _fragment(self, frame: WSFrame) -> None:
        """The fragments of a message together are no longer than a message may be."""
        assert self._connection is not None
        if self._fragments is None:
            self._fragments = bytearray()
            self._fragments_are_text = frame.msg_type == WSMsgType.TEXT
        self._fragments += frame.get_payload_as_memoryview()
        if len(self._fragments) > LONGEST:
            self._fail(TOO_BIG, "too long")
        elif frame.fin:
            message, self._fragments = self._fragments, None
            self._whole_message(message)
        else:
            self._connection.count_frame()

    def _whole_message(self, message: bytearray) -> None:
        """All its fragments have come."""
        assert self._connection is not None
        if not self._fragments_are_text:
            self._connection.receive_binary()
            return
        try:
            text = message.decode()
        except UnicodeDecodeError:
            self._fail(INVALID_TEXT, "not UTF-8")
        else:
            self._receive(text)

    def _answer_close(self, frame: WSFrame) -> None:
        """With the client's own code, if that is a valid one; an empty close frame is answered by an empty one."""
        if frame.payload_size == 0:
            self._closed = True
            self._transport.send(WSMsgType.CLOSE, b"")
            self._transport.disconnect()
        elif (code := int.from_bytes(frame.get_payload_as_bytes()[:2])) in CLOSE_CODES:
            self.close(code, "")
        else:
            self._fail(PROTOCOL_ERROR, "no such close code")

    def _fail(self, code: int, why: str) -> None:
        """The client violates RFC 6455, or our limits."""
        self._sockets.throttled.note("frame")
        self.close(code, why)

    def on_ws_disconnected(self, transport: WSTransport) -> None:  # noqa: ARG002 - picows' signature
        self._sockets.transports.discard(self)
        if self._connection is not None:
            self._sockets.limit.leave(self._request[2])
            self._connection.closed()
            # Breaks the reference cycle, so that both are freed without the garbage collector.
            self._connection = None

    def pause_writing(self) -> None:
        """So much is unsent that this client is too slow: it is dropped."""
        self._transport.disconnect(graceful=False)

    def send(self, message: bytes) -> None:
        # A broadcast may come between the close frame and the end of the connection, and no frame may follow a close.
        # picows ensures that only after a close frame of its own: an empty one is sent by us.
        if not self._closed:
            self._transport.send(WSMsgType.TEXT, message)

    def close(self, code: int, why: str) -> None:
        if self._closed:
            return
        self._closed = True
        self._transport.send_close(code, why.encode())  # type: ignore[arg-type] # picows' enum lacks our codes, but it sends them
        self._transport.disconnect()

    def check(self, now: Timestamp) -> None:
        """Heartbeat: drops a dead connection, and pings a quiet one."""
        if now - self.last_frame >= DEAD_AFTER:
            self._transport.disconnect(graceful=False)
        elif now - self.last_frame >= PING_EVERY // 2 and not self._closed:
            self._transport.send_ping()
