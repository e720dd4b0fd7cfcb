"""People who play over the network, as scripts do: HTTP for the lobby, a socket for the table."""

from __future__ import annotations

import json
import ssl
from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

import httpx
import msgspec
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from tests.play import solution
from tests.server.fakes import patch
from ubongo.games import GAMES
from ubongo.pieces import Piece
from ubongo.table import Task

Message = dict[str, Any]
# How long to wait before a test fails as hung. Generous, since a busy machine is slow.
PATIENCE = 60.0
# Created once: httpx would create one for each request, which takes longer than the request.
TRUST = ssl.create_default_context()
OPEN: list[Device] = []


def hang_up_all() -> None:
    while OPEN:
        OPEN.pop().hang_up()


class Person:
    """A guest, with one device."""

    def __init__(self, address: str, name: str) -> None:
        self.address = address.rstrip("/")
        self.name = name
        known = httpx.post(f"{self.address}/api/guests", json={"name": name}, timeout=PATIENCE, verify=TRUST)
        known.raise_for_status()
        self.token: str = known.json()["token"]
        self.player: str = known.json()["player"]

    def ask(self, method: str, path: str, body: Any = None) -> httpx.Response:
        headers = {"authorization": f"Bearer {self.token}"}
        place = f"{self.address}/api{path}"
        return httpx.request(method, place, json=body, headers=headers, timeout=PATIENCE, verify=TRUST)

    def get(self, path: str) -> Any:
        return self._answer(self.ask("GET", path))

    def post(self, path: str, body: Any = None) -> Any:
        return self._answer(self.ask("POST", path, body))

    def _answer(self, response: httpx.Response) -> Any:
        assert response.is_success, response.text
        return response.json()

    def sit_at(self, table: str, **hello: Any) -> Device:
        return Device(self.address, table, **({"token": self.token} | hello))


class Device:
    """One connection to a table, which keeps its copy of the table up to date."""

    def __init__(
        self, address: str, table: str, headers: dict[str, str] | None = None, greet: bool = True, **hello: Any
    ) -> None:
        place = f"ws://{urlsplit(address).netloc}/ws/tables/{table}"
        self.socket: ClientConnection = connect(
            place, additional_headers=headers, max_size=None, max_queue=None, open_timeout=PATIENCE
        ).__enter__()
        OPEN.append(self)
        self.n = 0
        self.heard: list[Message] = []
        self.table: dict[str, Any] = {}
        self.seat: int | None = None
        self.version = 0
        if greet:
            self.say({"type": "hello", **hello})
            self.until(lambda said: said["type"] in ("welcome", "error"))

    def say(self, message: Any) -> None:
        self.socket.send(message if isinstance(message, str | bytes) else json.dumps(message))

    def hear(self, patience: float = PATIENCE) -> Message:
        """The next message, which must come before the timeout."""
        said: Message = json.loads(self.socket.recv(patience))
        self.heard.append(said)
        if said["type"] == "welcome":
            self.table, self.seat, self.version = said["table"], said["seat"], said["version"]
        elif said["type"] == "update":
            patch(self.table, said["table"])
            self.version = said["version"]
        return said

    def until(self, wanted: Callable[[Message], bool]) -> Message:
        while not wanted(said := self.hear()):
            pass
        return said

    def see(self, wanted: Callable[[dict[str, Any]], bool]) -> None:
        """Waits until the table satisfies the condition."""
        while not wanted(self.table):
            self.hear()

    def ask(self, **move: Any) -> Message:
        """Sends a move, and returns its one answer."""
        self.n += 1
        n = self.n
        self.say({"type": "ask", "n": n, "move": move})
        return self.until(
            lambda said: (
                (said["type"] == "refused" and said["n"] == n)
                or (said["type"] == "update" and (said["acked"] or 0) >= n)
            )
        )

    def hear_error(self) -> str:
        why: str = self.until(lambda said: said["type"] == "error")["why"]
        return why

    def solution(self) -> list[dict[str, Any]]:
        assert self.seat is not None
        task = self.table["seats"][self.seat]["task"]
        name = self.table["game"]
        options = msgspec.convert(self.table["options"], GAMES[name].OPTIONS)
        known = GAMES[name].pieces(options)
        pieces: list[Piece] = [known[piece] for piece in task["pieces"]]
        region = None if task["region"] is None else tuple(map(tuple, task["region"]))
        laid = solution(getattr(options, "of", name), pieces, Task(tuple(task["pieces"]), region))
        return [{"type": "place", "piece": one.piece, "turn": one.turn, "at": one.at} for one in laid]

    def solve(self) -> Message:
        answers = [self.ask(**move) for move in self.solution()]
        assert {said["type"] for said in answers} == {"update"}, answers
        return answers[-1]

    def closed(self) -> int:
        """Reads until the server closes the connection; returns the close code."""
        try:
            while True:
                self.hear()
        except ConnectionClosed as problem:
            return problem.rcvd.code if problem.rcvd is not None else 1006

    def hang_up(self) -> None:
        self.socket.close()


def table_for(*people: Person, game: str = "extreme", start: bool = True, **wanted: Any) -> str:
    """A table at which these people sit, the first as host."""
    host, *others = people
    table: str = host.post("/tables", {"game": game, "seats": len(people), **wanted})["table"]
    for other in others:
        other.post(f"/tables/{table}/join")
    if start:
        host.post(f"/tables/{table}/start")
    return table


def playing(ann: Person, bo: Person, **wanted: Any) -> tuple[str, Device, Device]:
    """A table in the middle of a round, and the two players' devices."""
    table = table_for(ann, bo, **wanted)
    one, other = ann.sit_at(table), bo.sit_at(table)
    for device in (one, other):
        device.ask(type="ready")
    for device in (one, other):
        device.see(lambda table: table["phase"] == "play")
    return table, one, other
