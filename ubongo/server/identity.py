"""Who somebody is: tokens from the operating system's randomness, kept as hashes; names that can be read aloud."""

from __future__ import annotations

import re
import secrets
import unicodedata

from ubongo.server.bans import Bans, hashed
from ubongo.server.denied import Denied
from ubongo.server.log import Overtaken
from ubongo.server.log.register import Guest, Player, Register
from ubongo.table import Millis

LONGEST_NAME = 40
# Long enough to be written down and found again; it works once.
CODE_LASTS: Millis = 90 * 24 * 3600 * 1000
SOMEBODY = "Somebody"
# Joiners belong to Persian, Hindi and many an emoji; what else is invisible can only mislead.
_JOINERS = "\u200c\u200d"
_INVISIBLE = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}
# Letters and signs that are there to fill a place, and show nothing.
_BLANK = "\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0"


def new_token() -> str:
    return secrets.token_urlsafe(32)


def clean_name(name: str) -> str:
    """Trimmed, of any script.

    >>> clean_name("  Zoë   Ødegård ")
    'Zoë Ødegård'
    """
    clean = re.sub(" +", " ", unicodedata.normalize("NFC", name)).strip()
    kinds = [unicodedata.category(one) for one in clean if one not in _JOINERS]
    hidden = any(one in _BLANK for one in clean) or not _INVISIBLE.isdisjoint(kinds)
    # Marks alone, too, show nothing, or stand on whatever is beside them.
    seen = any(kind[0] not in "MZ" for kind in kinds)
    if hidden or not seen or len(clean) > LONGEST_NAME:
        raise Denied("bad_name", longest=LONGEST_NAME)
    return clean


class Guests:
    """Everybody the server knows. A guest has a token on each device.

    They are looked up in the log each time, so who is not here costs no memory.
    """

    def __init__(self, register: Register, bans: Bans) -> None:
        self._register = register
        self._bans = bans
        self._number = 0
        self._seen: set[Player] = set()

    def __len__(self) -> int:
        return self._number

    async def count(self) -> None:
        self._number = await self._register.number_of_guests()

    async def known(self, token: str | None) -> Guest | None:
        guest = await self._register.guest_with(hashed(token)) if token else None
        if guest is not None:
            self._seen.add(guest.player)
        return guest

    async def note_seen(self, now: Millis) -> None:
        """Who has been here since the last time: those who have not for long are forgotten one day."""
        seen = set(self._seen)
        await self._register.saw(seen, now)
        # Only now: who could not be noted is noted the next time.
        self._seen -= seen

    async def welcome(self, name: str, now: Millis) -> tuple[Guest, str]:
        guest, token = Guest(secrets.token_hex(8), clean_name(name), now), new_token()
        await self._register.add_guest(guest, hashed(token))
        self._number += 1
        return guest, token

    async def rename(self, guest: Guest, name: str) -> Guest:
        renamed = Guest(guest.player, clean_name(name), guest.made)
        await self._register.rename(guest.player, renamed.name)
        return renamed

    async def forget(self, guest: Guest) -> None:
        await self._register.forget(guest.player)
        await self.count()

    async def new_code(self, guest: Guest, now: Millis) -> str:
        """Takes the guest to another device, once."""
        code = new_token()
        await self._register.add_code(hashed(code), guest.player, now + CODE_LASTS)
        return code

    async def redeem(self, code: str, now: Millis) -> tuple[Guest, str]:
        place, token = hashed(code), new_token()
        guest = await self._register.guest_by_code(place, now)
        if guest is None:
            raise Denied("no_such_code")
        self._bans.refuse_guest(guest.player)
        try:
            await self._register.redeem(place, hashed(token), guest.player, now)
        except Overtaken:
            raise Denied("no_such_code") from None
        return guest, token
