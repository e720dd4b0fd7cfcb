"""Connections to PostgreSQL: how they are opened, which lock they hold, and which errors mean that it is away."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import cache
from typing import TYPE_CHECKING, Any

import asyncpg

from ubongo.server.store.postgres_schema import migrate, public_url
from ubongo.server.store.schema import BadLog

if TYPE_CHECKING:
    from asyncpg import Connection

# An advisory lock on the database: servers share it, a migration holds it exclusively.
DATABASE_LOCK = 0x55626F6E_00000002

CONNECT_S = 5.0
# A statement that takes longer has failed.
ANSWER_S = 10.0
RETRY_S = 0.2
# For this long a server that was killed may still seem to hold the lock.
TAKE_OVER_S = 5.0
# A commit waits for the disk even if the database's default says otherwise. Short statements take longer to plan than
# to run, so plans are reused.
SESSION_SETTINGS = """
    select set_config('synchronous_commit', 'on', false) where current_setting('synchronous_commit') = 'off';
    set plan_cache_mode = force_generic_plan
"""


class DatabaseInUse(Exception):
    """Another program holds the database's lock in a way that excludes us."""


# The connection is lost or the database is away. It will come back; whether the last statement took effect is unknown.
UNAVAILABLE = (
    asyncpg.PostgresConnectionError,
    asyncpg.OperatorInterventionError,
    asyncpg.TransactionRollbackError,
    asyncpg.TooManyConnectionsError,
    asyncpg.InterfaceError,
    # asyncpg raises this if the database closes the connection while a statement is being sent.
    asyncpg.InternalClientError,
    OSError,
    TimeoutError,
    DatabaseInUse,
)


@cache
def numbered(statement: str) -> str:
    """With parameters as PostgreSQL numbers them.

    >>> numbered("select 1 where a = ? and b = ?")
    'select 1 where a = $1 and b = $2'
    """
    first, *rest = statement.split("?")
    return first + "".join(f"${number}{part}" for number, part in enumerate(rest, 1))


def storable(value: Any) -> Any:
    """The value without NULs and lone surrogates. PostgreSQL stores neither in text, so such a text is never found."""
    if isinstance(value, list):
        return [storable(one) for one in value]
    if not isinstance(value, str):
        return value
    return value.encode(errors="replace").decode().replace("\0", "\N{REPLACEMENT CHARACTER}")


async def connect(url: str, answer: float | None = ANSWER_S) -> Connection:
    """`answer`: how many seconds a statement may take."""
    connection = await asyncpg.connect(
        url, timeout=CONNECT_S, command_timeout=answer, server_settings={"application_name": "ubongo"}
    )
    await connection.execute(SESSION_SETTINGS)
    return connection


class ReconnectingConnection:
    """A connection that is opened again after it was lost. Cheaper than a pool; its users wait for each other."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._connection: Connection | None = None
        # PostgreSQL answers one statement at a time; asyncpg refuses a second one meanwhile.
        self._lock = asyncio.Lock()

    @asynccontextmanager
    async def acquire(self) -> AsyncIterator[Connection]:
        async with self._lock:
            try:
                if self._connection is None or self._connection.is_closed():
                    self._connection = await connect(self._url)
                yield self._connection
            except UNAVAILABLE:
                self.close()
                raise

    def close(self) -> None:
        if self._connection is not None:
            self._connection.terminate()
        self._connection = None


async def connect_and_lock(url: str, answer: float | None = ANSWER_S, exclusive: bool = False) -> Connection:
    """A connection that holds the database's lock, shared or exclusively; raises DatabaseInUse."""
    connection = await connect(url, answer)
    lock = "pg_try_advisory_lock" if exclusive else "pg_try_advisory_lock_shared"
    if not await connection.fetchval(f"select {lock}($1)", DATABASE_LOCK):
        await connection.close()
        raise DatabaseInUse("another program has taken the database")
    return connection


async def acquire_database(url: str, answer: float | None = ANSWER_S, exclusive: bool = False) -> Connection:
    """The same, after waiting for a server that was killed; raises BadLog if the database cannot be used."""
    until = time.monotonic() + TAKE_OVER_S
    while True:
        try:
            return await connect_and_lock(url, answer, exclusive)
        except DatabaseInUse:
            if time.monotonic() > until:
                user = "a server. Stop it" if exclusive else "a command that needs it alone. Wait for it"
                raise BadLog(f"{public_url(url)} is in use by {user}, or choose another one with --db.") from None
            await asyncio.sleep(RETRY_S)
        except (asyncpg.PostgresError, asyncpg.InterfaceError, OSError, TimeoutError, ValueError) as problem:
            why = " ".join(str(problem).split()) or "it does not answer"
            raise BadLog(f"{public_url(url)} cannot be used: {why}. --db names the database.") from None


async def prepare(url: str, exclusive: bool = False) -> None:
    """Brings the database's schema up to date; raises BadLog if the database cannot be the log."""
    connection = await acquire_database(url, exclusive=exclusive)
    try:
        await migrate(connection, url)
        if await connection.fetchval("select exists (select 1 from moving)"):
            raise BadLog(f"A migration into {public_url(url)} is not finished. Continue it: ubongo migrate.")
    except asyncpg.PostgresError as problem:
        raise BadLog(f"{public_url(url)} cannot be used: {problem}. --db names the database.") from None
    finally:
        await connection.close()
