"""T7a: if only bots are still playing, people can skip to the result or watch at eight times the speed, if all agree.

What bots do is a function of the table and its time, so nothing else changes: their moves keep their instants, and the
match's clock jumps from one to the next (`TimeSkipped`).
"""

from __future__ import annotations

from collections.abc import Sequence

from ubongo.events import AnyEvent, FastForwardAsked
from ubongo.moves import Refused
from ubongo.table import FastForward, SeatNo, Table, contending


def waited_for(table: Table) -> list[SeatNo]:
    """The seats that the round still waits for."""
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
    """Whether the round waits only for bots."""
    waited = waited_for(table)
    return bool(waited) and all(table.seats[seat].bot is not None for seat in waited)


def fast_forward_of(table: Table) -> FastForward | None:
    """What everybody present has agreed to: the slower one if they asked for different speeds."""
    wanted = {seat.fast_forward for seat in table.seats if seat.bot is None and seat.present and not seat.gone}
    if None in wanted or not wanted or not only_bots(table):
        return None
    return "speed_up" if "speed_up" in wanted else "skip"


def ask_fast_forward(table: Table, seat: SeatNo, fast_forward: FastForward) -> Sequence[AnyEvent]:
    if table.phase == "count":
        # T2a: nobody can do anything during the count-in.
        raise Refused("not_now", move=fast_forward, phase=table.phase)
    if not only_bots(table):
        raise Refused("not_only_bots")
    if table.seats[seat].fast_forward == fast_forward:
        raise Refused("already_asked")
    return (FastForwardAsked(seat, fast_forward),)
