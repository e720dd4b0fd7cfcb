"""A lattice laid out in a line of bits, so that moving a piece is a shift.

    cells of a row   padding   the next row
    0 1 2 3 4 5      6         7 8 9 ...             index = x + 7 y, along the short side first

One cell of padding after each row is enough: pieces are connected, so one that runs over the edge must cover padding,
which is never free. A region of two levels needs none between them: bits alternate between the levels, and what can be
laid depends on the level of the first free cell (its *phase*), so tables for both phases are enough.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec import Struct

from ubongo.lattice import Cell, Shape

MOST_BITS = 128
WINDOW_BITS = 64


class BitLine(Struct, frozen=True):
    """The distance of neighbours on each axis, and the size of the box on every axis but the slowest."""

    strides: tuple[int, ...]
    box: tuple[int, ...]
    phases: int

    def index(self, cell: Cell) -> int:
        return sum([stride * c for stride, c in zip(self.strides, cell, strict=True)])

    def bits(self, cells: Iterable[Cell]) -> int:
        return sum([1 << self.index(cell) for cell in cells])

    def masks(self, shapes: Sequence[Shape]) -> list[list[int]] | None:
        """For each phase, every way to lay a piece with its first cell at bit 0; None if one overruns the window."""
        masks: list[list[int]] = [[] for _ in range(self.phases)]
        for shape in shapes:
            sizes = [max(axis) + 1 for axis in zip(*shape, strict=True)]
            if any(size > room for size, room in zip(sizes, self.box, strict=True)):
                continue
            indices = sorted(map(self.index, shape))
            spans_levels = self.phases == 1 or any(i & 1 for i in indices)
            for level in (0,) if spans_levels else (0, 1):
                first = indices[0] + level
                mask = sum(1 << index + level - first for index in indices)
                if mask >> WINDOW_BITS:
                    return None
                masks[first & 1 if self.phases == 2 else 0].append(mask)
        return masks


UNBOUNDED = 1 << 30


def line_for(region: Shape) -> BitLine | None:
    """The line for a region whose corner is at the origin, short sides first; None if it would be too long."""
    sizes = [max(axis) + 1 for axis in zip(*region, strict=True)]
    fast_first = sorted(range(len(sizes)), key=lambda axis: sizes[axis])
    two_levels = len(sizes) == 3 and sizes[fast_first[0]] == 2
    strides, box, reach = [0] * len(sizes), list(sizes), 1
    for axis in fast_first:
        strides[axis] = reach
        reach *= sizes[axis] + (0 if two_levels and reach == 1 else 1)
    slowest = fast_first[-1]
    box[slowest] = UNBOUNDED
    if strides[slowest] * sizes[slowest] > MOST_BITS:
        return None
    return BitLine(tuple(strides), tuple(box), 2 if two_levels else 1)
