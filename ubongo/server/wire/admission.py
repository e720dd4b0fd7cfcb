"""Who may connect at all: our own pages and scripts, up to a rate and a number of connections per address."""

from __future__ import annotations

from collections.abc import Callable

from ubongo.server.clock import Clock
from ubongo.server.errors import Denied
from ubongo.server.rate_limit import AddressRateLimit, ConnectionLimit, is_near
from ubongo.server.settings import Settings
from ubongo.server.throttled_log import ThrottledLog

COOKIE = "ubongo"
# Over https: browsers do not let another host of the same domain set a cookie with this prefix.
HOST_COOKIE = "__Host-ubongo"
FORWARDED = ("x-forwarded-for", "forwarded", "x-real-ip")

# All values of a header: a proxy may add a line of its own below that of the client.
Header = Callable[[str], str | None]


class Admission:
    def __init__(
        self,
        settings: Settings,
        addresses: AddressRateLimit,
        limit: ConnectionLimit,
        throttled: ThrottledLog,
        clock: Clock,
    ) -> None:
        self.settings = settings
        self.limit = limit
        self._addresses = addresses
        self._throttled = throttled
        self._clock = clock

    def check(self, peer: str, header: Header, changes: bool) -> None:
        """Raises Denied for another host's requests, for changes by another site's page, and above the rate limit.

        A browser sends our cookie with the requests of any site's page, so the page's origin has to be ours.
        """
        if peer not in self.settings.proxies and is_near(peer) and any(map(header, FORWARDED)):
            self._throttled.note("proxy")
        if not self.settings.serves(header("host")):
            self._throttled.note("host")
            raise Denied("unknown_host")
        if changes and not self.settings.ours(header("origin"), header("host") or ""):
            raise Denied("another_site")
        if not self._addresses.take(self.address(peer, header), self._clock.now()):
            raise Denied("too_fast")

    def check_socket(self, peer: str, header: Header) -> None:
        self.check(peer, header, changes=True)
        if not self.limit.has_room(self.address(peer, header)):
            raise Denied("too_many_connections")

    def address(self, peer: str, header: Header) -> str:
        """The client's own address, also behind a trusted proxy."""
        return self.settings.address(peer, header("x-forwarded-for"))


def cookie_in(header: str | None) -> str | None:
    """The value of our cookie in a `Cookie` header.

    >>> cookie_in("theme=dark; ubongo=abc")
    'abc'
    >>> cookie_in("ubongo=abc; __Host-ubongo=def")
    'def'
    """
    sent = dict(part.strip().partition("=")[::2] for part in (header or "").split(";"))
    return sent.get(HOST_COOKIE) or sent.get(COOKIE)
