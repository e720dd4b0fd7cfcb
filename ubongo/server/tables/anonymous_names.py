"""Names that replace those of deleted players in a match that goes on."""

from __future__ import annotations

from msgspec.structs import replace

from ubongo.table import SeatNo, Table, with_seat


class AnonymousNames:
    def __init__(self) -> None:
        self._names: dict[SeatNo, str] = {}

    def add(self, seat: SeatNo, name: str) -> None:
        self._names[seat] = name

    def apply(self, table: Table) -> Table:
        for seat, name in self._names.items():
            if table.seats[seat].name != name:
                table = with_seat(table, seat, replace(table.seats[seat], name=name))
        return table
