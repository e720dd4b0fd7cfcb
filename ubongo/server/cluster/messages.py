"""Messages that servers broadcast to each other: reactions at a shared table, devices that were signed out."""

from __future__ import annotations

import contextlib
from collections.abc import Collection

import msgspec

from ubongo.server.cluster.background_tasks import BackgroundTasks
from ubongo.server.cluster.membership import Membership
from ubongo.server.cluster.single_server import DeviceConnections
from ubongo.server.lobby.registry import TableRegistry
from ubongo.server.protocol import Reaction, encode
from ubongo.server.store import StoreError
from ubongo.server.store.entities import Key


class RelayedReaction(msgspec.Struct, frozen=True):
    table: Key
    reaction: Reaction


class SignedOut(msgspec.Struct, frozen=True):
    """Devices by the hashes of their tokens."""

    devices: list[bytes]


class ServerMessages:
    """A message that is lost is not sent again."""

    def __init__(self, membership: Membership, registry: TableRegistry, tasks: BackgroundTasks) -> None:
        self._membership = membership
        self._registry = registry
        self._tasks = tasks

    def relay(self, table: Key, reaction: Reaction) -> None:
        self._tasks.start(self._broadcast(RelayedReaction(table, reaction)))

    async def sign_out(self, devices: Collection[bytes]) -> None:
        await self._broadcast(SignedOut(list(devices)))

    async def _broadcast(self, message: RelayedReaction | SignedOut) -> None:
        with contextlib.suppress(StoreError):
            await self._membership.broadcast(encode(message).decode())

    def receive(self, message: str, devices: DeviceConnections) -> None:
        with contextlib.suppress(msgspec.MsgspecError):
            devices.sign_out(msgspec.json.decode(message, type=SignedOut).devices)
            return
        # A newer version may have reactions that are unknown here.
        with contextlib.suppress(msgspec.MsgspecError):
            self._show(msgspec.json.decode(message, type=RelayedReaction))

    def _show(self, relayed: RelayedReaction) -> None:
        lobby_table = self._registry.lobby_tables.get(relayed.table)
        if lobby_table is not None and lobby_table.room is not None:
            lobby_table.room.reactions.show(relayed.reaction)
