"""The blocks of 3-D as solids for a 3-D printer: closed surfaces, in millimetres.

A block is reduced on all sides by the clearance, so that blocks slide past each other; its number is cut into its top.
The block is divided along planes into small boxes, and the surface is where a full box meets an empty one. So every
edge of the surface has exactly two sides, for any block.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from itertools import product

from msgspec import Struct

from ubongo.lattice import Cell, plus

Vertex = tuple[float, float, float]
Triangle = tuple[int, int, int]
DEPTH, SHARE = 0.6, 0.7
# Digits of 3 × 5 points that are connected by sides, never only by a corner.
FIGURES = {
    "0": "###,#.#,#.#,#.#,###",
    "1": "..#,..#,..#,..#,..#",
    "2": "###,..#,###,#..,###",
    "3": "###,..#,###,..#,###",
    "4": "#.#,#.#,###,..#,..#",
    "5": "###,#..,###,..#,###",
    "6": "###,#..,###,#.#,###",
    "7": "###,..#,..#,..#,..#",
    "8": "###,#.#,###,#.#,###",
    "9": "###,#.#,###,..#,###",
}
ROWS = 7


class Mesh(Struct, frozen=True):
    """Triangles name their corners counterclockwise, seen from outside."""

    corners: tuple[Vertex, ...]
    triangles: tuple[Triangle, ...]

    def moved(self, by: Vertex) -> Mesh:
        x, y, z = by
        return Mesh(tuple((a + x, b + y, c + z) for a, b, c in self.corners), self.triangles)


class Slab(Struct, frozen=True):
    """An interval of an axis: its ends, the cells that it touches, and the point of the digits that it is."""

    start: float
    end: float
    cells: tuple[int, ...]
    point: int | None = None


def block(cells: Collection[Cell], edge: float, clearance: float, number: int) -> Mesh:
    here = frozenset(cells)
    marked = _marked(here)
    points = _points(number)
    size = (edge - 2 * clearance) * SHARE / ROWS
    wide = max(x for x, _ in points) + 1
    axes = (
        _slabs(here, 0, edge, clearance, marked, [wide * size, wide]),
        _slabs(here, 1, edge, clearance, marked, [ROWS * size, ROWS]),
        _slabs(here, 2, edge, clearance, marked, []),
    )
    full = {
        at
        for at in product(*(range(len(axis)) for axis in axes))
        for slabs in [[axis[place] for axis, place in zip(axes, at, strict=True)]]
        if all(cell in here for cell in product(*(slab.cells for slab in slabs))) and not _cut(slabs, points)
    }
    return _surface(full, axes)


def _marked(here: frozenset[Cell]) -> Cell:
    """The cell with the number: of those with nothing above, the one nearest to the ground."""
    return min((cell for cell in here if plus(cell, (0, 0, 1)) not in here), key=lambda cell: (cell[2], cell))


def _points(number: int) -> frozenset[tuple[int, int]]:
    """The points of a number; 6 and 9 are underlined, since a block has no upper side."""
    found = {
        (4 * place + x, row)
        for place, figure in enumerate(str(number))
        for row, line in enumerate(FIGURES[figure].split(","))
        for x, point in enumerate(line)
        if point == "#"
    }
    if number in {6, 9}:
        found |= {(x, ROWS - 1) for x in range(3)}
    return frozenset(found)


def _slabs(
    here: frozenset[Cell], axis: int, edge: float, clearance: float, marked: Cell, figures: Sequence[float]
) -> list[Slab]:
    """An axis from end to end: cells, the joints between them, and in the marked cell the points of its digits."""
    slabs = []
    for at in range(max(cell[axis] for cell in here) + 1):
        start, end = at * edge + clearance, (at + 1) * edge - clearance
        if at:
            slabs.append(Slab(at * edge - clearance, start, (at - 1, at)))
        if at != marked[axis]:
            slabs.append(Slab(start, end, (at,)))
        elif axis == 2:
            slabs += [Slab(start, end - DEPTH, (at,)), Slab(end - DEPTH, end, (at,), 0)]
        else:
            width, count = figures[0], int(figures[1])
            first = (start + end - width) / 2
            lines = [first + step * width / count for step in range(count + 1)]
            slabs.append(Slab(start, first, (at,)))
            # Rows are counted from the far side: digits are read from above, with the near side at their bottom.
            order = range(count) if axis == 0 else range(count - 1, -1, -1)
            slabs += [Slab(a, b, (at,), point) for a, b, point in zip(lines[:-1], lines[1:], order, strict=True)]
            slabs.append(Slab(lines[-1], end, (at,)))
    return slabs


def _cut(slabs: Sequence[Slab], points: frozenset[tuple[int, int]]) -> bool:
    x, y, z = (slab.point for slab in slabs)
    return x is not None and y is not None and z is not None and (x, y) in points


def _surface(full: set[tuple[int, ...]], axes: Sequence[Sequence[Slab]]) -> Mesh:
    lines = [[axis[0].start, *(slab.end for slab in axis)] for axis in axes]
    names: dict[tuple[int, ...], int] = {}
    triangles: list[Triangle] = []
    for at in sorted(full):
        for around in _sides(at, full):
            a, b, c, d = (names.setdefault(corner, len(names)) for corner in around)
            triangles += [(a, b, c), (a, c, d)]
    corners = tuple((lines[0][x], lines[1][y], lines[2][z]) for x, y, z in names)
    return Mesh(corners, tuple(triangles))


def _sides(at: tuple[int, ...], full: set[tuple[int, ...]]) -> Iterator[list[tuple[int, ...]]]:
    """The sides of a box that have nothing behind them, each as a loop of corners."""
    for axis in range(3):
        for far in (0, 1):
            beside = tuple(place + (2 * far - 1 if k == axis else 0) for k, place in enumerate(at))
            if beside in full:
                continue
            u, v = (axis + 1) % 3, (axis + 2) % 3
            around = []
            for du, dv in ((0, 0), (1, 0), (1, 1), (0, 1)):
                corner = list(at)
                corner[axis] += far
                corner[u] += du
                corner[v] += dv
                around.append(tuple(corner))
            yield around if far else around[::-1]


def plate(meshes: Sequence[Mesh], width: float, gap: float) -> Mesh:
    """Many meshes next to each other, row by row, as one."""
    corners: list[Vertex] = []
    triangles: list[Triangle] = []
    x = y = deep = 0.0
    for mesh in meshes:
        low, high = ([pick(axis) for axis in zip(*mesh.corners, strict=True)] for pick in (min, max))
        if x and x + high[0] - low[0] > width:
            x, y, deep = 0.0, y + deep + gap, 0.0
        triangles += [(a + len(corners), b + len(corners), c + len(corners)) for a, b, c in mesh.triangles]
        corners += mesh.moved((x - low[0], y - low[1], -low[2])).corners
        x += high[0] - low[0] + gap
        deep = max(deep, high[1] - low[1])
    return Mesh(tuple(corners), tuple(triangles))
