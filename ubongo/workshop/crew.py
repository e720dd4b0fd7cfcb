"""Runs the workshop's work in one process, in many, or on a cluster, with the same result.

Work is split into items before it is distributed, independently of the number of workers, and results come back in the
order of the items. So the number of workers changes only the time.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor, Future
from itertools import islice
from typing import TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")
_AHEAD = 8
Progress = Callable[[str, int, int], None]


def silent(_what: str, _done: int, _total: int) -> None:
    """Reports nothing."""


class Crew:
    """`executor` does the work (None: this process); `progress(what, done, total)` is called after every item."""

    def __init__(self, executor: Executor | None = None, progress: Progress = silent) -> None:
        self._executor = executor
        self._progress = progress

    def map(self, work: Callable[[Item], Result], items: Iterable[Item], what: str) -> list[Result]:
        """work(item) for each item, in order. `work` must be a module-level function, so that it can be pickled."""
        waiting = list(items)
        results = map(work, waiting) if self._executor is None else self._executor.map(work, waiting)
        done: list[Result] = []
        self._progress(what, 0, len(waiting))
        for result in results:
            done.append(result)
            self._progress(what, len(done), len(waiting))
        return done

    def stream(self, work: Callable[[Item], Result], items: Iterator[Item]) -> Iterator[Result]:
        """The same for an endless stream of items: only a few are started ahead of the next result."""
        if self._executor is None:
            yield from map(work, items)
            return
        begun: deque[Future[Result]] = deque(self._executor.submit(work, item) for item in islice(items, _AHEAD))
        while begun:
            yield begun.popleft().result()
            begun.extend(self._executor.submit(work, item) for item in islice(items, 1))

    def tell(self, what: str, done: int, total: int) -> None:
        self._progress(what, done, total)
