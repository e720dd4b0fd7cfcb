"""What the lobby needs of the other servers that share its log."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Protocol

from ubongo.server.protocol import Reaction
from ubongo.server.store.entities import Key
from ubongo.server.tables.live_match import LiveMatch
from ubongo.server.tables.replication import Replication
from ubongo.server.tables.room import Room


class Cluster(Protocol):
    """`ubongo.server.cluster` implements it. `shares_log`: there may be other servers."""

    shares_log: bool

    async def serve(self, key: Key) -> bool:
        """Notes that this server has the table open. True if no other server has."""

    async def release(self, key: Key) -> None:
        """Notes that this server no longer has the table open."""

    async def adopt(self, orphans: Sequence[Key]) -> list[Key]:
        """Takes over running tables that no server has open. `orphans` are those that are not open here."""

    async def refresh(self, key: Key) -> None:
        """Reads the stored state of the table, if it is in memory."""

    async def refresh_all(self) -> None:
        """Does the same for every table that has changed."""

    async def attended(self, key: Key) -> bool:
        """Whether anybody is connected to that table on another server."""

    def publish(self, key: Key, version: int = 0) -> None:
        """Tells the others that the table, or with `version` its match, has changed."""

    async def sign_out(self, devices: Collection[bytes]) -> None:
        """Closes the connections of these devices on the other servers. `devices` are hashes of tokens."""

    def replicate(self, live_match: LiveMatch) -> Replication: ...
    def attendance_changed(self, room: Room) -> None: ...
    def relay(self, room: Room, reaction: Reaction) -> None: ...
