"""What rooms are made of: members who are told, a match that is played, and what happens on its way to the log."""

from __future__ import annotations

from asyncio import Future
from collections.abc import Sequence
from typing import Protocol

from ubongo.chance import Chance
from ubongo.events import AnyEvent
from ubongo.game import Game
from ubongo.moves import Move
from ubongo.server.clock import Clock
from ubongo.server.store import Row
from ubongo.table import Millis, SeatNo, Table


class Member(Protocol):
    """One connection. A seat may have several: all of them are told the same."""

    player: str | None
    seat: SeatNo | None

    def send(self, message: bytes) -> None: ...
    def close(self, code: int, why: str) -> None: ...


class Match:
    """What a room needs to know of the match that is played in it; `number` is the log's name for it."""

    __slots__ = ("chance", "game", "number", "opening", "started")

    def __init__(self, number: int, game: Game, opening: Table, seed: str, started: Millis) -> None:
        self.number = number
        self.game = game
        self.opening = opening
        self.chance = Chance(seed)
        self.started = started


class Teller(Protocol):
    """A room, as what happens in it knows it: whom to tell, when it is recorded or lost."""

    clock: Clock
    key: str
    version: int

    def tell(self, happenings: Sequence[Happening]) -> None: ...
    def lose(self, happenings: Sequence[Happening], problem: Exception) -> None: ...


class Happening:
    """An entry on its way to the log, with the table after it and whoever waits for it."""

    __slots__ = (
        "accepted",
        "asker",
        "events",
        "match",
        "move",
        "n",
        "room",
        "rows",
        "seat",
        "since",
        "table",
        "version",
        "waiting",
    )

    def __init__(
        self,
        room: Teller,
        match: int,
        since: int,
        rows: list[Row],
        table: Table,
        version: int,
        events: list[AnyEvent],
    ) -> None:
        self.accepted = room.clock.now()
        self.room = room
        self.match = match
        self.since = since
        self.rows = rows
        self.table = table
        self.version = version
        self.events = events
        # What was asked for, if it did not happen by itself.
        self.seat: SeatNo | None = None
        self.move: Move | None = None
        self.asker: Member | None = None
        self.n = 0
        self.waiting: Future[None] | None = None
