"""Hints, in practice (S5): lay the bulkiest missing piece, or name the pieces that cannot stay."""

from __future__ import annotations

from collections.abc import Mapping

from ubongo.difficulty import bulkiest_first
from ubongo.events import Called, Hinted, Placed
from ubongo.game import Events
from ubongo.games import cards, cubes, extreme
from ubongo.games.solo.booklet import completed, hand_of, solution
from ubongo.games.solo.options import SoloOptions, options_of
from ubongo.games.solo.tasks import ONLY_SEAT
from ubongo.lattice import CUBIC, HEX, Lattice
from ubongo.layout import GOAL
from ubongo.moves import Refused
from ubongo.pieces import Piece, Placement
from ubongo.table import Instant, Seat, Table, Task

LATTICES: Mapping[str, Lattice] = {"extreme": HEX, "cubes": CUBIC}


def hint(table: Table, now: Instant) -> Events:
    options = options_of(table)
    if options.mode != "practice":
        raise Refused("hints_in_practice")
    me = table.seats[ONLY_SEAT]
    assert me.task is not None
    found, wrong = _cards(options, me, me.task) if options.of == "cards" else _area(options, me, me.task)
    if wrong:
        # S5: a hint that is repeated counts once.
        again = all(where in me.told for where in me.laid if where.piece in wrong)
        return (Hinted(ONLY_SEAT, None, wrong, again),)
    assert found is not None
    laid = (Hinted(ONLY_SEAT, found.piece), Placed(ONLY_SEAT, found.piece, found.turn, found.at))
    last = len(me.laid) + 1 == (GOAL if options.of == "cards" else len(me.task.pieces))
    return (*laid, Called(ONLY_SEAT, now)) if last else laid


def _area(options: SoloOptions, me: Seat, task: Task) -> tuple[Placement | None, tuple[int, ...]]:
    """A task has one filling: any piece that lies elsewhere cannot stay."""
    right = solution(options, task)
    assert right is not None
    wrong = tuple(sorted(where.piece for where in me.laid if where not in right))
    known: Mapping[str, Piece] = (extreme if options.of == "extreme" else cubes).pieces(options)
    shapes = [known[str(name)].shapes[0] for name in task.pieces]
    lying = {where.piece for where in me.laid}
    order = [piece for piece in bulkiest_first(LATTICES[options.of], shapes) if piece not in lying]
    return (right[order[0]] if order else None), wrong


def _cards(options: SoloOptions, me: Seat, task: Task) -> tuple[Placement | None, tuple[int, ...]]:
    """A hand has many layouts: cards that break a rule cannot stay, nor the last one if it leads nowhere."""
    hand = hand_of(options, task)
    faults = cards.verdict(cards.faces(options.edition), task, me.laid).wrong
    if faults:
        return None, tuple(sorted(me.laid[number].piece for number in faults))
    whole = completed(hand, me.laid)
    if whole is None:
        return None, (me.laid[-1].piece,)
    lying = {where.piece for where in me.laid}
    return next(where for where in whole if where.piece not in lying), ()
