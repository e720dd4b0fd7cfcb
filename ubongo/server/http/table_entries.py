"""A table as HTTP shows it, alone or in the list of public tables."""

from __future__ import annotations

import msgspec
from msgspec import Raw, Struct

from ubongo.server.http.guests import AnyRequest
from ubongo.server.lobby.lobby_table import LobbyTable
from ubongo.server.settings import Settings
from ubongo.server.store.entities import Player
from ubongo.table import SeatNo, Table


class SeatEntry(Struct, frozen=True):
    """A free seat has an empty name."""

    name: str
    bot: str | None
    present: bool
    gone: bool


class TableEntry(Struct, frozen=True):
    """`host` is the host's seat, null if they only watch; `seat` is the asker's own."""

    table: str
    link: str
    game: str
    options: Raw
    phase: str
    public: bool
    seats: tuple[SeatEntry, ...]
    host: SeatNo | None
    seat: SeatNo | None
    made: int
    next: str | None
    next_by: SeatNo | None
    rematch_of: str | None


def base_of(request: AnyRequest) -> str:
    """The beginning of links: the URL by which the client reaches this server."""
    settings: Settings = request.app.state.settings
    return settings.base(request.url.scheme, request.headers.get("host", "localhost"))


def link_to(request: AnyRequest, key: str) -> str:
    return f"{base_of(request)}/t/{key}"


def entry_of(base: str, lobby_table: LobbyTable, table: Table, player: Player | None = None) -> TableEntry:
    plan = lobby_table.plan
    return TableEntry(
        table=lobby_table.key,
        link=f"{base}/t/{lobby_table.key}",
        game=plan.game,
        options=Raw(msgspec.json.encode(table.options)),
        phase="over" if lobby_table.state == "abandoned" else table.phase,
        public=plan.public,
        seats=tuple(SeatEntry(seat.name, seat.bot, seat.present, seat.gone) for seat in table.seats),
        host=plan.seat_of(plan.host),
        seat=plan.seat_of(player) if player is not None else None,
        made=plan.made,
        next=plan.next,
        next_by=plan.next_by,
        rematch_of=plan.rematch_of,
    )
