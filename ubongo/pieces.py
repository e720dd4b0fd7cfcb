"""Pieces, and where they lie."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import lru_cache

from msgspec import Struct

from ubongo.lattice import Cell, Lattice, Shape, anchored, minus, moved, plus


class Piece(Struct, frozen=True):
    """A tile, a block, a shape on a die or a card.

    `shapes` are its distinguishable orientations in the order that `turn` counts, each with its corner at the origin.
    A card has `marks`, its symbols: cell i of every shape carries mark i.
    """

    name: str
    shapes: tuple[Shape, ...]
    marks: tuple[str, ...] = ()


class Placement(Struct, frozen=True, order=True):
    """One piece as it lies: its index in the task, its orientation, and where its corner is."""

    piece: int
    turn: int
    at: Cell


def orientations(lattice: Lattice, cells: Iterable[Cell], mirror: bool | None = None) -> tuple[Shape, ...]:
    """The ways to hold a piece that look different, as first met going through the lattice's motions.

    >>> from ubongo.lattice import CUBIC, HEX
    >>> len(orientations(HEX, [(0, 0), (0, 1), (0, 2), (1, 1)]))
    12
    >>> len(orientations(CUBIC, [(0, 0, 0), (0, 1, 0), (1, 0, 0)]))
    12
    """
    return _orientations(lattice, tuple(cells), mirror)


@lru_cache(4096)
def _orientations(lattice: Lattice, cells: Shape, mirror: bool | None) -> tuple[Shape, ...]:
    distinct: dict[frozenset[Cell], Shape] = {}
    for motion in lattice.motions(mirror):
        shape = anchored(moved(motion, cell) for cell in cells)
        distinct.setdefault(frozenset(shape), tuple(sorted(shape)))
    return tuple(distinct.values())


def next_orientations(lattice: Lattice, shapes: Sequence[Shape]) -> dict[str, list[int]]:
    """Which of its shapes follows which, by one turn of each name and, where a piece may be flipped, by a flip.

    >>> from ubongo.lattice import SQUARE
    >>> next_orientations(SQUARE, orientations(SQUARE, [(0, 0), (0, 1), (1, 1)]))
    {'turn': [1, 2, 3, 0], 'flip': [3, 2, 1, 0]}
    """
    number = {frozenset(shape): turn for turn, shape in enumerate(shapes)}
    hands = dict(lattice.by_hand) | ({"flip": lattice.mirror} if lattice.mirrored else {})
    return {
        name: [number[frozenset(anchored(moved(motion, cell) for cell in shape))] for shape in shapes]
        for name, motion in hands.items()
    }


def canonical(lattice: Lattice, cells: Iterable[Cell], mirror: bool | None = None) -> Shape:
    """One shape that stands for all orientations of a piece: two pieces are equal when theirs are."""
    return min(orientations(lattice, cells, mirror))


def covered(piece: Piece, where: Placement) -> Shape:
    return shifted(piece.shapes[where.turn], where.at)


def shifted(shape: Shape, at: Cell) -> Shape:
    return tuple([plus(cell, at) for cell in shape])


def fits(shapes: Sequence[Shape], region: Collection[Cell]) -> Iterator[tuple[int, Cell]]:
    """Every (turn, at) that lays one of the shapes wholly inside the region."""
    inside = region if isinstance(region, set | frozenset) else frozenset(region)
    for turn, shape in enumerate(shapes):
        first, rest = shape[0], shape[1:]
        for cell in region:
            at = minus(cell, first)
            if all(plus(other, at) in inside for other in rest):
                yield turn, at


def polyforms(lattice: Lattice, size: int, mirror: bool | None = None) -> tuple[Shape, ...]:
    """Every connected piece of so many cells, each once however it is turned; sorted.

    >>> from ubongo.lattice import SQUARE
    >>> len(polyforms(SQUARE, 5))
    12
    """
    found = {canonical(lattice, [(0,) * lattice.dimension], mirror)}
    for _ in range(size - 1):
        found = {
            canonical(lattice, (*shape, more), mirror)
            for shape in found
            for more in {plus(cell, step) for cell in shape for step in lattice.steps}.difference(shape)
        }
    return tuple(sorted(found))
