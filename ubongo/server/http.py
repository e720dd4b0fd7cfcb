"""uvicorn's HTTP, with an end to how long a request's head may be: its quick parser would read one for ever."""

from __future__ import annotations

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle

LONGEST_HEAD = 32 * 1024


class Http(HttpToolsProtocol):
    _head = 0

    def data_received(self, data: bytes) -> None:
        # It says that there always is one, but before the first request there is none.
        cycle: RequestResponseCycle | None = self.cycle
        if cycle is None or cycle.response_complete:
            self._head += len(data)
            if self._head > LONGEST_HEAD:
                self.send_400_response("This request's head is too long.")
                return
        super().data_received(data)

    def on_headers_complete(self) -> None:
        self._head = 0
        super().on_headers_complete()
