"""How many appends a log in PostgreSQL takes by compare-and-set, in batches of 50; for bench/cluster.py.

Processes append over several connections at once, each to matches of its own. Two processes append to the same matches
and read on after a version conflict. Then the log is checked for gaps, duplicates and lost appends. The commit rate
of the disk is measured before and after: one connection cannot append more batches than that.
"""

from __future__ import annotations

import asyncio
import multiprocessing
import random
import time
from collections import Counter
from decimal import Decimal
from typing import Any, NamedTuple

import uvloop
from msgspec import Raw

from bench.serving import family_s
from bench.tables import figure
from tests.postgres import Postgres, fetch
from ubongo.match_file import Opening
from ubongo.server.clock import Timestamp
from ubongo.server.store import Row
from ubongo.server.store.lobby_store import LobbyStore
from ubongo.server.store.postgres import PostgresLog
from ubongo.server.store.postgres_connection import connect, prepare
from ubongo.server.store.postgres_writer import PostgresWriter
from ubongo.table import Instant

LEAST_EVENTS_S = 30_000
BATCH = 50
MATCHES = 200
LINES = 8
EVENT = b'[{"type":"placed","seat":2,"piece":3,"turn":4,"at":[21,19]}]'
# The smallest commit that has to be on the disk.
COMMIT = "select pg_logical_emit_message(true, 'ubongo', '')"
COMMITS_FOR_S = 1.0


class Wrote(NamedTuple):
    claims: list[tuple[int, int]]
    late: int
    trouble: list[str]
    cpu: float


async def write(url: str, matches: list[int], batch: int, until: float, seed: int) -> Wrote:
    """One connection: batch after batch, each to other matches, at the versions it last saw."""
    luck, trouble, late = random.Random(seed), list[str](), 0
    claims: list[tuple[int, int]] = []
    writer, reader = PostgresWriter(lambda: connect(url), trouble.append), await connect(url)
    known = dict.fromkeys(matches, 0)
    while time.perf_counter() < until:
        some = luck.sample(matches, batch)
        won = await writer.append(
            {one: (known[one], known[one] + 1) for one in some},
            [Row(one, known[one] + 1, Instant(0), EVENT) for one in some],
        )
        claims += [(one, known[one] + 1) for one in won]
        known.update({one: known[one] + 1 for one in won})
        if behind := [one for one in some if one not in won]:
            late += len(behind)
            known.update(await reader.fetch("select match, version from versions where match = any($1)", behind))
    await reader.close()
    writer.close()
    return Wrote(claims, late, trouble, 0.0)


async def write_all(url: str, groups: list[list[int]], batch: int, seconds: float, seed: int) -> Wrote:
    before, until = time.process_time(), time.perf_counter() + seconds
    lines = [write(url, matches, batch, until, seed * LINES + line) for line, matches in enumerate(groups)]
    wrote = await asyncio.gather(*lines)
    return Wrote(
        [claim for one in wrote for claim in one.claims],
        sum(one.late for one in wrote),
        [problem for one in wrote for problem in one.trouble],
        time.process_time() - before,
    )


def _process(done: multiprocessing.Queue[Wrote], *what: Any) -> None:
    done.put(uvloop.run(write_all(*what)))


async def opened(url: str, number: int) -> list[int]:
    await prepare(url)
    log = PostgresLog(url)
    await log.start(lambda _: None, lambda _, __: None)
    opening = Opening("extreme", ("Ann", "Bo"), "abc", Raw(b"{}"))
    register = LobbyStore(log)
    played = await asyncio.gather(*(register.open_match("t", opening, b"{}", Timestamp(0)) for _ in range(number)))
    await log.close()
    return [one.match for one in played]


async def audit(url: str, claims: list[tuple[int, int]]) -> list[str]:
    """The faults of the log; empty, if it is correct."""
    rows = [
        (int(str(match)), int(str(version))) for match, version in await fetch(url, "select match, version from log")
    ]
    last = {int(str(match)): int(str(version)) for match, version in await fetch(url, "select * from versions")}
    whole = {(match, version) for match, upto in last.items() for version in range(1, upto + 1)}
    faults = {
        "duplicates": sum(number - 1 for number in Counter(rows).values()),
        "gaps": len(whole - set(rows)),
        "rows that nobody claims": len(set(rows) - set(claims)),
        "claims that are not there": len(set(claims) - set(rows)),
        "claimed twice": len(claims) - len(set(claims)),
    }
    return [f"{number} {what}" for what, number in faults.items() if number]


async def wal(url: str) -> int:
    """The size of the write-ahead log so far."""
    [[there]] = await fetch(url, "select pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')")
    return int(Decimal(str(there)))


async def commits(url: str, lines: int) -> float:
    """How many minimal commits the database makes per second."""
    open_lines = [await connect(url) for _ in range(lines)]
    until, done = time.perf_counter() + COMMITS_FOR_S, 0

    async def again(line: object) -> None:
        nonlocal done
        while time.perf_counter() < until:
            await line.execute(COMMIT)  # type: ignore[attr-defined] # asyncpg's, which has no types at run time
            done += 1

    await asyncio.gather(*map(again, open_lines))
    for line in open_lines:
        await line.close()
    return done / COMMITS_FOR_S


def run(server: Postgres, processes: int, lines: int, batch: int, seconds: float) -> None:
    url, each = server.database(), max(MATCHES, batch)
    matches = uvloop.run(opened(url, lines * each))
    groups = [matches[first : first + each] for first in range(0, len(matches), each)]
    disk, before, written = uvloop.run(commits(url, lines)), family_s(server.process.pid), uvloop.run(wal(url))
    done: multiprocessing.Queue[Wrote] = multiprocessing.Queue()
    tasks = [
        multiprocessing.Process(target=_process, args=(done, url, groups, batch, seconds, seed))
        for seed in range(processes)
    ]
    for task in tasks:
        task.start()
    wrote = [done.get() for _ in tasks]
    for task in tasks:
        task.join()
    theirs, written = family_s(server.process.pid) - before, uvloop.run(wal(url)) - written
    claims = [claim for one in wrote for claim in one.claims]
    faults = [*uvloop.run(audit(url, claims)), *[problem for one in wrote for problem in one.trouble]]
    rate, late = len(claims) / seconds, sum(one.late for one in wrote)
    own, theirs = (used / len(claims) * 1e6 for used in (sum(one.cpu for one in wrote), theirs))
    text = (
        f"appends, {batch} at a time on {processes} × {lines} lines: {rate:,.0f} events/s, "
        f"{late / (late + len(claims)):.0%} came late, {own:.0f} µs of the writers' and {theirs:.0f} µs of the "
        f"database's CPU and {written / len(claims):.0f} bytes of WAL an event; "
        f"{', '.join(faults) or 'no gap, no duplicate, no deadlock'}; the disk took {disk:,.0f} commits/s on as many"
    )
    reached = (f"at least {LEAST_EVENTS_S:,} events/s", not faults and rate >= LEAST_EVENTS_S)
    figure(text, *([reached] if lines > 1 else []))


def appends(server: Postgres, seconds: float) -> None:
    """On one connection every batch waits for the disk; servers then append more at once, and lose no throughput."""
    run(server, 1, 1, BATCH, seconds)
    run(server, 1, 1, LINES * BATCH, seconds)
    run(server, 1, LINES, BATCH, seconds)
    run(server, 2, LINES, BATCH, seconds)
