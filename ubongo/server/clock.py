"""The one place that asks the machine what time it is, and to be woken."""

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


# A clock that is told to go back stands still for so long at most; by more it keeps its own time.
LONGEST_STAND = Millis(60_000)


class MachineClock:
    """Set by the machine's time once, then counted: a correction of the machine's clock moves no hourglass.

    Where a database keeps the log, its clock counts for more than the machine's: `agree`.
    """

    def __init__(self) -> None:
        self._began = time.monotonic_ns()
        self._at = time.time_ns()
        self._shown = Timestamp(0)
        # By how much we were told to go back, where that was too much to stand still for.
        self.set_back = Millis(0)

    def now(self) -> Timestamp:
        told = (self._at + time.monotonic_ns() - self._began) // 1_000_000
        # Who is told to be slow stands still until it is that time again.
        self._shown = Timestamp(max(self._shown, told))
        return self._shown

    def agree(self, at: int, monotonic: int) -> None:
        """It was `at` (nanoseconds since 1970) when this machine's monotonic clock was there: so says who knows."""
        told = (at + time.monotonic_ns() - monotonic) // 1_000_000
        self.set_back = Millis(max(0, self._shown - told))
        if self.set_back <= LONGEST_STAND:
            self._at, self._began, self.set_back = at, monotonic, Millis(0)

    def wake(self, at: Timestamp, call: Callable[[], None]) -> Alarm:
        return asyncio.get_running_loop().call_later(max(0, at - self.now()) / 1000, call)
