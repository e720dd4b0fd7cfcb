"""Back pressure on one HTTP connection: reading can be held, and a client that takes no bytes is dropped."""

from __future__ import annotations

from asyncio import AbstractEventLoop, TimerHandle, Transport

from uvicorn.protocols.http.flow_control import FlowControl

# A client may take no bytes at all for this long.
TAKES_WITHIN_S = 30


class HeldFlow(FlowControl):
    """While reading is held, uvicorn cannot resume it."""

    held = False

    def hold(self) -> None:
        self.held = True
        self.pause_reading()

    def resume_reading(self) -> None:
        if not self.held:
            super().resume_reading()


class StallTimer:
    """Drops the connection if its write buffer does not shrink in time."""

    def __init__(self, loop: AbstractEventLoop, transport: Transport) -> None:
        self._loop = loop
        self._transport = transport
        self._timer: TimerHandle | None = None

    def start(self) -> None:
        unsent = self._transport.get_write_buffer_size()
        self._timer = self._loop.call_later(TAKES_WITHIN_S, self._check, unsent)

    def _check(self, before: int) -> None:
        if self._transport.get_write_buffer_size() >= before:
            self._transport.abort()
        else:
            self.start()

    def stop(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._timer = None
