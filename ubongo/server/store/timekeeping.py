"""Whether the machine's clock can be trusted, judged by the times that servers have recorded before."""

from __future__ import annotations

import logging

from ubongo.server.clock import Clock, MachineClock, Timestamp
from ubongo.server.store import Log
from ubongo.table import Millis

log = logging.getLogger("ubongo.server.store.timekeeping")

DAY = Millis(24 * 3600 * 1000)
# A clock that is further behind the newest recorded time is wrong.
TOLERANCE = Millis(60_000)

_HEARTBEAT = """
    insert into heartbeats values (?, ?)
    on conflict (day) do update set at = excluded.at where heartbeats.at < excluded.at
"""
_NEWEST = ("select max(at) from heartbeats", "select max(seen) from guests", "select max(changed) from tables")
_NTH_DAY = "select day from heartbeats where day <= ? order by day desc limit 1 offset ?"


class Timekeeping:
    """The clock, and what the log knows of time. Data never expires because of the clock alone."""

    def __init__(self, clock: Clock, log: Log) -> None:
        self.clock = clock
        self.log = log
        # The newest time that was in the log when this server started.
        self.newest = Timestamp(0)
        self._warned = False

    async def open(self) -> None:
        """Call it before anything is written."""
        await self.synchronise()
        # If one of these is damaged, the others are enough.
        found = [row for statement in _NEWEST for row in await self.log.salvage(statement)]
        self.newest = Timestamp(max((newest or 0 for (newest,) in found), default=0))
        self._warn()

    async def synchronise(self) -> None:
        """Sets our clock by the log's, if that is on another machine: all servers that share a log use its time."""
        if isinstance(self.clock, MachineClock) and (time := await self.log.time()) is not None:
            self.clock.agree(*time)
            self._warn()

    def _warn(self) -> None:
        wrong = self.behind > 0
        if wrong and not self._warned:
            log.error(
                "the clock is %d s behind what was recorded before: runs do not count until it is right. "
                "Set the clock, then start the server again.",
                self.behind // 1000,
            )
        self._warned = wrong

    @property
    def behind(self) -> Millis:
        """How far the clock is behind the time recorded before this server started, or before it was set back; or 0."""
        behind = max(self.newest - self.clock.now(), self.clock.set_back if isinstance(self.clock, MachineClock) else 0)
        return Millis(behind if behind > TOLERANCE else 0)

    async def record_heartbeat(self) -> None:
        """Records that a server runs today."""
        now = self.clock.now()
        await self.log.write((_HEARTBEAT, (now // DAY, now)))

    async def expired(self, keep: Millis) -> Timestamp:
        """The time before which data has expired: by the clock, and by the days on which a server ran.

        So nothing expires because a clock jumps ahead.
        """
        now = self.clock.now()
        before, days = now - keep, keep // DAY
        if days == 0:
            return Timestamp(before)
        found = await self.log.read(_NTH_DAY, (now // DAY, days - 1))
        return Timestamp(min(before, found[0][0] * DAY) if found else 0)
