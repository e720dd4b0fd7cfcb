"""Decides which bot thinks next: the bots of each address in turn, each address with its share of a core.

Tables without an address (opened on this machine, or before a restart) take turns too, without a limit.
"""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Callable
from concurrent.futures import Executor
from typing import Generic, TypeVar

Thought = TypeVar("Thought")

# The share of a core for one address, and the seconds of a core that it can save up.
SHARE = 0.2
RESERVE_S = 5.0
# How many jobs are queued for the thread, so that it need not wait for the event loop.
AHEAD = 4


class _Owner(Generic[Thought]):
    def __init__(self, now: float) -> None:
        self.waiting: deque[tuple[Callable[[], Callable[[], Thought] | None], asyncio.Future[Thought | None]]] = deque()
        self.left = RESERVE_S
        self.last = now

    def refill(self, now: float) -> None:
        self.left = min(RESERVE_S, self.left + (now - self.last) * SHARE)
        self.last = now


class BotScheduler(Generic[Thought]):
    """Runs jobs in `pool` and charges their time to their owners, which are addresses."""

    def __init__(self, pool: Executor, now: Callable[[], float] = time.monotonic) -> None:
        self._pool = pool
        self._now = now
        self._owners: dict[str, _Owner[Thought]] = {}
        # Owners with waiting jobs, in the order of their turns.
        self._turns: dict[str, None] = {}
        self._running = 0
        self._alarm: asyncio.TimerHandle | None = None

    def think(self, owner: str, begin: Callable[[], Callable[[], Thought] | None]) -> asyncio.Future[Thought | None]:
        """Queues a job. `begin` is called at its turn and returns what to run in the pool; None for nothing."""
        answer: asyncio.Future[Thought | None] = asyncio.get_running_loop().create_future()
        self._owner(owner).waiting.append((begin, answer))
        self._turns.setdefault(owner)
        self._run_next()
        return answer

    def charge(self, owner: str, seconds: float) -> None:
        if owner:
            self._owner(owner).left -= seconds

    def tidy(self) -> None:
        """Removes owners without waiting jobs whose reserve is full."""
        now = self._now()
        for name, owner in list(self._owners.items()):
            owner.refill(now)
            if not owner.waiting and owner.left >= RESERVE_S:
                del self._owners[name]

    def close(self) -> None:
        if self._alarm is not None:
            self._alarm.cancel()
        self._turns.clear()

    def _owner(self, name: str) -> _Owner[Thought]:
        found = self._owners.get(name)
        if found is None:
            found = self._owners[name] = _Owner(self._now())
        return found

    def _run_next(self) -> None:
        while self._running < AHEAD and (name := self._next()) is not None:
            self._begin(name)
        if self._alarm is None and self._turns and not self._running:
            # All waiting owners have used up their share.
            soonest = min(-self._owners[name].left / SHARE for name in self._turns)
            self._alarm = asyncio.get_running_loop().call_later(max(soonest, 0.01), self._wake)

    def _wake(self) -> None:
        self._alarm = None
        self._run_next()

    def _next(self) -> str | None:
        now = self._now()
        for name in self._turns:
            owner = self._owners[name]
            owner.refill(now)
            if owner.left > 0 or not name:
                return name
        return None

    def _begin(self, name: str) -> None:
        waiting = self._owners[name].waiting
        begin, answer = waiting.popleft()
        del self._turns[name]
        if waiting:
            self._turns[name] = None
        try:
            job = begin()
        except Exception as problem:  # noqa: BLE001 - raised to the caller of `think`
            answer.set_exception(problem)
            return
        if job is None:
            answer.set_result(None)
            return
        self._running += 1
        done = asyncio.get_running_loop().run_in_executor(self._pool, _timed, job)
        done.add_done_callback(lambda done: self._done(name, answer, done))

    def _done(
        self, name: str, answer: asyncio.Future[Thought | None], done: asyncio.Future[tuple[Thought, float]]
    ) -> None:
        self._running -= 1
        if done.cancelled():
            answer.cancel()
        elif (problem := done.exception()) is not None:
            answer.set_exception(problem)
        else:
            thought, seconds = done.result()
            self.charge(name, seconds)
            answer.set_result(thought)
        self._run_next()


def _timed(job: Callable[[], Thought]) -> tuple[Thought, float]:
    began = time.thread_time()
    return job(), time.thread_time() - began
