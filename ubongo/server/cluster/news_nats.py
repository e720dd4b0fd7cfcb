"""News over NATS: a subject for each table, to which every server subscribes that has the table open."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from typing import TYPE_CHECKING

import nats
from nats.errors import Error

from ubongo.server.cluster.news import OnNews
from ubongo.server.store.entities import Key

if TYPE_CHECKING:
    from nats.aio.client import Client
    from nats.aio.msg import Msg
    from nats.aio.subscription import Subscription

SUBJECT = "ubongo.table."
CONNECT_S = 2
RETRY_S = 1
# NATS counts as gone if it does not answer two pings.
PING_S = 2
# News that could not be sent for so many bytes is out of date.
MOST_PENDING = 1 << 16

log = logging.getLogger("ubongo.server.cluster.news")


class NatsNews:
    """Reconnects whenever it has to. News is dropped while there is no connection."""

    def __init__(self, url: str) -> None:
        self._url = url
        self.problem: str | None = "not yet connected"
        self._unpublished: dict[Key, int] = {}
        self._tables: set[Key] = set()
        self._subscriptions: dict[Key, Subscription] = {}
        self._changed = asyncio.Event()
        self._client: Client | None = None

    async def open(self, on_news: OnNews) -> None:
        self._on_news = on_news
        self._running = asyncio.create_task(self._run())

    def publish(self, table: Key, version: int) -> None:
        # One message for everything that has happened at a table meanwhile.
        self._unpublished[table] = max(version, self._unpublished.get(table, 0))
        self._changed.set()

    def subscribe(self, table: Key) -> None:
        self._tables.add(table)
        self._changed.set()

    def unsubscribe(self, table: Key) -> None:
        self._tables.discard(table)
        self._changed.set()

    async def close(self) -> None:
        self._running.cancel()
        await asyncio.gather(self._running, return_exceptions=True)
        await self._disconnect()

    async def _run(self) -> None:
        while True:
            try:
                self._client = await self._connect()
                self._subscriptions = {}
                self._changed.set()
                while True:
                    await self._changed.wait()
                    self._changed.clear()
                    await self._synchronise(self._client)
            except (Error, OSError, TimeoutError, ValueError) as problem:
                await self._disconnect()
                await self._failed(problem)
                await asyncio.sleep(RETRY_S)

    async def _disconnect(self) -> None:
        client, self._client = self._client, None
        if client is not None:
            with contextlib.suppress(Error, OSError, TimeoutError):
                await client.close()

    async def _connect(self) -> Client:
        client = await nats.connect(
            self._url.split(","),
            name="ubongo",
            no_echo=True,
            max_reconnect_attempts=-1,
            reconnect_time_wait=RETRY_S,
            connect_timeout=CONNECT_S,
            ping_interval=PING_S,
            pending_size=MOST_PENDING,
            error_cb=self._failed,
            disconnected_cb=self._disconnected,
            reconnected_cb=self._reconnected,
        )
        await self._reconnected()
        return client

    async def _synchronise(self, client: Client) -> None:
        for table in self._subscriptions.keys() - self._tables:
            await self._subscriptions.pop(table).unsubscribe()
        for table in self._tables - self._subscriptions.keys():
            self._subscriptions[table] = await client.subscribe(SUBJECT + table, cb=self._receive)
        unpublished, self._unpublished = self._unpublished, {}
        for table, version in unpublished.items():
            if client.is_connected:
                await client.publish(SUBJECT + table, b"%d" % version)

    async def _receive(self, message: Msg) -> None:
        with contextlib.suppress(ValueError):
            self._on_news(message.subject.removeprefix(SUBJECT), int(message.data))

    async def _failed(self, problem: Exception) -> None:
        why = " ".join(str(problem).split()) or type(problem).__name__
        if self.problem != why:
            log.warning("no news from NATS: %s", why)
        self.problem = why

    async def _disconnected(self) -> None:
        self.problem = self.problem or "disconnected"

    async def _reconnected(self) -> None:
        self.problem = None
