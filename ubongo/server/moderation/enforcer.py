"""Carries out operators' decisions while the server runs: reads new ones once a second."""

from __future__ import annotations

import asyncio
import logging
from contextlib import suppress

from ubongo.server.clock import Timestamp
from ubongo.server.lobby.erasure import leave_for_good
from ubongo.server.lobby.lobby import Lobby
from ubongo.server.lobby.retry import retry_on_conflict
from ubongo.server.moderation.decisions import BadDecision, Moderation
from ubongo.server.store import StoreError, VersionConflict
from ubongo.server.store.entities import Guest, Key, Player
from ubongo.server.store.moderation import Decision
from ubongo.server.wire.connections import Connections

POLL_EVERY_S = 1.0
# The operator of decisions that the server makes itself.
SERVER = "server"

log = logging.getLogger("ubongo.server.moderation.decisions")


class Enforcer:
    """Every server that shares the log has one. Carrying a decision out twice changes nothing."""

    def __init__(self, lobby: Lobby, connections: Connections) -> None:
        self._lobby = lobby
        self._connections = connections
        self._newest = -1

    async def watch(self) -> None:
        while True:
            await asyncio.sleep(POLL_EVERY_S)
            try:
                await self.look()
            except StoreError as problem:
                log.warning("operators' decisions cannot be read now: %s", problem)
            except Exception:
                # The loop goes on: without it nobody would be banned any more.
                log.exception("carrying out operators' decisions failed")

    async def look(self) -> None:
        store = self._lobby.moderation
        await self._ban_addresses()
        newest = await store.newest()
        if newest == self._newest:
            return
        self._lobby.bans.replace(await store.bans(), await store.devices())
        await self._disconnect_banned()
        await self._ban_addresses()
        for decision in await store.pending():
            await self._carry_out(decision)
        # Last: after a failed write the decisions are carried out again.
        self._newest = newest

    async def _disconnect_banned(self) -> None:
        """Closes the connections of banned clients. They leave their tables, also if only their network is banned."""
        left = set[tuple[Key, Player]]()
        for connection in list(self._connections.open):
            if connection.close_if_banned() and connection.player is not None:
                left.add((connection.key, connection.player))
        for key, player in left:
            await self._leave(key, player)

    async def _ban_addresses(self) -> None:
        """Bans the addresses of guests who are banned together with their address. In force from the next poll on."""
        moderation = Moderation(self._lobby.log, SERVER)
        for address, ban in self._lobby.bans.pop_seen_addresses().items():
            try:
                target = await moderation.target(address)
            except BadDecision:
                log.warning("an address is not banned, since it is this machine's; if that is a proxy, set --proxy")
                continue
            await moderation.ban(target, ban.reason, ban.until, self._lobby.clock.now())

    async def _carry_out(self, decision: Decision) -> None:
        if decision.action == "ban":
            for key in await self._lobby.store.tables_of(decision.target):
                await self._leave(key, decision.target)
        elif decision.action == "close_table":
            await close_table(self._lobby, decision.target)
        # On a conflict another server has carried it out.
        with suppress(VersionConflict):
            await self._lobby.moderation.note_done(decision.id, self._lobby.clock.now())
            # Target and reason are in the database: log messages have no names and addresses.
            log.warning("moderation", extra={"decision": decision.id, "action": decision.action})

    async def _leave(self, key: Key, player: Player) -> None:
        lobby_table = await self._lobby.registry.fetch(key)
        if lobby_table is not None:
            await leave_for_good(self._lobby, lobby_table, Guest(player, "", Timestamp(0)))


@retry_on_conflict
async def close_table(lobby: Lobby, key: Key) -> None:
    """Closes a table in any state, even a damaged one, and all connections to it."""
    await lobby.cluster.refresh(key)
    lobby_table = await lobby.registry.fetch(key)
    if lobby_table is None:
        return
    async with lobby_table.lock:
        if lobby_table.state != "closed":
            await lobby.close(lobby_table)
            lobby.registry.unavailable.pop(key, None)
