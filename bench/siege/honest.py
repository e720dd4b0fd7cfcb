"""Honest people, in a separate process: players at their tables, a visitor who browses, and a newcomer.

Each table is a household with an address of its own, and so are the visitor and the newcomer.
"""

from __future__ import annotations

import asyncio
import gc
import time
from collections import Counter
from collections.abc import Awaitable, Callable
from contextlib import suppress
from multiprocessing.connection import Connection

import uvloop
from msgspec import Struct
from picows import WSTransport

from bench.players import GAME_OPTIONS, Http, Player, at_pace, open_table, sit_down, until

TABLES = 50
EVERY_S = 2.0
# Until the bots' code is loaded and the server's memory is stable.
WARM_S = 5.0
# A move without an answer by then counts as unanswered.
PATIENCE_S = 120.0
VISITOR, NEWCOMER = "127.0.9.1", "127.0.9.2"
PRINTED = "/print/extreme.pdf"
NOT_YET_PRINTED = "/print/cubes.pdf?part=rules"


class Ready(Struct):
    """The key of a table that is being played at, and of one that is over."""

    table: str
    finished: str


class Heard(Struct):
    """The results: sorted latencies in ms; our own lateness; refusals, and the number of requests."""

    moves: list[float]
    late: list[float]
    visits: list[float]
    refused: Counter[str]
    asked: int


class HonestPlayer(Player):
    """Remembers when each of its moves was due, and how late it was sent."""

    def __init__(self, token: str, heard: Heard) -> None:
        super().__init__(token, lambda _, refused: self.answered(refused))
        self.heard = heard
        self.waiting: list[float] = []
        self.leaving = False

    def play(self) -> None:
        self.waiting.append(self.due)
        self.heard.asked += 1
        self.heard.late.append((time.perf_counter() - self.due) * 1000)
        if self.transport is None or self.transport.is_disconnected:
            self.heard.refused["move without a connection"] += 1
        else:
            super().play()

    def answered(self, refused: bool) -> None:
        self.heard.refused["move"] += refused
        if self.waiting:
            self.heard.moves.append((time.perf_counter() - self.waiting.pop(0)) * 1000)

    def on_ws_disconnected(self, transport: WSTransport) -> None:
        super().on_ws_disconnected(transport)
        if not self.leaving:
            self.heard.refused["connection"] += 1


async def sit_down_at_tables(address: str, heard: Heard) -> tuple[str, list[HonestPlayer]]:
    """Connects everybody, up to the middle of the first round; returns the key of one of the tables."""
    players: list[HonestPlayer] = []
    key = ""
    for number in range(TABLES):
        source = f"127.0.1.{number + 1}"
        http = await Http(address, source).open()
        for key, token in await open_table(http, "extreme", GAME_OPTIONS["extreme"]):
            players.append(HonestPlayer(token, heard))
            await sit_down(players[-1], address, key, source)
        http.close()
    await until(lambda: all(player.moves for player in players))
    return key, players


async def finished_match(address: str) -> str:
    http = await Http(address, VISITOR).open()
    token = (await http.post("/guests", {"name": "Vi"}))["token"]
    table: str = (await http.post("/tables", {"game": "extreme", "seats": 2, "bots": ["easy"]}, token))["table"]
    await http.post(f"/tables/{table}/start", token=token)
    await http.post(f"/tables/{table}/leave", token=token)
    http.close()
    return table


async def asks(address: str, source: str, heard: Heard, name: str, *request: str) -> None:
    """One request on a new connection, like a browser's first."""
    began = time.perf_counter()
    heard.asked += 1
    try:
        async with asyncio.timeout(PATIENCE_S):
            http = await Http(address, source).open()
            try:
                status, _ = await http.ask("GET", *request)
            finally:
                http.close()
        if status != 200:
            heard.refused[f"{name}: {status}"] += 1
    except (OSError, EOFError, TimeoutError) as problem:
        heard.refused[f"{name}: {type(problem).__name__}"] += 1
    heard.visits.append((time.perf_counter() - began) * 1000)


async def visit(address: str, finished: str, heard: Heard) -> None:
    """The home page, the public tables, a cached print, the log of an old match."""
    for name, path in {
        "home": "/", "list": "/api/tables", "second page": "/api/tables?page=2", "print": PRINTED,
        "log": f"/api/tables/{finished}/log",
    }.items():  # fmt: skip
        await asks(address, VISITOR, heard, name, path)


async def arrive(address: str, heard: Heard) -> None:
    """Creates a guest, opens a public table with a bot, starts a match and leaves it."""
    began = time.perf_counter()
    heard.asked += 1
    try:
        async with asyncio.timeout(PATIENCE_S):
            http = await Http(address, NEWCOMER).open()
            try:
                token = (await http.post("/guests", {"name": "Nia"}))["token"]
                wanted = {"game": "extreme", "seats": 2, "bots": ["easy"], "public": True}
                table = (await http.post("/tables", wanted, token))["table"]
                for what in ("start", "leave"):
                    await http.post(f"/tables/{table}/{what}", token=token)
            finally:
                http.close()
    except (AssertionError, OSError, EOFError, TimeoutError) as problem:
        heard.refused[f"newcomer: {type(problem).__name__} {str(problem)[:80]}"] += 1
    heard.visits.append((time.perf_counter() - began) * 1000)


async def every(seconds: float, over: float, once: Callable[[], Awaitable[None]]) -> None:
    while time.perf_counter() < over:
        began = time.perf_counter()
        await once()
        await asyncio.sleep(max(0.0, began + seconds - time.perf_counter()))


async def live(address: str, seconds: float, prints: bool, pipe: Connection) -> None:
    heard = Heard([], [], [], Counter(), 0)
    table, players = await sit_down_at_tables(address, heard)
    finished = await finished_match(address)
    # Printed now, unless an earlier server has cached it.
    await asks(address, VISITOR, heard, "print", PRINTED)
    await at_pace(players, EVERY_S, WARM_S)
    assert not +heard.refused, heard.refused
    heard.asked = 0
    for times in (heard.moves, heard.late, heard.visits):
        times.clear()
    # Our own garbage collection must not count as the server's latency.
    gc.collect()
    gc.freeze()
    pipe.send(Ready(table, finished))
    await asyncio.to_thread(pipe.recv)
    over = time.perf_counter() + seconds
    around = [
        asyncio.create_task(every(1.0, over, lambda: visit(address, finished, heard))),
        asyncio.create_task(every(2.0, over, lambda: arrive(address, heard))),
    ]
    if prints:
        around.append(asyncio.create_task(asks(address, VISITOR, heard, "new print", NOT_YET_PRINTED)))
    await at_pace(players, EVERY_S, seconds)
    await asyncio.gather(*around)
    with suppress(TimeoutError):
        await until(lambda: not any(player.sent for player in players))
    heard.refused["move never answered"] += sum(len(player.sent) for player in players)
    for player in players:
        player.leaving = True
        if player.transport is not None:
            player.transport.disconnect(graceful=False)
    for times in (heard.moves, heard.late, heard.visits):
        times.sort()
    heard.refused = +heard.refused
    pipe.send(heard)


def run(address: str, seconds: float, prints: bool, pipe: Connection) -> None:
    """`prints`: the visitor also requests a print that is not cached yet."""
    uvloop.run(live(address, seconds, prints, pipe))
