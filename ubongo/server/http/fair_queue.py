"""Starts a few requests per iteration of the event loop, round robin over addresses, so that moves are not held up.

One address may send as many requests at once as a school does when a lesson begins. If all of them started together, it
would be one long iteration of the event loop, in which no other client is served.
"""

from __future__ import annotations

import asyncio
from collections import deque

from litestar.enums import ScopeType
from litestar.types import ASGIApp, Receive, Scope, Send

from ubongo.server.rate_limit import household
from ubongo.server.settings import Settings

# A request takes less than a millisecond of the loop.
AT_ONCE = 8


def address_in(scope: Scope, settings: Settings) -> str:
    """The address that a request counts for."""
    peer = scope["client"][0] if scope["client"] else ""
    forwarded = [value.decode("latin-1") for name, value in scope["headers"] if name == b"x-forwarded-for"]
    return household(settings.address(peer, ", ".join(forwarded)))


class FairQueue:
    """ASGI middleware."""

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self._app = app
        self._settings = settings
        self._started = 0
        self._scheduled = False
        # Waiting requests by address; the dict's order is that of their turns.
        self._waiting: dict[str, deque[asyncio.Future[None]]] = {}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == ScopeType.HTTP:
            await self._turn(scope)
        await self._app(scope, receive, send)

    async def _turn(self, scope: Scope) -> None:
        loop = asyncio.get_running_loop()
        if not self._scheduled:
            self._scheduled = True
            loop.call_soon(self._next)
        if self._started < AT_ONCE and not self._waiting:
            self._started += 1
            return
        turn: asyncio.Future[None] = loop.create_future()
        self._waiting.setdefault(address_in(scope, self._settings), deque()).append(turn)
        await turn

    def _next(self) -> None:
        """In the next iteration of the loop: starts some of the waiting requests."""
        self._started = 0
        while self._waiting and self._started < AT_ONCE:
            address, queue = next(iter(self._waiting.items()))
            del self._waiting[address]
            turn = queue.popleft()
            if queue:
                # Behind all other addresses.
                self._waiting[address] = queue
            # A cancelled request is skipped.
            if not turn.done():
                turn.set_result(None)
                self._started += 1
        self._scheduled = self._started > 0
        if self._scheduled:
            asyncio.get_running_loop().call_soon(self._next)
