"""Another match with the same people: a new table with the same setup, where each player takes their seat by asking."""

from __future__ import annotations

from contextlib import suppress

import msgspec
from msgspec.structs import replace

from ubongo.server.errors import Denied
from ubongo.server.lobby.lobby import Lobby
from ubongo.server.lobby.lobby_table import LobbyTable
from ubongo.server.lobby.retry import retry_on_conflict
from ubongo.server.store.entities import Guest, Key
from ubongo.table import SeatNo


async def open_rematch(lobby: Lobby, key: Key, guest: Guest, address: str = "") -> tuple[LobbyTable, SeatNo | None]:
    """The new table, the same for every player who asks, and the guest's seat there; None if no seat is free."""
    following, seat = await _following(lobby, key, guest, address)
    try:
        return following, await lobby.join(following.key, guest, seat)
    except Denied as no:
        if no.code not in ("full", "has_begun"):
            raise
        return following, None


@retry_on_conflict
async def _following(lobby: Lobby, key: Key, guest: Guest, address: str) -> tuple[LobbyTable, SeatNo]:
    """The new table, and the guest's seat at the old one."""
    async with lobby.locked(key) as lobby_table:
        plan = lobby_table.plan
        seat = plan.seat_of(guest.player)
        if seat is None:
            raise Denied("not_seated")
        if lobby_table.state not in ("over", "abandoned"):
            raise Denied("not_over")
        if plan.next is not None:
            # If that one has been closed, there is another.
            with suppress(Denied):
                return await lobby.rooms.current(plan.next), seat
        # A match that we cannot show (its edition is missing) cannot be played again either.
        await lobby.rooms.open_room(lobby_table)
        new_plan = plan.for_rematch(key, guest.player, lobby.clock.now())
        with lobby.registry.open_tables.opening(guest.player, address):
            following = LobbyTable(await lobby.free_key(new_plan.game), new_plan, "gather", new_plan.made)
            following.address = address
            added = lobby.store.add_table_statement(
                following.key, "gather", msgspec.json.encode(new_plan), new_plan.made
            )
            await lobby.save(lobby_table, replace(plan, next=following.key, next_by=seat), lobby_table.state, added)
            lobby.registry.add(following)
        lobby_table.send_facts()
        return following, seat
