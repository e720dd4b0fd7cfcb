"""Applies the changes that other servers have stored to the tables in memory."""

from __future__ import annotations

from ubongo.game import BadOptions
from ubongo.material import BadEdition
from ubongo.server.lobby.lobby_table import LobbyTable, lobby_table_of
from ubongo.server.lobby.registry import TableRegistry
from ubongo.server.store.entities import StoredTable
from ubongo.server.tables.room import Room
from ubongo.server.tables.stored_match import match_of


def apply_stored(registry: TableRegistry, stored: StoredTable) -> None:
    """Updates a table to its stored state, and the clients that are connected to it; raises Unreadable."""
    lobby_table = registry.find(stored.key)
    if lobby_table is not None and (stored.changed <= lobby_table.changed or lobby_table.lock.locked()):
        # A change of ours that is being written will win or meet a version conflict; then this is read again.
        return
    if lobby_table is None or lobby_table.key in registry.unavailable:
        registry.unavailable.pop(stored.key, None)
        if stored.state == "closed":
            registry.closed[stored.key] = stored.changed
        elif stored.state in ("gather", "running"):
            registry.add(lobby_table_of(stored))
        return
    lobby_table.update(lobby_table_of(stored))
    if lobby_table.state == "closed":
        registry.withdraw(lobby_table)
        return
    registry.open_tables.note(lobby_table)
    if lobby_table.room is not None:
        _update_room(lobby_table, lobby_table.room)


def _update_room(lobby_table: LobbyTable, room: Room) -> None:
    plan = lobby_table.plan
    if room.match is None and lobby_table.played is not None:
        room.broadcast.facts = plan.facts(room.broadcast.facts)
        try:
            room.join(match_of(lobby_table.played), plan.holders())
        except (BadOptions, BadEdition):
            # Only servers that have its edition can serve it.
            room.shut()
    elif lobby_table.state == "gather":
        room.arrange(lobby_table.gathering(), plan.holders())
    else:
        for player, chair in zip(room.broadcast.holders, plan.chairs, strict=True):
            if player is not None and chair.player is None:
                room.forget(player, chair.name)
    if lobby_table.state not in ("gather", "running"):
        room.end()
    lobby_table.send_facts()
