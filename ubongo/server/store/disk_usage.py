"""How much disk space the log takes, how fast that grows, and whether the limit is reached."""

from __future__ import annotations

import re
from collections import deque

from ubongo.server.clock import Timestamp
from ubongo.table import Millis

HOUR = Millis(3600 * 1000)
# The time between two samples.
SAMPLE_EVERY = Millis(60 * 1000)
_UNITS = {"": 1, "K": 10**3, "M": 10**6, "G": 10**9, "T": 10**12}
_SIZE = re.compile(r"(\d{1,15}(?:\.\d{1,6})?)\s*([KMGT]?)B?", re.ASCII | re.IGNORECASE)


def bytes_of(size: str) -> int | None:
    """A size such as "20GB"; None if it is none.

    >>> bytes_of("20GB"), bytes_of("1.5 m"), bytes_of("0"), bytes_of("much")
    (20000000000, 1500000, 0, None)
    """
    found = _SIZE.fullmatch(size.strip())
    return None if found is None else int(float(found[1]) * _UNITS[found[2].upper()])


class DiskUsage:
    """`limit` in bytes, 0 for none."""

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self.used = 0
        self._samples: deque[tuple[Timestamp, int]] = deque()

    def note(self, used: int, now: Timestamp) -> None:
        self.used = used
        if not self._samples or now - self._samples[-1][0] >= SAMPLE_EVERY:
            self._samples.append((now, used))
        while now - self._samples[0][0] > HOUR:
            self._samples.popleft()

    @property
    def full(self) -> bool:
        return 0 < self.limit <= self.used

    @property
    def growth(self) -> int:
        """In the last hour."""
        return self.used - self._samples[0][1] if self._samples else 0
