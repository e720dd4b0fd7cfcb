"""The server's clock and timers: the only place that reads the machine's time."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import NewType, Protocol

from ubongo.table import Millis

# Wall-clock time: milliseconds since 1970. `MatchClock` converts between it and the `Instant`s of a match.
Timestamp = NewType("Timestamp", int)


class Alarm(Protocol):
    def cancel(self) -> None: ...


class Clock(Protocol):
    """`now` is in whole milliseconds since 1970 and never goes back while the server runs."""

    def now(self) -> Timestamp: ...
    def wake(self, at: Timestamp, call: Callable[[], None]) -> Alarm: ...


# A clock that is set back stands still for so long at most. If it is set back by more, it keeps its own time.
LONGEST_STAND = Millis(60_000)


class MachineClock:
    """Reads the machine's time once, then the monotonic clock: setting the machine's clock moves no hourglass.

    If the log is in a database, the server follows the database's clock: `agree`.
    """

    def __init__(self) -> None:
        self._began = time.monotonic_ns()
        self._at = time.time_ns()
        self._shown = Timestamp(0)
        # By how much the clock should have been set back, if that was too much to stand still for.
        self.set_back = Millis(0)

    def now(self) -> Timestamp:
        due = (self._at + time.monotonic_ns() - self._began) // 1_000_000
        # After it was set back, the clock stands still until that time comes again.
        if due > self._shown:
            self._shown = Timestamp(due)
        return self._shown

    def agree(self, at: int, monotonic: int) -> None:
        """Sets the clock: it was `at` (nanoseconds since 1970) when `time.monotonic_ns()` was `monotonic`."""
        due = (at + time.monotonic_ns() - monotonic) // 1_000_000
        self.set_back = Millis(max(0, self._shown - due))
        if self.set_back <= LONGEST_STAND:
            self._at, self._began, self.set_back = at, monotonic, Millis(0)

    def wake(self, at: Timestamp, call: Callable[[], None]) -> Alarm:
        return asyncio.get_running_loop().call_later(max(0, at - self.now()) / 1000, call)
