"""Lines to PostgreSQL: how they are opened, who may hold the database, and what it means that one is cut."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import cache
from typing import TYPE_CHECKING, Any

import asyncpg

from ubongo.server.store.postgres_schema import migrate, named
from ubongo.server.store.schema import BadLog

if TYPE_CHECKING:
    from asyncpg import Connection

# Held by whoever uses the database: servers share it, a move needs it alone.
SERVING = 0x55626F6E_00000002

CONNECT_S = 5.0
# A statement that takes longer will not be answered any more.
ANSWER_S = 10.0
RETRY_S = 0.2
# A server that was killed just now may still seem to hold the database.
TAKE_OVER_S = 5.0
# What is told is on the disk, also where somebody has made the whole machine careless. A move or two at a time are
# recorded in less time than it takes to plan how: planned once, a statement serves for ever.
CAREFUL = """
    select set_config('synchronous_commit', 'on', false) where current_setting('synchronous_commit') = 'off';
    set plan_cache_mode = force_generic_plan
"""


class Taken(Exception):
    """Somebody needs the database alone, or uses it while we do."""


# The line is cut or the database is away: it comes back, and nobody can say yet what became of the last statement.
AWAY = (
    asyncpg.PostgresConnectionError,
    asyncpg.OperatorInterventionError,
    asyncpg.TransactionRollbackError,
    asyncpg.TooManyConnectionsError,
    asyncpg.InterfaceError,
    # So asyncpg calls it if the database says goodbye in the moment in which something is asked.
    asyncpg.InternalClientError,
    OSError,
    TimeoutError,
    Taken,
)


@cache
def numbered(statement: str) -> str:
    """Values as PostgreSQL counts them.

    >>> numbered("select 1 where a = ? and b = ?")
    'select 1 where a = $1 and b = $2'
    """
    first, *rest = statement.split("?")
    return first + "".join(f"${number}{part}" for number, part in enumerate(rest, 1))


def storable(value: Any) -> Any:
    """No text in PostgreSQL has a NUL or half a character, so what is looked for by one is not there."""
    if isinstance(value, list):
        return [storable(one) for one in value]
    if not isinstance(value, str):
        return value
    return value.encode(errors="replace").decode().replace("\0", "\N{REPLACEMENT CHARACTER}")


async def connected(url: str, answer: float | None = ANSWER_S) -> Connection:
    connection = await asyncpg.connect(
        url, timeout=CONNECT_S, command_timeout=answer, server_settings={"application_name": "ubongo"}
    )
    await connection.execute(CAREFUL)
    return connection


class SteadyConnection:
    """A line for one who asks one thing after the other, opened again when it was cut: half the work of a pool's."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._line: Connection | None = None

    @asynccontextmanager
    async def held(self) -> AsyncIterator[Connection]:
        try:
            if self._line is None or self._line.is_closed():
                self._line = await connected(self._url)
            yield self._line
        except AWAY:
            self.hang_up()
            raise

    def hang_up(self) -> None:
        if self._line is not None:
            self._line.terminate()
        self._line = None


async def own_connection(url: str, answer: float | None = ANSWER_S, alone: bool = False) -> Connection:
    """A connection that uses the database: together with others, or alone."""
    line = await connected(url, answer)
    lock = "pg_try_advisory_lock" if alone else "pg_try_advisory_lock_shared"
    if not await line.fetchval(f"select {lock}($1)", SERVING):
        await line.close()
        raise Taken("somebody else has taken the database")
    return line


async def taken(url: str, answer: float | None = ANSWER_S, alone: bool = False) -> Connection:
    """The same, as soon as it can be had; BadLog if it cannot."""
    until = time.monotonic() + TAKE_OVER_S
    while True:
        try:
            return await own_connection(url, answer, alone)
        except Taken:
            if time.monotonic() > until:
                who = "a server. Stop it" if alone else "a command that needs it alone. Wait for it"
                raise BadLog(f"{named(url)} is in use by {who}, or choose another one with --db.") from None
            await asyncio.sleep(RETRY_S)
        except (asyncpg.PostgresError, asyncpg.InterfaceError, OSError, TimeoutError, ValueError) as problem:
            why = " ".join(str(problem).split()) or "it does not answer"
            raise BadLog(f"{named(url)} cannot be used: {why}. --db names the database.") from None


async def prepared(url: str, alone: bool = False) -> None:
    """Whether this database can be the log: it is there, it is ours, and it has today's form. Else BadLog."""
    line = await taken(url, alone=alone)
    try:
        await migrate(line, url)
        if await line.fetchval("select exists (select 1 from moving)"):
            raise BadLog(f"A migration into {named(url)} is not finished. Continue it: ubongo migrate.")
    except asyncpg.PostgresError as problem:
        raise BadLog(f"{named(url)} cannot be used: {problem}. --db names the database.") from None
    finally:
        await line.close()
