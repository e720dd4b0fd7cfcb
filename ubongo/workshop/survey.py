"""The tasks of an area: every set of pieces that fills it in exactly one way, and its difficulty."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from ubongo.difficulty import bulkiest_first
from ubongo.kernel.batch import Pool, Start
from ubongo.kernel.grading import Grading
from ubongo.kernel.line import BitLine, line_for
from ubongo.kernel.subsets import Subsets
from ubongo.lattice import LATTICES, Shape
from ubongo.pieces import orientations


class Found(Struct, frozen=True, array_like=True):
    """A set of pieces, by index, that fills an area in exactly one way; `eighths` is eight times its difficulty."""

    pieces: tuple[int, ...]
    eighths: int


class Stock:
    """Pieces to choose from, all different, prepared for areas of one lattice."""

    def __init__(self, lattice: str, pieces: Sequence[Shape]) -> None:
        self.lattice = LATTICES[lattice]
        self.shapes = [orientations(self.lattice, piece) for piece in pieces]
        rank = {piece: place for place, piece in enumerate(bulkiest_first(self.lattice, pieces))}
        self._rank = rank
        self._pools: dict[BitLine, tuple[Pool, int]] = {}

    def _pool(self, region: Shape) -> tuple[Pool, int]:
        line = line_for(region)
        assert line is not None, "areas of boards are small"
        if line not in self._pools:
            pool = Pool(line)
            pieces = pool.take(self.shapes)
            assert pieces is not None, "so are pieces"
            self._pools[line] = pool, pieces
        return self._pools[line]

    def unique(self, region: Shape, k: int) -> list[tuple[int, ...]]:
        """The sets of k pieces that fill the region in exactly one way, sorted. Its corner is at the origin."""
        pool, pieces = self._pool(region)
        counts = Subsets(pool, Start(pool.line.bits(region), pieces), k).counts()
        return sorted(these for these, number in counts.items() if number == 1)

    def graded(self, region: Shape, k: int) -> list[Found]:
        """The same, with their difficulties."""
        sets = self.unique(region, k)
        if not sets:
            return []
        grading = Grading(self.lattice, region, self._pool(region)[0], self.shapes)
        ordered = [sorted(these, key=lambda piece: self._rank[piece]) for these in sets]
        fillings, eighths = grading.tries(ordered)
        assert set(fillings) == {1}, "two ways to count must agree"
        return [Found(these, number) for these, number in zip(sets, eighths, strict=True)]
