"""A pool of worker processes, or a Dask cluster, for long work."""

from __future__ import annotations

import logging
import multiprocessing
import os
import signal
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing.synchronize import Semaphore
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar

from ubongo.commands import Complaint
from ubongo.commands._support.progress_bar import progress

if TYPE_CHECKING:
    from ubongo.workshop.crew import Crew

P = ParamSpec("P")
Result = TypeVar("Result")

# Without a terminal, long work reports neither its progress nor that it waits for the compiler.
logging.getLogger("ubongo.kernel").addFilter(lambda _: sys.stderr.isatty())


@contextmanager
def crew_of(workers: int | None, dask: str | None = None) -> Iterator[Crew]:
    """A crew of so many processes (None: one per core), or of a Dask cluster's workers."""
    if workers is not None and workers < 1:
        raise Complaint(f"--workers is {workers}; it is at least 1")
    from ubongo.workshop.crew import Crew  # the workshop brings Numba

    with progress() as tell, _executor(workers or os.cpu_count() or 1, dask) as executor:
        yield Crew(executor, tell)


@contextmanager
def _executor(workers: int, dask: str | None) -> Iterator[Executor | None]:
    if dask is not None:
        with _dask(dask) as executor:
            yield executor
    elif workers == 1:
        yield None
    else:
        with _Pool(workers) as executor:
            yield executor


class _Pool(ProcessPoolExecutor):
    """Processes that end with this one. Only this process handles Ctrl-C, and only while it waits for the workers.

    During a fork the signal would be lost, or leave workers behind that nobody stops.
    """

    def __init__(self, workers: int) -> None:
        super().__init__(workers, initializer=_begin, initargs=(multiprocessing.Semaphore(1),))

    def submit(self, work: Callable[P, Result], /, *args: P.args, **named: P.kwargs) -> Future[Result]:
        with _interrupt_deferred():
            return super().submit(work, *args, **named)

    def __exit__(self, *_: object) -> None:
        with _interrupt_deferred():
            self.shutdown(cancel_futures=True)


def _begin(turn: Semaphore) -> None:
    """Initialises a worker process."""
    # Otherwise Ctrl-C would make every worker print a traceback.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # All of them may have to wait for the compiler; only one reports it.
    logging.getLogger("ubongo.kernel").addFilter(lambda _: turn.acquire(block=False))


@contextmanager
def _interrupt_deferred() -> Iterator[None]:
    """Defers Ctrl-C until the end of the block."""
    interrupts: list[int] = []
    before = signal.signal(signal.SIGINT, lambda number, _: interrupts.append(number))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
    if interrupts:
        raise KeyboardInterrupt


@contextmanager
def _dask(address: str) -> Iterator[Executor]:
    try:
        from distributed import Client  # an optional dependency
    except ImportError:
        raise Complaint("--dask needs the extra: pip install 'ubongo[dask]'") from None
    try:
        client: Any = Client(address, timeout="10s")
    except (OSError, ValueError) as problem:
        raise Complaint(f"no Dask cluster answers at {address}: {problem}") from None
    with client:
        yield client.get_executor()
