"""Players for bench/server.py: many sockets in one process, each laying and lifting a piece by the real rules."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Callable, Sequence
from typing import Any
from urllib.parse import urlsplit

from picows import WSFrame, WSListener, WSMsgType, WSTransport, ws_connect

from tests.play import lays

SEATS = 4
GAME_OPTIONS = {"extreme": {"hourglass_s": 3600, "ready_s": 0}, "cards": {"ready_s": 0}}


class Http:
    """One connection with sequential requests: a client library would be the bottleneck."""

    def __init__(self, address: str, source: str | None = None) -> None:
        """`source`: the local address to connect from."""
        place = urlsplit(address)
        self.host, self.port = place.hostname or "127.0.0.1", place.port or 80
        self._source = None if source is None else (source, 0)

    async def open(self) -> Http:
        self.reader, self.writer = await asyncio.open_connection(self.host, self.port, local_addr=self._source)
        return self

    async def ask(self, method: str, path: str, body: Any = None, *lines: str) -> tuple[int, bytes]:
        """The status and the body of the response; `lines` are further headers."""
        said = json.dumps(body).encode() if body is not None else b""
        host = [] if any(line.lower().startswith("host:") for line in lines) else [f"host: {self.host}:{self.port}"]
        kind = ["content-type: application/json", f"content-length: {len(said)}"] if method != "GET" else []
        head = [f"{method} {path} HTTP/1.1", *host, *kind, *lines]
        self.writer.write("".join(f"{line}\r\n" for line in [*head, ""]).encode() + said)
        answer = (await self.reader.readuntil(b"\r\n\r\n")).decode().lower()
        status = int(answer.split(" ", 2)[1])
        if "transfer-encoding: chunked" in answer:
            return status, await self._chunks()
        size = int(answer.split("content-length: ")[1].split("\r\n")[0])
        return status, await self.reader.readexactly(size)

    async def _chunks(self) -> bytes:
        found = []
        while size := int(await self.reader.readuntil(b"\r\n"), 16):
            found.append((await self.reader.readexactly(size + 2))[:-2])
        await self.reader.readexactly(2)
        return b"".join(found)

    async def post(self, path: str, body: Any = None, token: str = "") -> Any:
        status, answer = await self.ask("POST", f"/api{path}", body, f"authorization: Bearer {token}")
        assert status // 100 == 2, answer
        return json.loads(answer)

    def close(self) -> None:
        self.writer.transport.abort()


async def open_table(http: Http, game: str, options: Any) -> list[tuple[str, str]]:
    """A match of four; each one's table and token."""
    tokens = [(await http.post("/guests", {"name": f"P{seat}"}))["token"] for seat in range(SEATS)]
    wanted = {"game": game, "seats": SEATS, "options": options}
    table = (await http.post("/tables", wanted, tokens[0]))["table"]
    for token in tokens[1:]:
        await http.post(f"/tables/{table}/join", token=token)
    await http.post(f"/tables/{table}/start", token=tokens[0])
    return [(table, token) for token in tokens]


async def open_tables(address: str, tables: int, game: str, options: Any = None) -> list[tuple[str, str]]:
    """Opens several at a time, so that they share commits."""
    left = list(range(tables))
    seats: list[tuple[str, str]] = []

    async def opener() -> None:
        http = await Http(address).open()
        while left:
            left.pop()
            seats.extend(await open_table(http, game, options or GAME_OPTIONS[game]))

    await asyncio.gather(*(opener() for _ in range(16)))
    return seats


