"""Areas for boards: all small ones of squares, and randomly grown hexagonal ones; connected, without holes, handsome.

Handsome is measured: an area of squares by its box and its outline, one of hexagons by its tips (cells that touch only
one other) and by how many of its cells touch.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from itertools import accumulate

from ubongo.lattice import HEX, SQUARE, Cell, Lattice, Shape, anchored, connected, moved, plus
from ubongo.pieces import orientations
from ubongo.workshop.luck import WorkshopLuck

# The weights of cells that touch one, two, three... of the cells already taken.
_PULL = (0, 1, 3, 9, 27, 81, 243)
_HEX_BOX = (7, 7)


def flat_areas(width: int, height: int, sizes: Iterable[int]) -> list[Shape]:
    """Every area of squares of these sizes that fits the box, up to symmetry, without holes; sorted."""
    sizes = set(sizes)
    cells: list[Cell] = [(x, y) for y in range(height) for x in range(width)]
    bit = {cell: 1 << i for i, cell in enumerate(cells)}
    near = [sum(bit.get(plus(cell, step), 0) for step in SQUARE.steps) for cell in cells]
    seen: set[Shape] = set()
    found = []
    layer = set(bit.values())
    for size in range(1, max(sizes) + 1):
        for area in layer if size in sizes else ():
            shape = tuple(sorted(anchored(cell for i, cell in enumerate(cells) if area >> i & 1)))
            if shape not in seen:
                turned = orientations(SQUARE, shape)
                seen |= set(turned)
                found.append(min(turned))
        layer = {area | more for area in layer for more in _bits(_around(area, near) & ~area)}
    return sorted(shape for shape in found if whole(SQUARE, shape))


def _around(area: int, near: list[int]) -> int:
    around = 0
    for bit in _bits(area):
        around |= near[bit.bit_length() - 1]
    return around


def _bits(word: int) -> Iterable[int]:
    while word:
        lowest = word & -word
        yield lowest
        word ^= lowest


def grown(luck: WorkshopLuck, size: int, lattice: Lattice = HEX) -> Shape:
    """A random area of that many cells, grown from the middle outwards; the caller checks whether it is good enough."""
    cells: set[Cell] = {(0, 0)}
    edge = dict.fromkeys(lattice.steps, 1)
    while len(cells) < size:
        pulls = list(accumulate(_PULL[number] for number in edge.values()))
        cell = list(edge)[bisect_right(pulls, luck.below(pulls[-1]))]
        cells.add(cell)
        del edge[cell]
        for step in lattice.steps:
            beside = plus(cell, step)
            if beside not in cells:
                edge[beside] = edge.get(beside, 0) + 1
    return tuple(sorted(anchored(cells)))


def whole(lattice: Lattice, area: Iterable[Cell]) -> bool:
    """Whether it has no hole: everything outside is connected."""
    cells = set(area)
    across, down = zip(*cells, strict=True)
    box = {(x, y) for x in range(min(across) - 1, max(across) + 2) for y in range(min(down) - 1, max(down) + 2)}
    return connected(lattice, box - cells)


def touching(lattice: Lattice, area: Iterable[Cell]) -> list[int]:
    """How many others each cell touches."""
    cells = set(area)
    return [sum(plus(cell, step) in cells for step in lattice.steps) for cell in cells]


def outline(area: Shape) -> int:
    """The length of the border of an area of squares."""
    return 4 * len(area) - sum(touching(SQUARE, area))


def handsome(area: Shape) -> bool:
    """For hexagons: at most one tip, a cell touches 3.4 others on average, and the box is not too long."""
    numbers = touching(HEX, area)
    box = [max(axis) + 1 for axis in zip(*area, strict=True)]
    compact = 5 * sum(numbers) >= 17 * len(area) and numbers.count(1) <= 1
    return compact and all(size <= room for size, room in zip(box, _HEX_BOX, strict=True))


def symmetric(lattice: Lattice, area: Shape) -> bool:
    """Whether some turn or flip maps it onto itself: then no task on it has exactly one filling."""
    home = set(anchored(area))
    motions = lattice.motions(True)[1:]
    return any(set(anchored(moved(motion, cell) for cell in area)) == home for motion in motions)
