"""Answers that are long: of each kind an address is sent so many at once.

The history of a match is read whole, and stays in memory until it has been sent; a printed file is read piece by piece,
each of them by a thread. Whoever asks for more waits until the earlier ones have been taken. Others do not.
"""

from __future__ import annotations

import asyncio
import re

from litestar.enums import ScopeType
from litestar.types import ASGIApp, Receive, Scope, Send

from ubongo.server.http.fair_queue import asker
from ubongo.server.settings import Settings

# What their paths look like, and how many at once.
HISTORIES = re.compile(r"/api/tables/[^/]+/(log|replay)/?")
FILES = re.compile(r"/print/[^/]+/?")
AT_ONCE = {HISTORIES: 4, FILES: 16}


class LongAnswers:
    """Wraps an application."""

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self._app = app
        self._settings = settings
        # By kind and address, with how many ask or wait.
        self._lanes: dict[tuple[re.Pattern[str], str], tuple[asyncio.Semaphore, int]] = {}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        kind = _kind(scope["path"]) if scope["type"] == ScopeType.HTTP else None
        if kind is None:
            await self._app(scope, receive, send)
            return
        address = asker(scope, self._settings)
        lane = self._count(kind, address, 1)
        try:
            async with lane:
                await self._app(scope, receive, send)
        finally:
            self._count(kind, address, -1)

    def _count(self, kind: re.Pattern[str], address: str, by: int) -> asyncio.Semaphore:
        lane, number = self._lanes.get((kind, address)) or (asyncio.Semaphore(AT_ONCE[kind]), 0)
        if number + by:
            self._lanes[kind, address] = lane, number + by
        else:
            del self._lanes[kind, address]
        return lane


def _kind(path: str) -> re.Pattern[str] | None:
    return next((kind for kind in AT_ONCE if kind.fullmatch(path)), None)
