"""Log lines that anybody can cause as often as they like: they are counted, and each is written once a minute."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Mapping
from typing import Literal

from ubongo.server.clock import Timestamp
from ubongo.table import Millis

EVERY = Millis(60_000)

MalformedKind = Literal["request", "frame", "host", "proxy"]
LINES: Mapping[MalformedKind, str] = {
    "request": "connections were closed: what came was no HTTP request that we read",
    "frame": "connections were closed: what came was no WebSocket frame that we read",
    "host": "requests for another host were refused; if people come here by its name, say so: --public-url",
    "proxy": (
        "a proxy on this machine or network was not named, so everybody who comes by it is taken for one address, "
        "with one address' limits; name it: --proxy"
    ),
}

log = logging.getLogger("ubongo.server")


class ThrottledLog:
    def __init__(self) -> None:
        self._counted: Counter[MalformedKind] = Counter()
        self._written: dict[MalformedKind, Timestamp] = {}

    def note(self, kind: MalformedKind) -> None:
        self._counted[kind] += 1

    def tidy(self, now: Timestamp) -> None:
        """Writes what has been noted, and was not written within the last minute."""
        for kind, times in list(self._counted.items()):
            if kind not in self._written or now - self._written[kind] >= EVERY:
                log.warning(LINES[kind], extra={"times": times})
                self._written[kind] = now
                del self._counted[kind]
