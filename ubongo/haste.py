"""Where only bots are waited for, people need not wait: the rest of it comes sooner if all of them want that.

What bots do is settled by the table and its time, so nothing else changes: their moves keep their instants, and the
match's time leaps from one to the next (`Leapt`).
"""

from __future__ import annotations

from collections.abc import Sequence

from ubongo.events import AnyEvent, Hastened
from ubongo.moves import Refused
from ubongo.table import Haste, SeatNo, Table, contending


def waited_for(table: Table) -> list[SeatNo]:
    """Who can still do something that the round waits for."""
    seats = table.seats
    match table.phase:
        case "play":
            return [seat for seat in contending(table) if seats[seat].called is None]
        case "enter":
            return [seat for seat in contending(table) if not seats[seat].passed]
        case "grab":
            return [seat for seat in contending(table) if sum(die.taken == seat for die in table.dice) < 2]
    return []


def only_bots(table: Table) -> bool:
    """Whether nobody but bots is waited for."""
    waited = waited_for(table)
    return bool(waited) and all(table.seats[seat].bot is not None for seat in waited)


def haste_of(table: Table) -> Haste | None:
    """How the table goes on: as fast as everybody there wants, which is the slower of what they say."""
    wanted = {seat.haste for seat in table.seats if seat.bot is None and seat.present and not seat.gone}
    if None in wanted or not wanted or not only_bots(table):
        return None
    return "fast" if "fast" in wanted else "skip"


def hasten(table: Table, seat: SeatNo, haste: Haste) -> Sequence[AnyEvent]:
    if table.phase == "count":
        # T2a: nobody can do anything meanwhile.
        raise Refused("not_now", move="hurry", phase=table.phase)
    if not only_bots(table):
        raise Refused("not_only_bots")
    if table.seats[seat].haste == haste:
        raise Refused("already_hastened")
    return (Hastened(seat, haste),)
