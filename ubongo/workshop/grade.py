"""How hard a task is for a person: a model, in closed form (docs/difficulty.md).

Someone begins with the bulkiest piece, tries each place where it fits, and goes on with the next bulkiest. A place that
leaves a hole smaller than every piece left is seen to be wrong at a glance: that costs a quarter of a try. Every other
costs a try, and is followed to its end. Of the wrong places half are met before the right one. So

    difficulty = a try for each piece of the solution + half of all the tries and quarters spent on wrong places

which is a multiple of an eighth, the same on every machine; and taking a wrong place away never makes it larger.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache

from ubongo.lattice import LATTICES, Lattice, Shape, plus
from ubongo.pieces import orientations
from ubongo.tiling import Puzzle, placed

# A grade begins at each of these difficulties: round numbers that divide the shipped editions' tasks together into
# parts of about a fifth. They are the same for every edition, so that a grade always means the same.
GRADES = (6.0, 8.0, 12.0, 24.0)


def grade(difficulty: float) -> int:
    return 1 + sum(difficulty >= start for start in GRADES)


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
    """The numbers of the pieces in the order in which they are tried; of equals the first comes first."""
    sizes = [bulk(lattice, piece) for piece in pieces]
    return sorted(range(len(pieces)), key=lambda number: (-sizes[number][0], -sizes[number][1], number))


def difficulty(task: Puzzle, allowed: Callable[[int, int], bool] = lambda _piece, _bits: True) -> float:
    """The difficulty of a task with one filling. `allowed` may forbid places, by piece and bits of the region."""
    lattice = LATTICES[task.lattice]
    bit = {cell: 1 << i for i, cell in enumerate(task.region)}
    near = [sum(bit.get(plus(cell, step), 0) for step in lattice.steps) for cell in task.region]
    order = bulkiest_first(lattice, task.pieces)
    shapes = [orientations(lattice, piece, task.mirror) for piece in task.pieces]
    places = [[bits for bits in placed(shapes[piece], task.region) if allowed(piece, bits)] for piece in order]
    smallest = len(task.pieces[order[-1]])

    def eighths(depth: int, free: int) -> int:
        cost = 0
        for bits in places[depth]:
            if bits & ~free:
                continue
            if depth + 1 == len(order):
                cost += 4
            elif _has_small_hole(free & ~bits, near, smallest):
                cost += 1
            else:
                cost += 4 + eighths(depth + 1, free & ~bits)
        return cost

    return (4 * len(order) + eighths(0, (1 << len(task.region)) - 1)) / 8


def _has_small_hole(free: int, near: Sequence[int], smallest: int) -> bool:
    while free:
        part = edge = free & -free
        while edge:
            lowest = edge & -edge
            beside = near[lowest.bit_length() - 1] & free & ~part
            part |= beside
            edge = edge ^ lowest | beside
        if part.bit_count() < smallest:
            return True
        free &= ~part
    return False
