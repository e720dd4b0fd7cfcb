"""What extreme load costs a server: `python -m bench.bounds [tables] [log] [bots]`; prints figures, stores none.

`tables`: the time to list public tables and to open another one, with few and with many of them.
`log`: the time to read a match's log when very many rows of other matches lie in between.
`bots`: the latency of another client while one address watches very many tables of bots.
"""

from __future__ import annotations

import argparse
import asyncio
import gzip
import json
import os
import sqlite3
import tempfile
import time
from contextlib import closing
from pathlib import Path
from statistics import median

import msgspec
import uvloop
from websockets.asyncio.client import ClientConnection, connect

from bench.players import Http
from bench.serving import Server, serving
from bench.tables import figure
from ubongo.games import GAMES
from ubongo.server.clock import Timestamp
from ubongo.server.lobby.table_options import encode_options
from ubongo.server.store.schema import migrate
from ubongo.server.tables.table_setup import SeatSetup, TableSetup

MOST_LIST_BYTES = 30_000
MOST_LIST_MS = 5.0
FEW, MANY = 10, 10_000
TIMES = 200
MOST_LOG_MS = 20.0
MATCHES, ROWS = 100_000, 2_000_000
READERS = 20
EVE = "127.0.0.2"
BOT_TABLES, EACH = 500, 100
PINGED_S = 20.0
MOST_PING_MS = 50.0
EVENT = b'[{"type":"placed","seat":0,"piece":3,"turn":4,"at":[21,19]}]'


def public_tables(db: Path, number: int) -> None:
    """A file with this many public tables, each with one of four seats taken."""
    now = time.time_ns() // 1_000_000
    with closing(sqlite3.connect(db, isolation_level=None)) as connection:
        migrate(connection)
        connection.execute("begin")
        for one in range(number):
            chairs = (SeatSetup(f"p{one}", f"Somebody {one}"), SeatSetup(), SeatSetup(), SeatSetup())
            plan = TableSetup(
                "extreme", encode_options(GAMES["extreme"].OPTIONS()), chairs, f"p{one}", True, Timestamp(now)
            )
            connection.execute(
                "insert into tables values (?, 'gather', ?, ?)", (f"amber-heron-{one}", msgspec.json.encode(plan), now)
            )
        connection.execute("commit")


async def asked(http: Http, path: str, *lines: str) -> tuple[float, bytes]:
    """Milliseconds until the response is complete, and the response."""
    began = time.perf_counter()
    status, body = await http.ask("GET", path, None, *lines)
    assert status == 200, body
    return (time.perf_counter() - began) * 1000, body


async def list_and_open(address: str) -> tuple[list[float], list[float], int, int]:
    """Milliseconds of each listing and opening, alternating so that no list is cached; bytes, compressed and not."""
    http = await Http(address).open()
    token = (await http.post("/guests", {"name": "Ann"}))["token"]
    listed, opened, packed, plain = [], [], 0, 0
    for _ in range(TIMES):
        began = time.perf_counter()
        table = (await http.post("/tables", {"game": "extreme", "public": True}, token))["table"]
        opened.append((time.perf_counter() - began) * 1000)
        took, body = await asked(http, "/api/tables", "accept-encoding: gzip")
        listed.append(took)
        packed, plain = len(body), len(gzip.decompress(body))
        await http.post(f"/tables/{table}/leave", token=token)
    return listed, opened, packed, plain


def tables() -> None:
    found = {}
    for number in (FEW, MANY):
        with tempfile.TemporaryDirectory() as folder:
            public_tables(Path(folder, "log.db"), number)
            with serving(Path(folder, "log.db")) as server:
                found[number] = uvloop.run(list_and_open(server.address))
                listed, _, packed, plain = found[number]
        figure(
            f"list of {number:,} public tables: {median(listed):.2f} ms, at most {max(listed):.2f}, {packed:,} bytes "
            f"({plain:,} without compression)",
            (f"at most {MOST_LIST_MS:.0f} ms", median(listed) <= MOST_LIST_MS),
            (f"at most {MOST_LIST_BYTES:,} bytes", packed <= MOST_LIST_BYTES),
        )
    few, many = (median(found[number][1]) for number in (FEW, MANY))
    figure(f"opening a table with {FEW} others: {few:.2f} ms, with {MANY:,}: {many:.2f} ms")


async def half_played(address: str) -> tuple[str, str]:
    """A table with a running match, and its player's token."""
    http = await Http(address).open()
    token = (await http.post("/guests", {"name": "Ann"}))["token"]
    table = (await http.post("/tables", {"game": "extreme", "seats": 2, "bots": ["easy"]}, token))["table"]
    await http.post(f"/tables/{table}/start", token=token)
    return table, token


