"""An operator's decisions: ban, lift a ban, close a table, remove records. The commands are thin layers over this.

Decisions are only stored here. Every server carries them out within a second: `enforcer`.
"""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import Sequence
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network
from typing import Literal

import msgspec
from msgspec import Struct

from ubongo.server.clock import Timestamp
from ubongo.server.lobby.bans import network_of
from ubongo.server.lobby.table_keys import read_key
from ubongo.server.store import Store
from ubongo.server.store.entities import Key, Player
from ubongo.server.store.moderation import (
    Ban,
    Decision,
    ModerationStore,
    RecordFilter,
    ban_statement,
    lift_statement,
    remove_statements,
    restore_statements,
)
from ubongo.server.store.results import MatchResult
from ubongo.server.tables.table_setup import TableSetup
from ubongo.table import Millis

LONGEST_REASON = 500
# A wider network is taken for a mistake: it is a whole country.
WIDEST = {4: 8, 6: 16}
THIS_MACHINE = IPv4Address("127.0.0.1"), IPv6Address("::1")
NAMESAKES = 5
UNITS = {"m": 60_000, "h": 3_600_000, "d": 86_400_000, "w": 7 * 86_400_000}
POLL_EVERY_S = 0.1


class BadDecision(Exception):
    """The decision cannot be made; the text tells the operator why. Nothing has been stored."""


class Target(Struct, frozen=True):
    """A guest by id, or a network. `name` is the guest's."""

    id: str
    name: str = ""

    def __str__(self) -> str:
        return f"guest {self.id} ({self.name})" if self.name else self.id


class Person(Struct, frozen=True):
    """A player at a table: a guest by id, a bot, or a person without a device."""

    name: str
    guest: Player | None
    bot: bool = False


class OpenTable(Struct, frozen=True):
    key: Key
    game: str
    state: str
    public: bool
    since: Timestamp
    host: Person
    people: tuple[Person, ...]


def milliseconds(duration: str) -> Millis:
    """
    >>> milliseconds("90m"), milliseconds("2w")
    (5400000, 1209600000)
    """
    found = re.fullmatch(r"([1-9]\d{0,3})([mhdw])", duration)
    if found is None:
        raise BadDecision(f"{duration!r} is not a duration; write it like 30m, 12h, 7d or 4w")
    return Millis(int(found[1]) * UNITS[found[2]])


