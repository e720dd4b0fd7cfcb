"""Runs the bots' code: loads it for a game, and lets bots think in a thread of their own."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor

from ubongo.moves import Move
from ubongo.server.lobby.bot_scheduler import BotScheduler
from ubongo.table import Instant, SeatNo, Table

TimedMove = tuple[Instant, Move]
# From what its seat sees, its level, its own seed and the time: a bot's next move and when; None for nothing now.
Mind = Callable[[Table, SeatNo, str, str, Instant], TimedMove | None]
# The least that a seat has to do, so that no table waits for a bot that fails.
Least = Callable[[Table, SeatNo, Instant], TimedMove | None]
# Loads the code for a game, in a thread.
Prepare = Callable[[str], None]
# Compiles what `Prepare` loads, in another process.
Precompile = Callable[[str], Awaitable[None]]

log = logging.getLogger("ubongo.server.lobby.bot_minds")


async def nothing_to_compile(_game: str) -> None:
    """For bots without compiled code."""


class BotMinds:
    """The bots' functions, and the thread that they run in."""

    def __init__(self, mind: Mind, least: Least, prepare: Prepare, precompile: Precompile = nothing_to_compile) -> None:
        self.mind = mind
        self.least = least
        self.prepare = prepare
        self.precompile = precompile
        self.loading: dict[str, asyncio.Task[None]] = {}
        self.pool = ThreadPoolExecutor(1, "bots")
        self.scheduler: BotScheduler[TimedMove | None] = BotScheduler(self.pool)

    def load(self, game: str) -> None:
        """Begins to load the code for this game, unless that has begun."""
        if game not in self.loading:
            self.loading[game] = asyncio.get_running_loop().create_task(self._load(game))

    async def _load(self, game: str) -> None:
        try:
            await self.precompile(game)
            await asyncio.to_thread(self.prepare, game)
        except Exception:
            # Its bots will fail too, and do the least.
            log.exception("the code for bots of %s cannot be loaded", game)

    def close(self) -> None:
        for loading in self.loading.values():
            loading.cancel()
        self.scheduler.close()
        self.pool.shutdown(wait=False, cancel_futures=True)
