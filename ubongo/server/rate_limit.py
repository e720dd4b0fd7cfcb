"""How much somebody may ask: a token bucket for each connection and each address; and how often they may connect."""

from __future__ import annotations

from collections import Counter
from ipaddress import IPv4Address, IPv6Address, ip_address
from typing import Literal

from ubongo.server.clock import Timestamp

# So many more refusals than asks that were allowed are no mistake.
PATIENCE = 1000
# So many above the limit are let in to be told that they are.
TOLD = 50


class TokenBucket:
    """Holds `deep` asks and gets `rate` more each second; a rate of 0 holds nothing back."""

    __slots__ = ("deep", "last", "left", "rate", "refused")

    def __init__(self, rate: float, deep: float, now: Timestamp) -> None:
        self.rate = rate
        self.deep = self.left = deep
        self.last = now
        self.refused = 0

    def take(self, now: Timestamp) -> bool:
        if not self.rate:
            return True
        self.left = min(self.deep, self.left + (now - self.last) * self.rate / 1000)
        self.last = now
        if self.left < 1:
            self.refused += 1
            return False
        self.left -= 1
        self.refused = max(0, self.refused - 1)
        return True

    def has_left(self, now: Timestamp) -> bool:
        return self.left + (now - self.last) * self.rate / 1000 >= 1

    def full(self, now: Timestamp) -> bool:
        return self.left + (now - self.last) * self.rate / 1000 >= self.deep


class AddressRateLimit:
    """A bucket for each address; one that is full again is forgotten."""

    def __init__(self, rate: float, deep: float) -> None:
        self.rate = rate
        self.deep = deep
        self._buckets: dict[str, TokenBucket] = {}

    def take(self, address: str, now: Timestamp) -> bool:
        if not self.rate:
            return True
        return self._bucket(address, now).take(now)

    def charge(self, address: str, asks: float, now: Timestamp) -> None:
        """As if so many had been asked; it may take until there are some left again."""
        if self.rate:
            bucket = self._bucket(address, now)
            bucket.left = max(-self.deep, bucket.left - asks)

    def _bucket(self, address: str, now: Timestamp) -> TokenBucket:
        whose = household(address)
        bucket = self._buckets.get(whose)
        if bucket is None:
            bucket = self._buckets[whose] = TokenBucket(self.rate, self.deep, now)
        return bucket

    def has_left(self, address: str, now: Timestamp) -> bool:
        """Whether one more would be allowed; it is not counted yet."""
        bucket = self._buckets.get(household(address))
        return bucket is None or bucket.has_left(now)

    def tidy(self, now: Timestamp) -> None:
        self._buckets = {whose: bucket for whose, bucket in self._buckets.items() if not bucket.full(now)}


class NewcomerRateLimit(AddressRateLimit):
    """How many guests or tables an address may add; any number from this machine, which is its owner's or a proxy's."""

    def take(self, address: str, now: Timestamp) -> bool:
        return this_machine(address) or super().take(address, now)


class ConnectionLimit:
    """How many connections are open from each address, and how many may be; a limit of 0 is none."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._open: Counter[str] = Counter()

    def enter(self, address: str) -> Literal["in", "told", "cut"]:
        """It is counted either way, until it leaves: whether it may stay, is told why not, or is cut off."""
        whose = household(address)
        self._open[whose] += 1
        above = self._open[whose] - self._most if self._most else 0
        return "in" if above <= 0 else "told" if above <= TOLD else "cut"

    def has_room(self, address: str) -> bool:
        return not self._most or self._open[household(address)] < self._most

    def leave(self, address: str) -> None:
        whose = household(address)
        self._open[whose] -= 1
        if not self._open[whose]:
            del self._open[whose]


def is_near(address: str) -> bool:
    """This machine, or in its own network: not somebody from the internet."""
    found = ip_of(address)
    return found is not None and not found.is_global


def this_machine(address: str) -> bool:
    """By its usual name. Whoever uses another loopback address does so to be told apart."""
    found = ip_of(address)
    return found is not None and str(found) in ("127.0.0.1", "::1")


def household(address: str) -> str:
    """Who has one IPv6 address has 2**64 of them."""
    found = ip_of(address)
    if found is None:
        return address
    return found.exploded[:19] if isinstance(found, IPv6Address) else str(found)


def ip_of(address: str) -> IPv4Address | IPv6Address | None:
    """Who came by IPv4 to a proxy that listens for both is at their IPv4 address."""
    try:
        found = ip_address(address)
    except ValueError:
        return None
    return found.ipv4_mapped or found if isinstance(found, IPv6Address) else found
