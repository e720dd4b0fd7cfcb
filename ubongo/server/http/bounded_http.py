"""uvicorn's HTTP with limits: one request at a time, of bounded size and duration, on so many connections an address.

uvicorn itself bounds bodies only. A client could send heads, trailers and further requests without end.
"""

from __future__ import annotations

from asyncio import TimerHandle, Transport
from http import HTTPStatus
from typing import Any

import msgspec
from uvicorn.protocols.http.flow_control import FlowControl
from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol, RequestResponseCycle

from ubongo.server.errors import Denied
from ubongo.server.rate_limit import ConnectionLimit
from ubongo.server.settings import Settings
from ubongo.server.throttled_log import ThrottledLog

LONGEST_HEAD = 32 * 1024
# A line of five bytes costs a hundred when it has been read.
MOST_HEADERS = 100
# No request of ours has a longer body.
LONGEST_BODY = 16 * 1024
# All of a request: its head, its body, what chunks add to that, and trailers, which nobody reads.
LONGEST_REQUEST = 2 * LONGEST_HEAD
# Who has connected, or begun a request, has said all of it by then.
REQUEST_WITHIN_S = 10
# What may wait for a reader before the next part of an answer is made.
MOST_UNSENT = 16 * 1024
# So long a reader may take nothing at all.
TAKES_WITHIN_S = 30


class Flow(FlowControl):
    """Reading can be held: whoever else wants to go on reading then cannot."""

    held = False

    def hold(self) -> None:
        self.held = True
        self.pause_reading()

    def resume_reading(self) -> None:
        if not self.held:
            super().resume_reading()


class HttpLimits:
    """What all connections share: whose they are, and what is wrong with them."""

    def __init__(self, settings: Settings, limit: ConnectionLimit, throttled: ThrottledLog) -> None:
        self.settings = settings
        self.limit = limit
        self.throttled = throttled

    def protocol(self) -> type[Http]:
        """The class that uvicorn makes one of for every connection."""
        return type("GuardedHttp", (Http,), {"guard": self})


