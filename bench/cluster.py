"""How much a cluster takes: `python -m bench.cluster [appends] [moves] [killed]`; prints figures, keeps none.

A PostgreSQL of its own, with every commit on the disk, and a NATS. All moves are real ones by the rules of Extreme, at
tables of four. What others do on the machine counts too: look at the load that is printed first. The processor's time
is what is compared, since servers, database, news and players all share the machine.
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
import time
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Callable, Sequence
from itertools import count

import uvloop

from bench.appends import appends
from bench.houses import Guest, Houses, houses
from bench.players import SEATS, at_pace, go_home, open_tables, sit_down
from bench.tables import figure
from tests.nats import Nats
from tests.postgres import Postgres

MOST_COST = 1.2
MOST_TOLD_MS = 25.0
MOST_KILLED_S = 5.0
PEOPLE = 2000
EVERY_S = 2.0
# Processes learn within a second who else has a table open, and put away within five what nobody is at.
WARM_S = 2.0
TIDY_S = 7.0
# As the page comes back: after this, then after twice as long, half of it by luck.
FIRST_RETRY_S = 0.5


async def guests(place: Houses, people: int, together: bool) -> list[Guest]:
    """Everybody at their tables, a table in one house or in all of them."""
    addresses = place.addresses
    opened = await asyncio.gather(
        *(open_tables(address, people // SEATS // len(addresses), "extreme") for address in addresses)
    )
    turns = count()
    found = [
        Guest(table, token, house if together else next(turns) % len(addresses))
        for house, seats in enumerate(opened)
        for table, token in seats
    ]
    for first in range(0, len(found), 100):
        some = found[first : first + 100]
        await asyncio.gather(*(sit_down(one, addresses[one.house], one.at) for one in some))
    await until(lambda: all(one.moves for one in found))
    return found


async def until(condition: Callable[[], bool]) -> None:
    async with asyncio.timeout(120):
        while not condition():  # noqa: ASYNC110 - tens of thousands of frames on
            await asyncio.sleep(0.01)


def elsewhere(found: Sequence[Guest], since: Callable[[tuple[float, float, int]], float]) -> list[float]:
    """How long, in ms, until those at the same table but in another house were told of each move."""
    tables: dict[str, list[Guest]] = defaultdict(list)
    for one in found:
        tables[one.at].append(one)
    times = []
    for table in tables.values():
        for one in table:
            for other in (other for other in table if other.house != one.house):
                for answer in one.answers:
                    place = bisect_left(other.told, (answer[2], 0.0))
                    if place < len(other.told):
                        times.append((other.told[place][1] - since(answer)) * 1000)
    return sorted(times)


async def moves(
    place: Houses, together: bool, seconds: float, warm_s: float = WARM_S
) -> tuple[float, str, list[Guest]]:
    """The processor's µs of the servers a move, and all of it in words."""
    found = await guests(place, PEOPLE, together)
    await at_pace(found, EVERY_S, warm_s)
    for one in found:
        one.told, one.answers = [], []
    # The players' own housekeeping must not be taken for the servers'.
    gc.collect()
    gc.freeze()
    before = place.spent()
    asked = await at_pace(found, EVERY_S, seconds)
    spent = place.spent().since(before)
    answered = sum(len(one.answers) for one in found)
    await go_home(list(found))
    cost, database, news = (part / asked * 1e6 for part in spent)
    words = f"{cost:.0f} µs of the servers', {database:.0f} µs of the database's and {news:.0f} µs of NATS' CPU a move"
    return cost, f"{words}; {answered / asked:.1%} answered", found


def all_moves(postgres: Postgres, nats: Nats, seconds: float) -> None:
    people = f"{PEOPLE:,} players, a move every {EVERY_S:.0f} s each"
    with houses(1, postgres, nats) as place:
        alone, words, _ = asyncio.run(moves(place, together=True, seconds=seconds))
        figure(f"one process, {people}: {words}")
    goal = f"at most {MOST_COST}× one process' CPU"
    with houses(1, postgres, nats, "--workers", "2") as place:
        cost, words, _ = asyncio.run(moves(place, together=True, seconds=seconds, warm_s=TIDY_S))
        text = f"two workers at one port, people coming to either: {words}, {cost / alone:.2f}× of one"
        figure(text, (goal, cost <= MOST_COST * alone))
    for together, how in ((True, "each table in one of them"), (False, "each table in both")):
        with houses(2, postgres, nats) as place:
            cost, words, found = asyncio.run(moves(place, together=together, seconds=seconds))
        figure(f"two processes, {how}: {words}, {cost / alone:.2f}× of one", (goal, cost <= MOST_COST * alone))
        if not together:
            told, asked = elsewhere(found, lambda one: one[1]), elsewhere(found, lambda one: one[0])
            text = f"told by the other process: {quantiles(told)} after the answer, {quantiles(asked)} after the ask"
            figure(text, (f"p99 at most {MOST_TOLD_MS:.0f} ms", told[int(len(told) * 0.99)] <= MOST_TOLD_MS))


def quantiles(times: Sequence[float]) -> str:
    return f"p50 {times[len(times) // 2]:.1f} ms, p99 {times[int(len(times) * 0.99)]:.1f} ms"


async def lost(place: Houses, people: int) -> list[float]:
    """Seconds until each of those who were at the process that is killed had a move answered again."""
    found = await guests(place, people, together=False)
    addresses, victims = place.addresses, [one for one in found if one.house == 1]
    others = [one for one in found if one.house == 0]
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
    with houses(2, postgres, nats) as place:
        times = asyncio.run(lost(place, 400))
    text = f"a process is killed: its {len(times)} players play on after {times[len(times) // 2]:.1f} s, the last after"
    figure(f"{text} {times[-1]:.1f} s", (f"at most {MOST_KILLED_S:.0f} s", times[-1] <= MOST_KILLED_S))


PARTS: dict[str, Callable[[Postgres, Nats, float], None]] = {
    "appends": lambda postgres, _, seconds: appends(postgres, seconds),
    "moves": all_moves,
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
