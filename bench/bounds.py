"""What very much of everything costs a server: `python -m bench.bounds [tables] [log]`; prints figures, keeps none.

`tables`: what it takes to list public tables and to open another one, with few and with many of them.
"""

from __future__ import annotations

import gzip
import os
import sqlite3
import tempfile
import time
from contextlib import closing
from pathlib import Path
from statistics import median

import msgspec
import uvloop

from bench.players import Http
from bench.serving import serving
from bench.tables import figure
from ubongo.games import GAMES
from ubongo.server.log.schema import migrate
from ubongo.server.sitting import Chair, Plan, written

MOST_LIST_BYTES = 30_000
MOST_LIST_MS = 5.0
FEW, MANY = 10, 10_000
TIMES = 200


def public_tables(db: Path, number: int) -> None:
    """A file with so many public tables at which one of four waits."""
    now = time.time_ns() // 1_000_000
    with closing(sqlite3.connect(db, isolation_level=None)) as connection:
        migrate(connection)
        connection.execute("begin")
        for one in range(number):
            chairs = (Chair(f"p{one}", f"Somebody {one}"), Chair(), Chair(), Chair())
            plan = Plan("extreme", written(GAMES["extreme"].OPTIONS()), chairs, f"p{one}", True, now)
            connection.execute(
                "insert into tables values (?, 'gather', ?, ?)", (f"amber-heron-{one}", msgspec.json.encode(plan), now)
            )
        connection.execute("commit")


async def asked(http: Http, path: str, *lines: str) -> tuple[float, bytes]:
    """Milliseconds until all of the answer is there, and the answer."""
    began = time.perf_counter()
    head = [f"GET {path} HTTP/1.1", f"host: {http.host}:{http.port}", *lines]
    http.writer.write("".join(f"{line}\r\n" for line in [*head, ""]).encode())
    told = (await http.reader.readuntil(b"\r\n\r\n")).decode().lower()
    assert told.startswith("http/1.1 200"), told
    body = await http.reader.readexactly(int(told.split("content-length: ")[1].split("\r\n")[0]))
    return (time.perf_counter() - began) * 1000, body


async def list_and_open(address: str) -> tuple[list[float], list[float], int, int]:
    """Milliseconds of each list and each opening, in turns, so that no list is kept; bytes, packed and not."""
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
            with serving("picows", Path(folder, "log.db")) as server:
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


def main() -> None:
    print(f"load of the machine: {os.getloadavg()[0]:.1f}, of {os.cpu_count()} cores")
    tables()


if __name__ == "__main__":
    main()
