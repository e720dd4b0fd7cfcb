"""Reads tables that other servers have changed."""

from __future__ import annotations

import asyncio
from collections.abc import Collection

from ubongo.server.clock import Clock, Timestamp
from ubongo.server.cluster.background_tasks import BackgroundTasks
from ubongo.server.cluster.membership import Membership
from ubongo.server.lobby.registry import TableRegistry
from ubongo.server.lobby.stored_changes import apply_stored
from ubongo.server.store import Unreadable
from ubongo.server.store.entities import ChangedTables, Key, StoredTable
from ubongo.table import Millis

# How far back changes are read each time: a write may have waited so long for the database, and clocks may differ.
LOOK_BACK = Millis(15_000)


class TableRefresh:
    def __init__(self, membership: Membership, registry: TableRegistry, clock: Clock, tasks: BackgroundTasks) -> None:
        self._membership = membership
        self._registry = registry
        self._clock = clock
        self._tasks = tasks
        self._next: asyncio.Task[None] | None = None
        self._lock = asyncio.Lock()
        # Changes before this have been read.
        self._read_until = Timestamp(0)

    def start(self) -> None:
        """Before the lobby reads all tables: later changes are read here."""
        self._read_until = self._clock.now()

    async def refresh(self, keys: Collection[Key]) -> None:
        """Reads these tables, if they are known here."""
        found = await self._membership.tables(keys)
        self._apply(found)
        for gone in set(keys) - {table.key for table in found.tables} - set(found.damaged):
            self._registry.drop(gone)

    async def refresh_all(self) -> None:
        """Reads all tables that have changed."""
        # A read that has begun may be too early for this caller. All callers until the next one begins share that one.
        if self._next is None:
            self._next = self._tasks.start(self._refresh_all())
        await asyncio.shield(self._next)

    async def _refresh_all(self) -> None:
        async with self._lock:
            self._next = None
            now = self._clock.now()
            self._apply(await self._membership.tables_changed(Timestamp(self._read_until - LOOK_BACK)))
            self._read_until = now

    def _apply(self, found: ChangedTables) -> None:
        if found.damaged:
            self._registry.quarantine(*found.damaged)
        for table in found.tables:
            self._apply_table(table)

    def _apply_table(self, table: StoredTable) -> None:
        try:
            apply_stored(self._registry, table)
        except Unreadable:
            self._registry.quarantine(table.key)
            return
        lobby_table = self._registry.lobby_tables.get(table.key)
        if lobby_table is not None and lobby_table.room is not None and lobby_table.room.match is not None:
            lobby_table.room.replication.note_version(table.version)
