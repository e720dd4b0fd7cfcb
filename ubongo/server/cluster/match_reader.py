"""Reads rows that other servers have appended to matches that are open here."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping, Sequence

from ubongo.server.cluster.background_tasks import BackgroundTasks
from ubongo.server.cluster.membership import Membership
from ubongo.server.store import Row, StoreError
from ubongo.server.tables.replication import Replica

log = logging.getLogger("ubongo.server.cluster.match_reader")


class MatchReader:
    """Requests that arrive during a read share the next one."""

    def __init__(self, membership: Membership, tasks: BackgroundTasks) -> None:
        self._membership = membership
        self._tasks = tasks
        self._requested: set[Replica] = set()
        self._reading: asyncio.Task[None] | None = None

    def read_on(self, replica: Replica) -> None:
        self._requested.add(replica)
        if self._reading is None:
            self._reading = self._tasks.start(self._read())

    async def wait(self) -> None:
        """Until all requested rows have been read."""
        if self._reading is not None:
            await asyncio.shield(self._reading)

    async def _read(self) -> None:
        try:
            while self._requested:
                replicas, self._requested = self._requested, set()
                by_match = {one.live_match.match.number: one for one in replicas if one.live_match.match is not None}
                known = {number: one.live_match.version for number, one in by_match.items()}
                found: Mapping[int, Sequence[Row]] | None = None
                try:
                    found = await self._membership.rows_since(known)
                except StoreError:
                    pass
                except Exception:
                    # The replicas get an answer, or their players would wait for ever.
                    log.exception("rows of other servers could not be read")
                for number, replica in by_match.items():
                    self._apply(number, replica, None if found is None else found.get(number, ()))
        finally:
            self._reading = None

    def _apply(self, match: int, replica: Replica, rows: Sequence[Row] | None) -> None:
        try:
            replica.rows_read(rows)
        except Exception:
            # One match that fails must not stop the others. A table's key is a secret: no log has it.
            log.exception("match %d cannot be replicated", match)
