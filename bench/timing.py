"""Seconds, taken side by side: the machine's moods then meet all alike, and ratios hold on a busy one too."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from statistics import median
from time import perf_counter

from msgspec import Struct

ROUNDS = 5
# Slower than this is timed once; quicker than that is called so often in a row that the clock does not matter.
SLOW = 10.0
QUICK = 0.05

Call = Callable[[], object]


class Timed(Struct, frozen=True):
    """The median of so many rounds."""

    seconds: float
    rounds: int


def side_by_side(calls: Mapping[str, Call], rounds: int = ROUNDS) -> dict[str, Timed]:
    """Every call once a round, each called before by whoever wants its compiling and loading left out."""
    taken: dict[str, list[float]] = {name: [] for name in calls}
    with _no_collector():
        often = {}
        for name, call in calls.items():
            first = _seconds(call, 1)
            often[name] = max(1, round(QUICK / first))
            taken[name].append(first if often[name] == 1 else _seconds(call, often[name]))
        for _ in range(rounds - 1):
            for name, call in calls.items():
                if taken[name][0] < SLOW:
                    taken[name].append(_seconds(call, often[name]))
    return {name: Timed(median(seconds), len(seconds)) for name, seconds in taken.items()}


def _seconds(call: Call, times: int) -> float:
    begun = perf_counter()
    for _ in range(times):
        call()
    return (perf_counter() - begun) / times


@contextmanager
def _no_collector() -> Iterator[None]:
    """As `timeit` does: whoever is interrupted by the collector would pay for the others' rubbish."""
    gc.collect()
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


@contextmanager
def one_core() -> Iterator[None]:
    """Keeps this thread, and what it starts, on one core, where the system knows how."""
    if sys.platform != "linux":
        yield
        return
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {max(before)})
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)
