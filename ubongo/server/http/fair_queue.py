"""Requests begin a few at a time, of each address in turn, so that moves are answered between them.

An address may ask for as much at once as a school does when a lesson begins. Begun all together that would be one long
turn of the event loop, in which nobody else is heard.
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


def asker(scope: Scope, settings: Settings) -> str:
    """The address that somebody asks from."""
    peer = scope["client"][0] if scope["client"] else ""
    told = [value.decode("latin-1") for name, value in scope["headers"] if name == b"x-forwarded-for"]
    return household(settings.address(peer, ", ".join(told)))


class Turns:
    """Wraps an application."""

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self._app = app
        self._settings = settings
        self._begun = 0
        self._counting = False
        # Those who wait, by address, in the order of their turns.
        self._waiting: dict[str, deque[asyncio.Future[None]]] = {}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == ScopeType.HTTP:
            await self._turn(scope)
        await self._app(scope, receive, send)

    async def _turn(self, scope: Scope) -> None:
        loop = asyncio.get_running_loop()
        if not self._counting:
            self._counting = True
            loop.call_soon(self._next)
        if self._begun < AT_ONCE and not self._waiting:
            self._begun += 1
            return
        turn: asyncio.Future[None] = loop.create_future()
        self._waiting.setdefault(asker(scope, self._settings), deque()).append(turn)
        await turn

    def _next(self) -> None:
        """The loop has been around once: some of those who wait may begin."""
        self._begun = 0
        while self._waiting and self._begun < AT_ONCE:
            address, queue = next(iter(self._waiting.items()))
            del self._waiting[address]
            turn = queue.popleft()
            if queue:
                # Behind all others.
                self._waiting[address] = queue
            # Whoever has been given up waits for nothing any more.
            if not turn.done():
                turn.set_result(None)
                self._begun += 1
        self._counting = self._begun > 0
        if self._counting:
            asyncio.get_running_loop().call_soon(self._next)
