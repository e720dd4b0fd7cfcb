"""The setup of a table, as it is stored: game, options, seats and host."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
from msgspec import Raw, Struct
from msgspec.structs import replace

from ubongo.server.clock import Timestamp
from ubongo.server.protocol import TableFacts
from ubongo.server.store.entities import Key, Player
from ubongo.table import SeatNo, numbered

# A table remembers at most so many removed players.
MOST_REMOVED = 200


class SeatSetup(Struct, frozen=True):
    """A seat as the lobby sees it: a person's, a bot's, or free. `voiced`: the host's device plays for them (C8)."""

    player: Player | None = None
    name: str = ""
    bot: str | None = None
    voiced: bool = False

    @property
    def free(self) -> bool:
        return self.player is None and self.bot is None and not self.voiced


class TableSetup(Struct, frozen=True):
    """Stored as JSON, so its fields keep their names."""

    game: str
    options: Raw
    chairs: tuple[SeatSetup, ...]
    host: Player
    public: bool
    made: Timestamp
    next: Key | None = None
    # The seat that has asked for the rematch.
    next_by: SeatNo | None = None
    # The table that this one is the rematch of.
    rematch_of: Key | None = None
    # The host has turned reactions off.
    muted: bool = False
    # Players whom the host has removed, the last one last: they cannot take a seat until the host readmits them.
    removed: tuple[Player, ...] = ()

    def seat_of(self, player: Player) -> SeatNo | None:
        return next((seat for seat, chair in numbered(self.chairs) if chair.player == player), None)

    def free_seats(self) -> list[SeatNo]:
        return [seat for seat, chair in numbered(self.chairs) if chair.free]

    def taken_seats(self) -> list[SeatNo]:
        return [seat for seat, chair in numbered(self.chairs) if not chair.free]

    def names_but(self, seat: SeatNo) -> list[str]:
        """The names of all other seats."""
        return [chair.name for number, chair in enumerate(self.chairs) if number != seat and not chair.free]

    def with_chair(self, seat: SeatNo, chair: SeatSetup) -> TableSetup:
        return replace(self, chairs=(*self.chairs[:seat], chair, *self.chairs[seat + 1 :]))

    def without(self, player: Player) -> TableSetup:
        """With a player removed by the host. Of very many the first ones are readmitted, since the list is bounded."""
        others = [one for one in self.removed if one != player]
        return replace(self, removed=(*others, player)[-MOST_REMOVED:])

    def for_rematch(self, table: Key, player: Player, now: Timestamp) -> TableSetup:
        """The setup of a rematch. The player who asks for it is the host; the others take their seats themselves.

        Bots stay. So do people without a device, if the host has asked: the host's device plays for them.
        """
        stays = [chair.player == player or chair.bot is not None or chair.voiced for chair in self.chairs]
        if player != self.host:
            stays = [stay and not chair.voiced for stay, chair in zip(stays, self.chairs, strict=True)]
        chairs = tuple(chair if stay else SeatSetup() for stay, chair in zip(stays, self.chairs, strict=True))
        return replace(self, chairs=chairs, host=player, made=now, next=None, next_by=None, rematch_of=table)

    def first_of(self, seats: Sequence[SeatNo]) -> SeatNo:
        """T8: which of these seats throws first: the chosen one, or the next one clockwise."""
        first: SeatNo = msgspec.json.decode(self.options).get("first_seat", 0)
        return SeatNo(min(seats, key=lambda seat: (seat - first) % len(self.chairs), default=0))

    def with_first(self, seat: SeatNo) -> TableSetup:
        options = msgspec.json.decode(self.options)
        return replace(self, options=Raw(msgspec.json.encode({**options, "first_seat": seat})))

    def keeping(self, seats: Sequence[SeatNo]) -> TableSetup:
        """With these seats only. Seat numbers change, but the same player throws first."""
        kept = replace(self, chairs=tuple(self.chairs[seat] for seat in seats))
        return kept.with_first(SeatNo(seats.index(self.first_of(seats)))) if seats else kept

    def holders(self) -> list[Player | None]:
        return [chair.player for chair in self.chairs]

    def facts(self, known: TableFacts) -> TableFacts:
        """What clients see of the setup; the bots' facts stay as they are."""
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
