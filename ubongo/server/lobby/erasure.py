"""Removes a guest from one table, or erases them from every table, log and record."""

from __future__ import annotations

from contextlib import suppress

from msgspec.structs import replace

from ubongo.server.errors import Denied
from ubongo.server.lobby.lobby import Lobby
from ubongo.server.lobby.lobby_table import LobbyTable
from ubongo.server.lobby.names import SOMEBODY
from ubongo.server.lobby.retry import retry_on_conflict
from ubongo.server.store.entities import Guest, Key
from ubongo.server.tables.table_setup import SeatSetup


async def erase_guest(lobby: Lobby, guest: Guest) -> None:
    """Deletes a guest. In all logs their name becomes 'Somebody'."""
    await lobby.cluster.refresh_all()
    for key in await lobby.store.tables_of(guest.player):
        lobby_table = await lobby.registry.fetch(key)
        if lobby_table is None:
            continue
        await leave_for_good(lobby, lobby_table, guest)
        await _erase_at(lobby, key, guest)
    await lobby.store.forget_archived(guest.player, SOMEBODY)
    await lobby.results.forget(guest.player, SOMEBODY)
    await lobby.guests.forget(guest)


async def leave_for_good(lobby: Lobby, lobby_table: LobbyTable, guest: Guest) -> None:
    """A guest leaves a table that is not over, as a player or as a host who only watches."""
    if lobby_table.plan.seat_of(guest.player) is not None:
        if lobby_table.state in ("gather", "running"):
            with suppress(Denied):
                await lobby.leave(lobby_table.key, guest)
    elif lobby_table.plan.host == guest.player and lobby_table.state == "gather":
        await _hand_over(lobby, lobby_table.key, guest)


@retry_on_conflict
async def _hand_over(lobby: Lobby, key: Key, guest: Guest) -> None:
    with suppress(Denied):
        async with lobby.locked(key) as lobby_table:
            if lobby_table.plan.host == guest.player and lobby_table.state == "gather":
                await lobby.hand_over(lobby_table, lobby_table.plan)


@retry_on_conflict
async def _erase_at(lobby: Lobby, key: Key, guest: Guest) -> None:
    await lobby.cluster.refresh(key)
    lobby_table = await lobby.registry.fetch(key)
    if lobby_table is None:
        # It has just been archived.
        return
    async with lobby_table.lock:
        seat = lobby_table.plan.seat_of(guest.player)
        if seat is None:
            return
        plan = lobby_table.plan.with_chair(seat, SeatSetup(name=SOMEBODY))
        if lobby_table.played is None:
            await lobby.save(lobby_table, plan, lobby_table.state)
            return
        names = [*lobby_table.played.opening.seats]
        names[seat] = SOMEBODY
        opening = replace(lobby_table.played.opening, seats=tuple(names))
        renamed = lobby.store.replace_opening_statement(lobby_table.played.match, opening)
        await lobby.save(lobby_table, plan, lobby_table.state, renamed)
        lobby_table.played = replace(lobby_table.played, opening=opening)
        if lobby_table.room is not None:
            lobby_table.room.forget(guest.player, SOMEBODY)
        lobby_table.send_facts()
