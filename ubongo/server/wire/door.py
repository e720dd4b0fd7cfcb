"""Who may connect at all: our own pages and scripts, not too often, and not too many of one address."""

from __future__ import annotations

from collections.abc import Callable

from ubongo.server.clock import Clock
from ubongo.server.denied import Denied
from ubongo.server.limits import Addresses, ConnectionLimit
from ubongo.server.settings import Settings

COOKIE = "ubongo"


class Door:
    def __init__(self, settings: Settings, addresses: Addresses, limit: ConnectionLimit, clock: Clock) -> None:
        self.settings = settings
        self.limit = limit
        self._addresses = addresses
        self._clock = clock

    def refuses(self, peer: str, header: Callable[[str], str | None]) -> Denied | None:
        """A browser sends the cookie along whoever's page asks it to: the page's origin has to be ours.

        `header` is all that was said by that name: a proxy may add a line of its own below that of who asks.
        """
        address = self.address(peer, header)
        if not self.settings.ours(header("origin"), header("host") or ""):
            return Denied("another_site")
        if not self._addresses.take(address, self._clock.now()):
            return Denied("too_fast")
        return None if self.limit.has_room(address) else Denied("too_many_connections")

    def address(self, peer: str, header: Callable[[str], str | None]) -> str:
        """Where they come from."""
        return self.settings.address(peer, header("x-forwarded-for"))


def cookie_in(header: str | None) -> str | None:
    """Our cookie's value among all that a browser sends.

    >>> cookie_in("theme=dark; ubongo=abc")
    'abc'
    """
    for part in (header or "").split(";"):
        name, _, value = part.strip().partition("=")
        if name == COOKIE:
            return value
    return None
