"""Reads and writes in PostgreSQL over a pool of connections. Both wait for a while if the database is away."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager
from typing import TYPE_CHECKING, Any, TypeVar

import asyncpg

from ubongo.server.store import Statement, StoreError, VersionConflict
from ubongo.server.store.postgres_connection import (
    ANSWER_S,
    CONNECT_S,
    RETRY_S,
    SESSION_SETTINGS,
    UNAVAILABLE,
    numbered,
    storable,
)

if TYPE_CHECKING:
    from asyncpg import Connection
    from asyncpg.pool import Pool

Answer = TypeVar("Answer")

CONNECTIONS = 7
# How long a read or a write waits for a database that is away. A client of the HTTP API waits with it.
PATIENCE_S = 10.0


class PostgresPool:
    def __init__(self, url: str) -> None:
        self._url = url

    async def open(self) -> None:
        self._pool: Pool = await asyncpg.create_pool(
            self._url,
            min_size=0,
            max_size=CONNECTIONS,
            command_timeout=ANSWER_S,
            timeout=CONNECT_S,
            init=_configure,
            reset=_keep_session,
        )

    def close(self) -> None:
        self._pool.terminate()

    async def fetch(self, query: Callable[[Connection], Awaitable[Answer]]) -> Answer:
        return await with_retry(lambda: self._pool.acquire(timeout=CONNECT_S), query)

    async def read(self, statement: str, values: tuple[Any, ...] = ()) -> list[Any]:
        query, parameters = numbered(statement), [storable(value) for value in values]
        return [tuple(row) for row in await self.fetch(lambda connection: connection.fetch(query, *parameters))]

    async def write(self, *statements: Statement, claim: Statement | None = None) -> None:
        began = time.monotonic()
        while True:
            transaction: str | None = None
            try:
                async with self._pool.acquire(timeout=CONNECT_S) as connection, connection.transaction():
                    transaction = await connection.fetchval("select cast(pg_current_xact_id() as text)")
                    if claim is not None:
                        status = await connection.execute(numbered(claim[0]), *claim[1])
                        if status.split()[-1] != "1":
                            raise VersionConflict("another write came first")
                    for statement, values in statements:
                        await connection.execute(numbered(statement), *values)
                return
            except UNAVAILABLE as problem:
                if transaction is not None and await self._has_committed(transaction):
                    return
                if time.monotonic() - began > PATIENCE_S:
                    raise StoreError(str(problem)) from None
                await asyncio.sleep(RETRY_S)
            except asyncpg.PostgresError as problem:
                raise StoreError(str(problem)) from None

    async def _has_committed(self, transaction: str) -> bool:
        """For a transaction whose connection was lost before its end was confirmed."""
        while True:
            [[status]] = await self.read("select pg_xact_status(cast(cast(? as text) as xid8))", (transaction,))
            if status != "in progress":
                return bool(status == "committed")
            await asyncio.sleep(RETRY_S)


async def with_retry(
    acquire: Callable[[], AbstractAsyncContextManager[Connection]], query: Callable[[Connection], Awaitable[Answer]]
) -> Answer:
    """Runs the query as soon as the database is there; raises StoreError if that takes too long."""
    began = time.monotonic()
    while True:
        try:
            async with acquire() as connection:
                return await query(connection)
        except UNAVAILABLE as problem:
            if time.monotonic() - began > PATIENCE_S:
                raise StoreError(str(problem) or "the database does not answer") from None
            await asyncio.sleep(RETRY_S)
        except asyncpg.PostgresError as problem:
            raise StoreError(str(problem)) from None


async def _configure(connection: Connection) -> None:
    await connection.execute(SESSION_SETTINGS)


async def _keep_session(connection: Connection) -> None:
    """No query leaves anything behind. A reset would cost a round trip each time, and drop our settings."""
