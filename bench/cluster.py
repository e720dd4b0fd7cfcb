"""The capacity of a cluster: `python -m bench.cluster [appends] [moves] [scaled] [killed]`; prints only.

A PostgreSQL of its own, with every commit on the disk, and a NATS. All moves are real ones by the rules of Extreme, at
tables of four. Other load on the machine counts too: look at the load that is printed first. CPU time
is compared, since servers, database, NATS and players all share the machine.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import gc
import os
import random
import resource
import signal
import statistics
import time
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Callable, Sequence
from itertools import count
from typing import NamedTuple

import uvloop

from bench.appends import appends
from bench.cluster_servers import ClusterServers, Guest, cluster_servers, guests
from bench.crowd import EVERY_S, crowd
from bench.players import at_pace, at_will, go_home, sit_down, until
from bench.tables import figure
from tests.nats import Nats
from tests.postgres import Postgres

MOST_COST = 1.2
# With this many cores nothing competes for the CPU, and moves per second can be compared.
CORES_TO_SPARE = 8
LEAST_SCALED = 1.7
HEATS = 3
MOST_TOLD_MS = 25.0
MOST_KILLED_S = 5.0
PEOPLE = 2000
# None: as soon as they are answered. That saturates the machine, so CPU time decides how many
# moves two processes make compared with one. At a fixed pace the machine idles in between, and wakeups are most of the
# cost: two processes pay them twice, each for half as much work.
PACES_S = (None, 0.5, EVERY_S)
# By then the tables are open, and upkeep has archived the unused ones.
WARM_S = 20.0
# As the page reconnects: exponential backoff with jitter.
FIRST_RETRY_S = 0.5


def elsewhere(found: Sequence[Guest], since: Callable[[tuple[float, float, int]], float]) -> list[float]:
    """Milliseconds until clients of another server at the same table received each move."""
    tables: dict[str, list[Guest]] = defaultdict(list)
    for one in found:
        tables[one.at].append(one)
    times = []
    for table in tables.values():
        for one in table:
            for other in (other for other in table if other.server != one.server):
                for answer in one.answers:
                    place = bisect_left(other.told, (answer[2], 0.0))
                    if place < len(other.told):
                        times.append((other.told[place][1] - since(answer)) * 1000)
    return sorted(times)


class Cost(NamedTuple):
    """Moves per second, CPU µs per move, and the latency to clients of another server."""

    rate: float
    servers: float
    database: float
    news: float
    answered: float
    after_answer: list[float]
    after_ask: list[float]


async def seated(place: ClusterServers, together: bool) -> list[Guest]:
    found = await guests(place.addresses, PEOPLE, together)
    await at_pace(found, EVERY_S, WARM_S)
    # The players' garbage collection must not count as the servers' latency.
    gc.collect()
    gc.freeze()
    return found


async def cost(place: ClusterServers, found: Sequence[Guest], every_s: float | None, seconds: float) -> Cost:
    for one in found:
        one.told, one.answers = [], []
    before, began = place.spent(), time.perf_counter()
    asked = await (at_will(found, seconds) if every_s is None else at_pace(found, every_s, seconds))
    rate = asked / (time.perf_counter() - began)
    servers, database, news = (part / asked * 1e6 for part in place.spent().since(before))
    answered = sum(len(one.answers) for one in found) / asked
    told, told_of = elsewhere(found, lambda one: one[1]), elsewhere(found, lambda one: one[0])
    return Cost(rate, servers, database, news, answered, told, told_of)


async def compare(one: ClusterServers, other: ClusterServers, together: bool, how: str, seconds: float) -> None:
    """Alternates, so that the machine's current speed affects both alike."""
    alone, found = await seated(one, together=True), await seated(other, together)
    for every_s in PACES_S:
        heats = [
            (await cost(one, alone, every_s, seconds), await cost(other, found, every_s, seconds)) for _ in range(HEATS)
        ]
        ratios = [theirs.servers / ours.servers for ours, theirs in heats]
        ratio = statistics.median(ratios)
        ours, theirs = heats[ratios.index(ratio)]
        each = ", ".join(f"{one:.2f}" for one in ratios)
        fast = f"as fast as they can ({theirs.rate:,.0f} moves/s beside {ours.rate:,.0f})"
        pace = fast if every_s is None else f"a move every {every_s} s"
        text = f"{how}, {pace}: {theirs.servers:.0f} µs a move, {ratio:.2f}× of one process ({each})"
        goals = [(f"at most {MOST_COST}×", ratio <= MOST_COST)] if every_s is None and together else []
        figure(f"{text}, {theirs.answered:.1%} answered", *goals)
        print(
            f"  one process {ours.servers:.0f} µs; the database's part {theirs.database:.0f} beside "
            f"{ours.database:.0f} µs, NATS' {theirs.news:.0f} µs"
        )
        if every_s == EVERY_S and not together:
            told = [time for _, one in heats for time in one.after_answer]
            asked = [time for _, one in heats for time in one.after_ask]
            text = f"told by the other process: {quantiles(told)} after the answer, {quantiles(asked)} after the ask"
            figure(text, (f"p99 at most {MOST_TOLD_MS:.0f} ms", sorted(told)[int(len(told) * 0.99)] <= MOST_TOLD_MS))
    await go_home([*alone, *found])


