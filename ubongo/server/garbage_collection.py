"""What Python's garbage collector looks at, and when.

A full collection looks at every object there is; with thousands of connections that is a tenth of a second in which no
table is answered. So what has lived for a second is set aside, and looked at again only when much more has gathered.
What is let go of is freed at once all the same, unless it holds itself in a circle, as connections that are gone do.
"""

from __future__ import annotations

import asyncio
import gc

# In seconds: what is new is looked at, and how much there is.
TURN_S = 1
LOOK_BACK_S = 60
# So many objects more than twice those that were in use are some thousand connections that are gone.
MANY = 200_000
NEVER = 1 << 30


class GarbageCollection:
    def __init__(self) -> None:
        self._kept = 0
        self._before = gc.get_threshold()

    def open(self) -> None:
        young, middle, _ = self._before
        gc.set_threshold(young, middle, NEVER)
        self.look_at_all()

    async def watch(self) -> None:
        seconds = 0
        while True:
            await asyncio.sleep(TURN_S)
            self.turn()
            seconds = (seconds + TURN_S) % LOOK_BACK_S
            if seconds == 0:
                self.look_back()

    def turn(self) -> None:
        """Looks at what is new, and sets the rest aside."""
        gc.collect(1)
        gc.freeze()

    def look_back(self) -> None:
        """Whether so much has been set aside that much of it must be gone."""
        if gc.get_freeze_count() > 2 * self._kept + MANY:
            self.look_at_all()

    def look_at_all(self) -> None:
        gc.unfreeze()
        gc.collect()
        gc.freeze()
        self._kept = gc.get_freeze_count()

    def close(self) -> None:
        gc.set_threshold(*self._before)
        gc.unfreeze()
