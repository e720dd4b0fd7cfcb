"""Runs Python's garbage collector without long pauses.

A full collection visits every object; with thousands of connections that takes a tenth of a second in which no request
is answered. So objects that have lived for a second are frozen, and collected only when there are many more of them.
Reference counting frees most objects anyway; only cycles need the collector, such as closed connections.
"""

from __future__ import annotations

import asyncio
import gc

# How often new objects are collected, and how often it is checked whether all have to be.
COLLECT_EVERY_S = 1
CHECK_EVERY_S = 60
# More objects than twice those in use plus these: some thousand connections must have been closed.
MANY = 200_000
NEVER = 1 << 30


class GarbageCollection:
    def __init__(self) -> None:
        self._frozen = 0
        self._before = gc.get_threshold()

    def open(self) -> None:
        young, middle, _ = self._before
        gc.set_threshold(young, middle, NEVER)
        self.collect_all()

    async def watch(self) -> None:
        seconds = 0
        while True:
            await asyncio.sleep(COLLECT_EVERY_S)
            self.collect_new()
            seconds = (seconds + COLLECT_EVERY_S) % CHECK_EVERY_S
            if seconds == 0:
                self.collect_if_grown()

    def collect_new(self) -> None:
        """Collects new objects, and freezes those that are left."""
        gc.collect(1)
        gc.freeze()

    def collect_if_grown(self) -> None:
        """Collects all objects if so many are frozen that many of them must be garbage."""
        if gc.get_freeze_count() > 2 * self._frozen + MANY:
            self.collect_all()

    def collect_all(self) -> None:
        gc.unfreeze()
        gc.collect()
        gc.freeze()
        self._frozen = gc.get_freeze_count()

    def close(self) -> None:
        gc.set_threshold(*self._before)
        gc.unfreeze()
