"""The cluster of a server that shares its log with no other one (a null object), and what every cluster can do."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Protocol

from ubongo.server.lobby.cluster_port import Cluster
from ubongo.server.lobby.rooms import Rooms
from ubongo.server.protocol import Reaction
from ubongo.server.store.entities import Key
from ubongo.server.tables.live_match import LiveMatch
from ubongo.server.tables.replication import NoReplication, Replication
from ubongo.server.tables.room import Room


class DeviceConnections(Protocol):
    """The connections of this server, by the hashes of their devices' tokens."""

    def devices(self) -> Collection[bytes]: ...
    def sign_out(self, devices: Collection[bytes]) -> None: ...


class RunningCluster(Cluster, Protocol):
    """A cluster as the server runs it. The lobby sees only `Cluster`."""

    async def open(self, opener: Rooms, devices: DeviceConnections) -> None:
        """Joins the cluster. `opener` resumes matches that it adopts."""

    async def watch(self) -> None:
        """Follows the other servers until it is cancelled."""

    async def close(self) -> None: ...


class SingleServer:
    """Has a log of its own, so every table is its own."""

    shares_log = False

    async def open(self, opener: Rooms, devices: DeviceConnections) -> None: ...
    async def watch(self) -> None: ...
    async def close(self) -> None: ...
    async def serve(self, _: Key) -> bool:
        return True

    async def release(self, _: Key) -> None: ...
    async def adopt(self, orphans: Sequence[Key]) -> list[Key]:
        return list(orphans)

    async def refresh(self, _: Key) -> None: ...
    async def refresh_all(self) -> None: ...
    async def attended(self, _: Key) -> bool:
        return False

    def publish(self, key: Key, version: int = 0) -> None: ...
    async def sign_out(self, _: Collection[bytes]) -> None: ...
    def replicate(self, live_match: LiveMatch) -> Replication:
        return NoReplication(live_match)

    def attendance_changed(self, _: Room) -> None: ...
    def relay(self, room: Room, reaction: Reaction) -> None: ...
