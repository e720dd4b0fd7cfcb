"""Appending to the log in PostgreSQL.

An append is one statement for all matches of a batch (compare-and-set). It locks their versions, in order, advances
those that the writer expected, and inserts only the rows of these matches. So a row never follows a missing row, even
if several servers write. Every row has its writer's number: after a lost connection, that shows whether the last append
took effect.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Awaitable, Callable, Sequence
from typing import TYPE_CHECKING

from ubongo.server.store import Row
from ubongo.server.store.postgres_connection import RETRY_S, UNAVAILABLE

if TYPE_CHECKING:
    from asyncpg import Connection

# The arrays are joined only once: the planner expects a row or two where there may be a thousand, and with such an
# estimate each further join becomes a nested loop.
_APPEND = """
    with locked as (
        select a.match, a.since, a.upto from unnest($1::bigint[], $2::int[], $3::int[]) as a(match, since, upto)
        join versions v using (match) order by a.match for update of v
    ),
    won as (
        update versions v set version = l.upto from locked l
        where v.match = l.match and v.version = l.since returning v.match
    ),
    put as (
        insert into log (match, version, at, events, writer)
        select e.match, e.version, e.at, e.events, $8
        from unnest($4::bigint[], $5::int[], $6::bigint[], $7::bytea[]) as e(match, version, at, events)
        join won using (match)
    )
    select match from won
"""
_MINE = """
    select match from log join unnest($1::bigint[], $2::int[]) as a(match, version) using (match, version)
    where writer = $3
"""


class PostgresWriter:
    """Appends over one connection, which is opened again after it was lost. Every writer has a number of its own."""

    def __init__(self, connect: Callable[[], Awaitable[Connection]], note_problem: Callable[[str], None]) -> None:
        self.connection: Connection | None = None
        self._connect = connect
        self._note_problem = note_problem
        self._number = secrets.randbits(63)

    async def append(self, versions: dict[int, tuple[int, int]], rows: Sequence[Row]) -> set[int]:
        """The matches that took their rows. `versions`: what each match's version has to be, and what it becomes."""
        matches = list(versions)
        since, upto = [versions[one][0] for one in matches], [versions[one][1] for one in matches]
        columns = [[row[part] for row in rows] for part in range(4)]
        interrupted = False
        while True:
            try:
                if self.connection is None or self.connection.is_closed():
                    self.connection = await self._connect()
                won = {
                    one for (one,) in await self.connection.fetch(_APPEND, matches, since, upto, *columns, self._number)
                }
                if interrupted and len(won) < len(matches):
                    won |= {one for (one,) in await self.connection.fetch(_MINE, matches, upto, self._number)}
                return won
            except UNAVAILABLE as problem:
                interrupted = True
                self._note_problem(" ".join(str(problem).split()) or "the database does not answer")
                self.close()
                await asyncio.sleep(RETRY_S)

    def close(self) -> None:
        if self.connection is not None:
            self.connection.terminate()
        self.connection = None
