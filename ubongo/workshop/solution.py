"""A task's filling in the form of the booklet: how each piece is turned and where it lies."""

from __future__ import annotations

from ubongo.lattice import LATTICES, Cell, anchored, corner
from ubongo.pieces import orientations
from ubongo.tiling import Puzzle, first


def solution(task: Puzzle) -> tuple[tuple[int, Cell], ...]:
    """(turn, at) for each piece, in the order of the task, which must have a filling."""
    filling = first(task)
    assert filling is not None, "only tasks with a filling are printed"
    lattice = LATTICES[task.lattice]
    turns = []
    for laid in filling:
        shapes = orientations(lattice, task.pieces[laid.piece], task.mirror)
        turns.append((shapes.index(tuple(sorted(anchored(laid.cells)))), corner(laid.cells)))
    return tuple(turns)
