"""Attacks below the application: raw bytes, HTTP, RFC 6455, and very many connections."""

from __future__ import annotations

import asyncio
import itertools
import random
from collections.abc import Callable, Coroutine, Sequence
from contextlib import suppress
from typing import Any

from bench.siege.attacker import Attacker, Line
from bench.siege.honest import PRINTED
from tests.server.endless import FRAMES, REQUESTS
from tests.server.raw import frame
from tests.server.test_rfc6455 import BREAKS

Flood = Callable[[Attacker], Coroutine[Any, Any, None]]
MANY = 1500
SLOWLY_S = 2.0


def requests(lines: int, kinds: Sequence[str]) -> Flood:
    """Opens several connections, each with one of these kinds in turn."""

    async def flood(attacker: Attacker) -> None:
        turns = itertools.cycle(kinds)

        async def once() -> None:
            first, drop = REQUESTS[next(turns)]
            line = await attacker.line()
            await line.send(first)
            await attacker.pour(line, drop)

        await attacker.again(lines, once)

    return flood


def frames(lines: int, kinds: Sequence[str]) -> Flood:
    async def flood(attacker: Attacker) -> None:
        turns = itertools.cycle(kinds)

        async def once() -> None:
            line = await attacker.spectator()
            await attacker.pour(line, FRAMES[next(turns)])

        await attacker.again(lines, once)

    return flood


async def bursts(attacker: Attacker) -> None:
    """Each connection sends its whole burst, and then stays open."""
    burst = frame(b"a" * 4000) * 500

    async def once() -> None:
        line = await attacker.spectator()
        await line.send(burst)
        attacker.work["bytes"] += len(burst)
        await line.gone

    await attacker.again(200, once)


async def malformed(attacker: Attacker) -> None:
    """Everything that RFC 6455 forbids, and noise."""
    said = [payload for payload, _ in BREAKS.values()]
    luck = random.Random(1)

    async def once() -> None:
        line = await attacker.spectator()
        try:
            await line.send(luck.choice(said) if luck.random() < 0.7 else luck.randbytes(luck.randrange(1, 2000)))
            attacker.work["malformed"] += 1
            async with asyncio.timeout(1):
                await line.gone
        except TimeoutError:
            attacker.work["waited for more"] += 1
        finally:
            line.cut()

    await attacker.again(20, once)


async def held(attacker: Attacker, lines: int, opened: Callable[[int], Coroutine[Any, Any, Line]]) -> None:
    """Holds this many connections open; reopens each that is cut off."""
    turns = itertools.count()

    async def once() -> None:
        line = await opened(next(turns))
        attacker.work["held"] += 1
        try:
            await line.gone
        finally:
            line.cut()
        raise ConnectionError

    await attacker.again(lines, once)


async def spectators(attacker: Attacker) -> None:
    await held(attacker, 5000, lambda _: attacker.spectator())


async def deaf_spectators(attacker: Attacker) -> None:
    """Spectators of an honest table that read nothing."""

    async def opened(_: int) -> Line:
        line = await attacker.line(deaf=True)
        line.transport.write(attacker.upgrade(attacker.table) + frame(b'{"type":"hello"}'))
        return line

    await held(attacker, 900, opened)


def unread(*paths: str) -> Flood:
    """Requests large responses and does not read them."""

    async def flood(attacker: Attacker) -> None:
        async def opened(turn: int) -> Line:
            line = await attacker.line(deaf=True)
            path = paths[turn % len(paths)]
            line.transport.write(f"GET {path} HTTP/1.1\r\nHost: {attacker.host}:{attacker.port}\r\n\r\n".encode())
            attacker.work["requests"] += 1
            return line

        await held(attacker, 950, opened)

    return flood


async def slowloris(attacker: Attacker) -> None:
    """Headers, bodies and trailers one line at a time, silent connections, sockets without a hello."""
    starts = (
        b"GET / HTTP/1.1\r\nHost: x\r\n",
        b"POST /api/guests HTTP/1.1\r\nHost: x\r\nContent-Length: 9000\r\n\r\n",
        b"POST /api/guests HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n",
        b"",
        None,
    )
    turns = itertools.cycle(starts)

    async def once() -> None:
        start = next(turns)
        line = await attacker.line()
        try:
            if start is None:
                line.transport.write(attacker.upgrade(attacker.table))
                await line.gone
            await line.send(start or b"")
            while not line.gone.done():
                await asyncio.wait([line.gone], timeout=SLOWLY_S)
                if start:
                    await line.send(b"a: b\r\n")
        finally:
            line.cut()

    await attacker.again(MANY, once)


async def reconnects(attacker: Attacker) -> None:
    """Connects, waits for the welcome, disconnects, and starts over."""

    async def once() -> None:
        line = await attacker.spectator()
        attacker.work["welcomes"] += 1
        line.cut()

    await attacker.again(50, once)


async def volleys(attacker: Attacker) -> None:
    """Sends ten seconds' worth of the rate limit at once, and then waits for it to refill."""
    request = f"GET /api/games HTTP/1.1\r\nHost: {attacker.host}:{attacker.port}\r\n\r\n".encode()
    lines: list[Line] = []
    while True:
        lines = [line for line in lines if not line.gone.done()]
        with suppress(OSError):
            while len(lines) < 950:
                lines.append(await attacker.line())
        # While the others were opened, the server may have closed some.
        for line in lines:
            if not line.gone.done():
                line.transport.write(request)
                attacker.work["requests"] += 1
        # Connections that are silent for ten seconds are cut off.
        await asyncio.sleep(5)


async def connections(attacker: Attacker) -> None:
    """Opens and closes connections without sending anything."""

    async def once() -> None:
        (await attacker.line()).cut()
        await asyncio.sleep(0)

    await attacker.again(50, once)


REVIEWED = {
    "trailers": "many trailers",
    "trailer-value": "one endless trailer",
    "pipelined-head": "a head before the first is answered",
}
FLOODED = ("pings", "pongs", "text")
FLOODS: dict[str, Flood] = {
    **{name: requests(3, [kind]) for name, kind in REVIEWED.items()},
    "endless-requests": requests(10, [kind for kind in REQUESTS if kind not in REVIEWED.values()]),
    **{kind: frames(4, [kind]) for kind in FLOODED},
    "frames": frames(6, [kind for kind in FRAMES if kind not in FLOODED]),
    "bursts": bursts,
    "malformed": malformed,
    "spectators": spectators,
    "deaf-spectators": deaf_spectators,
    "unread-list": unread("/api/tables", *(f"/api/tables?page={page}" for page in range(2, 100))),
    "unread-files": unread(PRINTED, "/", "/schema/openapi.json"),
    "slowloris": slowloris,
    "reconnects": reconnects,
    "volleys": volleys,
    "connections": connections,
}