def played_meanwhile(db: Path) -> None:
    """Adds finished matches and their rows."""
    with closing(sqlite3.connect(db, isolation_level=None)) as connection:
        first = 1_000_000
        connection.execute("begin")
        [opening, since] = connection.execute("select opening, (select max(id) from log) from matches").fetchone()
        rows = ((first + row % MATCHES, row // MATCHES + 1, row, EVENT) for row in range(ROWS))
        connection.executemany("insert into log (match, version, at, events) values (?, ?, ?, ?)", rows)
        for match in range(first, first + MATCHES):
            key = f"amber-heron-{match}"
            upto = since + ROWS
            connection.execute("insert into matches values (?, ?, ?, 0, ?, ?, 1)", (match, key, opening, since, upto))
            connection.execute("insert into tallied values (?)", (match,))
            ids = list(range(since + 1 + match - first, upto + 1, MATCHES))
            connection.execute("insert into places values (?, ?)", (match, json.dumps(ids)))
        connection.execute("commit")


async def read_log(address: str, table: str, token: str) -> tuple[list[float], list[float], int]:
    """Milliseconds of each read of the log, by one client and by many at once; bytes."""
    await (await Http(address).open()).post(f"/tables/{table}/leave", token=token)
    # The server records the end at its next upkeep, every few seconds.
    await asyncio.sleep(7)
    http, path = await Http(address).open(), f"/api/tables/{table}/log"
    alone = [await asked(http, path) for _ in range(TIMES)]

    async def reader() -> list[float]:
        mine = await Http(address).open()
        return [(await asked(mine, path))[0] for _ in range(TIMES // 10)]

    together = await asyncio.gather(*(reader() for _ in range(READERS)))
    return [took for took, _ in alone], [took for one in together for took in one], len(alone[0][1])


def log() -> None:
    with tempfile.TemporaryDirectory() as folder:
        db = Path(folder, "log.db")
        with serving(db) as server:
            table, token = uvloop.run(half_played(server.address))
        played_meanwhile(db)
        with serving(db) as server:
            alone, together, size = uvloop.run(read_log(server.address, table, token))
    figure(
        f"log of {size:,} bytes among {MATCHES:,} matches, {ROWS:,} rows later: {median(alone):.2f} ms, "
        f"at most {max(alone):.2f}; {READERS} readers at once: {median(together):.2f} ms, at most {max(together):.2f}",
        (f"at most {MOST_LOG_MS:.0f} ms", median(alone) <= MOST_LOG_MS),
    )


async def watched_bots(address: str, number: int) -> list[ClientConnection]:
    """Watches this many tables of four experts, from an address that is not exempt as local."""
    http = await Http(address, EVE).open()
    tokens = [(await http.post("/guests", {"name": "Eve"}))["token"] for _ in range(0, number, EACH)]
    watching = []
    for one in range(number):
        token = tokens[one // EACH]
        wanted = {"game": "extreme", "seats": 4, "bots": ["expert"] * 4, "sit": False, "options": {"ready_s": 1}}
        table = (await http.post("/tables", wanted, token))["table"]
        socket = await connect(f"ws://{http.host}:{http.port}/ws/tables/{table}", local_addr=(EVE, 0), max_queue=None)
        await socket.send('{"type": "hello"}')
        watching.append(socket)
        await http.post(f"/tables/{table}/start", token=token)
    return watching


async def pinged(server: Server, seconds: float) -> tuple[list[float], float]:
    """The sorted latencies of pings in milliseconds, and the share of a core that the server used meanwhile."""
    http = await Http(server.address).open()
    token = (await http.post("/guests", {"name": "Ann"}))["token"]
    table = (await http.post("/tables", {"game": "extreme"}, token))["table"]
    times = []
    async with connect(f"ws://{http.host}:{http.port}/ws/tables/{table}") as socket:
        await socket.send('{"type": "hello"}')
        await socket.recv()
        began, worked = time.perf_counter(), server.worked_s()
        while time.perf_counter() - began < seconds:
            asked_at = time.perf_counter()
            await socket.send('{"type": "ping", "at": 1}')
            await socket.recv()
            times.append((time.perf_counter() - asked_at) * 1000)
            await asyncio.sleep(0.02)
        return sorted(times), (server.worked_s() - worked) / (time.perf_counter() - began)


async def beside_bots(server: Server) -> None:
    for number in (0, BOT_TABLES):
        watching = await watched_bots(server.address, number)
        times, core = await pinged(server, PINGED_S)
        p99 = times[int(len(times) * 0.99)]
        figure(
            f"{number} tables of four bots, all of one address: somebody's ping p50 {median(times):.1f} ms, "
            f"p99 {p99:.1f} ms, at most {times[-1]:.1f}; the server had {core:.0%} of a core",
            (f"p99 at most {MOST_PING_MS:.0f} ms", p99 <= MOST_PING_MS),
        )
        for socket in watching:
            await socket.close()


def bots() -> None:
    with tempfile.TemporaryDirectory() as folder, serving(Path(folder, "log.db")) as server:
        uvloop.run(beside_bots(server))


PARTS = {"tables": tables, "log": log, "bots": bots}


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("parts", nargs="*", help=f"of {', '.join(PARTS)}; without: all")
    print(f"load of the machine: {os.getloadavg()[0]:.1f}, of {os.cpu_count()} cores")
    for part in options.parse_args().parts or PARTS:
        PARTS[part]()


if __name__ == "__main__":
    main()
