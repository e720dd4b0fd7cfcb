"""A server whose time is ours: a quarter of an hour goes by when the test says so, and every alarm with it."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import uvicorn

from ubongo.server.app import build
from ubongo.server.clock import MachineClock, Timestamp
from ubongo.server.run import Server
from ubongo.server.services import Services
from ubongo.server.settings import Settings
from ubongo.server.wire.listener import address, listen

# How often an alarm looks at a clock that may have leapt.
LOOK_S = 0.02


class LeapingAlarm:
    def __init__(self, clock: MachineClock, at: Timestamp, call: Callable[[], None]) -> None:
        self._clock, self._at, self._call = clock, at, call
        self._look()

    def _look(self) -> None:
        due = self._clock.now() >= self._at
        self._wait = asyncio.get_running_loop().call_later(0 if due else LOOK_S, self._call if due else self._look)

    def cancel(self) -> None:
        self._wait.cancel()


class LeapingClock(MachineClock):
    """The machine's, and whatever it has leapt."""

    _stands: Timestamp | None = None

    def now(self) -> Timestamp:
        return super().now() if self._stands is None else self._stands

    def leap(self, by: int) -> None:
        self._at += by * 1_000_000
        if self._stands is not None:
            self._stands = Timestamp(self._stands + by)

    @contextmanager
    def standing(self) -> Iterator[None]:
        """Time does not go by meanwhile, however long somebody looks, unless it leaps."""
        self._stands = self.now()
        try:
            yield
        finally:
            self.agree(self._stands * 1_000_000, time.monotonic_ns())
            self._stands = None

    def wake(self, at: Timestamp, call: Callable[[], None]) -> LeapingAlarm:
        return LeapingAlarm(self, at, call)


# Where such a server is, and its clock.
Lived = tuple[str, LeapingClock]


@contextmanager
def leaping(folder: Path) -> Iterator[Lived]:
    """The server in a thread of this process, since it shares its clock with the test."""
    clock = LeapingClock()
    app = build(settings=Settings(db=folder / "log.db"), clock=clock)
    listener = listen("127.0.0.1", 0)
    house: Services = app.state.services
    # Who is silent is seen by the machine's time: nobody answers a ping while it leaps.
    house.sockets.open.clock = MachineClock()
    config = uvicorn.Config(app, log_config=None, ws=house.sockets.protocol(), timeout_graceful_shutdown=1)
    server = Server(config, house, lambda: None)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
    thread.start()
    try:
        yield address("127.0.0.1", listener.getsockname()[1]), clock
    finally:
        server.should_exit = True
        thread.join()