class Moderation:
    """`operator` is stored with every decision."""

    def __init__(self, store: Store, operator: str) -> None:
        self._store = ModerationStore(store)
        self._operator = operator

    # Bans

    async def bans(self, now: Timestamp) -> list[Ban]:
        """The bans that are in force."""
        return [ban for ban in await self._store.bans() if ban.until is None or now < ban.until]

    async def target(self, text: str) -> Target:
        """The guest or network that is meant: by address, network, guest id, or a name that only one guest has."""
        network = network_of(text)
        return await self.guest(text) if network is None else Target(str(safe_network(network)))

    async def guest(self, text: str) -> Target:
        text = text.strip()
        found = await self._store.guests(player=text, name=text, most=NAMESAKES + 1)
        exact = [guest for guest in found if guest.player == text] or found
        if not exact:
            raise BadDecision(f"no guest has the id or the name {text!r}")
        if len(exact) > 1:
            ids = ", ".join(guest.player for guest in exact[:NAMESAKES])
            more = " and others" if len(exact) > NAMESAKES else ""
            raise BadDecision(f"several guests are called {text!r}; name one by id: {ids}{more}")
        return Target(exact[0].player, exact[0].name)

    async def ban(
        self, target: Target, reason: str, until: Timestamp | None, now: Timestamp, with_address: bool = False
    ) -> int:
        reason = clean_reason(reason)
        if with_address and not target.name:
            raise BadDecision("only a guest can be banned together with their address")
        kind: Literal["guest", "network"] = "guest" if target.name else "network"
        ban = Ban(target.id, kind, target.name, now, until, reason, with_address)
        return await self._store.add("ban", target.id, reason, self._operator, now, [ban_statement(ban)])

    async def banned(self, text: str) -> Target:
        """A banned guest or network; the guest may have another name by now."""
        network = network_of(text)
        name = text.strip() if network is None else str(network)
        bans = await self._store.bans()
        found = [ban for ban in bans if ban.target == name] or [ban for ban in bans if ban.name == name]
        if not found:
            raise BadDecision(f"{text!r} is not banned; --list shows who is")
        if len(found) > 1:
            ids = ", ".join(ban.target for ban in found)
            raise BadDecision(f"several banned guests are called {text!r}; name one by id: {ids}")
        return Target(found[0].target, found[0].name)

    async def lift(self, target: Target, reason: str, now: Timestamp) -> int:
        return await self._store.add(
            "lift", target.id, clean_reason(reason), self._operator, now, [lift_statement(target.id)]
        )

    # Tables

    async def tables(self) -> list[OpenTable]:
        """Open tables, the most recently changed first."""
        found = []
        for key, state, body in await self._store.open_tables():
            plan = msgspec.json.decode(body, type=TableSetup)
            people = tuple(
                Person(chair.name, chair.player, chair.bot is not None) for chair in plan.chairs if not chair.free
            )
            host = next((one for one in people if one.guest == plan.host), None)
            if host is None:
                guests = await self._store.guests(player=plan.host)
                host = Person(guests[0].name if guests else "", plan.host)
            found.append(OpenTable(key, plan.game, state, plan.public, plan.made, host, people))
        return found

    async def close_table(self, text: str, reason: str, now: Timestamp) -> int:
        key = read_key(text)
        state = await self._store.state_of(key)
        if state is None or state == "closed":
            raise BadDecision(f"there is no table {text!r}, or it is closed already; `ubongo tables` lists them")
        return await self._store.add("close_table", key, clean_reason(reason), self._operator, now)

    # Records

    async def records(self, chosen: RecordFilter, removed: bool = False) -> list[MatchResult]:
        return await self._store.records(chosen, removed)

    async def remove_records(self, results: Sequence[MatchResult], reason: str, now: Timestamp) -> int:
        """They no longer count, even after a rebuild, but stay in the logs and in their players' history."""
        target = match_numbers(results)
        return await self._store.add(
            "remove_records", target, clean_reason(reason), self._operator, now, remove_statements(results), done=True
        )

    async def restore_records(self, results: Sequence[MatchResult], reason: str, now: Timestamp) -> int:
        target = match_numbers(results)
        return await self._store.add(
            "restore_records", target, clean_reason(reason), self._operator, now, restore_statements(results), done=True
        )

    # Afterwards

    async def carried_out(self, number: int, within_s: float) -> Decision | None:
        """Waits until a server has carried the decision out; None if none has in time."""
        deadline = time.monotonic() + within_s
        while (decision := await self._store.decision(number)).done is None:
            if time.monotonic() > deadline:
                return None
            await asyncio.sleep(POLL_EVERY_S)
        return decision


def match_numbers(results: Sequence[MatchResult]) -> str:
    return " ".join(str(one.match) for one in results)


def clean_reason(reason: str) -> str:
    reason = " ".join(reason.split())
    if len(reason) > LONGEST_REASON:
        raise BadDecision(f"a reason has at most {LONGEST_REASON} characters")
    return reason


def safe_network(network: IPv4Network | IPv6Network) -> IPv4Network | IPv6Network:
    """The network; raises BadDecision if its ban would lock out too many clients."""
    if network.prefixlen < WIDEST[network.version]:
        raise BadDecision(f"{network} is too wide; the widest are /{WIDEST[4]} for IPv4 and /{WIDEST[6]} for IPv6")
    if any(one in network for one in THIS_MACHINE):
        raise BadDecision(f"{network} includes this machine, and so every client of a proxy on it")
    return network
