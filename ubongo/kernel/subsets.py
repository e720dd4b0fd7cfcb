"""All subsets of some pieces at once: one pass that may use any of them, with a counter for each set of used pieces."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import numpy as np

from ubongo.kernel.batch import MOST_SUBSET_PIECES, Pool, PoolRun, Start, window_start
from ubongo.kernel.counting import prepare
from ubongo.lattice import Cell
from ubongo.tiling import Puzzle


def count_subsets(
    region: Sequence[Cell],
    pieces: Sequence[Sequence[Cell]],
    k: int,
    lattice: str = "cubic",
    mirror: bool | None = None,
) -> dict[tuple[int, ...], int]:
    """How many fillings of the region each set of k pieces has, by their numbers; sets without any are left out.

    >>> count_subsets([(0, 0), (1, 0), (2, 0)], [[(0, 0)], [(0, 0), (1, 0)], [(0, 0), (0, 1), (0, 2)]], 2, "square")
    {(0, 1): 2}
    """
    return ready_subsets(region, pieces, k, lattice, mirror).counts()


def ready_subsets(
    region: Sequence[Cell], pieces: Sequence[Sequence[Cell]], k: int, lattice: str, mirror: bool | None = None
) -> Subsets | OneByOne:
    """The arguments of `count_subsets`, prepared for repeated counting."""
    everything = Puzzle(lattice, tuple(region), tuple(map(tuple, pieces)), mirror)
    found = window_start(everything, {}) if len(pieces) <= MOST_SUBSET_PIECES else None
    return OneByOne(everything, k) if found is None else Subsets(*found, k)


class Subsets:
    """One pass in which all pieces are available. `nodes` are those of the last pass.

    The pool is new: it numbers kinds in the order in which it meets them, and here every piece is a kind of its own.
    """

    def __init__(self, pool: Pool, start: Start, k: int) -> None:
        self.nodes = 0
        self._k = k
        self._run = PoolRun(pool, [start])
        self._counters = np.zeros(start.pieces + 1, np.uint64)
        self._filling = np.empty(start.pieces + 1, np.uint32)

    def counts(self) -> dict[tuple[int, ...], int]:
        number, self.nodes = self._run.subsets(self._k, self._counters, self._filling)
        filling = self._filling[:number]
        found = list(zip(filling.tolist(), self._counters[filling].tolist(), strict=True))
        # Most sets fill nothing: clearing the few that do is quicker than a new array.
        self._counters[filling] = 0
        return {_members(bits): number for bits, number in found if bits.bit_count() == self._k}


def _members(bits: int) -> tuple[int, ...]:
    members = []
    while bits:
        lowest = bits & -bits
        members.append(lowest.bit_length() - 1)
        bits ^= lowest
    return tuple(members)


class OneByOne:
    """One task for each set of the right size, if a single pass is impossible. `nodes` are those of the last count."""

    def __init__(self, everything: Puzzle, k: int) -> None:
        self.nodes = 0
        size, sizes = len(everything.region), [len(piece) for piece in everything.pieces]
        self._subsets = [these for these in combinations(range(len(sizes)), k) if sum(sizes[i] for i in these) == size]
        self._batch = prepare(
            Puzzle(everything.lattice, everything.region, tuple(everything.pieces[i] for i in these), everything.mirror)
            for these in self._subsets
        )

    def counts(self) -> dict[tuple[int, ...], int]:
        counts, nodes = self._batch.arrays()
        self.nodes = int(nodes.sum())
        return {these: number for these, number in zip(self._subsets, counts.tolist(), strict=True) if number}
