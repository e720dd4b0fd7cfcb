"""Limits how many long responses an address is sent at once, by kind.

The history of a match is in memory until it has been sent; a printed file is read in chunks, each by a thread. Further
requests of the same address wait until earlier responses have been sent. Other addresses do not wait.
"""

from __future__ import annotations

import asyncio
import re

from litestar.enums import ScopeType
from litestar.types import ASGIApp, Receive, Scope, Send

from ubongo.server.http.fair_queue import address_in
from ubongo.server.settings import Settings

# The kinds, by path, and how many of each at once.
HISTORIES = re.compile(r"/api/tables/[^/]+/(log|replay)/?")
FILES = re.compile(r"/print/[^/]+/?")
AT_ONCE = {HISTORIES: 4, FILES: 16}


class LongAnswers:
    """ASGI middleware."""

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self._app = app
        self._settings = settings
        # By kind and address: a semaphore, and how many requests hold it or wait for it.
        self._slots: dict[tuple[re.Pattern[str], str], tuple[asyncio.Semaphore, int]] = {}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        kind = _kind(scope["path"]) if scope["type"] == ScopeType.HTTP else None
        if kind is None:
            await self._app(scope, receive, send)
            return
        address = address_in(scope, self._settings)
        slots = self._count(kind, address, 1)
        try:
            async with slots:
                await self._app(scope, receive, send)
        finally:
            self._count(kind, address, -1)

    def _count(self, kind: re.Pattern[str], address: str, by: int) -> asyncio.Semaphore:
        slots, number = self._slots.get((kind, address)) or (asyncio.Semaphore(AT_ONCE[kind]), 0)
        if number + by:
            self._slots[kind, address] = slots, number + by
        else:
            del self._slots[kind, address]
        return slots


def _kind(path: str) -> re.Pattern[str] | None:
    return next((kind for kind in AT_ONCE if kind.fullmatch(path)), None)
