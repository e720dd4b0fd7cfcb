"""Guests, their devices, and the codes that add a device."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from ubongo.server.clock import Timestamp
from ubongo.server.store import Log
from ubongo.server.store.entities import Device, Guest, Player

_ADD_DEVICE = "insert into tokens (hash, player, made, seen, label) values (?, ?, ?, ?, ?)"
_GUEST = "select player, name, made from guests"
_BY_TOKEN = "select player, name, guests.made from tokens join guests using (player) where hash = ?"  # noqa: S105 - a query
_BY_CODE = "select player, name, made from codes join guests using (player) where hash = ? and until > ?"
# Bans name guests, so a banned guest is never deleted.
_UNSEEN = """
    select player, name, made from guests
    where seen < ? and not exists (select 1 from seated where seated.player = guests.player)
    and not exists (select 1 from bans where target = guests.player) limit ?
"""


class GuestStore:
    """Every change is durable when its method returns. Tokens and codes are passed as hashes."""

    def __init__(self, log: Log) -> None:
        self._log = log

    async def add_guest(self, guest: Guest, token: bytes, label: str = "") -> None:
        await self._log.write(
            ("insert into guests values (?, ?, ?, ?)", (guest.player, guest.name, guest.made, guest.made)),
            (_ADD_DEVICE, (token, guest.player, guest.made, guest.made, label)),
        )

    async def rename(self, player: Player, name: str) -> None:
        await self._log.write(("update guests set name = ? where player = ?", (name, player)))

    async def forget(self, player: Player) -> None:
        await self._log.write(
            ("delete from guests where player = ?", (player,)),
            ("delete from tokens where player = ?", (player,)),
            ("delete from codes where player = ?", (player,)),
        )

    async def note_seen(self, players: Iterable[Player], devices: Mapping[bytes, Timestamp], now: Timestamp) -> None:
        await self._log.write(
            *[("update guests set seen = ? where player = ?", (now, player)) for player in players],
            *[("update tokens set seen = ? where hash = ? and seen < ?", (at, one, at)) for one, at in devices.items()],
        )

    async def guests(self, players: Sequence[Player]) -> list[Guest]:
        """Those of them that exist, by name."""
        if not players:
            return []
        which = f"where player in ({', '.join('?' * len(players))}) order by name"
        return await self._read(f"{_GUEST} {which}", *players)

    async def guest_with(self, token: bytes) -> Guest | None:
        return next(iter(await self._read(_BY_TOKEN, token)), None)

    async def guest_by_code(self, code: bytes, now: Timestamp) -> Guest | None:
        return next(iter(await self._read(_BY_CODE, code, now)), None)

    async def number_of_guests(self) -> int:
        [[number]] = await self._log.read("select count(*) from guests")
        return int(number)

    async def unseen(self, since: Timestamp, most: int) -> list[Guest]:
        """Guests who have not been seen since then, sit at no table, and are not banned."""
        return await self._read(_UNSEEN, since, most)

    # Codes

    async def add_code(self, code: bytes, player: Player, until: Timestamp) -> None:
        await self._log.write(("insert into codes values (?, ?, ?)", (code, player, until)))

    async def redeem(self, code: bytes, token: bytes, player: Player, now: Timestamp, label: str = "") -> None:
        """Exchanges a code for a device's token. A code works once: raises VersionConflict if it has been used."""
        await self._log.write(
            (_ADD_DEVICE, (token, player, now, now, label)),
            claim=("delete from codes where hash = ?", (code,)),
        )

    async def drop_codes(self, now: Timestamp) -> None:
        """Deletes expired codes."""
        await self._log.write(("delete from codes where until <= ?", (now,)))

    # Devices

    async def devices(self, player: Player) -> list[Device]:
        rows = await self._log.read("select hash, label, made, seen from tokens where player = ?", (player,))
        return [Device(bytes(proof), label, made, max(seen, made)) for proof, label, made, seen in rows]

    async def sign_out(self, player: Player, devices: Iterable[bytes], cancel_codes: bool) -> None:
        """Deletes the tokens of these devices; with `cancel_codes` also the codes that have not been used."""
        codes = [("delete from codes where player = ?", (player,))] if cancel_codes else []
        await self._log.write(
            *[("delete from tokens where hash = ? and player = ?", (one, player)) for one in devices], *codes
        )

    async def _read(self, statement: str, *values: Any) -> list[Guest]:
        return [Guest(*row) for row in await self._log.read(statement, values)]
