"""The difficulty of tasks, in compiled code: the tries of `ubongo.difficulty`, for all tasks of an area at once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numba import njit

from ubongo.kernel.batch import Pool
from ubongo.kernel.compiling import COMPILED
from ubongo.kernel.window import U, trailing_zeros
from ubongo.lattice import Lattice, Shape, plus

MOST_PIECES = 8


@njit("u8(u8,u8[::1],i8)", **COMPILED)
def _has_small_hole(free: Any, near: Any, smallest: Any) -> Any:
    """Whether some connected part of the free cells has fewer cells than that."""
    while free != U(0):
        part = free & (~free + U(1))
        edge = part
        size = 1
        while edge != U(0):
            beside = near[trailing_zeros(edge)] & free & ~part
            edge &= edge - U(1)
            edge |= beside
            part |= beside
            while beside != U(0):
                beside &= beside - U(1)
                size += 1
        if size < smallest:
            return U(1)
        free &= ~part
    return U(0)


@njit("void(u8[::1],i8[::1],i8[::1],u8[::1],u8,i8[:,::1],i8[::1],i8[::1])", **COMPILED)
def _tries(options: Any, start: Any, sizes: Any, near: Any, full: Any, tasks: Any, fillings: Any, eighths: Any) -> None:
    """Each row of `tasks` lists its pieces, the bulkiest first."""
    frees = np.empty(MOST_PIECES + 1, np.uint64)
    nexts = np.empty(MOST_PIECES + 1, np.int64)
    pieces = tasks.shape[1]
    for task in range(tasks.shape[0]):
        found, cost = 0, 4 * pieces
        depth = 0
        frees[0] = full
        nexts[0] = start[tasks[task, 0]]
        smallest = sizes[tasks[task, pieces - 1]]
        while depth >= 0:
            if nexts[depth] == start[tasks[task, depth] + 1]:
                depth -= 1
                continue
            option = options[nexts[depth]]
            nexts[depth] += 1
            if option & ~frees[depth] != U(0):
                continue
            free = frees[depth] & ~option
            if depth + 1 == pieces:
                cost += 4
                found += 1
            elif _has_small_hole(free, near, smallest):
                cost += 1
            else:
                cost += 4
                depth += 1
                frees[depth] = free
                nexts[depth] = start[tasks[task, depth]]
        fillings[task] = found
        eighths[task] = cost


@njit("i8(u8,u8[:,::1],u1[:,::1],u8[::1],i8[::1])", **COMPILED)
def _gather(region: Any, masks: Any, piece_of: Any, options: Any, start: Any) -> Any:
    """Every way to lay each piece on the region, piece by piece; `start` says where a piece's options begin."""
    number = 0
    for piece in range(start.shape[0] - 1):
        start[piece] = number
        for phase in range(masks.shape[0]):
            for o in range(masks.shape[1]):
                mask = masks[phase, o]
                if mask == U(0) or piece_of[phase, o] != piece:
                    continue
                firsts = region
                while firsts != U(0):
                    first = trailing_zeros(firsts)
                    firsts &= firsts - U(1)
                    if masks.shape[0] == 2 and first & 1 != phase:
                        continue
                    option = mask << U(first)
                    # If shifting out of the word and back changes it, it was beyond the end.
                    if (option & ~region) == U(0) and (option >> U(first)) == mask:
                        options[number] = option
                        number += 1
    start[start.shape[0] - 1] = number
    return number


class Grading:
    """A region of up to 64 bits and a pool's pieces, ready to grade any set of them that fills it."""

    def __init__(self, lattice: Lattice, region: Shape, pool: Pool, pieces: Sequence[Sequence[Shape]]) -> None:
        _, _, masks, piece_of, _ = pool.tables()
        index = {cell: pool.line.index(cell) for cell in region}
        self._full = U(sum(1 << i for i in index.values()))
        self._near = np.zeros(64, np.uint64)
        for cell, i in index.items():
            beside = [index.get(plus(cell, step)) for step in lattice.steps]
            self._near[i] = sum(1 << j for j in beside if j is not None)
        self._sizes = np.array([len(shapes[0]) for shapes in pieces], np.int64)
        self._start = np.zeros(len(pieces) + 1, np.int64)
        self._options = np.empty(masks.size * len(region), np.uint64)
        _gather(self._full, masks, piece_of, self._options, self._start)

    def tries(self, tasks: Sequence[Sequence[int]]) -> tuple[list[int], list[int]]:
        """For each task, its pieces given the bulkiest first: its fillings, and eight times its difficulty."""
        rows = np.array(tasks, np.int64)
        fillings, eighths = np.zeros(len(rows), np.int64), np.zeros(len(rows), np.int64)
        _tries(self._options, self._start, self._sizes, self._near, self._full, rows, fillings, eighths)
        return fillings.tolist(), eighths.tolist()
