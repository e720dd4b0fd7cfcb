"""The log in PostgreSQL, which may be on another machine and may be gone for a while: what is asked then waits for it.

An append is one statement for all the matches that have something to say. It locks their versions, in order, advances
those that are what the writer believed them to be, and inserts the rows of these alone. So no row can ever stand on
something that is not there, whoever else writes. What came of an append that was cut off shows when the line is back:
every row has its writer's number.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import secrets
import time
from collections.abc import Awaitable, Callable, Iterable, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any, TypeVar

import asyncpg

from ubongo.server.log import Commits, Entry, Lost, Overtaken, Recorded, Row, Span, Statement, Unrecorded
from ubongo.server.log.postgres_schema import migrate, named
from ubongo.server.log.schema import BadLog

if TYPE_CHECKING:
    from asyncpg import Connection
    from asyncpg.pool import Pool

Got = TypeVar("Got")
log = logging.getLogger("ubongo.server.log")

# Held by the connection that writes: without it nobody appends.
SERVING = 0x55626F6E_00000002

READERS = 8
# So often the time is asked for, one after the other.
TIMES = 5
CONNECT_S = 5.0
# A statement that takes longer will not be answered any more.
ANSWER_S = 10.0
# Whoever asks something by HTTP does not wait longer than this for a database that is away.
PATIENCE_S = 10.0
RETRY_S = 0.2
# A server that was killed just now may still seem to hold the database.
TAKE_OVER_S = 5.0
# So many matches' histories are fetched at once.
MATCHES_AT_ONCE = 200

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
_TIME = "select cast(extract(epoch from clock_timestamp()) * 1000000 as bigint)"
_HISTORIES = "select match, version, at, events from log where match = any($1::bigint[]) order by match, version"
# What is told is on the disk, also where somebody has made the whole machine careless. A move or two at a time are
# recorded in less time than it takes to plan how: planned once, a statement serves for ever.
_CAREFUL = """
    select set_config('synchronous_commit', 'on', false) where current_setting('synchronous_commit') = 'off';
    set plan_cache_mode = force_generic_plan
"""


class Taken(Exception):
    """Another server holds the database."""


# The line is cut or the database is away: it comes back, and nobody can say yet what became of the last statement.
AWAY = (
    asyncpg.PostgresConnectionError,
    asyncpg.OperatorInterventionError,
    asyncpg.TransactionRollbackError,
    asyncpg.TooManyConnectionsError,
    asyncpg.InterfaceError,
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
    if not isinstance(value, str):
        return value
    return value.encode(errors="replace").decode().replace("\0", "\N{REPLACEMENT CHARACTER}")


async def connected(url: str, answer: float | None = ANSWER_S) -> Connection:
    connection = await asyncpg.connect(
        url, timeout=CONNECT_S, command_timeout=answer, server_settings={"application_name": "ubongo"}
    )
    await connection.execute(_CAREFUL)
    return connection


async def own_line(url: str, answer: float | None = ANSWER_S) -> Connection:
    """A connection that holds the database."""
    line = await connected(url, answer)
    if not await line.fetchval("select pg_try_advisory_lock($1)", SERVING):
        await line.close()
        raise Taken("another server has taken the database")
    return line


async def taken(url: str, answer: float | None = ANSWER_S) -> Connection:
    """The same, as soon as it can be had; BadLog if it cannot."""
    until = time.monotonic() + TAKE_OVER_S
    while True:
        try:
            return await own_line(url, answer)
        except Taken:
            if time.monotonic() > until:
                raise BadLog(f"{named(url)} is in use by another server. Choose another one with --db.") from None
            await asyncio.sleep(RETRY_S)
        except (asyncpg.PostgresError, asyncpg.InterfaceError, OSError, TimeoutError, ValueError) as problem:
            why = " ".join(str(problem).split()) or "it does not answer"
            raise BadLog(f"{named(url)} cannot be used: {why}. --db names the database.") from None


async def prepared(url: str) -> None:
    """Whether this database can be the log: it is there, it is ours, and it has today's form. Else BadLog."""
    line = await taken(url)
    try:
        await migrate(line, url)
        if await line.fetchval("select exists (select 1 from moving)"):
            raise BadLog(f"A move into {named(url)} is not finished. Go on with it: ubongo move.")
    except asyncpg.PostgresError as problem:
        raise BadLog(f"{named(url)} cannot be used: {problem}. --db names the database.") from None
    finally:
        await line.close()


class Writer:
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


