"""A bot that joins a table by its link and plays Extreme or 3-D through the public protocol (docs/protocol.md).

    pip install websockets
    python bot.py http://127.0.0.1:8000/t/0123456789abcdef0123456789abcdef --name Robby

It knows only the protocol: it fetches the shapes of its pieces from the server and finds by trying how they fill its
area. Use it as a starting point for a better one.
"""

from __future__ import annotations

import argparse
import json
import urllib.error
import urllib.request
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlsplit

from websockets.sync.client import ClientConnection, connect

Cell = tuple[int, ...]
Shapes = list[list[Cell]]
Placement = dict[str, Any]


def request(url: str, token: str | None = None, body: Any = None) -> Any:
    """POST with a body, else GET. If the server refuses, prints why and exits."""
    headers = {"content-type": "application/json"} | ({"authorization": f"Bearer {token}"} if token else {})
    data = None if body is None else json.dumps(body).encode()
    try:
        with urllib.request.urlopen(urllib.request.Request(url, data, headers), timeout=30) as answer:
            return json.load(answer)
    except urllib.error.HTTPError as refusal:
        raise SystemExit(f"{url} is refused: {refusal.read().decode(errors='replace')}") from None
    except (OSError, ValueError) as problem:
        raise SystemExit(f"{url} does not answer as a server of Ubongo does: {problem}") from None


def fillings(region: set[Cell], pieces: list[Shapes], left: frozenset[int]) -> Iterator[list[Placement]]:
    """Every way to fill the region: some piece has to cover its first cell."""
    if not region:
        yield []
        return
    first = min(region)
    for piece in left:
        for turn, shape in enumerate(pieces[piece]):
            for cell in shape:
                at = tuple(a - b for a, b in zip(first, cell, strict=True))
                covered = {tuple(a + b for a, b in zip(at, one, strict=True)) for one in shape}
                if covered <= region:
                    for rest in fillings(region - covered, pieces, left - {piece}):
                        yield [{"type": "place", "piece": piece, "turn": turn, "at": at}, *rest]


class Bot:
    def __init__(self, link: str, name: str) -> None:
        place = urlsplit(link)
        self.base = f"{place.scheme}://{place.netloc}{place.path.rpartition('/t/')[0]}"
        self.key = place.path.rpartition("/")[2]
        self.token: str = request(f"{self.base}/api/guests", body={"name": name})["token"]
        request(f"{self.base}/api/tables/{self.key}/join", self.token, {})
        self.table: dict[str, Any] = {}
        self.seat = 0
        self.sent = 0
        self.waiting = False
        self.readied = 0
        self.shapes: dict[str, Shapes] = {}
        self.plan: tuple[int, list[Placement]] = (0, [])

    def play(self) -> dict[str, Any]:
        """Plays until the match is over; returns the final table."""
        with connect(f"{self.base.replace('http', 'ws', 1)}/ws/tables/{self.key}") as socket:
            socket.send(json.dumps({"type": "hello", "token": self.token}))
            while self.table.get("phase") != "over":
                self.receive(json.loads(socket.recv()))
                if not self.waiting:
                    self.move(socket)
        return self.table

    def receive(self, message: dict[str, Any]) -> None:
        match message["type"]:
            case "welcome":
                self.table, self.seat, self.waiting, self.readied = message["table"], message["seat"], False, 0
            case "update":
                # Each field of an update replaces the old one; seats are identified by number.
                for number, parts in message["table"].pop("seats", {}).items():
                    self.table["seats"][int(number)].update(parts)
                self.table.update(message["table"])
                self.waiting = self.waiting and (message["acked"] or 0) < self.sent
            case "refused":
                print(f"refused: {message['why']}")
                self.waiting = False
            case "bye":
                raise SystemExit("The server is shutting down; try again in a moment.")

    def move(self, socket: ClientConnection) -> None:
        """Sends the next move, if there is one to make."""
        me, phase = self.table["seats"][self.seat], self.table["phase"]
        if phase == "throw" and self.table["roller"] == self.seat:
            self.ask(socket, {"type": "throw"})
        elif phase == "ready" and self.readied != self.table["round"]:
            # Once a round: in a play-off between others it is refused.
            self.readied = self.table["round"]
            self.ask(socket, {"type": "ready"})
        elif phase == "play" and me["task"] is not None and me["called"] is None:
            laid = {where["piece"] for where in me["laid"]}
            todo = [where for where in self.solution(me["task"]) if where["piece"] not in laid]
            self.ask(socket, todo[0] if todo else {"type": "call"})

    def ask(self, socket: ClientConnection, move: dict[str, Any]) -> None:
        self.sent += 1
        self.waiting = True
        socket.send(json.dumps({"type": "ask", "n": self.sent, "move": move}))

    def solution(self, task: dict[str, Any]) -> list[Placement]:
        if self.plan[0] != self.table["round"]:
            if not self.shapes:
                listed = request(f"{self.base}/api/games/{self.table['game']}/pieces")
                self.shapes = {piece["name"]: [[*map(tuple, shape)] for shape in piece["shapes"]] for piece in listed}
            pieces = [self.shapes[name] for name in task["pieces"]]
            region = {tuple(cell) for cell in task["region"]}
            filling = next(fillings(region, pieces, frozenset(range(len(pieces)))))
            self.plan = (self.table["round"], filling)
        return self.plan[1]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("link", help="the table's link")
    parser.add_argument("--name", default="Robby")
    arguments = parser.parse_args()
    if not arguments.link.startswith("http") or "/t/" not in arguments.link:
        parser.error(f"{arguments.link} is not the link of a table, such as http://127.0.0.1:8000/t/0123456789abcdef")
    bot = Bot(arguments.link, arguments.name)
    table = bot.play()
    place = next(number for number, seats in enumerate(table["standing"], 1) if bot.seat in seats)
    print(f"{arguments.name} came in at {place}, with {table['totals'][bot.seat]} points.")


if __name__ == "__main__":
    main()
