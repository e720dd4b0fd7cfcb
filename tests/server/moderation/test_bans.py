"""Which addresses and devices a ban covers, and for how long."""

from __future__ import annotations

from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_network

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.server.fakes import FakeClock
from ubongo.server.clock import Timestamp
from ubongo.server.errors import Denied
from ubongo.server.lobby.bans import Bans, hash_token, network_of
from ubongo.server.moderation.decisions import BadDecision, milliseconds, safe_network
from ubongo.server.store.moderation import Ban


def banned(bans: Bans, address: str = "", token: str | None = None) -> bool:
    try:
        bans.refuse(address, token)
    except Denied as no:
        return no.code == "banned"
    return False


def of_network(network: str, clock: FakeClock, until: int | None = None) -> Bans:
    bans = Bans(clock)
    bans.replace([Ban(network, "network", "", Timestamp(0), None if until is None else Timestamp(until), "")], [])
    return bans


@given(st.data(), st.sampled_from([ip_network("0.0.0.0/0"), ip_network("2000::/3")]))
def test_a_ban_covers_a_network_and_nothing_else(data: st.DataObject, space: IPv4Network | IPv6Network) -> None:
    def address() -> IPv4Address | IPv6Address:
        return space[data.draw(st.integers(0, space.num_addresses - 1))]

    network = ip_network(f"{address()}/{data.draw(st.integers(8, space.max_prefixlen))}", strict=False)
    bans = of_network(str(network), FakeClock())
    inside = network[data.draw(st.integers(0, network.num_addresses - 1))]
    other = address()
    assert banned(bans, str(inside))
    assert banned(bans, str(other)) == (other in network)


@pytest.mark.parametrize(
    ("written", "network"),
    [
        ("203.0.113.7", "203.0.113.7/32"),
        (" 203.0.113.7/24 ", "203.0.113.0/24"),
        ("2001:db8::1", "2001:db8::/64"),
        ("2001:db8::1/128", "2001:db8::1/128"),
        ("::ffff:203.0.113.7", "203.0.113.7/32"),
        ("::ffff:203.0.113.0/120", "203.0.113.0/24"),
        ("Ann", "None"),
        ("8d400ba8757f0264", "None"),
        ("203.0.113.7/33", "None"),
        ("", "None"),
    ],
)
def test_networks_as_people_write_them(written: str, network: str) -> None:
    assert str(network_of(written)) == network


def test_an_ipv4_client_of_an_ipv6_socket_is_banned_by_its_ipv4_address() -> None:
    assert banned(of_network("203.0.113.0/24", FakeClock()), "::ffff:203.0.113.9")
    assert not banned(of_network("203.0.113.0/24", FakeClock()), "no address")


@pytest.mark.parametrize("network", ["0.0.0.0/0", "::/0", "0.0.0.0/7", "2000::/15", "127.0.0.0/8", "::1/128"])
def test_a_ban_of_every_address_is_refused(network: str) -> None:
    with pytest.raises(BadDecision):
        safe_network(ip_network(network))


@pytest.mark.parametrize("network", ["10.0.0.0/8", "127.0.0.2/32", "2001::/16"])
def test_what_can_be_banned(network: str) -> None:
    assert str(safe_network(ip_network(network))) == network


def test_a_ban_ends_by_itself() -> None:
    clock = FakeClock()
    bans = of_network("203.0.113.7/32", clock, until=clock.now() + 1000)
    assert banned(bans, "203.0.113.7")
    clock.time += 999
    assert banned(bans, "203.0.113.7")
    clock.time += 1
    assert not banned(bans, "203.0.113.7")


def test_a_guest_is_banned_on_every_device() -> None:
    bans = Bans(FakeClock())
    bans.replace(
        [Ban("a1", "guest", "Ann", Timestamp(0), None, "")], [(hash_token("phone"), "a1"), (hash_token("tablet"), "a1")]
    )
    assert [banned(bans, token=token) for token in ("phone", "tablet", "another", None)] == [True, True, False, False]
    with pytest.raises(Denied):
        bans.refuse_guest("a1")
    bans.refuse_guest("b2")


@pytest.mark.parametrize("duration", ["", "0d", "7", "d", "7 d", "-1d", "1.5h", "99999d", "7y"])
def test_invalid_durations_are_refused(duration: str) -> None:
    with pytest.raises(BadDecision):
        milliseconds(duration)
