"""People at a table, from the moment it is opened: what the lobby keeps of it, and how a match comes of it."""

from __future__ import annotations

import asyncio
import logging
from typing import Any, Literal

import msgspec
from msgspec import Raw
from msgspec.structs import replace

from ubongo.game import BadOptions, Game, opened
from ubongo.games import GAMES
from ubongo.material import BadEdition
from ubongo.server.errors import Denied
from ubongo.server.store.entities import Bot, Key, Opening, StoredMatch
from ubongo.server.tables.room import Room
from ubongo.server.tables.stored_match import edition_of
from ubongo.server.tables.table_setup import SeatSetup, TableSetup
from ubongo.table import Millis, Options, Seat, Table

log = logging.getLogger("ubongo.server.lobby.setup")


State = Literal["gather", "running", "over", "abandoned", "closed"]


class LobbyTable:
    """`lock`: changes come one at a time. `changed`: the last one. `room` is None while nobody has asked for it."""

    def __init__(
        self, key: Key, plan: TableSetup, state: State, changed: Millis, played: StoredMatch | None = None
    ) -> None:
        self.key = key
        self.plan = plan
        self.state: State = state
        self.changed = changed
        self.room: Room | None = None
        self.played = played
        # Where it was opened from, which is not written down: empty after a restart, and from this machine.
        self.address = ""
        # When the last one who was here went.
        self.left: Millis = 0
        # How many wait for its room to be set up.
        self.awaited = 0
        # Whether its match cannot be read: then nobody can come.
        self.damaged = False
        # Whether a bug of ours keeps its match from going on: then nobody can come either.
        self.broken = False
        self.lock = asyncio.Lock()

    @property
    def playing(self) -> bool:
        return self.state == "running"

    @property
    def unfinished(self) -> bool:
        """Whether there is a match that nobody has ended."""
        return self.played is not None and self.played.upto is None

    @property
    def attended(self) -> bool:
        """Whether anybody is connected, to play or to watch."""
        return self.room is not None and bool(self.room.members or self.room.attendance.elsewhere)

    @property
    def idle(self) -> bool:
        """Whether it is over and nobody looks at it: it need not be in memory."""
        finished = self.state in ("over", "abandoned") and not self.unfinished
        return finished and self.room is None and not self.awaited and not self.lock.locked()

    def refusal(self) -> Denied:
        """Why nobody can come, where it has been set apart."""
        if self.state == "closed" or self.played is None:
            return Denied("no_such_table")
        if self.broken:
            return Denied("broken")
        return Denied("damaged") if self.damaged else Denied("no_edition", edition=edition_of(self.played))

    def shown(self) -> Table:
        """The table as it was told here; what is played in another house is only known to be played."""
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


def seat_of_chair(chair: SeatSetup) -> Seat:
    return Seat(chair.name, bot=chair.bot, present=chair.bot is not None or chair.voiced)


def options_of(game: str, given: dict[str, Any]) -> Options:
    """The options of a game as somebody wrote them down."""
    kind = GAMES[game].OPTIONS
    try:
        return msgspec.convert(given, kind)
    except msgspec.ValidationError as problem:
        known = ", ".join(kind.__struct_fields__)
        raise Denied("bad_options", why=f"{problem}; {game} has {known}") from None


def playable(game: str, seats: int, options: Options) -> Options:
    """The options as they would be played with; refused if not with all these seats, before everybody has come."""
    try:
        return opened(GAMES[game], [""] * seats, options, "").options
    except BadOptions as problem:
        raise Denied(problem.code, why=problem) from None
    except BadEdition as problem:
        raise Denied("bad_options", why=problem) from None


def written(options: Options) -> Raw:
    return Raw(msgspec.json.encode(options))


def opening_of(plan: TableSetup, seed: str) -> Opening:
    seats = tuple(Bot(chair.name, chair.bot) if chair.bot is not None else chair.name for chair in plan.chairs)
    return Opening(plan.game, seats, seed, plan.options)
