"""Seconds, taken side by side: the machine's moods then meet all alike, and ratios hold on a busy one too."""

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
# Slower than this is timed once; quicker than that is called so often in a row that the clock does not matter.
SLOW = 10.0
QUICK = 0.05

Call = Callable[[], object]
Clock = Callable[[], float]


class Timed(Struct, frozen=True):
    """The median of so many rounds."""

    seconds: float
    rounds: int


def side_by_side(calls: Mapping[str, Call], clock: Clock = perf_counter) -> dict[str, Timed]:
    """Every call once a round, each called before by whoever wants its compiling and loading left out."""
    taken: dict[str, list[float]] = {name: [] for name in calls}
    with _no_collector():
        often = {}
        for name, call in calls.items():
            first = _seconds(call, 1, clock)
            if first > 10 * QUICK:
                often[name] = 1
                taken[name].append(first)
            else:
                # Of the first call of a quick one most is warming up.
                often[name] = max(1, round(QUICK / _seconds(call, 1, clock)))
                taken[name].append(_seconds(call, often[name], clock))
        for _ in range(ROUNDS - 1):
            for name, call in calls.items():
                if taken[name][0] < SLOW:
                    taken[name].append(_seconds(call, often[name], clock))
    return {name: Timed(median(seconds), len(seconds)) for name, seconds in taken.items()}


def on_one_core(calls: Mapping[str, Call]) -> dict[str, Timed]:
    """The same in seconds of the processor, so that whoever else runs on this core takes nobody's time."""
    with one_core():
        return side_by_side(calls, process_time)


def of_children() -> float:
    """The processor's seconds of all processes that this one has started and seen end."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _seconds(call: Call, times: int, clock: Clock) -> float:
    begun = clock()
    for _ in range(times):
        call()
    return (clock() - begun) / times


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
