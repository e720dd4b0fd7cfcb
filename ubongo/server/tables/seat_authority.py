"""Which seat a member may play for: their own, and at a companion table also others (C8)."""

from __future__ import annotations

from ubongo.moves import Leave, Move, Refused
from ubongo.server.protocol import TableFacts
from ubongo.server.tables.member import Member
from ubongo.table import SeatNo, Table


def authorized_seat(
    table: Table, facts: TableFacts, host: str | None, member: Member, seat: SeatNo | None, move: Move
) -> SeatNo | None:
    """The seat that the move counts for; raises Refused.

    C8: the host also plays for people without a device, and anybody for a seat whose device is gone.
    """
    if seat is None or seat == member.seat:
        return member.seat
    if member.seat is not None and table.seats[member.seat].gone:
        raise Refused("not_your_seat")
    voiced = seat in facts.voiced
    if voiced and member.player is not None and member.player == host:
        return seat
    # Nobody can make others leave.
    if isinstance(move, Leave) or not _stands_in(table, member, facts.host if voiced else seat):
        raise Refused("not_your_seat")
    return seat


def _stands_in(table: Table, member: Member, seat: SeatNo | None) -> bool:
    """C8: whether a member may act for a seat whose device is gone."""
    if not table.options.companion or member.seat is None:
        return False
    # A host without a seat has no device at the table.
    return seat is None or (0 <= seat < len(table.seats) and (table.seats[seat].gone or not table.seats[seat].present))
