"""Log messages that clients can cause as often as they like: they are counted, and each is logged once a minute."""

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
    "request": "connections were closed: the client did not send a valid HTTP request",
    "frame": "connections were closed: the client did not send a valid WebSocket frame",
    "host": "requests for another host were refused; if that is a name of this server, set --public-url",
    "proxy": (
        "requests came through an unknown proxy on this machine or network, so all its clients count as one address, "
        "with the limits of one address; set --proxy"
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
        """Logs what was noted, each kind once a minute at most."""
        for kind, times in list(self._counted.items()):
            if kind not in self._written or now - self._written[kind] >= EVERY:
                log.warning(LINES[kind], extra={"times": times})
                self._written[kind] = now
                del self._counted[kind]
