"""News by NATS: a core subject for each table, on which whoever serves it listens."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from typing import TYPE_CHECKING

import nats
from nats.errors import Error

from ubongo.server.cluster.news import Heard
from ubongo.server.store.entities import Key

if TYPE_CHECKING:
    from nats.aio.client import Client
    from nats.aio.msg import Msg
    from nats.aio.subscription import Subscription

SUBJECT = "ubongo.table."
CONNECT_S = 2
RETRY_S = 1
# Whoever does not answer two of these is gone; the log is looked at meanwhile.
PING_S = 2
# What waits while nobody is there to be told is old news.
MOST_WAITING = 1 << 16

log = logging.getLogger("ubongo.server.cluster.news")


class NatsNews:
    """Connects when it can, and again whenever it has to; what is to be said meanwhile is not said."""

    def __init__(self, url: str) -> None:
        self._url = url
        self.problem: str | None = "not yet connected"
        self._said: dict[Key, int] = {}
        self._wanted: set[Key] = set()
        self._subscribed: dict[Key, Subscription] = {}
        self._something = asyncio.Event()
        self._line: Client | None = None

    async def open(self, heard: Heard) -> None:
        self._heard = heard
        self._running = asyncio.create_task(self._run())

    def say(self, table: Key, version: int) -> None:
        # One word for all that has happened at a table meanwhile.
        self._said[table] = max(version, self._said.get(table, 0))
        self._something.set()

    def listen(self, table: Key) -> None:
        self._wanted.add(table)
        self._something.set()

    def ignore(self, table: Key) -> None:
        self._wanted.discard(table)
        self._something.set()

    async def close(self) -> None:
        self._running.cancel()
        await asyncio.gather(self._running, return_exceptions=True)
        await self._hang_up()

    async def _run(self) -> None:
        while True:
            try:
                self._line = await self._connected()
                self._subscribed = {}
                self._something.set()
                while True:
                    await self._something.wait()
                    self._something.clear()
                    await self._catch_up(self._line)
            except (Error, OSError, TimeoutError, ValueError) as problem:
                await self._hang_up()
                await self._complain(problem)
                await asyncio.sleep(RETRY_S)

    async def _hang_up(self) -> None:
        line, self._line = self._line, None
        if line is not None:
            with contextlib.suppress(Error, OSError, TimeoutError):
                await line.close()

    async def _connected(self) -> Client:
        line = await nats.connect(
            self._url.split(","),
            name="ubongo",
            no_echo=True,
            max_reconnect_attempts=-1,
            reconnect_time_wait=RETRY_S,
            connect_timeout=CONNECT_S,
            ping_interval=PING_S,
            pending_size=MOST_WAITING,
            error_cb=self._complain,
            disconnected_cb=self._cut,
            reconnected_cb=self._back,
        )
        await self._back()
        return line

    async def _catch_up(self, line: Client) -> None:
        for table in self._subscribed.keys() - self._wanted:
            await self._subscribed.pop(table).unsubscribe()
        for table in self._wanted - self._subscribed.keys():
            self._subscribed[table] = await line.subscribe(SUBJECT + table, cb=self._hear)
        said, self._said = self._said, {}
        for table, version in said.items():
            if line.is_connected:
                await line.publish(SUBJECT + table, b"%d" % version)

    async def _hear(self, message: Msg) -> None:
        with contextlib.suppress(ValueError):
            self._heard(message.subject.removeprefix(SUBJECT), int(message.data))

    async def _complain(self, problem: Exception) -> None:
        why = " ".join(str(problem).split()) or type(problem).__name__
        if self.problem != why:
            log.warning("no news: %s", why)
        self.problem = why

    async def _cut(self) -> None:
        self.problem = self.problem or "cut off"

    async def _back(self) -> None:
        self.problem = None
