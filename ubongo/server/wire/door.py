"""Who may connect at all, whichever socket it is: our own pages and scripts, and not too often."""

from __future__ import annotations

from collections.abc import Callable
from http import HTTPStatus

from ubongo.server.clock import Clock
from ubongo.server.limits import Addresses
from ubongo.server.settings import Settings

COOKIE = "ubongo"


class Door:
    def __init__(self, settings: Settings, addresses: Addresses, clock: Clock) -> None:
        self.settings = settings
        self._addresses = addresses
        self._clock = clock

    def refuses(self, peer: str, header: Callable[[str], str | None]) -> HTTPStatus | None:
        """A browser sends the cookie along whoever's page asks it to: the page's origin has to be ours.

        `header` is all that was said by that name: a proxy may add a line of its own below that of who asks.
        """
        if not self.settings.ours(header("origin"), header("host") or ""):
            return HTTPStatus.FORBIDDEN
        return (
            None
            if self._addresses.take(self.address(peer, header), self._clock.now())
            else HTTPStatus.TOO_MANY_REQUESTS
        )

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