class Player(WSListener):
    """Computes its two moves at the start of the round, and then only tracks whether the last one was answered."""

    def __init__(self, token: str, done: Callable[[Player, bool], None]) -> None:
        super().__init__()
        self.token = token
        self.done = done
        self.n = self.begun = 0
        self.moves: tuple[bytes, bytes] | None = None
        self.table: dict[str, Any] = {}
        self.seat = 0
        self.due = 0.0
        self.sent: list[int] = []
        self.transport: WSTransport | None = None

    def on_ws_connected(self, transport: WSTransport) -> None:
        self.transport = transport
        transport.send(WSMsgType.TEXT, json.dumps({"type": "hello", "token": self.token}).encode())

    def on_ws_frame(self, transport: WSTransport, frame: WSFrame) -> None:  # noqa: ARG002 - picows' signature
        if frame.msg_type != WSMsgType.TEXT:
            return
        start = bytes(frame.get_payload_as_memoryview()[:90])
        if self.moves is None:
            self._prepare(json.loads(frame.get_payload_as_bytes()))
        elif start.startswith(b'{"type":"update"'):
            at = start.index(b'"acked":') + 8
            if start[at : at + 1] != b"n":
                n = int(start[at : start.index(b",", at)])
                while self.sent and self.sent[0] <= n:
                    self.sent.pop(0)
                    self.done(self, False)
        else:
            self.done(self, True)

    def _prepare(self, said: dict[str, Any]) -> None:
        """Decodes whole messages until the round begins. Then chooses a piece to place and lift again."""
        if said["type"] == "welcome":
            self.table, self.seat = said["table"], said["seat"]
            self.say(b'{"type":"ready"}')
        elif said["type"] == "update":
            for number, parts in said["table"].pop("seats", {}).items():
                self.table["seats"][int(number)].update(parts)
            self.table.update(said["table"])
        task = self.table["seats"][self.seat]["task"]
        if self.table["phase"] == "play" and task is not None and task["pieces"][0] is not None:
            self.moves = (json.dumps(next(lays(self.table["game"], task))).encode(), b'{"type":"lift","piece":0}')
            self.begun = self.n
            self.table = {}

    def say(self, move: bytes) -> None:
        assert self.transport is not None
        self.n += 1
        self.transport.send(WSMsgType.TEXT, b'{"n":%d,"move":%b}' % (self.n, move))

    def play(self) -> None:
        assert self.moves is not None
        self.sent.append(self.n + 1)
        self.say(self.moves[(self.n - self.begun) % 2])


async def connect(address: str, seats: list[tuple[str, str]], done: Callable[[Player, bool], None]) -> list[Player]:
    """Connects all players, up to the middle of the first round."""
    players = [Player(token, done) for _, token in seats]
    for first in range(0, len(seats), 100):
        some = list(zip(players, seats, strict=True))[first : first + 100]
        await asyncio.gather(*(sit_down(player, address, table) for player, (table, _) in some))
    await until(lambda: all(player.moves for player in players))
    return players


async def until(condition: Callable[[], bool]) -> None:
    async with asyncio.timeout(120):
        while not condition():  # noqa: ASYNC110 - tens of thousands of frames on
            await asyncio.sleep(0.01)


async def sit_down(player: Player, address: str, table: str, source: str | None = None) -> None:
    """`source`: the local address to connect from."""
    place = f"ws://{urlsplit(address).netloc}/ws/tables/{table}"
    await ws_connect(lambda: player, place, local_addr=None if source is None else (source, 0))


async def at_pace(players: Sequence[Player], every_s: float, seconds: float) -> int:
    """Open loop: each player moves at this interval, answered or not. Returns the number of moves."""
    gap, began, asked = every_s / len(players), time.perf_counter(), 0
    total = int(seconds / gap)
    while asked < total:
        now = time.perf_counter() - began
        while asked < total and asked * gap <= now:
            player = players[asked % len(players)]
            # From when it was due: a late generator must not hide latency (coordinated omission).
            player.due = began + asked * gap
            player.play()
            asked += 1
        await asyncio.sleep(0.0005)
    await asyncio.sleep(1)
    return total


async def at_will(players: Sequence[Player], seconds: float) -> int:
    """Closed loop: each player moves as soon as the last move was answered. Returns the number of moves."""
    asked, end = len(players), time.perf_counter() + seconds

    def again(player: Player, _: bool) -> None:
        nonlocal asked
        if time.perf_counter() < end:
            asked += 1
            player.play()

    before = [player.done for player in players]
    for player in players:
        player.done = again
        player.due = time.perf_counter()
        player.play()
    await asyncio.sleep(seconds)
    await until(lambda: not any(player.sent for player in players))
    for player, done in zip(players, before, strict=True):
        player.done = done
    return asked


async def go_home(players: list[Player]) -> None:
    """Disconnects all players. Left to the collector, thousands of sockets would stay open to the end."""
    for player in players:
        if player.transport is not None:
            player.transport.disconnect(graceful=False)
    await asyncio.sleep(0.1)
