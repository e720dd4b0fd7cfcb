"""picows' reader of WebSocket frames, attached to a connection of uvicorn's.

picows' protocol class is not a documented API, so its version is pinned.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from typing import Any

from picows import WSAutoPingStrategy, WSUpgradeRequest, WSUpgradeResponseWithListener
from picows.picows import WSProtocol  # type: ignore[attr-defined] # not documented, see above

from ubongo.server.protocol import LONGEST
from ubongo.server.throttled_log import ThrottledLog

HANDSHAKE_WITHIN_S = 10
# picows doubles its buffer whenever it is full, and never shrinks it. So it gets no more at once than a message and
# what followed it.
READ_AT_ONCE = 2 * LONGEST
# The beginning of what picows logs about a connection that breaks the protocol.
UNREADABLE = "WS parser error"

log = logging.getLogger("ubongo.server.wire")


class FrameReader(WSProtocol):  # type: ignore[misc] # picows has no types for it
    """Its buffer stays small."""

    def get_buffer(self, size_hint: int) -> memoryview:
        buffer: memoryview = super().get_buffer(size_hint)
        return buffer[:READ_AT_ONCE]


class ConnectionLog(logging.LoggerAdapter[logging.Logger]):
    """Where picows logs about one connection: after a protocol error, which is counted, nothing more is read."""

    def __init__(self, transport: asyncio.ReadTransport, throttled: ThrottledLog) -> None:
        super().__init__(log)
        self._transport = transport
        self._throttled = throttled

    def error(self, msg: object, *args: object, **kwargs: Any) -> None:
        if not str(msg).startswith(UNREADABLE):
            super().error(msg, *args, **kwargs)
            return
        self._throttled.note("frame")
        # picows sends a close frame and then disconnects, but goes on reading until then.
        self._transport.pause_reading()


def read_frames(
    transport: asyncio.Transport,
    accept: Callable[[WSUpgradeRequest], WSUpgradeResponseWithListener | None],
    throttled: ThrottledLog,
) -> FrameReader:
    """From the next iteration of the event loop on, picows reads from this transport. `accept` answers the upgrade."""
    reader = FrameReader(
        None,  # host and path: only for clients
        None,
        False,
        accept,
        ConnectionLog(transport, throttled),
        True,  # an exception of ours closes the connection
        HANDSHAKE_WITHIN_S,
        False,  # pings: see OpenWebSockets.watch
        10,
        10,
        WSAutoPingStrategy.PING_WHEN_IDLE,
        False,  # pongs: sent by WebSocketTransport, which counts them
        LONGEST,
        None,
        2048,
    )
    reader.connection_made(transport)
    asyncio.get_running_loop().call_soon(transport.set_protocol, reader)
    return reader
