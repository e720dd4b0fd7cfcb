"""Many tasks at once: those that fit the shift window share its tables, the rest are searched one by one."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache, partial
from itertools import count as count_up
from typing import Any

import numpy as np
from msgspec import Struct

from ubongo.kernel.line import BitLine, line_for
from ubongo.kernel.window import (
    FULL,
    MEMO_BITS,
    MOST_BYTES,
    MOST_PHASES,
    MOST_PIECES,
    MOST_WORDS,
    U,
    fill_tables,
    general,
    variant,
)
from ubongo.lattice import LATTICES, Shape, anchored, connected
from ubongo.tiling import Puzzle, kinds

_NO_SUBSETS = np.zeros(1, np.uint64), np.zeros(1, np.uint32)
_NO_MEMORY = np.zeros((1, 4), np.uint64)
_stamps = count_up(1)
_own = threading.local()
# A job is this fraction of a thread's share of the remaining work.
_PART = 4
# The counters of all subsets are one array; with more pieces than this it would not fit into memory.
MOST_SUBSET_PIECES = 22


CountJob = Callable[[], None]


class SearchCount(Struct, frozen=True):
    """The result of a search: the number of fillings, and of pieces laid to find them (nodes)."""

    count: int
    nodes: int


class Start(Struct, frozen=True):
    """Where a search begins: the free cells as bits of the line, and the pieces left as bits of the pool."""

    free: int
    pieces: int


class Pool:
    """Tables for one line and a growing list of pieces, shared by all tasks that use no others."""

    def __init__(self, line: BitLine) -> None:
        self.line = line
        self._numbers: dict[tuple[Shape, ...], int] = {}
        self._masks: list[list[tuple[int, int]]] = [[] for _ in range(line.phases)]
        self._tables: dict[bool, tuple[Any, ...]] = {}

    def take(self, pieces: Sequence[tuple[Shape, ...]]) -> int | None:
        """Adds these pieces to the pool and returns their bits; None if there is no room for them."""
        fresh = [shapes for shapes in pieces if shapes not in self._numbers]
        if fresh and not self._added(fresh):
            return None
        return sum([1 << self._numbers[shapes] for shapes in pieces])

    def _added(self, fresh: Sequence[tuple[Shape, ...]]) -> bool:
        if len(self._numbers) + len(fresh) > MOST_PIECES:
            return False
        masks = [self.line.masks(shapes) for shapes in fresh]
        known = [one for one in masks if one is not None]
        if len(known) < len(masks):
            return False
        for phase, have in enumerate(self._masks):
            more = [(mask, number) for number, one in enumerate(known, len(self._numbers)) for mask in one[phase]]
            if len(_packed([*have, *more])) > MOST_WORDS:
                return False
        for shapes, one in zip(fresh, known, strict=True):
            number = self._numbers[shapes] = len(self._numbers)
            for phase, have in enumerate(self._masks):
                have += [(mask, number) for mask in one[phase]]
        self._tables = {}
        return True

    def tables(self, special: bool = True) -> tuple[Any, ...]:
        """The tables, as large as these pieces need them, or as large as the general search needs them."""
        if special not in self._tables:
            self._tables[special] = self._made(special)
        return self._tables[special]

    def _made(self, special: bool) -> tuple[Any, ...]:
        packed = [_packed(masks) for masks in self._masks]
        if special:
            words = next(words for words in (1, 2, 4, 8) if max(map(len, packed)) <= words)
            width = max(((mask.bit_length() + 7) // 8 for masks in self._masks for mask, _ in masks), default=1)
        else:
            words, width = MOST_WORDS, MOST_BYTES
            # With one phase both are the same.
            packed *= MOST_PHASES // len(packed)
        phases = len(packed)
        masks = np.zeros((phases, 64 * words), np.uint64)
        piece_of = np.zeros((phases, 64 * words), np.uint8)
        word_of = np.zeros((phases, MOST_PIECES), np.uint8)
        for phase, bins in enumerate(packed):
            for word, pairs in enumerate(bins):
                for o, (mask, number) in enumerate(pairs, 64 * word):
                    masks[phase, o], piece_of[phase, o], word_of[phase, number] = mask, number, word
        tables = np.zeros((phases, width, 256, words), np.uint64)
        by_piece = np.zeros((phases, MOST_PIECES, words), np.uint64)
        fill_tables(masks, piece_of, tables, by_piece)
        return tables, by_piece, masks, piece_of, word_of

    def split(self, start: Start) -> list[Start]:
        """The positions one piece later, that is with the first free cell covered."""
        first = (start.free & -start.free).bit_length() - 1
        options = self._masks[first & 1 if self.line.phases == 2 else 0]
        return [
            Start(start.free ^ mask << first, start.pieces ^ 1 << number)
            for mask, number in options
            if start.pieces >> number & 1 and not mask << first & ~start.free
        ]


def _packed(pairs: Sequence[tuple[int, int]]) -> list[list[tuple[int, int]]]:
    """The (mask, piece) pairs in words of 64, each piece within one word; no piece has more than 48 orientations."""
    by_piece: dict[int, list[tuple[int, int]]] = {}
    for mask, number in pairs:
        by_piece.setdefault(number, []).append((mask, number))
    words: list[list[tuple[int, int]]] = [[]]
    for masks in sorted(by_piece.values(), key=len, reverse=True):
        room = next((word for word in words if len(word) + len(masks) <= 64), None)
        if room is None:
            words.append(masks)
        else:
            room += masks
    return words


class PoolRun:
    """Starts of one pool as arrays, which can be counted repeatedly."""

    def __init__(self, pool: Pool, starts: Sequence[Start]) -> None:
        self._pool = pool
        self._low = np.array([start.free & int(FULL) for start in starts], np.uint64)
        self._high = np.array([start.free >> 64 for start in starts], np.uint64)
        self._given = np.array([start.pieces for start in starts], np.uint32)
        self._long = bool(self._high.any())

    def __len__(self) -> int:
        return len(self._low)

    def _search(self, special: bool, memo: bool, subsets: bool = False) -> Callable[..., None]:
        """The search for these tables, and the tables: either specialised for their sizes, or the general one."""
        tables = self._pool.tables(special)
        phases, width, _, words = tables[0].shape
        search = variant(phases, words, width, self._long, memo, subsets) if special else general(memo)
        return partial(search, *[table.reshape(-1) for table in tables])

    def jobs(
        self, found: Any, nodes: Any, portions: Iterable[slice], special: bool, memo: bool = False
    ) -> list[CountJob]:
        """Jobs that count these portions of the starts into these arrays."""
        search = self._search(special, memo)
        stamp = U(next(_stamps) % (1 << 31) << 32)

        def count(these: slice) -> None:
            arrays = (self._low[these], self._high[these], self._given[these])
            memory = _memory() if memo else _NO_MEMORY
            into = (found[these], nodes[these])
            search(*arrays, U(0), MOST_PIECES + 1, *_NO_SUBSETS, memory, stamp, *into)

        return [partial(count, these) for these in portions]

    def subsets(self, k: int, counters: Any, filling: Any) -> tuple[int, int]:
        """Counts, for each set of at most k pieces as bits of the pool, how often it fills the first start.

        `counters` has one entry for each set, all 0. Lists the sets that do, and returns their number and the nodes.
        """
        search = self._search(special=True, memo=False, subsets=True)
        found, nodes = np.zeros(1, np.uint64), np.zeros(1, np.uint64)
        first = (self._low[:1], self._high[:1], self._given[:1])
        search(*first, U(0), k, counters, filling, _NO_MEMORY, U(0), found, nodes)
        return int(found[0]), int(nodes[0])


def do_all(jobs: Sequence[CountJob], threads: int) -> None:
    """Runs every job once, on all threads including the caller's. One future per job would cost more than most jobs."""
    left = deque(jobs)

    def take_turns() -> None:
        while left:
            try:
                job = left.popleft()
            except IndexError:
                return
            job()

    if threads == 1:
        take_turns()
        return
    with ThreadPoolExecutor(threads - 1) as crew:
        others = [crew.submit(take_turns) for _ in range(threads - 1)]
        take_turns()
    for other in others:
        other.result()


