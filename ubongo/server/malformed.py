"""Connections that break HTTP or WebSocket rules: they come in floods, so they are counted and logged once a minute."""

from __future__ import annotations

import logging
from collections import Counter
from typing import Literal

from ubongo.table import Millis

EVERY: Millis = 60_000

log = logging.getLogger("ubongo.server")


class Malformed:
    def __init__(self) -> None:
        self._counted: Counter[str] = Counter()
        self._told: Millis | None = None

    def note(self, kind: Literal["request", "frame"]) -> None:
        self._counted[kind] += 1

    def tidy(self, now: Millis) -> None:
        """The first one is told of at once."""
        if not self._counted or (self._told is not None and now - self._told < EVERY):
            return
        log.warning("connections were closed for what could not be read", extra={"number": dict(self._counted)})
        self._counted.clear()
        self._told = now
