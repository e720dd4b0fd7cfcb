"""The capacity of a server: `python -m bench.server [--peers]`; prints figures, stores none.

The server has one core, the players the other. All moves are real ones by the rules of Extreme and of the card game, at
tables of four, and durable (SQLite, synchronous=FULL) before they are answered. Other load on the machine counts
too: look at the load that is printed first.

With --peers, boardgame.io and Colyseus play the same rounds of Extreme beside it, installed in bench/peers.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import os
import resource
import sqlite3
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

import msgspec
import uvloop

from bench.players import Player, at_pace, connect, go_home, open_tables
from bench.race import HEATS, race
from bench.racers import DEEP
from bench.serving import PEERS, Server, serving
from bench.tables import figure
from hatch_build import install
from tests.play import lays
from ubongo.games import GAMES
from ubongo.moves import AnyMove
from ubongo.server.clock import Timestamp
from ubongo.server.store.schema import migrate
from ubongo.server.tables.table_setup import SeatSetup, TableSetup
from ubongo.table import Instant, SeatNo
from ubongo.virtual import VirtualTable

# Goals.
LEAST_MOVES_S = 25_000
MOST_KIB = 24
MOST_P50_MS = {2000: 1.0}
MOST_P99_MS = {4000: 10.0, 6000: 20.0}
MOST_RECOVERY_S = 2.0


async def saturated(server: Server, game: str, tables: int, seconds: float) -> float:
    """Moves per second at saturation: everybody moves again as soon as they are answered."""
    answered = refused = 0
    running = True

    def done(player: Player, no: bool) -> None:
        nonlocal answered, refused
        answered += 1
        refused += no
        if running:
            player.play()

    players = await connect(server.address, await open_tables(server.address, tables, game), done)
    for player in players:
        for _ in range(DEEP):
            player.play()
    await asyncio.sleep(1)
    before, began = answered, time.perf_counter()
    await asyncio.sleep(seconds)
    rate = (answered - before) / (time.perf_counter() - began)
    running = False
    await go_home(players)
    assert refused == 0, f"{refused} moves were refused"
    return rate


class Wait(NamedTuple):
    p50: float
    p99: float
    answered: float


async def paced(server: Server, game: str, people: int, seconds: float) -> list[Wait]:
    """Players at two moves a second each, answered or not: latencies in ms, and the answered share, by heat."""
    times: list[float] = []

    def done(_: Player, __: bool) -> None:
        pass

    players = await connect(server.address, await open_tables(server.address, people // 4, game), done)

    def took(player: Player, _: bool) -> None:
        times.append(time.perf_counter() - player.due)

    for player in players:
        player.done = took
    # The players' garbage collection must not count as the server's latency.
    gc.collect()
    gc.freeze()
    found = []
    for _ in range(HEATS):
        times.clear()
        total = await at_pace(players, 0.5, seconds)
        times.sort()
        found.append(Wait(times[len(times) // 2] * 1000, times[int(len(times) * 0.99)] * 1000, len(times) / total))
    await go_home(players)
    return found


async def held(server: Server, people: int) -> float:
    """The memory of a connection, in KiB."""
    seats = await open_tables(server.address, people // 4, "extreme")
    before = server.kib()
    players = await connect(server.address, seats, lambda _, __: None)
    cost = (server.kib() - before) / len(players)
    # Pings come every few seconds: a client that does not answer would have been dropped by now.
    await asyncio.sleep(15)
    assert not any(player.transport is None or player.transport.is_disconnected for player in players)
    await go_home(players)
    return cost


def running_tables(db: Path, tables: int, events: int) -> None:
    """A file as after a crash: matches in the middle of a round."""
    connection = sqlite3.connect(db, isolation_level=None)
    migrate(connection)
    game = GAMES["extreme"]
    names = ("Ann", "Bo", "Cy", "Di")
    match = VirtualTable(game, names, game.OPTIONS(), "abc")
    for seat in range(4):
        match.ask(SeatNo(seat), msgspec.convert({"type": "ready"}, AnyMove), Instant(0))
    task = match.table.seats[0].task
    assert task is not None
    while len(match.log) < events:
        laid = match.table.seats[0].laid
        move = {"type": "lift", "piece": 0} if laid else next(lays("extreme", msgspec.to_builtins(task)))
        match.ask(SeatNo(0), msgspec.convert(move, AnyMove), Instant(1))
    now = time.time_ns() // 1_000_000
    opening = msgspec.json.encode({"game": "extreme", "seats": names, "seed": "abc", "options": {}})
    chairs = tuple(SeatSetup(f"p{seat}", name) for seat, name in enumerate(names))
    plan = msgspec.json.encode(TableSetup("extreme", msgspec.Raw(b"{}"), chairs, "p0", False, Timestamp(now)))
    rows = [(line.version, line.at, msgspec.json.encode([line.event])) for line in match.log]
    connection.execute("begin")
    for number in range(1, tables + 1):
        connection.execute("insert into tables values (?, 'running', ?, ?)", (f"t{number}", plan, now))
        connection.execute(
            "insert into matches values (?, ?, ?, ?, 0, null, null)", (number, f"t{number}", opening, now)
        )
        connection.executemany(
            "insert into log (match, version, at, events) values (?, ?, ?, ?)", [(number, *row) for row in rows]
        )
    connection.execute("commit")
    connection.close()


def latency_goals(people: int, p50: float, p99: float) -> list[tuple[str, bool]]:
    wanted = [("p50", p50, MOST_P50_MS.get(people)), ("p99", p99, MOST_P99_MS.get(people))]
    return [(f"{what} at most {most:.0f} ms", found <= most) for what, found, most in wanted if most is not None]


def memory(kib: float, people: int) -> None:
    goal = f"at most {MOST_KIB} KiB", kib <= MOST_KIB
    figure(f"{kib:.1f} KiB a connection, of {people:,}, all of them held", goal)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=5)
    parser.add_argument("--people", type=int, nargs="*", default=[2000, 4000, 6000])
    parser.add_argument("--idle", type=int, default=10_000)
    parser.add_argument("--peers", action="store_true")
    asked = parser.parse_args()
    if asked.peers:
        install(PEERS)
    print(f"load of the machine before: {os.getloadavg()[0]:.1f}")
    os.sched_setaffinity(0, {1})
    resource.setrlimit(resource.RLIMIT_NOFILE, (resource.getrlimit(resource.RLIMIT_NOFILE)[1],) * 2)
    uvloop.install()
    with tempfile.TemporaryDirectory() as folder:
        for game in ("extreme", "cards"):
            with serving(Path(folder) / f"{game}.db") as server:
                rate = asyncio.run(saturated(server, game, 100, asked.seconds))
                text = f"{game}: {rate:,.0f} durable moves/s at saturation, 400 players"
                figure(text, (f"at least {LEAST_MOVES_S:,}", rate >= LEAST_MOVES_S))
        race(Path(folder), asked.seconds, asked.peers)
        for people in asked.people:
            with serving(Path(folder) / f"paced-{people}.db") as server:
                heats = asyncio.run(paced(server, "extreme", people, asked.seconds))
                p50, p99, part = sorted(heats, key=lambda heat: heat.p99)[HEATS // 2]
                text = f"extreme: {people} players × 2 moves/s: p50 {p50:.1f} ms, p99 {p99:.1f} ms, {part:.1%} answered"
                each = ", ".join(f"{heat.p99:.1f}" for heat in heats)
                figure(f"{text}, the middle of p99 {each} ms", *latency_goals(people, p50, p99))
        with serving(Path(folder) / "held.db") as server:
            memory(asyncio.run(held(server, 2000)), 2000)
        if asked.idle:
            with serving(Path(folder) / "idle.db") as server:
                memory(asyncio.run(held(server, asked.idle)), asked.idle)
        with serving(Path(folder) / "empty.db") as server:
            empty = server.started_s
        running_tables(Path(folder) / "running.db", 1000, 300)
        with serving(Path(folder) / "running.db") as server:
            took = server.started_s - empty
            text = f"1,000 tables of 300 events go on after {took:.2f} s, beside a start's {empty:.2f} s"
            figure(text, (f"at most {MOST_RECOVERY_S:.0f} s", took <= MOST_RECOVERY_S))


if __name__ == "__main__":
    main()
