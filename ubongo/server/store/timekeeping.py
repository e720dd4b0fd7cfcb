"""Whether the clock can be trusted, judged by what servers have recorded before."""

from __future__ import annotations

import logging

from ubongo.server.clock import Clock, MachineClock, Timestamp
from ubongo.server.store import Log
from ubongo.table import Millis

log = logging.getLogger("ubongo.server.store.timekeeping")

DAY = Millis(24 * 3600 * 1000)
# A clock that is further behind the newest entry is wrong.
TOLERANCE = Millis(60_000)

_BEAT = """
    insert into heartbeats values (?, ?)
    on conflict (day) do update set at = excluded.at where heartbeats.at < excluded.at
"""
_NEWEST = ("select max(at) from heartbeats", "select max(seen) from guests", "select max(changed) from tables")
_NTH_DAY = "select day from heartbeats where day <= ? order by day desc limit 1 offset ?"


class Timekeeping:
    """The clock, and what the log knows of time. Nothing is trusted to be old because of the clock alone."""

    def __init__(self, clock: Clock, log: Log) -> None:
        self.clock = clock
        self.log = log
        # The newest time that was in the log when this server started.
        self.newest = Timestamp(0)
        self._complained = False

    async def open(self) -> None:
        """Before anything is written."""
        await self.synchronise()
        # Where one of these is damaged the others will do.
        found = [row for statement in _NEWEST for row in await self.log.salvage(statement)]
        self.newest = Timestamp(max((newest or 0 for (newest,) in found), default=0))
        self._complain()

    async def synchronise(self) -> None:
        """By the log's clock, if that is not this machine's: what two machines write to it is of one time."""
        if isinstance(self.clock, MachineClock) and (told := await self.log.time()) is not None:
            self.clock.agree(*told)
            self._complain()

    def _complain(self) -> None:
        wrong = self.behind > 0
        if wrong and not self._complained:
            log.error(
                "the clock is %d s behind what was recorded before: runs do not count until it is right. "
                "Set the clock, then start the server again.",
                self.behind // 1000,
            )
        self._complained = wrong

    @property
    def behind(self) -> Millis:
        """How far the clock is behind what was recorded before this server started, or before it was set back; or 0."""
        behind = max(self.newest - self.clock.now(), self.clock.set_back if isinstance(self.clock, MachineClock) else 0)
        return Millis(behind if behind > TOLERANCE else 0)

    async def beat(self) -> None:
        """A server runs today."""
        now = self.clock.now()
        await self.log.write((_BEAT, (now // DAY, now)))

    async def expired(self, keep: Millis) -> Timestamp:
        """What was last needed before then has been kept long enough: by the clock, and by days on which a server ran.

        So a clock that leaps ahead makes nothing old.
        """
        now = self.clock.now()
        before, days = now - keep, keep // DAY
        if days == 0:
            return Timestamp(before)
        found = await self.log.read(_NTH_DAY, (now // DAY, days - 1))
        return Timestamp(min(before, found[0][0] * DAY) if found else 0)