def all_moves(postgres: Postgres, nats: Nats, seconds: float) -> None:
    print(f"{PEOPLE:,} players, beside one process with as many, the middle of {HEATS} heats:")
    for number, together, flags, how in (
        (1, True, ("--workers", "2"), "two workers at one port, people coming to either"),
        (2, True, (), "two processes, each table in one of them"),
        (2, False, (), "two processes, each table in both"),
    ):
        with cluster_servers(1, postgres, nats) as one, cluster_servers(number, postgres, nats, *flags) as other:
            asyncio.run(compare(one, other, together, how, seconds / HEATS))


def quantiles(times: Sequence[float]) -> str:
    times = sorted(times)
    return f"p50 {times[len(times) // 2]:.1f} ms, p99 {times[int(len(times) * 0.99)]:.1f} ms"


def scaled(postgres: Postgres, nats: Nats, seconds: float) -> None:
    def rate(number: int) -> float:
        with cluster_servers(number, postgres, nats) as place:
            return crowd(place.addresses, PEOPLE, seconds / HEATS)

    heats = sorted([(rate(1), rate(2)) for _ in range(HEATS)], key=lambda heat: heat[1] / heat[0])
    one, two = heats[HEATS // 2]
    ratio = two / one
    spare = (os.cpu_count() or 1) >= CORES_TO_SPARE
    goals = [(f"at least {LEAST_SCALED}×", ratio >= LEAST_SCALED)] if spare else []
    text = f"two processes, {PEOPLE:,} players in processes of their own: {two:,.0f} moves/s beside {one:,.0f} of one"
    figure(f"{text}, {ratio:.2f}×{'' if spare else f'; with {CORES_TO_SPARE} cores it would be judged'}", *goals)


async def lost(place: ClusterServers, people: int) -> list[float]:
    """Seconds until each client of the killed process had a move answered again."""
    found = await guests(place.addresses, people, together=False)
    addresses, victims = place.addresses, [one for one in found if one.server == 1]
    others = [one for one in found if one.server == 0]
    playing = asyncio.create_task(at_pace(others, EVERY_S, 2 * MOST_KILLED_S))
    await asyncio.sleep(1)
    place.servers[1].process.send_signal(signal.SIGKILL)
    killed = time.perf_counter()

    async def come_back(old: Guest) -> float:
        new = Guest(old.at, old.token, 0)
        for tries in count():
            await asyncio.sleep(FIRST_RETRY_S * 2**tries * random.uniform(0.5, 1))
            with contextlib.suppress(OSError):
                await sit_down(new, addresses[0], new.at)
                break
        await until(lambda: new.moves is not None)
        new.play()
        await until(lambda: not new.sent)
        return time.perf_counter() - killed

    times = await asyncio.gather(*map(come_back, victims))
    await playing
    await go_home(list(others))
    return sorted(times)


def killed(postgres: Postgres, nats: Nats, _: float) -> None:
    with cluster_servers(2, postgres, nats) as place:
        times = asyncio.run(lost(place, 400))
    text = f"a process is killed: its {len(times)} players play on after {times[len(times) // 2]:.1f} s, the last after"
    figure(f"{text} {times[-1]:.1f} s", (f"at most {MOST_KILLED_S:.0f} s", times[-1] <= MOST_KILLED_S))


PARTS: dict[str, Callable[[Postgres, Nats, float], None]] = {
    "appends": lambda postgres, _, seconds: appends(postgres, seconds),
    "moves": all_moves,
    "scaled": scaled,
    "killed": killed,
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("parts", nargs="*", help=f"of {', '.join(PARTS)}; without: all")
    parser.add_argument("--seconds", type=float, default=10)
    wanted = parser.parse_args()
    print(f"load of the machine before: {os.getloadavg()[0]:.1f}, of {os.cpu_count()} cores")
    resource.setrlimit(resource.RLIMIT_NOFILE, (resource.getrlimit(resource.RLIMIT_NOFILE)[1],) * 2)
    uvloop.install()
    postgres, nats = Postgres(fsync="on"), Nats()
    for part in wanted.parts or PARTS:
        PARTS[part](postgres, nats, wanted.seconds)


if __name__ == "__main__":
    main()
