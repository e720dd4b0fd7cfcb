"""uvicorn's HTTP, with an end to what it would wait for or read for ever: a request's head, its body, a slow reader."""

from __future__ import annotations

from asyncio import TimerHandle, Transport

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle

LONGEST_HEAD = 32 * 1024
# Who has connected, or begun a request, has said all of it by then.
REQUEST_WITHIN_S = 10
# So long a reader may take nothing at all.
TAKES_WITHIN_S = 30


class Http(HttpToolsProtocol):
    _head = 0
    _asking: TimerHandle | None = None
    _taking: TimerHandle | None = None

    def connection_made(self, transport: Transport) -> None:  # type: ignore[override] # as uvicorn has it
        super().connection_made(transport)
        self._begin()

    def connection_lost(self, exc: Exception | None) -> None:
        self._said()
        self._taken()
        super().connection_lost(exc)

    # What is asked

    def data_received(self, data: bytes) -> None:
        # It says that there always is one, but before the first request there is none.
        cycle: RequestResponseCycle | None = self.cycle
        if cycle is None or cycle.response_complete:
            self._begin()
            self._head += len(data)
            if self._head > LONGEST_HEAD:
                self.send_400_response("This request's head is too long.")
                return
        super().data_received(data)

    def on_message_begin(self) -> None:
        self._begin()
        super().on_message_begin()

    def on_headers_complete(self) -> None:
        self._head = 0
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        self._said()
        super().on_message_complete()

    def handle_websocket_upgrade(self) -> None:
        self._said()
        super().handle_websocket_upgrade()

    def _begin(self) -> None:
        if self._asking is None:
            self._asking = self.loop.call_later(REQUEST_WITHIN_S, self.transport.abort)

    def _said(self) -> None:
        if self._asking is not None:
            self._asking.cancel()
        self._asking = None

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