class Http(HttpToolsProtocol):
    guard: HttpLimits
    flow: Flow
    # Bytes since the last request was complete, and of those what is known to be its head.
    _received = 0
    _head = 0
    # A head is being read, or waited for.
    _in_head = True
    # Whether all of the request that is being answered has been read.
    _complete = True
    # Why the connection ends, if it does; this is what is answered.
    _refused: Denied | None = None
    # Who is counted, if anybody: a proxy has as many connections as it wants.
    _address: str | None = None
    _over_limit = False
    _asking: TimerHandle | None = None
    _taking: TimerHandle | None = None

    def connection_made(self, transport: Transport) -> None:  # type: ignore[override] # as uvicorn has it
        super().connection_made(transport)
        transport.set_write_buffer_limits(high=MOST_UNSENT)
        self.flow = Flow(transport)
        self._begin()
        self._count_connection()

    def connection_lost(self, exc: Exception | None) -> None:
        self._said()
        self._taken()
        self._leave()
        super().connection_lost(exc)

    def _count_connection(self) -> None:
        peer = self.client[0] if self.client else ""
        if peer in self.guard.settings.proxies:
            return
        self._address = peer
        match self.guard.limit.enter(peer):
            case "told":
                self._over_limit = True
            case "cut":
                self.transport.abort()

    def _leave(self) -> None:
        if self._address is not None:
            self.guard.limit.leave(self._address)
            self._address = None

    # What is asked

    def data_received(self, data: bytes) -> None:
        if self._refused is not None:
            return
        if self._over_limit:
            # Only now: who is hung up on before they have asked does not see the answer.
            self._refuse(Denied("too_many_connections"))
            return
        if self._answered:
            self._begin()
        self._received += len(data)
        super().data_received(data)
        self._check_length()

    def _check_length(self) -> None:
        """Of what the parser says nothing about: parts of a line, chunks, trailers, lines between requests."""
        if self._refused is None and self._received > (LONGEST_HEAD if self._in_head else LONGEST_REQUEST):
            self._refuse(_unreadable("its head is too long" if self._in_head else "it is too long"))

    @property
    def _answered(self) -> bool:
        # It says that there always is one, but before the first request there is none.
        cycle: RequestResponseCycle | None = self.cycle
        return cycle is None or cycle.response_complete

    def on_message_begin(self) -> None:
        if not self._answered:
            # Browsers and proxies wait for the answer. This one is answered first, and then it is over.
            raise self._why("another one came before its answer")
        self._begin()
        self._head = 0
        self._in_head = True
        self._complete = False
        super().on_message_begin()

    def on_url(self, url: bytes) -> None:
        self._count_head(len(url))
        super().on_url(url)

    def on_header(self, name: bytes, value: bytes) -> None:
        if not self._in_head:
            # A trailer. To uvicorn it would be one more header of the request that is being answered.
            return
        self._count_head(len(name) + len(value))
        if len(self.headers) >= MOST_HEADERS:
            raise self._why("its head is too long")
        super().on_header(name, value)

    def _count_head(self, size: int) -> None:
        self._head += size
        if self._head > LONGEST_HEAD:
            raise self._why("its head is too long")

    def on_headers_complete(self) -> None:
        super().on_headers_complete()
        self._in_head = False

    def on_message_complete(self) -> None:
        self._said()
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
        self._said()
        # It is counted again, by the address that a proxy may have told.
        self._leave()
        super().handle_websocket_upgrade()

    def _unsupported_upgrade_warning(self) -> None:
        # What follows would be in the other protocol.
        self.cycle.keep_alive = False

    def _begin(self) -> None:
        if self._asking is None:
            self._asking = self.loop.call_later(REQUEST_WITHIN_S, self.transport.abort)

    def _said(self) -> None:
        if self._asking is not None:
            self._asking.cancel()
        self._asking = None

    # What is refused

    def _why(self, why: str) -> Denied:
        """The parser turns what is raised into an error of its own, and uvicorn that into `send_400_response`."""
        self._refused = _unreadable(why)
        return self._refused

    def send_400_response(self, msg: str) -> None:  # noqa: ARG002 - uvicorn's own words
        self._refuse(self._refused or _unreadable("it is no HTTP request"))

    def _refuse(self, no: Denied) -> None:
        """Nothing more is read. It is said why, unless an answer has been given or is being given."""
        self._refused = no
        if no.code == "unreadable":
            self.guard.throttled.note("request")
        self.flow.hold()
        if self._answered:
            if self._in_head:
                self.transport.write(_answer(no))
            self.transport.close()
        elif self._complete:
            # What came before it is answered, and that ends the connection.
            self.cycle.keep_alive = False
        else:
            if not self.cycle.response_started:
                self.transport.write(_answer(no))
            self.cycle.disconnected = True
            self.cycle.message_event.set()
            self.transport.close()

    # What is answered

    def pause_writing(self) -> None:
        super().pause_writing()
        self._look_again()

    def resume_writing(self) -> None:
        self._taken()
        super().resume_writing()

    def _look_again(self) -> None:
        self._taking = self.loop.call_later(TAKES_WITHIN_S, self._look, self.transport.get_write_buffer_size())

    def _look(self, before: int) -> None:
        if self.transport.get_write_buffer_size() >= before:
            self.transport.abort()
        else:
            self._look_again()

    def _taken(self) -> None:
        if self._taking is not None:
            self._taking.cancel()
        self._taking = None


def _unreadable(why: str) -> Denied:
    return Denied("unreadable", why=why)


def _answer(no: Denied) -> bytes:
    body = msgspec.json.encode({"error": no.sentence, "code": no.code})
    headers: dict[str, Any] = {"content-type": "application/json", "content-length": len(body), "connection": "close"}
    told = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
    return STATUS_LINE[HTTPStatus(no.status)] + told.encode() + b"\r\n" + body
