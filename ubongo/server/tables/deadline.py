"""The one timer of a table."""

from __future__ import annotations

from collections.abc import Callable

from ubongo.server.clock import Alarm, Clock
from ubongo.table import Millis


class Deadline:
    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._alarm: Alarm | None = None
        self._at: Millis | None = None

    def set(self, at: Millis | None, call: Callable[[], None], delay: Millis = 0) -> None:
        """Calls `delay` after `at`. The same deadline set twice keeps its alarm."""
        if at == self._at and self._alarm is not None:
            return
        self.clear()
        if at is not None:
            self._at = at
            self._alarm = self._clock.wake(at + delay, call)

    def retry(self, after: Millis, call: Callable[[], None]) -> None:
        self.clear()
        self._alarm = self._clock.wake(self._clock.now() + after, call)

    def clear(self) -> None:
        """Also to be called when the alarm has gone off."""
        if self._alarm is not None:
            self._alarm.cancel()
        self._alarm = self._at = None
