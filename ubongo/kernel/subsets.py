"""Every subset of some pieces at once: one pass with all of them on offer and a counter for each set of used ones."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from ubongo.kernel.batch import MOST_SUBSET_PIECES, Run, window_start
from ubongo.kernel.counting import count_batch
from ubongo.lattice import Cell
from ubongo.tiling import Puzzle


def count_subsets(
    region: Sequence[Cell],
    pieces: Sequence[Sequence[Cell]],
    k: int,
    lattice: str = "cubic",
    mirror: bool | None = None,
) -> dict[tuple[int, ...], int]:
    """How many fillings of the region each set of k pieces has, by their numbers; sets without one are left out.

    >>> count_subsets([(0, 0), (1, 0), (2, 0)], [[(0, 0)], [(0, 0), (1, 0)], [(0, 0), (0, 1), (0, 2)]], 2, "square")
    {(0, 1): 2}
    """
    everything = Puzzle(lattice, tuple(region), tuple(map(tuple, pieces)), mirror)
    found = window_start(everything, {}) if len(pieces) <= MOST_SUBSET_PIECES else None
    if found is None:
        return _one_by_one(everything, k)
    pool, start = found
    counts = Run(pool, [start]).subsets(k)
    # The pool numbers kinds in the order in which they are met, and here every piece is a kind of its own.
    return {subset: number for bits, number in counts if len(subset := _members(bits)) == k}


def _members(bits: int) -> tuple[int, ...]:
    return tuple(i for i in range(bits.bit_length()) if bits >> i & 1)


def _one_by_one(everything: Puzzle, k: int) -> dict[tuple[int, ...], int]:
    size, sizes = len(everything.region), [len(piece) for piece in everything.pieces]
    subsets = [these for these in combinations(range(len(sizes)), k) if sum(sizes[i] for i in these) == size]
    tasks = [
        Puzzle(everything.lattice, everything.region, tuple(everything.pieces[i] for i in these), everything.mirror)
        for these in subsets
    ]
    return {these: number for these, number in zip(subsets, count_batch(tasks), strict=True) if number}
