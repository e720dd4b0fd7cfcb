"""uvicorn's HTTP with limits: one request at a time, its size and duration, and the number of connections per address.

uvicorn itself limits only bodies. A client could send heads, trailers and pipelined requests without end.
"""

from __future__ import annotations

from asyncio import TimerHandle, Transport
from http import HTTPStatus
from typing import Any

import msgspec
from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol, RequestResponseCycle

from ubongo.server.errors import Denied
from ubongo.server.http.flow_control import HeldFlow, StallTimer
from ubongo.server.rate_limit import ConnectionLimit
from ubongo.server.settings import Settings
from ubongo.server.throttled_log import ThrottledLog

LONGEST_HEAD = 32 * 1024
# A header of five bytes takes a hundred bytes of memory.
MOST_HEADERS = 100
# No request of ours has a longer body.
LONGEST_BODY = 16 * 1024
# All of a request: its head, its body, the overhead of chunks, and trailers, which are ignored.
LONGEST_REQUEST = 2 * LONGEST_HEAD
# A request is complete this long after the connection was opened, or after its first byte.
REQUEST_WITHIN_S = 10
# So many bytes may be unsent before the next part of a response is made.
MOST_UNSENT = 16 * 1024


class HttpLimits:
    """What all connections share: settings, the limit of connections, and the log of protocol errors."""

    def __init__(self, settings: Settings, limit: ConnectionLimit, throttled: ThrottledLog) -> None:
        self.settings = settings
        self.limit = limit
        self.throttled = throttled

    def protocol(self) -> type[Http]:
        """The class that uvicorn instantiates for every connection."""
        return type("LimitedHttp", (Http,), {"limits": self})


class Http(HttpToolsProtocol):
    limits: HttpLimits
    flow: HeldFlow
    # Bytes since the last complete request, and how many of them are known to be the head.
    _received = 0
    _head = 0
    # A head is being read or awaited.
    _in_head = True
    # The request that is being answered has been read completely.
    _complete = True
    # Why the connection is to be closed; this is the response.
    _refused: Denied | None = None
    # The address that this connection counts for; None for a proxy, whose connections are not limited.
    _address: str | None = None
    _over_limit = False
    _request_timer: TimerHandle | None = None

    def connection_made(self, transport: Transport) -> None:  # type: ignore[override] # as uvicorn has it
        super().connection_made(transport)
        transport.set_write_buffer_limits(high=MOST_UNSENT)
        self.flow = HeldFlow(transport)
        self._stall_timer = StallTimer(self.loop, transport)
        self._start_request_timer()
        self._count_connection()

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_request_timer()
        self._stall_timer.stop()
        self._uncount_connection()
        super().connection_lost(exc)

    def _count_connection(self) -> None:
        peer = self.client[0] if self.client else ""
        if peer in self.limits.settings.proxies:
            return
        self._address = peer
        match self.limits.limit.enter(peer):
            case "refused":
                self._over_limit = True
            case "dropped":
                self.transport.abort()

    def _uncount_connection(self) -> None:
        if self._address is not None:
            self.limits.limit.leave(self._address)
            self._address = None

    # Requests

    def data_received(self, data: bytes) -> None:
        if self._refused is not None:
            return
        if self._over_limit:
            # Only now: a client that is disconnected before it has sent a request does not see the response.
            self._refuse(Denied("too_many_connections"))
            return
        if self._answered:
            self._start_request_timer()
        self._received += len(data)
        super().data_received(data)
        self._check_length()

    def _check_length(self) -> None:
        """Of what the parser does not report: unfinished lines, chunks, trailers, empty lines between requests."""
        if self._refused is None and self._received > (LONGEST_HEAD if self._in_head else LONGEST_REQUEST):
            self._refuse(_unreadable("its head is too long" if self._in_head else "it is too long"))

    @property
    def _answered(self) -> bool:
        # By its type there always is a cycle, but before the first request there is none.
        cycle: RequestResponseCycle | None = self.cycle
        return cycle is None or cycle.response_complete

    def on_message_begin(self) -> None:
        if not self._answered:
            # Browsers and proxies wait for the response. The first request gets one, then the connection is closed.
            raise self._unreadable("another one came before its answer")
        self._start_request_timer()
        self._head = 0
        self._in_head = True
        self._complete = False
        super().on_message_begin()

    def on_url(self, url: bytes) -> None:
        self._count_head(len(url))
        super().on_url(url)

    def on_header(self, name: bytes, value: bytes) -> None:
        if not self._in_head:
            # A trailer. uvicorn would take it for a header of the request that is being answered.
            return
        self._count_head(len(name) + len(value))
        if len(self.headers) >= MOST_HEADERS:
            raise self._unreadable("its head is too long")
        super().on_header(name, value)

    def _count_head(self, size: int) -> None:
        self._head += size
        if self._head > LONGEST_HEAD:
            raise self._unreadable("its head is too long")

    def on_headers_complete(self) -> None:
        super().on_headers_complete()
        self._in_head = False

    def on_message_complete(self) -> None:
        self._stop_request_timer()
        self._complete = True
        self._in_head = True
        self._received = 0
        super().on_message_complete()
        if not self._answered:
            self.flow.hold()

    def on_response_complete(self) -> None:
        if self._refused is None:
            self.flow.held = False
        super().on_response_complete()

    def handle_websocket_upgrade(self) -> None:
        self._stop_request_timer()
        # The WebSocket counts it again, by the client's address, which a proxy may have forwarded.
        self._uncount_connection()
        super().handle_websocket_upgrade()

    def _unsupported_upgrade_warning(self) -> None:
        # The client would go on in the other protocol.
        self.cycle.keep_alive = False

    def _start_request_timer(self) -> None:
        if self._request_timer is None:
            self._request_timer = self.loop.call_later(REQUEST_WITHIN_S, self.transport.abort)

    def _stop_request_timer(self) -> None:
        if self._request_timer is not None:
            self._request_timer.cancel()
        self._request_timer = None

    # Refusals

    def _unreadable(self, why: str) -> Denied:
        """To be raised in the parser, which turns it into an error of its own, and uvicorn into `send_400_response`."""
        self._refused = _unreadable(why)
        return self._refused

    def send_400_response(self, msg: str) -> None:  # noqa: ARG002 - uvicorn's own message
        self._refuse(self._refused or _unreadable("it is no HTTP request"))

    def _refuse(self, no: Denied) -> None:
        """Reads nothing more. The client gets the reason, unless a response has been or is being sent."""
        self._refused = no
        if no.code == "unreadable":
            self.limits.throttled.note("request")
        self.flow.hold()
        if self._answered:
            if self._in_head:
                self.transport.write(_response(no))
            self.transport.close()
        elif self._complete:
            # The request before this one gets its response, which closes the connection.
            self.cycle.keep_alive = False
        else:
            if not self.cycle.response_started:
                self.transport.write(_response(no))
            self.cycle.disconnected = True
            self.cycle.message_event.set()
            self.transport.close()

    # Responses

    def pause_writing(self) -> None:
        super().pause_writing()
        self._stall_timer.start()

    def resume_writing(self) -> None:
        self._stall_timer.stop()
        super().resume_writing()


def _unreadable(why: str) -> Denied:
    return Denied("unreadable", why=why)


def _response(no: Denied) -> bytes:
    body = msgspec.json.encode({"error": no.sentence, "code": no.code})
    headers: dict[str, Any] = {"content-type": "application/json", "content-length": len(body), "connection": "close"}
    lines = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
    return STATUS_LINE[HTTPStatus(no.status)] + lines.encode() + b"\r\n" + body
