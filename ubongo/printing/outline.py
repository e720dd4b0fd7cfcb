"""Squares and hexagons on paper: from cells to outlines.

Corners are integers, so that two cells agree exactly on a corner they share. A hexagon stands on a corner;
q runs to the right, r down and to the right.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import partial
from math import hypot, sqrt
from typing import NamedTuple

from ubongo.lattice import Cell
from ubongo.printing.drawing import Point, Segment, Segments, between, joined

Corner = tuple[int, int]
Edge = tuple[Corner, Corner]


class Grid(NamedTuple):
    """The geometry of cells, in integer steps; `step` is the length of a step if a cell's side has length 1.

    `across` and `down` lead from a cell to the next, `corners` from its centre to its corners, clockwise.
    """

    across: Corner
    down: Corner
    corners: tuple[Corner, ...]
    step: Point

    def centre(self, cell: Cell) -> Corner:
        u, v = cell
        return u * self.across[0] + v * self.down[0], u * self.across[1] + v * self.down[1]

    def sides(self, cell: Cell) -> list[Edge]:
        x, y = self.centre(cell)
        around = [(x + dx, y + dy) for dx, dy in self.corners]
        return list(zip(around, around[1:] + around[:1], strict=True))

    def on_paper(self, corner: Corner, size: float) -> Point:
        return corner[0] * self.step[0] * size, corner[1] * self.step[1] * size


HEXAGONS = Grid((2, 0), (1, 3), ((0, -2), (1, -1), (1, 1), (0, 2), (-1, 1), (-1, -1)), (sqrt(3) / 2, 1 / 2))
SQUARES = Grid((2, 0), (0, 2), ((-1, -1), (1, -1), (1, 1), (-1, 1)), (1 / 2, 1 / 2))


class Outline(NamedTuple):
    """The loops around some cells, clockwise (holes counterclockwise), and the lines between cells that touch."""

    loops: list[list[Point]]
    joints: list[tuple[Point, Point]]


class Box(NamedTuple):
    x: float
    y: float
    width: float
    height: float


def outline(grid: Grid, cells: Iterable[Cell], size: float) -> Outline:
    """
    >>> len(outline(HEXAGONS, [(0, 0), (1, 0)], 1).joints)
    1
    """
    sides = dict.fromkeys(side for cell in cells for side in grid.sides(cell))
    inner = [side for side in sides if side[::-1] in sides]
    outer = [side for side in sides if side[::-1] not in sides]
    return Outline(
        [[grid.on_paper(corner, size) for corner in _bends(loop)] for loop in _loops(outer)],
        [(grid.on_paper(a, size), grid.on_paper(b, size)) for a, b in inner if a < b],
    )


def _loops(outer: Sequence[Edge]) -> list[list[Corner]]:
    """Sides chained into loops. If two squares touch only at a corner, each keeps its own loop: a sharp right turn."""
    leaving: dict[Corner, list[Edge]] = {}
    for side in outer:
        leaving.setdefault(side[0], []).append(side)
    left = dict.fromkeys(outer)
    loops = []
    while left:
        side = next(iter(left))
        loop = []
        while side in left:
            del left[side]
            loop.append(side[0])
            side = max(leaving[side[1]], key=partial(_turn, side))
        loops.append(loop)
    return loops


def _turn(one: Edge, other: Edge) -> int:
    """Positive for a right turn."""
    (ax, ay), (bx, by) = one
    (cx, cy), (dx, dy) = other
    return (bx - ax) * (dy - cy) - (by - ay) * (dx - cx)


def _bends(loop: Sequence[Corner]) -> list[Corner]:
    """The corners at which a loop turns: a long straight side is one side."""
    around = zip((*loop[-1:], *loop[:-1]), loop, (*loop[1:], *loop[:1]), strict=True)
    return [here for before, here, after in around if _turn((before, here), (here, after))]


def box(grid: Grid, cells: Iterable[Cell], size: float) -> Box:
    """The smallest box around some cells."""
    corners = [grid.on_paper(corner, size) for cell in cells for corner, _ in grid.sides(cell)]
    xs, ys = [x for x, _ in corners], [y for _, y in corners]
    return Box(min(xs), min(ys), max(xs) - min(xs), max(ys) - min(ys))


def innermost(grid: Grid, cells: Collection[Cell]) -> Cell:
    """The cell nearest to the centre: where a piece has room for its number."""
    middles = [grid.on_paper(grid.centre(cell), 1) for cell in cells]
    x, y = (sum(axis) / len(middles) for axis in zip(*middles, strict=True))
    return min(sorted(cells), key=lambda cell: round(hypot(*_from((x, y), grid.on_paper(grid.centre(cell), 1))), 6))


def rounded(loops: Iterable[Sequence[Point]], inset: float = 0, rounding: float = 0) -> Segments:
    """A path along loops: moved inwards by `inset` (outwards if negative), its corners rounded."""
    return joined(_rounded(_moved_in(loop, inset), rounding) for loop in loops)


def _moved_in(loop: Sequence[Point], inset: float) -> list[Point]:
    moved = []
    for i, (x, y) in enumerate(loop):
        (ax, ay), (bx, by) = _inwards(loop[i - 1], loop[i]), _inwards(loop[i], loop[(i + 1) % len(loop)])
        reach = inset / (1 + ax * bx + ay * by)
        moved.append((x + reach * (ax + bx), y + reach * (ay + by)))
    return moved


def _inwards(a: Point, b: Point) -> Point:
    """The unit vector to the right of the way from one point to another: inwards, on a clockwise loop."""
    x, y = _from(a, b)
    return -y / hypot(x, y), x / hypot(x, y)


def _rounded(loop: Sequence[Point], rounding: float) -> Iterator[Segment]:
    for i, corner in enumerate(loop):
        enter, leave = [
            between(corner, other, min(rounding / hypot(*_from(corner, other)), 0.45))
            for other in (loop[i - 1], loop[(i + 1) % len(loop)])
        ]
        yield "L" if i else "M", (enter,)
        yield "Q", (corner, leave)
    yield "Z", ()


def _from(a: Point, b: Point) -> Point:
    return b[0] - a[0], b[1] - a[1]
