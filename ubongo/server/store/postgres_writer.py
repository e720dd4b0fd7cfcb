"""Appending to the log in PostgreSQL.

An append is one statement for all the matches that have something to say. It locks their versions, in order, advances
those that are what the writer believed them to be, and inserts the rows of these alone. So no row can ever stand on
something that is not there, whoever else writes. What came of an append that was cut off shows when the line is back:
every row has its writer's number.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Awaitable, Callable, Sequence
from typing import TYPE_CHECKING

from ubongo.server.store import Row
from ubongo.server.store.postgres_connection import AWAY, RETRY_S

if TYPE_CHECKING:
    from asyncpg import Connection

# What is asked is joined but once: the planner takes a row or two for what may be a thousand, and each further join on
# such a guess compares all with all.
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
    """One who appends: by a number of its own, and over a line that is opened again when it is cut."""

    def __init__(self, connect: Callable[[], Awaitable[Connection]], complain: Callable[[str], None]) -> None:
        self.line: Connection | None = None
        self._connect = connect
        self._complain = complain
        self._number = secrets.randbits(63)

    async def append(self, asked: dict[int, tuple[int, int]], rows: Sequence[Row]) -> set[int]:
        """Which matches took their rows: those that were at the version before them. `asked`: from there to where."""
        matches = list(asked)
        since, upto = [asked[one][0] for one in matches], [asked[one][1] for one in matches]
        columns = [[row[part] for row in rows] for part in range(4)]
        cut_off = False
        while True:
            try:
                if self.line is None or self.line.is_closed():
                    self.line = await self._connect()
                won = {one for (one,) in await self.line.fetch(_APPEND, matches, since, upto, *columns, self._number)}
                if cut_off and len(won) < len(matches):
                    won |= {one for (one,) in await self.line.fetch(_MINE, matches, upto, self._number)}
                return won
            except AWAY as problem:
                cut_off = True
                self._complain(" ".join(str(problem).split()) or "the database does not answer")
                self.close()
                await asyncio.sleep(RETRY_S)

    def close(self) -> None:
        if self.line is not None:
            self.line.terminate()
        self.line = None
