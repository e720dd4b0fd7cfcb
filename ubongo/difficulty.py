"""How hard a task is for a person: a model, in closed form (docs/difficulty.md).

Someone begins with the bulkiest piece, tries each place where it fits, and goes on with the next bulkiest. A place that
leaves a hole smaller than every remaining piece is obviously wrong and costs a quarter of a try. Every other place
costs a try and is followed to its end. Half of the wrong places are met before the right one. So

    difficulty = a try for each piece of the solution + half of all the tries and quarters spent on wrong places

which is a multiple of an eighth, the same on every machine; and removing a wrong place never makes it larger.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache

from ubongo.lattice import LATTICES, Cell, Lattice, Shape, plus
from ubongo.pieces import orientations
from ubongo.tiling import Puzzle, placed


@lru_cache(4096)
def bulk(lattice: Lattice, piece: Shape, mirror: bool | None = None) -> tuple[int, int]:
    """The larger, the earlier a piece is tried: its cells, then the smallest box that holds it."""
    boxes = []
    for shape in orientations(lattice, piece, mirror):
        volume = 1
        for axis in zip(*shape, strict=True):
            volume *= max(axis) + 1
        boxes.append(volume)
    return len(piece), min(boxes)


def bulkiest_first(lattice: Lattice, pieces: Sequence[Shape]) -> list[int]:
    """The numbers of the pieces in the order in which they are tried; equal pieces keep their order."""
    sizes = [bulk(lattice, piece) for piece in pieces]
    return sorted(range(len(pieces)), key=lambda number: (-sizes[number][0], -sizes[number][1], number))


def difficulty(task: Puzzle, allowed: Callable[[int, int], bool] = lambda _piece, _bits: True) -> float:
    """The difficulty of a task with one filling. `allowed` may forbid places, by piece and bits of the region."""
    lattice = LATTICES[task.lattice]
    order = bulkiest_first(lattice, task.pieces)
    shapes = [orientations(lattice, piece, task.mirror) for piece in task.pieces]
    places = [[bits for bits in placed(shapes[piece], task.region) if allowed(piece, bits)] for piece in order]
    return eighths(places, beside(lattice, task.region), len(task.pieces[order[-1]])) / 8


def beside(lattice: Lattice, region: Sequence[Cell]) -> list[int]:
    """The neighbours of each cell within the region, as bits."""
    bit = {cell: 1 << i for i, cell in enumerate(region)}
    return [sum(bit.get(plus(cell, step), 0) for step in lattice.steps) for cell in region]


def eighths(places: Sequence[Sequence[int]], near: Sequence[int], smallest: int) -> int:
    """Eight times the difficulty. `places`: those of each piece, bulkiest first; the last has `smallest` cells."""

    def spent(depth: int, free: int) -> int:
        cost = 0
        for bits in places[depth]:
            if bits & ~free:
                continue
            if depth + 1 == len(places):
                cost += 4
            elif has_small_hole(free & ~bits, near, smallest):
                cost += 1
            else:
                cost += 4 + spent(depth + 1, free & ~bits)
        return cost

    return 4 * len(places) + spent(0, (1 << len(near)) - 1)


def has_small_hole(free: int, near: Sequence[int], smallest: int) -> bool:
    """Whether a connected part of the free cells has fewer than `smallest` cells."""
    while free:
        part = edge = free & -free
        while edge:
            lowest = edge & -edge
            found = near[lowest.bit_length() - 1] & free & ~part
            part |= found
            edge = edge ^ lowest | found
        if part.bit_count() < smallest:
            return True
        free &= ~part
    return False
