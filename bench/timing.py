"""Side-by-side timing: other load affects all candidates alike, so ratios hold on a busy machine too."""

from __future__ import annotations

import gc
import os
import resource
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from statistics import median
from time import perf_counter, process_time

from msgspec import Struct

ROUNDS = 5
# Slower calls are timed once; faster ones are repeated until the clock's resolution does not matter.
SLOW = 10.0
QUICK = 0.05

Call = Callable[[], object]
Clock = Callable[[], float]


class Timed(Struct, frozen=True):
    """The median of several rounds."""

    seconds: float
    rounds: int


def side_by_side(calls: Mapping[str, Call], clock: Clock = perf_counter) -> dict[str, Timed]:
    """Times every call once per round. To exclude compilation and loading, call each beforehand."""
    taken: dict[str, list[float]] = {name: [] for name in calls}
    with _no_collector():
        often = {}
        for name, call in calls.items():
            first = _seconds(call, 1, clock)
            if first > 10 * QUICK:
                often[name] = 1
                taken[name].append(first)
            else:
                # Most of a fast call's first run is warm-up.
                often[name] = max(1, round(QUICK / _seconds(call, 1, clock)))
                taken[name].append(_seconds(call, often[name], clock))
        for _ in range(ROUNDS - 1):
            for name, call in calls.items():
                if taken[name][0] < SLOW:
                    taken[name].append(_seconds(call, often[name], clock))
    return {name: Timed(median(seconds), len(seconds)) for name, seconds in taken.items()}


def on_one_core(calls: Mapping[str, Call]) -> dict[str, Timed]:
    """The same in CPU seconds, so that other processes on this core do not count."""
    with one_core():
        return side_by_side(calls, process_time)


def of_children() -> float:
    """CPU seconds of all child processes that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _seconds(call: Call, times: int, clock: Clock) -> float:
    begun = clock()
    for _ in range(times):
        call()
    return (clock() - begun) / times


@contextmanager
def _no_collector() -> Iterator[None]:
    """As `timeit` does: otherwise one call would pay for the garbage of the others."""
    gc.collect()
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


@contextmanager
def one_core() -> Iterator[None]:
    """Pins this thread and its children to one core, if the system can."""
    if sys.platform != "linux":
        yield
        return
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {max(before)})
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)
