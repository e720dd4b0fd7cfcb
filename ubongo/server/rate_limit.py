"""Rate limits: a token bucket for each connection and each address; and a limit of connections per address."""

from __future__ import annotations

from collections import Counter
from ipaddress import IPv4Address, IPv6Address, ip_address
from typing import Literal

from ubongo.server.clock import Timestamp

# A client with so many more refused requests than allowed ones is disconnected.
MOST_REFUSED_REQUESTS = 1000
# So many connections above the limit are told why they are refused. Any more are dropped.
MOST_REFUSED_CONNECTIONS = 50


class TokenBucket:
    """Allows `burst` requests at once and `rate` more each second; a rate of 0 is no limit."""

    __slots__ = ("burst", "last", "left", "rate", "refused")

    def __init__(self, rate: float, burst: float, now: Timestamp) -> None:
        self.rate = rate
        self.burst = self.left = burst
        self.last = now
        self.refused = 0

    def take(self, now: Timestamp) -> bool:
        if not self.rate:
            return True
        self.left = min(self.burst, self.left + (now - self.last) * self.rate / 1000)
        self.last = now
        if self.left < 1:
            self.refused += 1
            return False
        self.left -= 1
        self.refused = max(0, self.refused - 1)
        return True

    def has_left(self, now: Timestamp) -> bool:
        return self.left + (now - self.last) * self.rate / 1000 >= 1

    def is_full(self, now: Timestamp) -> bool:
        return self.left + (now - self.last) * self.rate / 1000 >= self.burst


class AddressRateLimit:
    """A bucket for each address. A full one is removed."""

    def __init__(self, rate: float, burst: float) -> None:
        self.rate = rate
        self.burst = burst
        self._buckets: dict[str, TokenBucket] = {}

    def take(self, address: str, now: Timestamp) -> bool:
        if not self.rate:
            return True
        return self._bucket(address, now).take(now)

    def charge(self, address: str, requests: float, now: Timestamp) -> None:
        """Counts so many requests at once. The address may then have to wait."""
        if self.rate:
            bucket = self._bucket(address, now)
            bucket.left = max(-self.burst, bucket.left - requests)

    def _bucket(self, address: str, now: Timestamp) -> TokenBucket:
        whose = household(address)
        bucket = self._buckets.get(whose)
        if bucket is None:
            bucket = self._buckets[whose] = TokenBucket(self.rate, self.burst, now)
        return bucket

    def has_left(self, address: str, now: Timestamp) -> bool:
        """Whether one more request would be allowed. Counts nothing."""
        bucket = self._buckets.get(household(address))
        return bucket is None or bucket.has_left(now)

    def tidy(self, now: Timestamp) -> None:
        self._buckets = {whose: bucket for whose, bucket in self._buckets.items() if not bucket.is_full(now)}


class NewcomerRateLimit(AddressRateLimit):
    """How many guests or tables an address may add. This machine has no limit: it is its owner's or a proxy."""

    def take(self, address: str, now: Timestamp) -> bool:
        return is_this_machine(address) or super().take(address, now)


class ConnectionLimit:
    """Limits the open connections of each address; 0 is no limit."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._open: Counter[str] = Counter()

    def enter(self, address: str) -> Literal["accepted", "refused", "dropped"]:
        """Counts a connection, in any case until it leaves. A refused client is told why; a dropped one is not."""
        whose = household(address)
        self._open[whose] += 1
        above = self._open[whose] - self._most if self._most else 0
        return "accepted" if above <= 0 else "refused" if above <= MOST_REFUSED_CONNECTIONS else "dropped"

    def has_room(self, address: str) -> bool:
        return not self._most or self._open[household(address)] < self._most

    def leave(self, address: str) -> None:
        whose = household(address)
        self._open[whose] -= 1
        if not self._open[whose]:
            del self._open[whose]


def is_near(address: str) -> bool:
    """Whether the address is this machine's or in a private network, not on the internet."""
    found = ip_of(address)
    return found is not None and not found.is_global


def is_this_machine(address: str) -> bool:
    """Whether it is the usual loopback address. Others (127.0.0.2) are used to tell clients apart."""
    found = ip_of(address)
    return found is not None and str(found) in ("127.0.0.1", "::1")


def household(address: str) -> str:
    """The address that limits count: of an IPv6 address the /64 network, all of which one household has."""
    found = ip_of(address)
    if found is None:
        return address
    return found.exploded[:19] if isinstance(found, IPv6Address) else str(found)


def ip_of(address: str) -> IPv4Address | IPv6Address | None:
    """An IPv4 address that a proxy writes as IPv6 is an IPv4 address."""
    try:
        found = ip_address(address)
    except ValueError:
        return None
    return found.ipv4_mapped or found if isinstance(found, IPv6Address) else found
