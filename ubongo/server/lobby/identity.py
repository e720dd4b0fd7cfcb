"""Who somebody is: tokens from the operating system's randomness, kept as hashes."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Collection

from msgspec.structs import replace

from ubongo.server.clock import Timestamp
from ubongo.server.errors import Denied
from ubongo.server.lobby.bans import Bans, hashed
from ubongo.server.lobby.names import clean_name
from ubongo.server.store import VersionConflict
from ubongo.server.store.entities import Device, Guest, Player
from ubongo.server.store.guest_store import GuestStore
from ubongo.table import Millis

# Long enough to be written down and found again; it works once.
CODE_LASTS = Millis(90 * 24 * 3600 * 1000)
MOST_DEVICES = 50


def new_token() -> str:
    return secrets.token_urlsafe(32)


class Guests:
    """Everybody the server knows. A guest has a token on each device.

    They are looked up in the log each time, so who is not here costs no memory.
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
        # Names that nobody else may have.
        self._bots = tuple(bots)
        self._number = 0
        self._now = now
        self._seen: set[Player] = set()
        # When each device was here, since that was last written down.
        self._devices: dict[bytes, Timestamp] = {}

    def __len__(self) -> int:
        return self._number

    async def count(self) -> None:
        self._number = await self._store.number_of_guests()

    async def known(self, token: str | None) -> Guest | None:
        if not token:
            return None
        proof = hashed(token)
        guest = await self._store.guest_with(proof)
        if guest is not None:
            self._seen.add(guest.player)
            self._devices[proof] = self._now()
        return guest

    async def note_seen(self, now: Timestamp) -> None:
        """Who has been here since the last time: those who have not for long are forgotten one day."""
        seen, devices = set(self._seen), dict(self._devices)
        await self._store.note_seen(seen, devices, now)
        # Only now: who could not be noted is noted the next time.
        self._seen -= seen
        self._devices = {one: at for one, at in self._devices.items() if devices.get(one) != at}

    def clean_name(self, name: str) -> str:
        return clean_name(name, self._bots)

    async def devices(self, guest: Guest) -> list[Device]:
        """Where they are known, and when they were last there; the last one first."""
        found = await self._store.devices(guest.player)
        noted = [replace(one, seen=max(one.seen, self._devices.get(one.proof, 0))) for one in found]
        return sorted(noted, key=lambda one: one.seen, reverse=True)

    async def sign_out(self, guest: Guest, devices: Collection[bytes], cancel_codes: bool) -> None:
        await self._store.sign_out(guest.player, devices, cancel_codes)
        for one in devices:
            self._devices.pop(one, None)

    async def welcome(self, name: str, now: Timestamp, label: str = "") -> tuple[Guest, str]:
        guest, token = Guest(secrets.token_hex(8), self.clean_name(name), now), new_token()
        await self._store.add_guest(guest, hashed(token), label)
        self._number += 1
        return guest, token

    async def rename(self, guest: Guest, name: str) -> Guest:
        # Who has a name from before it was reserved keeps it.
        kept = guest.name if name == guest.name else self.clean_name(name)
        renamed = Guest(guest.player, kept, guest.made)
        await self._store.rename(guest.player, renamed.name)
        return renamed

    async def forget(self, guest: Guest) -> None:
        await self._store.forget(guest.player)
        await self.count()

    async def new_code(self, guest: Guest, now: Timestamp) -> str:
        """Takes the guest to another device, once."""
        code = new_token()
        await self._store.add_code(hashed(code), guest.player, Timestamp(now + CODE_LASTS))
        return code

    async def redeem(self, code: str, now: Timestamp, label: str = "") -> tuple[Guest, str]:
        place, token = hashed(code), new_token()
        guest = await self._store.guest_by_code(place, now)
        if guest is None:
            raise Denied("no_such_code")
        self._bans.refuse_guest(guest.player)
        if len(await self._store.devices(guest.player)) >= MOST_DEVICES:
            raise Denied("too_many_devices", devices=MOST_DEVICES)
        try:
            await self._store.redeem(place, hashed(token), guest.player, now, label)
        except VersionConflict:
            raise Denied("no_such_code") from None
        return guest, token
