"""Several processes at one port: started and stopped together, and restarted when one dies."""

from __future__ import annotations

import logging
import multiprocessing
import os
import signal
import threading
import time
from collections.abc import Callable
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from types import FrameType

# The least time between two starts of a worker.
RESTART_S = 1.0
# A worker that has not stopped by then is killed.
STOP_S = 20

log = logging.getLogger("ubongo.server.cluster.workers")

OnReady = Callable[[], None]
# What a worker does, by its number.
WorkerMain = Callable[[int, OnReady], None]


class StopRequested(Exception):
    """SIGINT or SIGTERM."""


class Worker:
    """A process, and whether it has reported that it serves."""

    def __init__(self, work: WorkerMain, number: int) -> None:
        # A forked process would inherit locks of threads that it does not have.
        context = multiprocessing.get_context("spawn")
        self.number = number
        self.serves = False
        self.since = time.monotonic()
        self._pipe, pipe = context.Pipe(duplex=False)
        self.process: BaseProcess = context.Process(target=_work, args=(work, number, pipe), name=f"worker {number}")
        self.process.start()
        pipe.close()

    def wait_until_ready(self) -> None:
        """Or until it exits."""
        try:
            self.serves = bool(self._pipe.recv())
        except EOFError:
            self.process.join()

    def stop(self) -> None:
        if self.process.is_alive() and self.process.pid is not None:
            os.kill(self.process.pid, signal.SIGTERM)


def watch(work: WorkerMain, number: int, ready: OnReady) -> None:
    """Runs so many workers until a signal stops them. If one cannot start, all stop, with its exit status."""

    def stop(_signal: int, _frame: FrameType | None) -> None:
        raise StopRequested

    for one in (signal.SIGINT, signal.SIGTERM):
        signal.signal(one, stop)
    workers: list[Worker] = []
    try:
        # The first one alone: it reports errors once, and migrates the database.
        for some in (range(1), range(1, number)):
            workers += [Worker(work, one) for one in some]
            for worker in workers[some.start :]:
                worker.wait_until_ready()
                if not worker.serves:
                    _stop_all(workers)
                    raise SystemExit(worker.process.exitcode or 1)
        ready()
        _restart_dead(work, workers)
    except StopRequested:
        _stop_all(workers)


def _restart_dead(work: WorkerMain, workers: list[Worker]) -> None:
    while True:
        wait([worker.process.sentinel for worker in workers])
        for place, worker in enumerate(workers):
            if worker.process.is_alive():
                continue
            log.error("worker %d has died (%s) and is restarted", worker.number, worker.process.exitcode)
            time.sleep(max(0.0, worker.since + RESTART_S - time.monotonic()))
            workers[place] = Worker(work, worker.number)


def _stop_all(workers: list[Worker]) -> None:
    # A second Ctrl-C must not interrupt the workers' shutdown.
    for one in (signal.SIGINT, signal.SIGTERM):
        signal.signal(one, signal.SIG_IGN)
    for worker in workers:
        worker.stop()
    until = time.monotonic() + STOP_S
    for worker in workers:
        worker.process.join(max(0.0, until - time.monotonic()))
        if worker.process.is_alive():
            worker.process.kill()


def _work(work: WorkerMain, number: int, pipe: Connection) -> None:
    """In the new process."""
    threading.Thread(target=_stop_with_parent, name="parent", daemon=True).start()
    work(number, lambda: pipe.send(True))


def _stop_with_parent() -> None:
    """If the parent is killed, nobody else would stop us."""
    parent = multiprocessing.parent_process()
    assert parent is not None
    parent.join()
    os.kill(os.getpid(), signal.SIGTERM)
