"""News between servers: 'table T has changed'. Only hints: a server that misses one sees the change a second later."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from ubongo.server.store.entities import Key

# The table, and the version of its match; 0 if something else has changed.
OnNews = Callable[[Key, int], None]


class News(Protocol):
    """No method waits, and none fails. `problem`: why no news arrives at the moment, if so."""

    problem: str | None

    async def open(self, on_news: OnNews) -> None: ...
    def publish(self, table: Key, version: int) -> None: ...
    def subscribe(self, table: Key) -> None: ...
    def unsubscribe(self, table: Key) -> None: ...
    async def close(self) -> None: ...


class NoNews:
    """For servers without NATS, which see changes only when they look at the log."""

    problem: str | None = None

    async def open(self, on_news: OnNews) -> None: ...
    def publish(self, table: Key, version: int) -> None: ...
    def subscribe(self, table: Key) -> None: ...
    def unsubscribe(self, table: Key) -> None: ...
    async def close(self) -> None: ...
