"""A table as the lobby knows it: its setup, its state, and its room while somebody needs one."""

from __future__ import annotations

import asyncio
from typing import Literal

import msgspec
from msgspec.structs import replace

from ubongo.game import Game
from ubongo.games import GAMES
from ubongo.server.clock import Timestamp
from ubongo.server.errors import Denied
from ubongo.server.store.entities import Key, StoredMatch, StoredTable, decoded
from ubongo.server.tables.room import Room
from ubongo.server.tables.stored_match import edition_of
from ubongo.server.tables.table_setup import SeatSetup, TableSetup
from ubongo.table import Options, Seat, Table

State = Literal["gather", "running", "over", "abandoned", "closed"]


class LobbyTable:
    """`lock` is held while the table changes, `changed` is the time of its last change.

    `room` is None until somebody asks for it. `played` is the table's match, if it has begun.
    """

    def __init__(
        self, key: Key, plan: TableSetup, state: State, changed: Timestamp, played: StoredMatch | None = None
    ) -> None:
        self.key = key
        self.plan = plan
        self.state: State = state
        self.changed = changed
        self.room: Room | None = None
        self.played = played
        # The address that opened it. It is not stored, so it is empty after a restart, and for this machine.
        self.address = ""
        # When the last connection was closed.
        self.left = Timestamp(0)
        # How many requests wait for its room to be opened.
        self.waiting_requests = 0
        # Whether its match cannot be read. If so, the table cannot be opened.
        self.damaged = False
        # Whether a bug of ours stops its match. If so, the table cannot be opened either.
        self.broken = False
        self.lock = asyncio.Lock()

    @property
    def playing(self) -> bool:
        return self.state == "running"

    @property
    def unfinished(self) -> bool:
        """Whether there is a match, and the log has no end of it."""
        return self.played is not None and self.played.upto is None

    @property
    def attended(self) -> bool:
        """Whether anybody is connected, to play or to watch."""
        return self.room is not None and bool(self.room.members or self.room.attendance.elsewhere)

    @property
    def idle(self) -> bool:
        """Whether it is over and nobody looks at it, so that it need not be in memory."""
        finished = self.state in ("over", "abandoned") and not self.unfinished
        return finished and self.room is None and not self.waiting_requests and not self.lock.locked()

    def refusal(self) -> Denied:
        """Why the table cannot be opened."""
        if self.state == "closed" or self.played is None:
            return Denied("no_such_table")
        if self.broken:
            return Denied("broken")
        return Denied("damaged") if self.damaged else Denied("no_edition", edition=edition_of(self.played))

    def shown(self) -> Table:
        """The table as this server last broadcast it. Of a match on another server we only know that it runs."""
        table = self.gathering() if self.room is None else self.room.shown
        if self.room is not None or not self.playing:
            return table
        return replace(table, phase="play", seats=tuple(replace(seat, present=True) for seat in table.seats))

    @property
    def game(self) -> Game:
        return GAMES[self.plan.game]

    def options(self) -> Options:
        return msgspec.json.decode(self.plan.options, type=self.game.OPTIONS)

    def gathering(self) -> Table:
        return Table(self.plan.game, self.options(), tuple(map(seat_of_chair, self.plan.chairs)))

    def update(self, stored: LobbyTable) -> None:
        """Takes over what another server has changed."""
        self.plan, self.state, self.changed, self.played = stored.plan, stored.state, stored.changed, stored.played

    def send_facts(self) -> None:
        """Sends what the lobby knows of the table to everybody connected to it, if that has changed."""
        if self.room is not None:
            self.room.host = self.plan.host
            self.room.send_facts(self.plan.facts(self.room.broadcast.facts))


def lobby_table_of(stored: StoredTable) -> LobbyTable:
    """Raises Unreadable."""
    with decoded("a table"):
        plan, state = msgspec.json.decode(stored.body, type=TableSetup), msgspec.convert(stored.state, State)
    return LobbyTable(stored.key, plan, state, stored.changed, stored.played)


def seat_of_chair(chair: SeatSetup) -> Seat:
    return Seat(chair.name, bot=chair.bot, present=chair.bot is not None or chair.voiced)
