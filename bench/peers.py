"""The other solvers, each with the exact cover in its own format, converted beforehand: only the search is timed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from time import perf_counter

import exact_cover
import numpy as np
import xcover
from msgspec import Struct
from ortools.sat.python import cp_model

from ubongo.tiling import Puzzle, TilingSearch

# Timeout.
PATIENCE = 30.0


class Found(Struct, frozen=True):
    """The number of fillings of each task, and of nodes if the solver reports it."""

    counts: list[int]
    nodes: int | None = None


# Counts all tasks it was made for; None after a timeout.
Counter = Callable[[], Found | None]


class Cover(Struct, frozen=True):
    """A task as an exact cover: the options as the items they cover, that is cells and then pieces; all differ."""

    options: list[list[int]]
    items: int


def cover(task: Puzzle) -> Cover:
    search = TilingSearch(task)
    size = len(search.cells)
    laid = [option for options in search.options for option in options]
    covered = [[i for i in range(size) if option.bits >> i & 1] + [size + option.kind] for option in laid]
    return Cover(covered, size + len(search.kinds))


def by_xcover(covers: Sequence[Cover]) -> Counter:
    ready = []
    for one in covers:
        options = np.array([item for option in one.options for item in option], np.uint32)
        starts = np.cumsum([0, *map(len, one.options)], dtype=np.uint32)
        ready.append((options, starts, np.zeros(len(options), np.uint32), one.items, 0))
    # It crashes on a task into which no piece fits at all.
    return lambda: Found([sum(1 for _ in xcover.algorithm_c(*task)) if task[0].size else 0 for task in ready])


def by_exact_cover(covers: Sequence[Cover]) -> Counter:
    ready = []
    for one in covers:
        matrix = np.zeros((len(one.options), one.items), np.bool_)
        for number, option in enumerate(one.options):
            matrix[number, option] = True
        ready.append(matrix)
    return lambda: Found([int(exact_cover.get_solution_count(matrix)) for matrix in ready])


class _Tally(cp_model.CpSolverSolutionCallback):  # type: ignore[misc]  # ortools has no types
    def __init__(self) -> None:
        super().__init__()
        self.count = 0

    def on_solution_callback(self) -> None:
        self.count += 1


def by_cp_sat(covers: Sequence[Cover]) -> Counter:
    ready = []
    for one in covers:
        model = cp_model.CpModel()
        chosen = [model.new_bool_var("") for _ in one.options]
        for item in range(one.items):
            model.add_exactly_one([laid for laid, option in zip(chosen, one.options, strict=True) if item in option])
        ready.append(model)

    def count() -> Found | None:
        solver = cp_model.CpSolver()
        solver.parameters.enumerate_all_solutions = True
        solver.parameters.num_workers = 1
        counts, branches, ends = [], 0, perf_counter() + PATIENCE
        for model in ready:
            tally = _Tally()
            solver.parameters.max_time_in_seconds = max(0.0, ends - perf_counter())
            if solver.solve(model, tally) not in {cp_model.OPTIMAL, cp_model.INFEASIBLE}:
                return None
            counts.append(tally.count)
            branches += solver.num_branches
        return Found(counts, branches)

    return count
