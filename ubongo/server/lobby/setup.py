"""People at a table, from the moment it is opened: what the lobby keeps of it, and how a match comes of it."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from typing import Any, Literal

import msgspec
from msgspec import Raw, Struct
from msgspec.structs import replace

from ubongo.game import BadOptions, Game, opened
from ubongo.games import GAMES
from ubongo.material import BadEdition
from ubongo.server.errors import Denied
from ubongo.server.protocol import TableFacts
from ubongo.server.store.register import Bot, Key, Opening, Played, Player
from ubongo.server.tables.room import Room
from ubongo.server.tables.stored_match import edition_of
from ubongo.table import Millis, Options, Seat, SeatNo, Table

log = logging.getLogger("ubongo.server.lobby.setup")

# So many people a table remembers whom its host has removed.
MOST_REMOVED = 200

State = Literal["gather", "running", "over", "abandoned", "closed"]


class Chair(Struct, frozen=True):
    """A seat as the lobby sees it: a person's, a bot's, or free. `voiced`: the host's device speaks for them (C8)."""

    player: Player | None = None
    name: str = ""
    bot: str | None = None
    voiced: bool = False

    @property
    def free(self) -> bool:
        return self.player is None and self.bot is None and not self.voiced


class Plan(Struct, frozen=True):
    """What was agreed on for a table; kept in the file as it is."""

    game: str
    options: Raw
    chairs: tuple[Chair, ...]
    host: Player
    public: bool
    made: Millis
    next: Key | None = None
    # Who has asked for the rematch.
    next_by: SeatNo | None = None
    # The table that this one is the rematch of.
    rematch_of: Key | None = None
    # The host wants no reactions at this table.
    muted: bool = False
    # Whom the host has removed, the last one last: they take no seat here until the host lets them.
    removed: tuple[Player, ...] = ()

    def seat_of(self, player: Player) -> SeatNo | None:
        return next((seat for seat, chair in enumerate(self.chairs) if chair.player == player), None)

    def free_seats(self) -> list[SeatNo]:
        return [seat for seat, chair in enumerate(self.chairs) if chair.free]

    def taken_seats(self) -> list[SeatNo]:
        return [seat for seat, chair in enumerate(self.chairs) if not chair.free]

    def names_but(self, seat: SeatNo) -> list[str]:
        """Of everybody else."""
        return [chair.name for number, chair in enumerate(self.chairs) if number != seat and not chair.free]

    def with_chair(self, seat: SeatNo, chair: Chair) -> Plan:
        return replace(self, chairs=(*self.chairs[:seat], chair, *self.chairs[seat + 1 :]))

    def without(self, player: Player) -> Plan:
        """The host has removed them. Of very many the first are let in again: a plan has an end."""
        others = [one for one in self.removed if one != player]
        return replace(self, removed=(*others, player)[-MOST_REMOVED:])

    def asked_again(self, table: Key, player: Player, now: Millis) -> Plan:
        """The plan of a rematch that somebody asks for: they host it, and people take their seats themselves.

        Bots stay. So do people without a device, if it is the host's that speaks for them.
        """
        stays = [chair.player == player or chair.bot is not None or chair.voiced for chair in self.chairs]
        if player != self.host:
            stays = [stay and not chair.voiced for stay, chair in zip(stays, self.chairs, strict=True)]
        chairs = tuple(chair if stay else Chair() for stay, chair in zip(stays, self.chairs, strict=True))
        return replace(self, chairs=chairs, host=player, made=now, next=None, next_by=None, rematch_of=table)

    def first_of(self, seats: Sequence[SeatNo]) -> SeatNo:
        """T8: who of these throws first: who was agreed on, or the next clockwise."""
        first: SeatNo = msgspec.json.decode(self.options).get("first_seat", 0)
        return min(seats, key=lambda seat: (seat - first) % len(self.chairs), default=0)

    def with_first(self, seat: SeatNo) -> Plan:
        options = msgspec.json.decode(self.options)
        return replace(self, options=Raw(msgspec.json.encode({**options, "first_seat": seat})))

    def keeping(self, seats: Sequence[SeatNo]) -> Plan:
        """With these chairs alone: numbers change, and who throws first does not."""
        kept = replace(self, chairs=tuple(self.chairs[seat] for seat in seats))
        return kept.with_first(seats.index(self.first_of(seats))) if seats else kept

    def holders(self) -> list[Player | None]:
        return [chair.player for chair in self.chairs]

    def facts(self, known: TableFacts) -> TableFacts:
        """What a screen shows beside the table itself; the bots' part stays as it is known."""
        return replace(
            known,
            host=self.seat_of(self.host),
            voiced=tuple(seat for seat, chair in enumerate(self.chairs) if chair.voiced),
            public=self.public,
            muted=self.muted,
            next=self.next,
            next_by=self.next_by,
            rematch_of=self.rematch_of,
        )


class Sitting:
    """`door`: changes come one at a time. `changed`: the last one. `room` is None while nobody has asked for it."""

    def __init__(self, key: Key, plan: Plan, state: State, changed: Millis, played: Played | None = None) -> None:
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
        self.door = asyncio.Lock()

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
        return self.room is not None and bool(self.room.members or self.room.elsewhere)

    @property
    def idle(self) -> bool:
        """Whether it is over and nobody looks at it: it need not be in memory."""
        finished = self.state in ("over", "abandoned") and not self.unfinished
        return finished and self.room is None and not self.awaited and not self.door.locked()

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


def seat_of_chair(chair: Chair) -> Seat:
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


def opening_of(plan: Plan, seed: str) -> Opening:
    seats = tuple(Bot(chair.name, chair.bot) if chair.bot is not None else chair.name for chair in plan.chairs)
    return Opening(plan.game, seats, seed, plan.options)