def portions(size: int, threads: int, after: int = 0) -> Iterator[slice]:
    """Splits the starts into jobs of decreasing size, so that no thread waits long for the last one; `after` follow."""
    at = 0
    while at < size:
        step = max(1, (size + after - at) // (threads * _PART)) if threads > 1 else size
        yield slice(at, min(at + step, size))
        at += step


def _memory() -> Any:
    """This thread's table of known positions. Stamps distinguish searches, so it need not be cleared."""
    if not hasattr(_own, "memory"):
        _own.memory = np.zeros((1 << MEMO_BITS, 4), np.uint64)
    return _own.memory


_whole = lru_cache(4096)(connected)


def window_start(task: Puzzle, pools: dict[tuple[str, BitLine], list[Pool]]) -> tuple[Pool, Start] | None:
    """The pool and start for a task, in a pool with room or a new one; None if the window cannot search it."""
    lattice = LATTICES[task.lattice]
    these = kinds(task)
    if any(len(kind.copies) > 1 or not _whole(lattice, kind.shapes[0]) for kind in these):
        return None
    region = anchored(task.region)
    line = line_for(region)
    if line is None:
        return None
    shapes = [kind.shapes for kind in these]
    family = pools.setdefault((task.lattice, line), [])
    for pool in family:
        if (pieces := pool.take(shapes)) is not None:
            return pool, Start(line.bits(region), pieces)
    pool = Pool(line)
    if (pieces := pool.take(shapes)) is None:
        return None
    family.append(pool)
    return pool, Start(line.bits(region), pieces)
