"""People who start over: an independent model to compare `ubongo.difficulty` with.

Such a person places piece after piece, each at a random position where it fits. When the next piece
fits nowhere, they remove all pieces and learn nothing. So every attempt is like the first, and the mean number of
tries is the pieces placed in one attempt, divided by the probability that it succeeds. Both are sums over all possible
attempts, so the means are exact and nothing has to be simulated.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from functools import cache
from statistics import correlation

from msgspec import Struct

from ubongo.difficulty import bulkiest_first
from ubongo.lattice import LATTICES, plus
from ubongo.pieces import orientations
from ubongo.tiling import Puzzle, placed


class Habit(Struct, frozen=True):
    """`in_order`: the bulkiest piece left is the next, not any. `careful`: never lays so that a hole is left that is
    smaller than every piece left; noticing that is not counted."""

    name: str
    in_order: bool
    careful: bool


HABITS = (
    Habit("bulkiest first, sees holes", in_order=True, careful=True),
    Habit("any piece, sees holes", in_order=False, careful=True),
    Habit("bulkiest first, blind", in_order=True, careful=False),
    Habit("any piece, blind", in_order=False, careful=False),
)


def tries_by_habit(task: Puzzle) -> list[float]:
    return [mean_tries(task, habit) for habit in HABITS]


def mean_tries(task: Puzzle, habit: Habit) -> float:
    """How many pieces someone with this habit lays until the task, which has a filling, is solved."""
    lattice = LATTICES[task.lattice]
    places = [tuple(placed(orientations(lattice, piece, task.mirror), task.region)) for piece in task.pieces]
    smallest_hole = _smallest_hole_of(task)

    @cache
    def attempt(free: int, left: tuple[int, ...]) -> tuple[float, float]:
        """From here on: the mean number of pieces placed, and the probability to place all."""
        if not left:
            return 0.0, 1.0
        laid = chance = 0.0
        nexts = left[:1] if habit.in_order else left
        for piece in nexts:
            rest = tuple(other for other in left if other != piece)
            frees = [free & ~bits for bits in places[piece] if not bits & ~free]
            if habit.careful and rest:
                least = min(len(task.pieces[other]) for other in rest)
                frees = [after for after in frees if smallest_hole(after) >= least]
            ends = [attempt(after, rest) for after in frees]
            if ends:
                laid += 1 + sum(more for more, _ in ends) / len(ends)
                chance += sum(hope for _, hope in ends) / len(ends)
        return laid / len(nexts), chance / len(nexts)

    laid, chance = attempt((1 << len(task.region)) - 1, tuple(bulkiest_first(lattice, task.pieces)))
    return laid / chance


def _smallest_hole_of(task: Puzzle) -> Callable[[int], int]:
    bit = {cell: 1 << i for i, cell in enumerate(task.region)}
    near = [sum(bit.get(plus(cell, step), 0) for step in LATTICES[task.lattice].steps) for cell in task.region]

    @cache
    def smallest(free: int) -> int:
        sizes = []
        while free:
            hole, edge = 0, free & -free
            while edge:
                lowest = edge & -edge
                hole |= lowest
                edge = (edge | near[lowest.bit_length() - 1] & free) & ~hole
            sizes.append(hole.bit_count())
            free &= ~hole
        return min(sizes)

    return smallest


def alike(some: Sequence[float], others: Sequence[float]) -> float:
    """Spearman's rank correlation: 1 if both order the tasks alike, 0 if they are unrelated."""
    return correlation(_ranks(some), _ranks(others))


def _ranks(values: Sequence[float]) -> list[int]:
    """Twice the rank; ties share their mean rank."""
    ordered = sorted(values)
    return [bisect_left(ordered, value) + bisect_right(ordered, value) for value in values]
