"""Banned guests and networks, in memory, so that every request can be checked."""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import sha256
from ipaddress import IPv4Network, IPv6Network, ip_network

from ubongo.server.clock import Clock, Timestamp
from ubongo.server.errors import Denied
from ubongo.server.rate_limit import ip_of
from ubongo.server.store.entities import Player
from ubongo.server.store.moderation import Ban

Until = Timestamp | None

MAPPED = IPv6Network("::ffff:0:0/96")
# A household has an IPv6 network of this size, and any address in it.
IPV6_HOUSEHOLD = 64
# Addresses noted between two looks of the enforcer. Others are noted when they come again.
MOST_SEEN = 100


def hash_token(token: str) -> bytes:
    # No slow hash: a token is as random as its hash is long, so it cannot be guessed.
    return sha256(token.encode("utf-8", "surrogatepass")).digest()


def network_of(text: str) -> IPv4Network | IPv6Network | None:
    """Parses an address or a network; None if the text is neither.

    >>> network_of("203.0.113.7"), network_of("203.0.113.7/24"), network_of("2001:db8::1")
    (IPv4Network('203.0.113.7/32'), IPv4Network('203.0.113.0/24'), IPv6Network('2001:db8::/64'))
    """
    try:
        found = ip_network(text.strip(), strict=False)
    except ValueError:
        return None
    if isinstance(found, IPv6Network) and found.subnet_of(MAPPED):
        return IPv4Network((int(found.network_address) & 0xFFFF_FFFF, found.prefixlen - MAPPED.prefixlen))
    if isinstance(found, IPv6Network) and "/" not in text:
        return found.supernet(new_prefix=IPV6_HOUSEHOLD)
    return found


class Bans:
    """The bans as the enforcer last read them. Each ends by itself."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._guests: dict[Player, Ban] = {}
        # The hashes of the tokens of banned guests, so that no request has to read the store.
        self._devices: dict[bytes, Player] = {}
        # By IP version and length of the prefix.
        self._networks: dict[tuple[int, int], dict[int, Until]] = {}
        # Addresses of guests who are banned together with their address.
        self._seen_at: dict[str, Ban] = {}

    def replace(self, bans: Iterable[Ban], devices: Iterable[tuple[bytes, Player]]) -> None:
        self._guests, self._networks = {}, {}
        for ban in bans:
            if ban.kind == "guest":
                self._guests[ban.target] = ban
            elif (network := network_of(ban.target)) is not None:
                prefix = int(network.network_address) >> (network.max_prefixlen - network.prefixlen)
                self._networks.setdefault((network.version, network.prefixlen), {})[prefix] = ban.until
        self._devices = dict(devices)

    def refuse(self, address: str, token: str | None, player: Player | None = None) -> None:
        """Raises Denied for clients in a banned network and for devices of banned guests."""
        if self._networks and self._is_banned_address(address):
            raise Denied("banned")
        owner = player
        if owner is None and token and self._devices:
            owner = self._devices.get(hash_token(token))
        if owner is not None:
            self.refuse_guest(owner, address)

    def refuse_guest(self, player: Player, address: str = "") -> None:
        ban = self._guests.get(player)
        if ban is not None and self._holds(ban.until):
            if ban.with_address and len(self._seen_at) < MOST_SEEN:
                self._seen_at[address] = ban
            raise Denied("banned")

    def pop_seen_addresses(self) -> dict[str, Ban]:
        """The addresses to ban, each with the guest's ban that says so."""
        seen, self._seen_at = self._seen_at, {}
        return seen

    def _is_banned_address(self, address: str) -> bool:
        found = ip_of(address)
        if found is None:
            return False
        for (version, length), prefixes in self._networks.items():
            if version == found.version:
                prefix = int(found) >> (found.max_prefixlen - length)
                if prefix in prefixes and self._holds(prefixes[prefix]):
                    return True
        return False

    def _holds(self, until: Until) -> bool:
        return until is None or self._clock.now() < until
