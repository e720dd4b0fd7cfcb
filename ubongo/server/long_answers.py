"""The history of a match is read whole, and stays in memory until it has been sent: of one address so many at once.

Whoever asks for more of them waits until the earlier ones have been taken. Others do not.
"""

from __future__ import annotations

import asyncio
import re

from litestar.enums import ScopeType
from litestar.types import ASGIApp, Receive, Scope, Send

from ubongo.server.settings import Settings
from ubongo.server.turns import asker

AT_ONCE = 4
LONG = re.compile(r"/api/tables/[^/]+/(log|replay)/?")


class LongAnswers:
    """Wraps an application."""

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self._app = app
        self._settings = settings
        # By address, with how many ask or wait.
        self._lanes: dict[str, tuple[asyncio.Semaphore, int]] = {}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != ScopeType.HTTP or not LONG.fullmatch(scope["path"]):
            await self._app(scope, receive, send)
            return
        address = asker(scope, self._settings)
        lane = self._count(address, 1)
        try:
            async with lane:
                await self._app(scope, receive, send)
        finally:
            self._count(address, -1)

    def _count(self, address: str, by: int) -> asyncio.Semaphore:
        lane, number = self._lanes.get(address) or (asyncio.Semaphore(AT_ONCE), 0)
        if number + by:
            self._lanes[address] = lane, number + by
        else:
            del self._lanes[address]
        return lane
