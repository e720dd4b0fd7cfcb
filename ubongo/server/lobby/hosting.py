"""What the host of a table may do: choose the options, decide who sits there, start the match, close the table."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import msgspec
from msgspec.structs import replace

from ubongo.game import BadOptions
from ubongo.material import BadEdition
from ubongo.server.clock import Timestamp
from ubongo.server.errors import Denied
from ubongo.server.lobby import companion, solo
from ubongo.server.lobby.lobby import Lobby
from ubongo.server.lobby.lobby_table import LobbyTable
from ubongo.server.lobby.names import distinct
from ubongo.server.lobby.retry import retry_on_conflict
from ubongo.server.lobby.table_options import complete_options, encode_options, opening_of, read_options
from ubongo.server.store.entities import Guest, Key, Player, StoredMatch
from ubongo.server.tables.stored_match import match_of
from ubongo.server.tables.table_setup import SeatSetup, TableSetup
from ubongo.table import SeatNo


@asynccontextmanager
async def hosted(lobby: Lobby, key: Key, guest: Guest) -> AsyncIterator[LobbyTable]:
    """The locked table, for its host; raises Denied."""
    async with lobby.locked(key) as lobby_table:
        if lobby_table.plan.host != guest.player:
            raise Denied("not_host")
        yield lobby_table


def refuse_unless_gathering(lobby_table: LobbyTable) -> None:
    if lobby_table.state != "gather":
        raise Denied("has_begun")


def refuse_missing_seat(lobby_table: LobbyTable, seat: SeatNo) -> None:
    refuse_unless_gathering(lobby_table)
    if not 0 <= seat < len(lobby_table.plan.chairs):
        raise Denied("not_found")


@retry_on_conflict
async def change(
    lobby: Lobby, key: Key, guest: Guest, options: dict[str, Any], public: bool | None, seats: int | None
) -> LobbyTable:
    """Before the match: changes the options that are named, the number of seats, and whether the table is listed."""
    async with hosted(lobby, key, guest) as lobby_table:
        refuse_unless_gathering(lobby_table)
        plan = lobby_table.plan
        if seats is not None:
            plan = with_seats(plan, seats)
        chosen = read_options(plan.game, {**msgspec.json.decode(plan.options), **options})
        chosen = await solo.resolve_options(lobby, chosen)
        companion.refuse_unfit(chosen, plan)
        plan = replace(plan, options=encode_options(complete_options(plan.game, len(plan.chairs), chosen)))
        await lobby.arrange(lobby_table, plan if public is None else replace(plan, public=public))
        return lobby_table


def with_seats(plan: TableSetup, seats: int) -> TableSetup:
    """New seats come last. Only free seats are removed, the last ones first."""
    taken, free = plan.taken_seats(), plan.free_seats()
    if len(taken) > seats:
        raise Denied("too_few_seats", taken=len(taken))
    remaining = plan.keeping(sorted(taken + free[: seats - len(taken)]))
    return replace(remaining, chairs=(*remaining.chairs, *[SeatSetup()] * (seats - len(remaining.chairs))))


@retry_on_conflict
async def free_seat(lobby: Lobby, key: Key, guest: Guest, seat: SeatNo) -> None:
    """Removes the player or bot from a seat. The player cannot take a seat here until the host readmits them."""
    async with hosted(lobby, key, guest) as lobby_table:
        refuse_missing_seat(lobby_table, seat)
        chair = lobby_table.plan.chairs[seat]
        if not chair.free:
            await lobby.vacate(lobby_table, seat, removed=chair.player != guest.player)


async def removed(lobby: Lobby, key: Key, guest: Guest) -> list[Guest]:
    """The guests whom the host has removed, by their present names; without those who have been forgotten."""
    async with hosted(lobby, key, guest) as lobby_table:
        return await lobby.guest_store.guests(lobby_table.plan.removed)


@retry_on_conflict
async def readmit(lobby: Lobby, key: Key, guest: Guest, player: Player) -> None:
    """Lets a player who was removed take a free seat again."""
    async with hosted(lobby, key, guest) as lobby_table:
        still_removed = tuple(one for one in lobby_table.plan.removed if one != player)
        if still_removed == lobby_table.plan.removed:
            raise Denied("not_found")
        await lobby.save(lobby_table, replace(lobby_table.plan, removed=still_removed), lobby_table.state)


@retry_on_conflict
async def seat_bot(lobby: Lobby, key: Key, guest: Guest, seat: SeatNo, level: str) -> None:
    async with hosted(lobby, key, guest) as lobby_table:
        solo.refuse_bots(lobby_table.plan.game)
        companion.refuse_bots(lobby_table.options(), (level,))
        refuse_missing_seat(lobby_table, seat)
        bot = lobby.bot_seat(level, lobby_table.plan.names_but(seat))
        if lobby_table.plan.chairs[seat].player is not None:
            raise Denied("seat_taken")
        await lobby.arrange(lobby_table, lobby_table.plan.with_chair(seat, bot))


@retry_on_conflict
async def seat_name(lobby: Lobby, key: Key, guest: Guest, seat: SeatNo, name: str) -> None:
    """Gives a seat to a person without a device; the host's device speaks for them (C8)."""
    clean = lobby.guests.clean_name(name)
    async with hosted(lobby, key, guest) as lobby_table:
        refuse_missing_seat(lobby_table, seat)
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
        await lobby.save(lobby_table, replace(lobby_table.plan, muted=muted), lobby_table.state)
        lobby_table.send_facts()


@retry_on_conflict
async def close(lobby: Lobby, key: Key, guest: Guest) -> None:
    async with hosted(lobby, key, guest) as lobby_table:
        await lobby.close(lobby_table)


@retry_on_conflict
async def start(lobby: Lobby, key: Key, guest: Guest) -> None:
    """Starts the match. Free seats are removed."""
    async with hosted(lobby, key, guest) as lobby_table:
        refuse_unless_gathering(lobby_table)
        plan, seed = await solo.start_setup(lobby, key, lobby_table.plan.keeping(lobby_table.plan.taken_seats()))
        opening, now, since = opening_of(plan, seed), lobby.clock.now(), lobby_table.changed
        try:
            match_of(StoredMatch(0, key, opening, now, 0))
        except (BadOptions, BadEdition) as problem:
            raise Denied("cannot_start", why=problem) from None
        # Before the match is stored: the server that has the room open longest runs its bots.
        room = await lobby.rooms.open(key)
        lobby_table.played = await lobby.store.open_match(key, opening, msgspec.json.encode(plan), now, since)
        lobby_table.plan, lobby_table.state, lobby_table.changed = plan, "running", Timestamp(max(now, since + 1))
        lobby.registry.open_tables.note(lobby_table)
        room.broadcast.facts = plan.facts(room.broadcast.facts)
        await room.begin(match_of(lobby_table.played), plan.holders(), clock_wrong=lobby.timekeeping.behind > 0)
        lobby.cluster.publish(key)