class PostgresLog:
    """One database, one server: a second one on it is refused."""

    # A match's rows are found by its number, so nobody has to remember where they lie.
    end = "0"

    def __init__(self, url: str) -> None:
        self.url = url
        self.problem: str | None = None
        self.watch: Commits = lambda _rows, _seconds: None
        self._writer = Writer(lambda: own_line(url), self._complain)
        self._gathered: list[Entry] = []
        self._something = asyncio.Event()
        self._quiet = asyncio.Event()
        self._quiet.set()
        self._closing = False

    async def start(self, recorded: Recorded, lost: Lost) -> None:
        """Raises BadLog if another server has the database."""
        self._recorded, self._lost = recorded, lost
        self._writer.line = await taken(self.url)
        self._pool: Pool = await asyncpg.create_pool(
            self.url, min_size=0, max_size=READERS, command_timeout=ANSWER_S, timeout=CONNECT_S, init=_careful
        )
        self._writing = asyncio.create_task(self._run())

    def _complain(self, problem: str) -> None:
        self.problem = problem

    # Appending

    def append(self, entry: Entry) -> None:
        self._gathered.append(entry)
        self._something.set()
        self._quiet.clear()

    async def _run(self) -> None:
        while True:
            await self._something.wait()
            self._something.clear()
            while self._gathered:
                batch, self._gathered = self._gathered, []
                await self._put(batch)
            self._quiet.set()
            if self._closing:
                return

    async def _put(self, batch: list[Entry]) -> None:
        """Recorded or lost, every entry; while the database is away it is neither."""
        began = time.perf_counter()
        asked: dict[int, tuple[int, int]] = {}
        for entry in batch:
            first, _ = asked.get(entry.match, (entry.since, 0))
            asked[entry.match] = (first, entry.rows[-1].version if entry.rows else entry.since)
        rows = [row for entry in batch for row in entry.rows]
        try:
            won = await self._writer.append(asked, rows)
            problem: Unrecorded = Overtaken("somebody else has written to this match")
        except asyncpg.PostgresError as refused:
            won, problem = set(), Unrecorded(str(refused))
            self.problem = str(refused)
        else:
            self.problem = None
            self.watch(len(rows), time.perf_counter() - began)
        lost = [entry for entry in batch if entry.match not in won]
        if lost:
            # What was played meanwhile stands on what is lost.
            matches = {entry.match for entry in lost}
            lost += [entry for entry in self._gathered if entry.match in matches]
            self._gathered = [entry for entry in self._gathered if entry.match not in matches]
            # At once: what is appended from here on must not stand on it either, or it might fit by chance.
            try:
                self._lost(lost, problem)
            except Exception:
                log.exception("what was lost could not be told")
        if kept := [entry for entry in batch if entry.match in won]:
            # The database works while we tell.
            asyncio.get_running_loop().call_soon(self._recorded, kept)

    async def close(self) -> None:
        """What was appended is written first, if the database is there."""
        self._closing = True
        self._something.set()
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._writing, PATIENCE_S)
        self._writer.close()
        self._pool.terminate()

    # Writing and reading

    async def write(self, *statements: Statement) -> None:
        began = time.monotonic()
        if not statements:
            await self._quiet.wait()
        while statements:
            number: str | None = None
            try:
                async with self._pool.acquire(timeout=CONNECT_S) as line, line.transaction():
                    number = await line.fetchval("select cast(pg_current_xact_id() as text)")
                    for statement, values in statements:
                        await line.execute(numbered(statement), *values)
                return
            except AWAY as problem:
                if number is not None and await self._committed(number):
                    return
                if time.monotonic() - began > PATIENCE_S:
                    raise Unrecorded(str(problem)) from None
                await asyncio.sleep(RETRY_S)
            except asyncpg.PostgresError as problem:
                raise Unrecorded(str(problem)) from None

    async def _committed(self, number: str) -> bool:
        """What became of a transaction whose end was not heard."""
        while True:
            [[status]] = await self.read("select pg_xact_status(cast(cast(? as text) as xid8))", (number,))
            if status != "in progress":
                return bool(status == "committed")
            await asyncio.sleep(RETRY_S)

    async def read(self, statement: str, values: tuple[Any, ...] = ()) -> list[Any]:
        wanted, given = numbered(statement), [storable(value) for value in values]
        return [tuple(row) for row in await self._patiently(lambda line: line.fetch(wanted, *given))]

    async def _patiently(self, ask: Callable[[Connection], Awaitable[Got]]) -> Got:
        began = time.monotonic()
        while True:
            try:
                async with self._pool.acquire(timeout=CONNECT_S) as line:
                    return await ask(line)
            except AWAY as problem:
                if time.monotonic() - began > PATIENCE_S:
                    raise Unrecorded(str(problem) or "the database does not answer") from None
                await asyncio.sleep(RETRY_S)

    async def histories(self, spans: Sequence[Span]) -> dict[int, list[Row]]:
        found: dict[int, list[Row]] = {one.match: [] for one in spans}
        for some in _pieces(list(found), MATCHES_AT_ONCE):
            for row in await self._patiently(lambda line, some=some: line.fetch(_HISTORIES, some)):  # type: ignore[misc]
                found[row[0]].append(Row(*row))
        return found

    async def time(self) -> tuple[int, int]:
        """Of a few answers the quickest: it cannot be off by more than it took."""
        answers = []
        for _ in range(TIMES):
            asked = time.monotonic_ns()
            [[at]] = await self.read(_TIME)
            heard = time.monotonic_ns()
            answers.append((heard - asked, int(at) * 1000, (asked + heard) // 2))
        _, at, then = min(answers)
        return at, then

    # Matches

    async def new_match(self) -> int:
        [[number]] = await self.read("select nextval('match_numbers')")
        return int(number)

    def opening(self, match: int) -> Sequence[Statement]:
        return [("insert into versions values (?, 0)", (match,))]

    def forgetting(self, span: Span) -> Sequence[Statement]:
        return [(f"delete from {table} where match = ?", (span.match,)) for table in ("log", "versions")]  # noqa: S608


async def _careful(line: Connection) -> None:
    await line.execute(_CAREFUL)


def _pieces(all_of_them: list[int], size: int) -> Iterable[list[int]]:
    return (all_of_them[start : start + size] for start in range(0, len(all_of_them), size))
