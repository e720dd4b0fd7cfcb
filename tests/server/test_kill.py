"""`kill -9` in the middle of play: whatever any client was told is in the log, and the match goes on from there."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import random
import signal
import sqlite3
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlsplit

import msgspec
import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

from tests.conftest import Running, start
from tests.server.fakes import patch
from tests.server.people import Person, table_for
from ubongo.events import AnyEvent, Event, Resumed, replay
from ubongo.server.log.register import Opening, Played
from ubongo.server.sitting import match_of
from ubongo.veil import veil, veil_event

TABLES = 10
FACTS = ("host", "public", "next", "stand_ins")


class Player:
    """Lays and lifts a piece as fast as it is answered, and keeps all that it was told."""

    def __init__(self, key: str, token: str, tally: Tally) -> None:
        self.key = key
        self.token = token
        self.tally = tally
        self.table: dict[str, Any] = {}
        self.seat = 0
        self.base = self.version = 0
        self.events: list[Any] = []
        # The version of the table by which each move of their own was answered with yes.
        self.yes: list[int] = []

    async def play(self, address: str) -> None:
        place = f"ws://{urlsplit(address).netloc}/ws/tables/{self.key}"
        with contextlib.suppress(ConnectionClosed, OSError):
            async with connect(place) as socket:
                await socket.send(json.dumps({"type": "hello", "token": self.token}))
                n = 0
                async for message in socket:
                    acked = self.hear(json.loads(message))
                    if acked is not None and acked == n:
                        self.tally.count()
                    if n in (0, acked):
                        n += 1
                        await socket.send(json.dumps({"n": n, "move": self.move()}))

    def hear(self, said: dict[str, Any]) -> int | None:
        match said["type"]:
            case "welcome":
                self.table, self.seat = said["table"], said["seat"]
                self.base = self.version = said["version"]
            case "update":
                assert said["version"] == self.version + len(said["events"]), "a gap"
                self.version = said["version"]
                self.events += said["events"]
                patch(self.table, said["table"])
                acked: int | None = said["acked"]
                if acked is not None:
                    self.yes.append(self.version)
                return acked
            case "refused":
                n: int = said["n"]
                return n
        return None

    def move(self) -> dict[str, Any]:
        me = self.table["seats"][self.seat]
        if self.table["phase"] != "play":
            return {"type": "ready"}
        if me["laid"]:
            return {"type": "lift", "piece": 0}
        # Wherever it fits, or not: a refusal is an answer too.
        return {"type": "place", "piece": 0, "turn": 0, "at": random.choice(me["task"]["region"])}


class Tally:
    """Ends the server, without a warning, when so many moves were answered."""

    def __init__(self, running: Running, moves: int) -> None:
        self.left = moves
        self.process = running.process

    def count(self) -> None:
        self.left -= 1
        if self.left == 0:
            os.kill(self.process.pid, signal.SIGKILL)


def tables_at(running: Running) -> list[tuple[str, Person]]:
    found = []
    for number in range(TABLES):
        people = [Person(running.address, f"{name}{number}") for name in ("Ann", "Bo")]
        key = table_for(*people)
        found += [(key, person) for person in people]
    return found


async def _play(running: Running, seated: list[tuple[str, Person]], moves: int) -> list[Player]:
    tally = Tally(running, moves)
    players = [Player(key, person.token, tally) for key, person in seated]
    async with asyncio.timeout(60):
        await asyncio.gather(*(player.play(running.address) for player in players))
    return players


def killed(running: Running, moves: int) -> list[Player]:
    """What the players had been told when the server died."""
    players = asyncio.run(_play(running, tables_at(running), moves))
    running.process.wait()
    running.process.communicate()
    assert running.process.returncode == -signal.SIGKILL
    return players


def log_in(db: Path) -> dict[str, tuple[Played, list[Event]]]:
    """What is in the file, by table; every match's versions without a gap."""
    connection = sqlite3.connect(db)
    found: dict[int, tuple[Played, list[Event]]] = {}
    for match, key, opening, started in connection.execute("select match, table_key, opening, started from matches"):
        found[match] = (Played(match, key, msgspec.json.decode(opening, type=Opening), started, 0), [])
    for match, version, body in connection.execute("select match, version, events from log order by id"):
        events = found[match][1]
        events += msgspec.json.decode(body, type=list[AnyEvent])
        assert version == len(events)
    connection.close()
    return {played.table: (played, events) for played, events in found.values()}


class Compared(NamedTuple):
    """`missing`: moves that were answered with yes and are beyond the log's end. `different`: players for whom anything
    else is not as they were told it, be it an event that both have or the table that the log leads to."""

    missing: int
    different: int


def compared(db: Path, players: list[Player]) -> Compared:
    log = log_in(db)
    missing = different = 0
    for player in players:
        played, events = log[player.key]
        missing += sum(version > len(events) for version in player.yes)
        kept = [veil_event(event, player.seat) for event in events[player.base : player.version]]
        same = plain(kept) == player.events[: len(kept)]
        if player.version <= len(events):
            table = veil(replay(match_of(played).opening, events[: player.version]), player.seat)
            seen = {name: value for name, value in player.table.items() if name not in FACTS}
            same = same and len(kept) == len(player.events) and plain(table) == seen
        different += not same
    return Compared(missing, different)


def plain(one: Any) -> Any:
    """As JSON has it."""
    return msgspec.json.decode(msgspec.json.encode(one))


@pytest.mark.parametrize("socket", ["picows", "plain"])
def test_nothing_that_was_told_is_lost(socket: str) -> None:
    luck = random.Random(socket)
    for _ in range(2):
        running = start("--socket", socket, "--moves-rate", "0", "--requests-rate", "0")
        with running:
            players = killed(running, luck.randrange(200, 1500))
        assert sum(len(player.events) for player in players) > 300
        assert sum(len(player.yes) for player in players) > 100
        assert compared(running.db, players) == Compared(missing=0, different=0)
        goes_on(running.db, players)


def goes_on(db: Path, players: list[Player]) -> None:
    """A new server on the same file: everybody finds what they had, and a little more time."""
    with start(db=db) as again:
        people = {player.token: Person.__new__(Person) for player in players}
        for player in players[:4]:
            person = people[player.token]
            person.address, person.token = again.address.rstrip("/"), player.token
            device = person.sit_at(player.key)
            assert device.seat == player.seat
            assert device.version >= player.version
            assert device.table["phase"] == player.table["phase"]
            device.hang_up()
        again.process.terminate()
        again.process.communicate()
    for played, events in log_in(db).values():
        assert len([event for event in events if isinstance(event, Resumed)]) == 1, played.table


def test_a_server_that_tells_before_it_records_is_found_out() -> None:
    """The control: the same run, with telling moved before recording and nothing else, misses what was acknowledged."""
    luck = random.Random(0)
    for _ in range(8):
        moves = luck.randrange(200, 1500)
        found = {}
        for module in ("ubongo", "tests.server.early"):
            running = start("--moves-rate", "0", "--requests-rate", "0", module=module)
            with running:
                players = killed(running, moves)
            found[module] = compared(running.db, players)
        assert found["ubongo"] == Compared(missing=0, different=0)
        # What it has written is as it was told: nothing but the end is gone.
        assert found["tests.server.early"].different == 0
        if found["tests.server.early"].missing:
            return
    pytest.fail("8 kills, and nobody had an answer to what is not in the log")
