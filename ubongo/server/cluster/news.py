"""News between houses: 'something has happened at table T'. Only hints: who misses one sees it a moment later."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from ubongo.server.store.entities import Key

# The table, and how far its match is; 0 where something else has changed than the match.
Heard = Callable[[Key, int], None]


class News(Protocol):
    """`problem`: why nothing is heard, if so. No call waits, and none fails."""

    problem: str | None

    async def open(self, heard: Heard) -> None: ...
    def say(self, table: Key, version: int) -> None: ...
    def listen(self, table: Key) -> None:
        """Whatever is said of this table is heard from now on."""

    def ignore(self, table: Key) -> None: ...
    async def close(self) -> None: ...


class NoNews:
    """Nobody to tell: what others do is seen when it is looked for."""

    problem: str | None = None

    async def open(self, heard: Heard) -> None:
        pass

    def say(self, table: Key, version: int) -> None:
        pass

    def listen(self, table: Key) -> None:
        pass

    def ignore(self, table: Key) -> None:
        pass

    async def close(self) -> None:
        pass
