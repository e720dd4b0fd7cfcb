"""The same loop of whole Extreme rounds on three servers, for bench/server.py: ours, boardgame.io's and Colyseus.

Ours has its rules and its durable log, boardgame.io the same rules and its own in-memory store, Colyseus neither: it
broadcasts every message. The same players, in the same process, play on all three.
"""

from __future__ import annotations

import asyncio
import statistics
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from urllib.parse import urlsplit

import msgspec
from picows import ws_connect

from bench.players import open_tables
from bench.racers import BoardgameRacer, ColyseusRacer, Racer, Tally, UbongoRacer, moves_by_match
from bench.rounds import OPTIONS, SEATS, deals
from bench.serving import Server, peer, serving

TABLES = 100
HEATS = 3
# Interleaved in each heat, so that other load on the machine affects all alike.
SERVERS = ("ubongo", "boardgame.io", "colyseus")
GOALS = {"boardgame.io": ("goal", 8), "colyseus": ("aim", 1)}
WARM_UP = TABLES * SEATS * 13  # moves: everybody's first round, to warm up just-in-time compilers


class Pace(msgspec.Struct, frozen=True):
    moves_s: float
    busy: float  # the share of its core that the server used; if much below 1, the players were the bottleneck


Seat = tuple[str, Racer]


async def heat(server: Server, seats: Sequence[Seat], tally: Tally, seconds: float) -> Pace:
    racers = [racer for _, racer in seats]
    for first in range(0, len(seats), 100):
        await asyncio.gather(*(ws_connect(giving(racer), path) for path, racer in seats[first : first + 100]))
    await reached(lambda: all(racer.seated for racer in racers), 60)
    for racer in racers:
        racer.ready()
    await reached(lambda: tally.answered >= WARM_UP, 60)
    answered, worked, began = tally.answered, server.worked_s(), time.perf_counter()
    await reached(lambda: tally.over or time.perf_counter() - began >= seconds, seconds + 60)
    took = time.perf_counter() - began
    pace = Pace((tally.answered - answered) / took, (server.worked_s() - worked) / took)
    assert tally.refused == 0, f"{tally.refused} moves were refused"
    # Every player has finished a whole round: otherwise unanswered moves would go unnoticed.
    assert min(racer.round for racer in racers) > 1
    return pace


def giving(racer: Racer) -> Callable[[], Racer]:
    """A listener factory for picows, which passes arguments by signature, even to those with defaults."""
    return lambda: racer


async def reached(there: Callable[[], bool], patience: float) -> None:
    async with asyncio.timeout(patience):
        while not there():  # noqa: ASYNC110 - depends on all players and the clock, with thousands of frames a second
            await asyncio.sleep(0.005)


def sockets(server: Server) -> str:
    return f"ws://{urlsplit(server.address).netloc}"


async def on_ubongo(server: Server, seconds: float) -> Pace:
    tally = Tally()
    taken = await open_tables(server.address, TABLES, "extreme", msgspec.to_builtins(OPTIONS))
    place = sockets(server) + "/ws/tables/"
    seats = [(place + key, UbongoRacer(tally, 0, 0, token)) for key, token in taken]
    return await heat(server, seats, tally, seconds)


async def on_boardgame(server: Server, seconds: float) -> Pace:
    tally = Tally()
    place = sockets(server) + "/socket.io/?EIO=4&transport=websocket"
    seats = [(place, BoardgameRacer(tally, table, seat)) for table in range(TABLES) for seat in range(SEATS)]
    return await heat(server, seats, tally, seconds)


async def on_colyseus(server: Server, paths: Sequence[str], seconds: float) -> Pace:
    tally = Tally()
    place = sockets(server)
    seats = [(place + path, ColyseusRacer(tally, number // SEATS, number % SEATS)) for number, path in enumerate(paths)]
    return await heat(server, seats, tally, seconds)


def run(name: str, folder: Path, seconds: float) -> Pace:
    if name == "ubongo":
        with tempfile.TemporaryDirectory(dir=folder) as place, serving(Path(place) / "race.db") as server:
            return asyncio.run(on_ubongo(server, seconds))
    if name == "boardgame.io":
        with peer("boardgame.js", str(folder / "deals.json")) as (server, _):
            return asyncio.run(on_boardgame(server, seconds))
    with peer("colyseus.js", str(TABLES)) as (server, said):
        return asyncio.run(on_colyseus(server, said["paths"], seconds))


def race(folder: Path, seconds: float, peers: bool) -> None:
    servers = SERVERS if peers else SERVERS[:1]
    (folder / "deals.json").write_bytes(deals())
    moves_by_match()
    paces: dict[str, list[Pace]] = {name: [] for name in servers}
    for _ in range(HEATS):
        for name in servers:
            paces[name].append(run(name, folder, seconds))
    middle = {name: statistics.median(pace.moves_s for pace in found) for name, found in paces.items()}
    print(f"whole rounds of Extreme at {TABLES} tables of {SEATS}, the middle of {HEATS} heats:")
    for name, found in paces.items():
        busy = statistics.mean(pace.busy for pace in found)
        heats = ", ".join(f"{pace.moves_s:,.0f}" for pace in found)
        print(f"  {name:12} {middle[name]:>8,.0f} moves/s ({heats}), {busy:.0%} of its core")
    for name in servers[1:]:
        ratio, (what, least) = middle["ubongo"] / middle[name], GOALS[name]
        print(f"  {ratio:.1f} × {name} ({what} {least} ×: {'reached' if ratio >= least else 'missed'})")
