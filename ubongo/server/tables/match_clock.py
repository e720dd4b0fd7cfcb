"""The time of a match, and the one timer that waits for its next deadline."""

from __future__ import annotations

from collections.abc import Callable

from ubongo.server.clock import Alarm, Clock, Timestamp
from ubongo.table import Instant, Millis

# After a failed write the disk gets this long before it is tried again.
RETRY = Millis(1000)
# Clocks of several servers differ by less than this; a clock that is further behind a match is wrong.
CLOCK_TOLERANCE = Millis(1000)


class MatchClock:
    """Counts from the start of the match. Skipping time (T7a) advances it for everybody."""

    __slots__ = ("_alarm", "_clock", "_deadline", "last", "skipped", "started")

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        # By the server's clock; None before the match.
        self.started: Timestamp | None = None
        self.skipped = Millis(0)
        # When the last event happened.
        self.last = Instant(0)
        self._alarm: Alarm | None = None
        self._deadline: Timestamp | None = None

    def now(self) -> Instant:
        """Never earlier than the last event. Before the match it is 0."""
        if self.started is None:
            return Instant(0)
        now = self._clock.now() - self.started + self.skipped
        return Instant(now) if now > self.last else self.last

    @property
    def behind(self) -> Millis:
        """How far the server's clock is behind the last event, if that is more than clocks usually differ."""
        if self.started is None:
            return Millis(0)
        behind = self.last - (self._clock.now() - self.started + self.skipped)
        return Millis(behind if behind > CLOCK_TOLERANCE else 0)

    def server_time(self, at: Instant) -> Timestamp:
        """When it will be that instant of the match, by the server's clock."""
        assert self.started is not None
        return Timestamp(self.started + at - self.skipped)

    def set_timer(self, until: Instant | None, call: Callable[[], None], delay: Millis = Millis(0)) -> None:
        """Calls `delay` after `until`, which replaces the last deadline. The same deadline twice keeps its alarm."""
        deadline = None if until is None or self.started is None else self.server_time(until)
        if deadline == self._deadline and self._alarm is not None:
            return
        self.stop_timer()
        if deadline is not None:
            self._deadline = deadline
            self._alarm = self._clock.wake(Timestamp(deadline + delay), call)

    def retry(self, call: Callable[[], None]) -> None:
        self.stop_timer()
        self._alarm = self._clock.wake(Timestamp(self._clock.now() + RETRY), call)

    def stop_timer(self) -> None:
        """Also to be called when the alarm has gone off."""
        if self._alarm is not None:
            self._alarm.cancel()
        self._alarm = self._deadline = None
