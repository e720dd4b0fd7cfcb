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
        """We have that table open from now on. True if no other server has."""

    async def release(self, key: Key) -> None:
        """We no longer have that table open."""

    async def adopt(self, orphans: Sequence[Key]) -> list[Key]:
        """Running tables that no server has open become ours. `orphans` are those that are not open here."""

    async def refresh(self, key: Key) -> None:
        """Reads what the log has of that table now, if it is known here."""

    async def refresh_all(self) -> None:
        """The same for every table that has changed."""

    async def attended(self, key: Key) -> bool:
        """Whether anybody is connected to that table on another server."""

    def publish(self, key: Key, version: int = 0) -> None:
        """Tells the others that the table, or with `version` its match, has changed."""

    async def sign_out(self, devices: Collection[bytes]) -> None:
        """Connections of these devices are closed on the other servers; by the hashes of their tokens."""

    def replicate(self, live_match: LiveMatch) -> Replication: ...
    def attendance_changed(self, room: Room) -> None: ...
    def relay(self, room: Room, reaction: Reaction) -> None: ...
