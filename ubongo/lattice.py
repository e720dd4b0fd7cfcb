"""The three worlds the pieces live in: squares, hexagons and cubes.

A lattice is a value: the steps from a cell to its neighbours, the ways a piece may be turned,
and the mirror. Turns made by hand are clockwise: as seen on the screen, where y (and r) runs downwards; of cubes, whose
axes are right-handed, as seen from the tip of the axis they turn about.

    square (x, y)          hex (q, r)             cubic (x, y, z)
       . n .                 . .                  z is up, the lower level is 0
       w # e                . # .
       . s .                 . .                  row r is half a cell further right than row r - 1
"""

from __future__ import annotations

from collections.abc import Iterable
from operator import add, mul, sub

from msgspec import Struct

Cell = tuple[int, ...]
Shape = tuple[Cell, ...]
Matrix = tuple[Cell, ...]


class Lattice(Struct, frozen=True):
    """`by_hand` are the turns a hand makes, by name; `turns` is all that they can do together, the identity first."""

    name: str
    steps: tuple[Cell, ...]
    by_hand: tuple[tuple[str, Matrix], ...]
    turns: tuple[Matrix, ...]
    mirror: Matrix
    mirrored: bool  # whether pieces may be flipped, unless a task says otherwise

    @property
    def dimension(self) -> int:
        return len(self.mirror)

    def motions(self, mirror: bool | None = None) -> tuple[Matrix, ...]:
        """Every way a piece may be held: the turns, and, where it may be flipped, the turns of its mirror image."""
        if self.mirrored if mirror is None else mirror:
            return self.turns + tuple(product(turn, self.mirror) for turn in self.turns)
        return self.turns


def moved(matrix: Matrix, cell: Cell) -> Cell:
    return tuple([sum(map(mul, row, cell)) for row in matrix])


def product(after: Matrix, before: Matrix) -> Matrix:
    columns = tuple(zip(*before, strict=True))
    return tuple(tuple(sum(map(mul, row, column)) for column in columns) for row in after)


def plus(cell: Cell, other: Cell) -> Cell:
    return tuple(map(add, cell, other))


def minus(cell: Cell, other: Cell) -> Cell:
    return tuple(map(sub, cell, other))


def corner(cells: Iterable[Cell]) -> Cell:
    """The lowest coordinate on every axis; on hexagons it need not be one of the cells."""
    return tuple(map(min, zip(*cells, strict=True)))


def anchored(cells: Iterable[Cell]) -> Shape:
    """The same cells, in the same order, with their corner moved to the origin."""
    cells = tuple(cells)
    low = corner(cells)
    return tuple([minus(cell, low) for cell in cells])


def connected(lattice: Lattice, cells: Iterable[Cell]) -> bool:
    left = set(cells)
    edge = [left.pop()] if left else []
    while edge:
        here = edge.pop()
        near = {plus(here, step) for step in lattice.steps} & left
        left -= near
        edge += near
    return not left


def group(*generators: Matrix) -> tuple[Matrix, ...]:
    """Everything the generators can do together, the identity first.

    >>> len(group(((0, -1), (1, 0))))
    4
    """
    size = range(len(generators[0]))
    found: list[Matrix] = [tuple(tuple(int(i == j) for j in size) for i in size)]
    for matrix in found:
        found += [m for g in generators if (m := product(g, matrix)) not in found]
    return tuple(found)


def _both_ways(*steps: Cell) -> tuple[Cell, ...]:
    return steps + tuple(tuple(-c for c in step) for step in steps)


def _back(turn: Matrix) -> Matrix:
    """The same turn the other way round."""
    return tuple(zip(*turn, strict=True))


_QUARTER = ((0, -1), (1, 0))
_SIXTH = ((0, -1), (1, 1))
_ROLL = ((1, 0, 0), (0, 0, -1), (0, 1, 0))
_TIP = ((0, 0, 1), (0, 1, 0), (-1, 0, 0))
_SPIN = ((0, -1, 0), (1, 0, 0), (0, 0, 1))

SQUARE = Lattice(
    "square",
    steps=_both_ways((1, 0), (0, 1)),
    by_hand=(("turn", _QUARTER),),
    turns=group(_QUARTER),
    mirror=((-1, 0), (0, 1)),
    mirrored=True,
)
HEX = Lattice(
    "hex",
    steps=_both_ways((1, 0), (0, 1), (-1, 1)),
    by_hand=(("turn", _SIXTH),),
    turns=group(_SIXTH),
    mirror=((-1, -1), (0, 1)),
    mirrored=True,
)
CUBIC = Lattice(
    "cubic",
    steps=_both_ways((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    by_hand=(("x", _back(_ROLL)), ("y", _back(_TIP)), ("z", _back(_SPIN))),
    turns=group(_ROLL, _TIP, _SPIN),
    mirror=((-1, 0, 0), (0, 1, 0), (0, 0, 1)),
    mirrored=False,
)
LATTICES = {lattice.name: lattice for lattice in (SQUARE, HEX, CUBIC)}
