"""The crew for long work."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar

from ubongo.commands import Complaint
from ubongo.commands.bar import progress

if TYPE_CHECKING:
    from ubongo.workshop.crew import Crew

P = ParamSpec("P")
Result = TypeVar("Result")


@contextmanager
def crew_of(workers: int | None, dask: str | None = None) -> Iterator[Crew]:
    """A crew of so many processes (None: one a core), or of a Dask cluster's workers."""
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
    """Processes that end with us, whenever Ctrl-C comes: it is for us to hear, and only while we wait for them.

    In the midst of forking it would be lost, or leave behind workers that nobody tells to go.
    """

    def __init__(self, workers: int) -> None:
        # A worker that heard it too would say so with a traceback.
        super().__init__(workers, initializer=signal.signal, initargs=(signal.SIGINT, signal.SIG_IGN))

    def submit(self, work: Callable[P, Result], /, *args: P.args, **named: P.kwargs) -> Future[Result]:
        with _heard_later():
            return super().submit(work, *args, **named)

    def __exit__(self, *_: object) -> None:
        with _heard_later():
            self.shutdown(cancel_futures=True)


@contextmanager
def _heard_later() -> Iterator[None]:
    """Ctrl-C is heard when this is over."""
    heard: list[int] = []
    before = signal.signal(signal.SIGINT, lambda number, _: heard.append(number))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
    if heard:
        raise KeyboardInterrupt


@contextmanager
def _dask(address: str) -> Iterator[Executor]:
    try:
        from distributed import Client  # an extra that few need
    except ImportError:
        raise Complaint("--dask needs the extra: pip install 'ubongo[dask]'") from None
    try:
        client: Any = Client(address, timeout="10s")
    except (OSError, ValueError) as problem:
        raise Complaint(f"no Dask cluster answers at {address}: {problem}") from None
    with client:
        yield client.get_executor()
