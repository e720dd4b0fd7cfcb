"""Several processes at one port: started together, told to stop together, and started again when one dies."""

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

# Who dies as soon as it is started is not started again at once.
BREATH_S = 1.0
# Who has not said goodbye by then is not waited for.
GOODBYE_S = 20

log = logging.getLogger("ubongo.server.cluster.workers")

OnReady = Callable[[], None]
# What a worker does, by its number.
WorkerMain = Callable[[int, OnReady], None]


class StopRequested(Exception):
    """We were told to stop."""


class Worker:
    """A process of ours, and whether it has said that it serves."""

    def __init__(self, work: WorkerMain, number: int) -> None:
        # A process that has been forked has half of the parent's threads and all of its locks.
        fresh = multiprocessing.get_context("spawn")
        self.number = number
        self.serves = False
        self.since = time.monotonic()
        self.line, line = fresh.Pipe(duplex=False)
        self.process: BaseProcess = fresh.Process(target=_work, args=(work, number, line), name=f"worker {number}")
        self.process.start()
        line.close()

    def hear(self) -> None:
        """It serves, or it has gone before it did."""
        try:
            self.serves = bool(self.line.recv())
        except EOFError:
            self.process.join()

    def stop(self) -> None:
        if self.process.is_alive() and self.process.pid is not None:
            os.kill(self.process.pid, signal.SIGTERM)


def watch(work: WorkerMain, number: int, ready: OnReady) -> None:
    """Runs so many until told to stop. If one cannot even begin, none does: the exit status is its own."""

    def stop(_signal: int, _frame: FrameType | None) -> None:
        raise StopRequested

    for told in (signal.SIGINT, signal.SIGTERM):
        signal.signal(told, stop)
    workers: list[Worker] = []
    try:
        # The first one alone: what is wrong is then said once, and what has to be made in the database is made by one.
        for some in (range(1), range(1, number)):
            workers += [Worker(work, one) for one in some]
            for worker in workers[some.start :]:
                worker.hear()
                if not worker.serves:
                    _end(workers)
                    raise SystemExit(worker.process.exitcode or 1)
        ready()
        _look_after(work, workers)
    except StopRequested:
        _end(workers)


def _look_after(work: WorkerMain, workers: list[Worker]) -> None:
    while True:
        wait([worker.process.sentinel for worker in workers])
        for place, worker in enumerate(workers):
            if worker.process.is_alive():
                continue
            log.error("worker %d has died (%s), and is started again", worker.number, worker.process.exitcode)
            time.sleep(max(0.0, worker.since + BREATH_S - time.monotonic()))
            workers[place] = Worker(work, worker.number)


def _end(workers: list[Worker]) -> None:
    # From here on there is nothing that a second Ctrl-C could hurry but the workers' own goodbye.
    for told in (signal.SIGINT, signal.SIGTERM):
        signal.signal(told, signal.SIG_IGN)
    for worker in workers:
        worker.stop()
    until = time.monotonic() + GOODBYE_S
    for worker in workers:
        worker.process.join(max(0.0, until - time.monotonic()))
        if worker.process.is_alive():
            worker.process.kill()


def _work(work: WorkerMain, number: int, line: Connection) -> None:
    """In the new process."""
    threading.Thread(target=_follow_parent, name="parent", daemon=True).start()
    work(number, lambda: line.send(True))


def _follow_parent() -> None:
    """Whoever started us may be killed: nobody would stop us then."""
    parent = multiprocessing.parent_process()
    assert parent is not None
    parent.join()
    os.kill(os.getpid(), signal.SIGTERM)
