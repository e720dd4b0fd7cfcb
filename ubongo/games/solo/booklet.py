"""How a task is solved: as the edition has it printed, or, for a hand of cards, as a search finds it."""

from __future__ import annotations

from collections.abc import Sequence

from ubongo.games import cards, cubes, extreme
from ubongo.games.solo.options import SoloOptions
from ubongo.layout import GOAL, beside, seven
from ubongo.pieces import Piece, Placement
from ubongo.table import Options, Task

# A half-laid hand has thousands of continuations, and computing a hint must not delay others.
MOST_TRIES = 3000


def solution(options: Options, task: Task) -> tuple[Placement, ...] | None:
    """The only filling of an area of Extreme or 3-D, or a right layout of a hand; None for an area of dice.

    In practice a grade may be on either side, so the task itself says which side it is of.
    """
    assert isinstance(options, SoloOptions)
    match options.of:
        case "extreme":
            return extreme.booklet(options.edition, len(task.pieces), task)
        case "cubes":
            return cubes.booklet(options.edition, len(task.pieces), task)
        case "cards":
            return cards.solution(options, task)
        case "dice":
            return None


def hand_of(options: SoloOptions, task: Task) -> list[Piece]:
    known = cards.faces(options.edition)
    return [known[str(name)] for name in task.pieces]


def completed(hand: Sequence[Piece], laid: Sequence[Placement]) -> tuple[Placement, ...] | None:
    """Seven cards that contain this right layout; None: there are none, or none was found in so many tries."""
    tries = 0

    def grow(lying: tuple[Placement, ...], out: frozenset[Placement]) -> tuple[Placement, ...] | None:
        nonlocal tries
        tries += 1
        if len(lying) == GOAL or tries > MOST_TRIES:
            return lying if len(lying) == GOAL else None
        down = {where.piece for where in lying}
        ways = [where for piece in range(len(hand)) if piece not in down for where in beside(hand, lying, piece)]
        for where in ways:
            # Each place is either taken or excluded, so that no layout is visited twice.
            if where not in out:
                if found := grow((*lying, where), out):
                    return found
                out |= {where}
        return None

    return grow(tuple(laid), frozenset()) if laid else seven(hand)
