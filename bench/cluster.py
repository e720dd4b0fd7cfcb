"""How much a log in PostgreSQL takes: `python -m bench.cluster [--seconds N]`; prints figures, keeps none.

A PostgreSQL of its own, with every commit on the disk. Writers append batches of 50 events, each of another match, and
believe what they last knew: first one of them, then two processes on the same 200 matches, where who is late reads on.
Then the log is looked through for gaps, duplicates and claims that are not in it. What others do on the machine counts
too: look at the load that is printed first.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import random
import resource
import time
from collections import Counter
from pathlib import Path
from typing import NamedTuple

import uvloop
from msgspec import Raw

from tests.postgres import Postgres, asked
from ubongo.server.log import Row
from ubongo.server.log.postgres import PostgresLog, Writer, connected, prepared
from ubongo.server.log.register import Opening, Register

LEAST_EVENTS_S = 30_000
MATCHES = 200
BATCH = 50
EVENT = b'[{"type":"placed","seat":2,"piece":3,"turn":4,"at":[21,19]}]'


class Wrote(NamedTuple):
    claims: list[tuple[int, int]]
    late: int
    trouble: list[str]
    cpu: float


async def write(url: str, matches: list[int], seconds: float, seed: int) -> Wrote:
    luck, trouble, late = random.Random(seed), list[str](), 0
    claims: list[tuple[int, int]] = []
    writer, reader = Writer(lambda: connected(url), trouble.append), await connected(url)
    known = dict.fromkeys(matches, 0)
    until = time.perf_counter() + seconds
    while time.perf_counter() < until:
        some = luck.sample(matches, BATCH)
        won = await writer.append(
            {one: (known[one], known[one] + 1) for one in some}, [Row(one, known[one] + 1, 0, EVENT) for one in some]
        )
        claims += [(one, known[one] + 1) for one in won]
        known.update({one: known[one] + 1 for one in won})
        if behind := [one for one in some if one not in won]:
            late += len(behind)
            known.update(await reader.fetch("select match, version from versions where match = any($1)", behind))
    await reader.close()
    writer.close()
    used = resource.getrusage(resource.RUSAGE_SELF)
    return Wrote(claims, late, trouble, used.ru_utime + used.ru_stime)


def _process(url: str, matches: list[int], seconds: float, seed: int, done: multiprocessing.Queue[Wrote]) -> None:
    done.put(uvloop.run(write(url, matches, seconds, seed)))


async def opened(url: str) -> list[int]:
    await prepared(url)
    log = PostgresLog(url)
    await log.start(lambda _: None, lambda _, __: None)
    opening = Opening("extreme", ("Ann", "Bo"), "abc", Raw(b"{}"))
    matches = [(await Register(log).open_match("t", opening, b"{}", 0)).match for _ in range(MATCHES)]
    await log.close()
    return matches


async def audit(url: str, claims: list[tuple[int, int]]) -> list[str]:
    """What is wrong with the log; nothing, if it is right."""
    rows = [
        (int(str(match)), int(str(version))) for match, version in await asked(url, "select match, version from log")
    ]
    last = {int(str(match)): int(str(version)) for match, version in await asked(url, "select * from versions")}
    whole = {(match, version) for match, upto in last.items() for version in range(1, upto + 1)}
    faults = {
        "duplicates": sum(number - 1 for number in Counter(rows).values()),
        "gaps": len(whole - set(rows)),
        "rows that nobody claims": len(set(rows) - set(claims)),
        "claims that are not there": len(set(claims) - set(rows)),
        "claimed twice": len(claims) - len(set(claims)),
    }
    return [f"{number} {what}" for what, number in faults.items() if number]


def run(server: Postgres, writers: int, seconds: float) -> bool:
    url = server.database()
    matches = uvloop.run(opened(url))
    before = database_cpu(server)
    done: multiprocessing.Queue[Wrote] = multiprocessing.Queue()
    tasks = [
        multiprocessing.Process(target=_process, args=(url, matches, seconds, seed, done)) for seed in range(writers)
    ]
    for task in tasks:
        task.start()
    wrote = [done.get() for _ in tasks]
    for task in tasks:
        task.join()
    theirs = database_cpu(server) - before
    claims = [claim for one in wrote for claim in one.claims]
    faults = [*uvloop.run(audit(url, claims)), *[problem for one in wrote for problem in one.trouble]]
    rate, late = len(claims) / seconds, sum(one.late for one in wrote)
    own, theirs = (used / len(claims) * 1e6 for used in (sum(one.cpu for one in wrote), theirs))
    print(
        f"{writers} writer{'s' * (writers > 1)}: {rate:,.0f} events/s, {late / (late + len(claims)):.0%} came late, "
        f"{own:.0f} µs of the writers' and {theirs:.0f} µs of the database's CPU an event; "
        f"{', '.join(faults) or 'no gap, no duplicate, no deadlock'}"
    )
    return not faults and rate >= LEAST_EVENTS_S


def database_cpu(server: Postgres) -> float:
    """Seconds that the server and all its processes have had, also those that are gone."""
    main_one, ticks = server.process.pid, 0
    for place in Path("/proc").glob("[0-9]*/stat"):
        try:
            parts = place.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(place.parent.name) == main_one:
            # With those of its children that are gone.
            ticks += sum(map(int, parts[11:15]))
        elif int(parts[1]) == main_one:
            ticks += sum(map(int, parts[11:13]))
    return ticks / os.sysconf("SC_CLK_TCK")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=5)
    wanted = parser.parse_args()
    print(
        f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}; wanted: {LEAST_EVENTS_S:,} events/s, {BATCH} at a time"
    )
    server = Postgres(fsync="on")
    reached = [run(server, writers, wanted.seconds) for writers in (1, 2)]
    print("reached" if all(reached) else "NOT reached")


if __name__ == "__main__":
    main()
