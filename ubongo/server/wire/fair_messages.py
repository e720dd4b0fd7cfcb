"""Handles a few messages of an address at a time, round robin over its connections, so that other clients do not wait.

A client may send its whole burst at one moment, on every connection of its address. Handled as it comes, that would be
one long iteration of the event loop. Connections that have to wait are not read from until their turn.
"""

from __future__ import annotations

import asyncio
from collections import deque
from typing import Protocol

from ubongo.server.clock import Timestamp

# Messages of one address per millisecond, and per iteration of the loop once some of them wait: half a millisecond.
AT_ONCE = 20


class WaitingConnection(Protocol):
    def handle_next(self) -> bool:
        """Handles the first of its waiting messages. Returns whether more are waiting."""


class FairMessages:
    def __init__(self) -> None:
        self._now = Timestamp(0)
        # How many messages of each address have been handled in this millisecond.
        self._handled: dict[str, int] = {}
        self._waiting: dict[str, deque[WaitingConnection]] = {}
        self._scheduled = False

    def take(self, address: str, now: Timestamp) -> bool:
        """Whether a message may be handled now. If not, its connection waits."""
        if now != self._now:
            self._now = now
            self._handled.clear()
        handled = self._handled.get(address, 0)
        if handled >= AT_ONCE or address in self._waiting:
            return False
        self._handled[address] = handled + 1
        return True

    def wait(self, address: str, connection: WaitingConnection) -> None:
        self._waiting.setdefault(address, deque()).append(connection)
        self._schedule()

    def _schedule(self) -> None:
        if self._waiting and not self._scheduled:
            self._scheduled = True
            asyncio.get_running_loop().call_soon(self._next)

    def _next(self) -> None:
        """In the next iteration of the loop, after all other clients have been read from."""
        self._scheduled = False
        for address, connections in list(self._waiting.items()):
            for _ in range(AT_ONCE):
                connection = connections.popleft()
                if connection.handle_next():
                    connections.append(connection)
                if not connections:
                    del self._waiting[address]
                    break
        self._schedule()
