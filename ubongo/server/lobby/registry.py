"""The tables in memory: those that are not over, and those that are over while somebody looks at them."""

from __future__ import annotations

import logging

from ubongo.server.clock import Timestamp
from ubongo.server.errors import Denied
from ubongo.server.lobby.lobby_table import LobbyTable, lobby_table_of
from ubongo.server.lobby.open_tables import OpenTables, TableLimits
from ubongo.server.store import Unreadable
from ubongo.server.store.entities import Key
from ubongo.server.store.lobby_store import LobbyStore

log = logging.getLogger("ubongo.server.lobby.registry")


class TableRegistry:
    """Tables by key. A table that players can visit is in `lobby_tables`; the other collections say why not."""

    def __init__(self, store: LobbyStore, limits: TableLimits) -> None:
        self.store = store
        self.lobby_tables: dict[Key, LobbyTable] = {}
        self.open_tables = OpenTables(limits)
        # Running tables that cannot be opened: their edition is missing, their match is damaged, or we have a bug.
        self.unavailable: dict[Key, LobbyTable] = {}
        # Tables whose setup cannot be read.
        self.quarantined: set[Key] = set()
        # Tables that were closed, and when. Somebody who still follows the link is not guessing keys.
        self.closed: dict[Key, Timestamp] = {}

    # Looking up

    def get(self, key: Key) -> LobbyTable:
        """A table in memory; raises Denied."""
        found = self.lobby_tables.get(key)
        if found is None:
            if key in self.quarantined:
                raise Denied("damaged")
            unavailable = self.unavailable.get(key)
            raise Denied("no_such_table") if unavailable is None else unavailable.refusal()
        self.note_end(found)
        return found

    def find(self, key: Key) -> LobbyTable | None:
        """A table in memory, available or not."""
        return self.lobby_tables.get(key) or self.unavailable.get(key)

    def has_key(self, key: Key) -> bool:
        """Whether there is such a table, or was until a moment ago."""
        return self.find(key) is not None or key in self.closed or key in self.quarantined

    async def fetch(self, key: Key) -> LobbyTable | None:
        """A table from memory or from the store. It may be closed."""
        if (found := self.find(key)) is not None:
            return found
        try:
            stored = await self.store.table(key)
            if stored is None:
                return None
            # Another request may have fetched it meanwhile.
            if (found := self.find(key)) is not None:
                return found
            lobby_table = lobby_table_of(stored)
        except Unreadable:
            self.quarantine(key)
            return None
        if lobby_table.state == "closed":
            self.closed.setdefault(key, lobby_table.changed)
        else:
            self.add(lobby_table)
        return lobby_table

    # Changing

    def add(self, lobby_table: LobbyTable) -> None:
        self.lobby_tables[lobby_table.key] = lobby_table
        self.open_tables.note(lobby_table)

    def note_end(self, lobby_table: LobbyTable) -> None:
        """Changes the table's state if its match is over: only the match itself knows."""
        room = lobby_table.room
        if lobby_table.state == "running" and room is not None and room.live_match.recorded.phase == "over":
            lobby_table.state = "over"
            self.open_tables.note(lobby_table)

    def remove(self, key: Key) -> None:
        self.lobby_tables.pop(key, None)
        self.open_tables.drop(key)

    def withdraw(self, lobby_table: LobbyTable) -> None:
        """The table was closed or cannot be played: everybody there is disconnected, and nobody else gets in."""
        self.remove(lobby_table.key)
        if lobby_table.state == "closed":
            self.closed[lobby_table.key] = lobby_table.changed
        else:
            self.unavailable[lobby_table.key] = lobby_table
        room, lobby_table.room = lobby_table.room, None
        if room is not None:
            room.shut()

    def drop(self, key: Key) -> None:
        """The table has been archived or deleted."""
        lobby_table = self.find(key)
        if lobby_table is not None:
            self.withdraw(lobby_table)
        self.unavailable.pop(key, None)
        self.closed.pop(key, None)

    def quarantine(self, *keys: Key) -> None:
        """Refuses these tables because they are damaged. All others are served."""
        new = set(keys) - self.quarantined
        if new:
            # A table's key is a secret: no log has it.
            log.error("%d damaged tables are quarantined: they cannot be opened", len(new))
            self.quarantined |= new
