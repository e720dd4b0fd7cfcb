"""Counting tasks, one or many, by the search that suits each."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np

from ubongo.kernel.batch import Pool, PoolRun, SearchCount, Start, do_all, portions, window_start
from ubongo.kernel.cells import MOST_CELLS, CellSearch
from ubongo.kernel.line import BitLine
from ubongo.kernel.symmetry import orbits
from ubongo.lattice import corner, minus
from ubongo.tiling import Filling, Puzzle, TaskLike, TilingSearch, puzzle

# Above this, finding the region's symmetry costs less than it saves.
BIG = 7
_STARTS_A_THREAD = 48
# In this many nodes the general search loses about the time that compiling a specialised one takes.
MUCH_WORK = 50_000_000


def count(task: TaskLike, threads: int = 1) -> int:
    """The number of fillings of one task of any size."""
    return work(task, threads).count


def count_batch(tasks: Iterable[TaskLike], threads: int = 1) -> list[int]:
    """The number of fillings of each task; regions, lattices and pieces may differ from one to the next."""
    return [done.count for done in work_batch(tasks, threads)]


def work_batch(tasks: Iterable[TaskLike], threads: int = 1, special: bool = False) -> list[SearchCount]:
    """`special`: use searches specialised for these sizes, which are worth compiling for much work."""
    return prepare(tasks).work(threads, special)


def work(task: TaskLike, threads: int = 1) -> SearchCount:
    return ready(puzzle(task), threads).work(threads)


def fillings(task: TaskLike) -> Iterator[Filling]:
    """Every filling of one task, as `tiling.solutions` gives them."""
    plain = TilingSearch(puzzle(task))
    return plain.fillings() if len(plain.cells) > MOST_CELLS else CellSearch(plain).fillings()


def prepare(tasks: Iterable[TaskLike]) -> TaskBatch:
    """The tasks as arrays, ready for counting."""
    return TaskBatch([puzzle(task) for task in tasks])


class TaskBatch:
    """Many tasks; those of a pool are counted together, large and unusual ones one by one."""

    def __init__(self, tasks: Sequence[Puzzle]) -> None:
        self._size = len(tasks)
        self._single: list[tuple[int, Weighed | Odd]] = []
        pools: dict[tuple[str, BitLine], list[Pool]] = {}
        together: dict[int, tuple[Pool, list[int], list[Start]]] = {}
        for number, task in enumerate(tasks):
            if not task.adds_up:
                continue
            found = window_start(task, pools) if len(task.pieces) < BIG else None
            if found is None:
                self._single.append((number, ready(task, 1)))
            else:
                pool, start = found
                _, numbers, starts = together.setdefault(id(pool), (pool, [], []))
                numbers.append(number)
                starts.append(start)
        self._runs = [PoolRun(pool, starts) for pool, _, starts in together.values()]
        # The tasks in the order of the runs, so that all runs count into one array.
        self._order = np.array([number for _, numbers, _ in together.values() for number in numbers], np.int64)

    def arrays(self, threads: int = 1, special: bool = True) -> tuple[Any, Any]:
        """The number of fillings of each task and the nodes, as two arrays, which are cheaper than lists."""
        size = len(self._order)
        found, visited = np.zeros(size, np.uint64), np.zeros(size, np.uint64)
        at, jobs = 0, []
        for run in self._runs:
            these = slice(at, at + len(run))
            at += len(run)
            jobs += run.jobs(found[these], visited[these], portions(len(run), threads, size - at), special)
        do_all(jobs, threads)
        counts, nodes = np.zeros(self._size, np.uint64), np.zeros(self._size, np.uint64)
        counts[self._order], nodes[self._order] = found, visited
        total = 0
        for number, single in self._single:
            done = single.work(threads, special or total > MUCH_WORK)
            counts[number], nodes[number] = done.count, done.nodes
            total += done.nodes
        return counts, nodes

    def work(self, threads: int = 1, special: bool = True) -> list[SearchCount]:
        counts, nodes = self.arrays(threads, special)
        return list(map(SearchCount, counts.tolist(), nodes.tolist()))


def ready(task: Puzzle, threads: int = 1) -> Weighed | Odd:
    """One task prepared, reduced by its symmetry, and split finely enough to keep the threads busy."""
    pools: dict[tuple[str, BitLine], list[Pool]] = {}
    found = window_start(task, pools) if task.adds_up else None
    return Odd(task) if found is None else Weighed(task, *found, threads)


class Weighed:
    """A task for the window as starts with weights: its fillings are the weighted sum of theirs."""

    def __init__(self, task: Puzzle, pool: Pool, start: Start, threads: int) -> None:
        origin = corner(task.region)
        weighed = [(1, start)]
        if len(task.pieces) >= BIG and (found := orbits(task, search := TilingSearch(task))):
            weighed = []
            for size, option in found:
                cells = [minus(cell, origin) for cell in search.covered(option)]
                piece = pool.take([search.kinds[option.kind].shapes]) or 0
                weighed.append((size, Start(start.free ^ pool.line.bits(cells), start.pieces ^ piece)))
        while threads > 1 and weighed and len(weighed) < threads * _STARTS_A_THREAD and weighed[0][1].pieces:
            weighed = [(weight, later) for weight, one in weighed for later in pool.split(one)]
        self._weights = [weight for weight, _ in weighed]
        self._run = PoolRun(pool, [one for _, one in weighed])
        self._memo = len(task.pieces) >= BIG

    def work(self, threads: int = 1, special: bool = True) -> SearchCount:
        size = len(self._run)
        counts, nodes = np.zeros(size, np.uint64), np.zeros(size, np.uint64)
        do_all(self._run.jobs(counts, nodes, portions(size, threads), special, self._memo), threads)
        total = sum(weight * found for weight, found in zip(self._weights, counts.tolist(), strict=True))
        return SearchCount(total, int(nodes.sum()))


class Odd:
    """A task that the window cannot search: it uses the cell search with symmetry or, if large, plain Python."""

    def __init__(self, task: Puzzle) -> None:
        self._task = task
        self._plain = TilingSearch(task)

    def work(self, threads: int = 1, _special: bool = True) -> SearchCount:
        if not self._task.adds_up:
            return SearchCount(0, 0)
        if len(self._plain.cells) > MOST_CELLS or len(self._task.pieces) < BIG:
            self._plain.nodes = 0
            return SearchCount(self._plain.count(), self._plain.nodes)
        search = CellSearch(self._plain)
        found = orbits(self._task, self._plain)
        if not found:
            return SearchCount(search.count(), search.nodes)
        with ThreadPoolExecutor(threads) as crew:
            counts = list(crew.map(search.count, [option for _, option in found]))
        total = sum(size * number for (size, _), number in zip(found, counts, strict=True))
        copies = len(self._plain.kinds[found[0][1].kind].copies)
        return SearchCount(total // copies, search.nodes)
