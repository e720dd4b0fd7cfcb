"""What a table's host may do: settle how it is played and who sits there, start it, close it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import msgspec
from msgspec.structs import replace

from ubongo.game import BadOptions
from ubongo.material import BadEdition
from ubongo.server.errors import Denied
from ubongo.server.lobby import companion, solo
from ubongo.server.lobby.lobby import Lobby, anew
from ubongo.server.lobby.names import distinct
from ubongo.server.lobby.setup import Chair, Plan, Sitting, opening_of, options_of, playable, written
from ubongo.server.store.register import Guest, Key, Played, Player
from ubongo.server.tables.stored_match import match_of
from ubongo.table import SeatNo


@asynccontextmanager
async def hosted(lobby: Lobby, key: Key, guest: Guest) -> AsyncIterator[Sitting]:
    """The table, for its host: who was that before may have gone while one waited for it."""
    async with lobby.entered(key) as sitting:
        if sitting.plan.host != guest.player:
            raise Denied("not_host")
        yield sitting


def refuse_unless_gathering(sitting: Sitting) -> None:
    if sitting.state != "gather":
        raise Denied("has_begun")


def refuse_unless_there(sitting: Sitting, seat: SeatNo) -> None:
    refuse_unless_gathering(sitting)
    if not 0 <= seat < len(sitting.plan.chairs):
        raise Denied("not_found")


@anew
async def change(
    lobby: Lobby, key: Key, guest: Guest, options: dict[str, Any], public: bool | None, seats: int | None
) -> Sitting:
    """Before the match: other options (those that are named), another number of seats, listed or not."""
    async with hosted(lobby, key, guest) as sitting:
        refuse_unless_gathering(sitting)
        plan = sitting.plan
        if seats is not None:
            plan = with_seats(plan, seats)
        chosen = options_of(plan.game, {**msgspec.json.decode(plan.options), **options})
        chosen = await solo.settled(lobby, chosen)
        companion.refuse_unfit(chosen, plan)
        plan = replace(plan, options=written(playable(plan.game, len(plan.chairs), chosen)))
        await lobby.arrange(sitting, plan if public is None else replace(plan, public=public))
        return sitting


def with_seats(plan: Plan, seats: int) -> Plan:
    """New seats come last; of the free ones the last go first, and nobody else has to."""
    taken, free = plan.taken_seats(), plan.free_seats()
    if len(taken) > seats:
        raise Denied("too_few_seats", taken=len(taken))
    kept = plan.keeping(sorted(taken + free[: seats - len(taken)]))
    return replace(kept, chairs=(*kept.chairs, *[Chair()] * (seats - len(kept.chairs))))


@anew
async def free_seat(lobby: Lobby, key: Key, guest: Guest, seat: SeatNo) -> None:
    """Whoever sits there is removed, and takes no seat at this table until they are readmitted."""
    async with hosted(lobby, key, guest) as sitting:
        refuse_unless_there(sitting, seat)
        chair = sitting.plan.chairs[seat]
        if not chair.free:
            await lobby.vacate(sitting, seat, removed=chair.player != guest.player)


async def removed(lobby: Lobby, key: Key, guest: Guest) -> list[Guest]:
    """Whom the host has removed, as they are called now; who has been forgotten since is not told of."""
    async with hosted(lobby, key, guest) as sitting:
        return await lobby.register.guests(sitting.plan.removed)


@anew
async def readmit(lobby: Lobby, key: Key, guest: Guest, player: Player) -> None:
    """They may take a free seat again."""
    async with hosted(lobby, key, guest) as sitting:
        left = tuple(one for one in sitting.plan.removed if one != player)
        if left == sitting.plan.removed:
            raise Denied("not_found")
        await lobby.keep(sitting, replace(sitting.plan, removed=left), sitting.state)


@anew
async def seat_bot(lobby: Lobby, key: Key, guest: Guest, seat: SeatNo, level: str) -> None:
    async with hosted(lobby, key, guest) as sitting:
        solo.refuse_bots(sitting.plan.game)
        companion.refuse_bots(sitting.options(), (level,))
        refuse_unless_there(sitting, seat)
        bot = lobby.bot(level, sitting.plan.names_but(seat))
        if sitting.plan.chairs[seat].player is not None:
            raise Denied("seat_taken")
        await lobby.arrange(sitting, sitting.plan.with_chair(seat, bot))


@anew
async def seat_name(lobby: Lobby, key: Key, guest: Guest, seat: SeatNo, name: str) -> None:
    """By the host: somebody sits there who has no device."""
    clean = lobby.guests.clean_name(name)
    async with hosted(lobby, key, guest) as sitting:
        refuse_unless_there(sitting, seat)
        if not sitting.options().companion:
            raise Denied("needs_paper")
        if sitting.plan.chairs[seat].player is not None:
            raise Denied("seat_taken")
        chair = Chair(name=distinct(clean, sitting.plan.names_but(seat)), voiced=True)
        await lobby.arrange(sitting, sitting.plan.with_chair(seat, chair))


@anew
async def mute(lobby: Lobby, key: Key, guest: Guest, muted: bool) -> None:
    """At any time: turns reactions at this table off, or on again."""
    async with hosted(lobby, key, guest) as sitting:
        await lobby.keep(sitting, replace(sitting.plan, muted=muted), sitting.state)
        lobby.remark(sitting)


@anew
async def close(lobby: Lobby, key: Key, guest: Guest) -> None:
    async with hosted(lobby, key, guest) as sitting:
        await lobby.close(sitting)


@anew
async def start(lobby: Lobby, key: Key, guest: Guest) -> None:
    """The match begins; free seats go."""
    async with hosted(lobby, key, guest) as sitting:
        refuse_unless_gathering(sitting)
        plan, seed = await solo.begun(lobby, key, sitting.plan.keeping(sitting.plan.taken_seats()))
        opening, now, since = opening_of(plan, seed), lobby.clock.now(), sitting.changed
        try:
            match_of(Played(0, key, opening, now, 0))
        except (BadOptions, BadEdition) as problem:
            raise Denied("cannot_start", why=problem) from None
        # Before the match there is: whoever serves it thinks for its bots.
        room = await lobby.room(key)
        sitting.played = await lobby.register.open_match(key, opening, msgspec.json.encode(plan), now, since)
        sitting.plan, sitting.state, sitting.changed = plan, "running", max(now, since + 1)
        lobby.open_tables.note(sitting)
        room.broadcast.facts = plan.facts(room.facts)
        await room.begin(match_of(sitting.played), plan.holders(), clock_wrong=lobby.timekeeping.behind > 0)
        lobby.say(sitting)
