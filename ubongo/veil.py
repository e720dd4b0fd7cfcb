"""What one viewer may see of a table, and of an event (T4, T12).

What is hidden: tasks that lie face down, a hand's cards that do not lie, what only an owner may know of a layout. The
order of stacks and the seed are not on the table at all until it is over.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from ubongo.events import Dealt, Event, Judged
from ubongo.pieces import Placement
from ubongo.table import RoundResult, Seat, SeatNo, Table, Task


def veil(table: Table, viewer: SeatNo | None) -> Table:
    """The table as that seat sees it; None: a spectator. The same object if nothing is hidden."""
    hides = False
    seats = []
    for number, seat in enumerate(table.seats):
        seen = veiled(seat, number == viewer, lies_open(table))
        hides = hides or seen is not seat
        seats.append(seen)
    last = veiled_last(table.last, viewer)
    hides = hides or last is not table.last
    return replace(table, seats=tuple(seats), last=last) if hides else table


def lies_open(table: Table) -> bool:
    """Whether others see what lies of a hand.

    A match that ends in the middle of a round, since all but one have left, ends with what lies there.
    """
    return table.phase in ("play", "over")


def veiled(seat: Seat, own: bool, shown: bool) -> Seat:
    task = seat.task
    if task is None or task.face == "up":
        return seat
    if task.face == "down":
        return replace(seat, task=None)
    if own:
        return seat
    if task.region is not None or not shown:
        return replace(seat, task=None)
    return replace(seat, task=laid_only(task, seat.laid), wrong=())


def veiled_last(last: tuple[RoundResult, ...] | None, viewer: SeatNo | None) -> tuple[RoundResult, ...] | None:
    """The round is over and every layout is open (T14), but the rest of a hand comes back in the next (K4)."""
    if last is None or all(had.task is None or had.task.region is not None for had in last):
        return last
    return tuple(
        had if had.task is None or number == viewer else replace(had, task=laid_only(had.task, had.laid))
        for number, had in enumerate(last)
    )


def laid_only(hand: Task, laid: Sequence[Placement]) -> Task:
    """Of another player's hand only the laid cards are visible."""
    lying = {where.piece for where in laid}
    return replace(hand, pieces=tuple(name if i in lying else None for i, name in enumerate(hand.pieces)))


def veil_event(event: Event, viewer: SeatNo | None) -> Event:
    """The event as that seat may see it: hidden parts are removed."""
    match event:
        case Dealt(seat, task) if task is not None and (
            task.face == "down" or (task.face == "hand" and seat != viewer)
        ):
            return Dealt(seat, None)
        case Judged(seat) if seat != viewer:
            return Judged(seat, ())
    return event
