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
from ubongo.server.lobby.lobby import Lobby, retry_on_conflict
from ubongo.server.lobby.names import distinct
from ubongo.server.lobby.setup import LobbyTable, opening_of, options_of, playable, written
from ubongo.server.store.entities import Guest, Key, Player, StoredMatch
from ubongo.server.tables.stored_match import match_of
from ubongo.server.tables.table_setup import SeatSetup, TableSetup
from ubongo.table import SeatNo


@asynccontextmanager
async def hosted(lobby: Lobby, key: Key, guest: Guest) -> AsyncIterator[LobbyTable]:
    """The table, for its host: who was that before may have gone while one waited for it."""
    async with lobby.entered(key) as lobby_table:
        if lobby_table.plan.host != guest.player:
            raise Denied("not_host")
        yield lobby_table


def refuse_unless_gathering(lobby_table: LobbyTable) -> None:
    if lobby_table.state != "gather":
        raise Denied("has_begun")


def refuse_unless_there(lobby_table: LobbyTable, seat: SeatNo) -> None:
    refuse_unless_gathering(lobby_table)
    if not 0 <= seat < len(lobby_table.plan.chairs):
        raise Denied("not_found")


@retry_on_conflict
async def change(
    lobby: Lobby, key: Key, guest: Guest, options: dict[str, Any], public: bool | None, seats: int | None
) -> LobbyTable:
    """Before the match: other options (those that are named), another number of seats, listed or not."""
    async with hosted(lobby, key, guest) as lobby_table:
        refuse_unless_gathering(lobby_table)
        plan = lobby_table.plan
        if seats is not None:
            plan = with_seats(plan, seats)
        chosen = options_of(plan.game, {**msgspec.json.decode(plan.options), **options})
        chosen = await solo.settled(lobby, chosen)
        companion.refuse_unfit(chosen, plan)
        plan = replace(plan, options=written(playable(plan.game, len(plan.chairs), chosen)))
        await lobby.arrange(lobby_table, plan if public is None else replace(plan, public=public))
        return lobby_table


def with_seats(plan: TableSetup, seats: int) -> TableSetup:
    """New seats come last; of the free ones the last go first, and nobody else has to."""
    taken, free = plan.taken_seats(), plan.free_seats()
    if len(taken) > seats:
        raise Denied("too_few_seats", taken=len(taken))
    kept = plan.keeping(sorted(taken + free[: seats - len(taken)]))
    return replace(kept, chairs=(*kept.chairs, *[SeatSetup()] * (seats - len(kept.chairs))))


@retry_on_conflict
async def free_seat(lobby: Lobby, key: Key, guest: Guest, seat: SeatNo) -> None:
    """Whoever sits there is removed, and takes no seat at this table until they are readmitted."""
    async with hosted(lobby, key, guest) as lobby_table:
        refuse_unless_there(lobby_table, seat)
        chair = lobby_table.plan.chairs[seat]
        if not chair.free:
            await lobby.vacate(lobby_table, seat, removed=chair.player != guest.player)


async def removed(lobby: Lobby, key: Key, guest: Guest) -> list[Guest]:
    """Whom the host has removed, as they are called now; who has been forgotten since is not told of."""
    async with hosted(lobby, key, guest) as lobby_table:
        return await lobby.guest_store.guests(lobby_table.plan.removed)


@retry_on_conflict
async def readmit(lobby: Lobby, key: Key, guest: Guest, player: Player) -> None:
    """They may take a free seat again."""
    async with hosted(lobby, key, guest) as lobby_table:
        left = tuple(one for one in lobby_table.plan.removed if one != player)
        if left == lobby_table.plan.removed:
            raise Denied("not_found")
        await lobby.keep(lobby_table, replace(lobby_table.plan, removed=left), lobby_table.state)


@retry_on_conflict
async def seat_bot(lobby: Lobby, key: Key, guest: Guest, seat: SeatNo, level: str) -> None:
    async with hosted(lobby, key, guest) as lobby_table:
        solo.refuse_bots(lobby_table.plan.game)
        companion.refuse_bots(lobby_table.options(), (level,))
        refuse_unless_there(lobby_table, seat)
        bot = lobby.bot(level, lobby_table.plan.names_but(seat))
        if lobby_table.plan.chairs[seat].player is not None:
            raise Denied("seat_taken")
        await lobby.arrange(lobby_table, lobby_table.plan.with_chair(seat, bot))


@retry_on_conflict
async def seat_name(lobby: Lobby, key: Key, guest: Guest, seat: SeatNo, name: str) -> None:
    """By the host: somebody sits there who has no device."""
    clean = lobby.guests.clean_name(name)
    async with hosted(lobby, key, guest) as lobby_table:
        refuse_unless_there(lobby_table, seat)
        if not lobby_table.options().companion:
            raise Denied("needs_paper")
        if lobby_table.plan.chairs[seat].player is not None:
            raise Denied("seat_taken")
        chair = SeatSetup(name=distinct(clean, lobby_table.plan.names_but(seat)), voiced=True)
        await lobby.arrange(lobby_table, lobby_table.plan.with_chair(seat, chair))


@retry_on_conflict
async def mute(lobby: Lobby, key: Key, guest: Guest, muted: bool) -> None:
    """At any time: turns reactions at this table off, or on again."""
    async with hosted(lobby, key, guest) as lobby_table:
        await lobby.keep(lobby_table, replace(lobby_table.plan, muted=muted), lobby_table.state)
        lobby.remark(lobby_table)


@retry_on_conflict
async def close(lobby: Lobby, key: Key, guest: Guest) -> None:
    async with hosted(lobby, key, guest) as lobby_table:
        await lobby.close(lobby_table)


@retry_on_conflict
async def start(lobby: Lobby, key: Key, guest: Guest) -> None:
    """The match begins; free seats go."""
    async with hosted(lobby, key, guest) as lobby_table:
        refuse_unless_gathering(lobby_table)
        plan, seed = await solo.begun(lobby, key, lobby_table.plan.keeping(lobby_table.plan.taken_seats()))
        opening, now, since = opening_of(plan, seed), lobby.clock.now(), lobby_table.changed
        try:
            match_of(StoredMatch(0, key, opening, now, 0))
        except (BadOptions, BadEdition) as problem:
            raise Denied("cannot_start", why=problem) from None
        # Before the match there is: whoever serves it thinks for its bots.
        room = await lobby.room(key)
        lobby_table.played = await lobby.register.open_match(key, opening, msgspec.json.encode(plan), now, since)
        lobby_table.plan, lobby_table.state, lobby_table.changed = plan, "running", max(now, since + 1)
        lobby.open_tables.note(lobby_table)
        room.broadcast.facts = plan.facts(room.broadcast.facts)
        await room.begin(match_of(lobby_table.played), plan.holders(), clock_wrong=lobby.timekeeping.behind > 0)
        lobby.say(lobby_table)
