"""Guests and their tokens, which are random and stored only as hashes."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Collection

from msgspec.structs import replace

from ubongo.server.clock import Timestamp
from ubongo.server.errors import Denied
from ubongo.server.lobby.bans import Bans, hash_token
from ubongo.server.lobby.names import clean_name
from ubongo.server.store import VersionConflict
from ubongo.server.store.entities import Device, Guest, Player
from ubongo.server.store.guest_store import GuestStore
from ubongo.table import Millis

# A code works once. It lasts long enough to be written down and used later.
CODE_LASTS = Millis(90 * 24 * 3600 * 1000)
MOST_DEVICES = 50


def new_token() -> str:
    return secrets.token_urlsafe(32)


class Guests:
    """All guests. A guest has a token on each device.

    Guests are read from the store each time, so guests who are away cost no memory.
    """

    def __init__(
        self,
        store: GuestStore,
        bans: Bans,
        bots: Collection[str] = (),
        now: Callable[[], Timestamp] = lambda: Timestamp(0),
    ) -> None:
        self._store = store
        self._bans = bans
        # Names reserved for bots.
        self._bots = tuple(bots)
        self._number = 0
        self._now = now
        self._seen: set[Player] = set()
        # When each device was last seen, if that is not stored yet.
        self._devices: dict[bytes, Timestamp] = {}

    def __len__(self) -> int:
        return self._number

    async def count(self) -> None:
        self._number = await self._store.number_of_guests()

    async def identify(self, token: str | None) -> Guest | None:
        if not token:
            return None
        proof = hash_token(token)
        guest = await self._store.guest_with(proof)
        if guest is not None:
            self._seen.add(guest.player)
            self._devices[proof] = self._now()
        return guest

    async def note_seen(self, now: Timestamp) -> None:
        """Stores which guests have been seen since the last call. Those who are not seen for long are erased."""
        seen, devices = set(self._seen), dict(self._devices)
        await self._store.note_seen(seen, devices, now)
        # Last: after a failed write they are stored the next time.
        self._seen -= seen
        self._devices = {one: at for one, at in self._devices.items() if devices.get(one) != at}

    def clean_name(self, name: str) -> str:
        return clean_name(name, self._bots)

    async def devices(self, guest: Guest) -> list[Device]:
        """The guest's devices, the most recently used first."""
        found = await self._store.devices(guest.player)
        noted = [replace(one, seen=max(one.seen, self._devices.get(one.proof, 0))) for one in found]
        return sorted(noted, key=lambda one: one.seen, reverse=True)

    async def sign_out(self, guest: Guest, devices: Collection[bytes], cancel_codes: bool) -> None:
        await self._store.sign_out(guest.player, devices, cancel_codes)
        for one in devices:
            self._devices.pop(one, None)

    async def add(self, name: str, now: Timestamp, label: str = "") -> tuple[Guest, str]:
        guest, token = Guest(secrets.token_hex(8), self.clean_name(name), now), new_token()
        await self._store.add_guest(guest, hash_token(token), label)
        self._number += 1
        return guest, token

    async def rename(self, guest: Guest, name: str) -> Guest:
        # A guest may keep a name that was reserved later.
        clean = guest.name if name == guest.name else self.clean_name(name)
        renamed = Guest(guest.player, clean, guest.made)
        await self._store.rename(guest.player, renamed.name)
        return renamed

    async def forget(self, guest: Guest) -> None:
        await self._store.forget(guest.player)
        await self.count()

    async def new_code(self, guest: Guest, now: Timestamp) -> str:
        """A code that signs the guest in on another device, once."""
        code = new_token()
        await self._store.add_code(hash_token(code), guest.player, Timestamp(now + CODE_LASTS))
        return code

    async def redeem(self, code: str, now: Timestamp, label: str = "") -> tuple[Guest, str]:
        place, token = hash_token(code), new_token()
        guest = await self._store.guest_by_code(place, now)
        if guest is None:
            raise Denied("no_such_code")
        self._bans.refuse_guest(guest.player)
        if len(await self._store.devices(guest.player)) >= MOST_DEVICES:
            raise Denied("too_many_devices", devices=MOST_DEVICES)
        try:
            await self._store.redeem(place, hash_token(token), guest.player, now, label)
        except VersionConflict:
            raise Denied("no_such_code") from None
        return guest, token
