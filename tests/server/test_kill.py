"""`kill -9` during play: everything that any client received is in the log, and the match continues from there."""

from __future__ import annotations

import asyncio
import os
import random
import signal
import sqlite3
from contextlib import closing
from pathlib import Path

from tests.checker import MATCHES, ROWS, Kind, Truth, faults, truths
from tests.conftest import Running, start
from tests.server.people import Device, Person, table_for
from tests.server.witness import Witness
from ubongo.events import Resumed

TABLES = 10
PATIENCE_S = 300


class Tally:
    """Kills the server when this many moves were answered."""

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
        # Long enough that the round does not end on a slow machine.
        key = table_for(*people, options={"hourglass_s": 3600})
        found += [(key, person) for person in people]
    return found


async def _play(running: Running, seated: list[tuple[str, Person]], moves: int) -> list[Witness]:
    tally = Tally(running, moves)
    players = [Witness(key, person.token, tally.count) for key, person in seated]
    async with asyncio.timeout(PATIENCE_S):
        await asyncio.gather(*(player.sit_at(running.address) for player in players))
    return players


def killed(running: Running, moves: int) -> list[Witness]:
    """What the players had received when the server died."""
    players = asyncio.run(_play(running, tables_at(running), moves))
    running.process.wait()
    running.process.communicate()
    assert running.process.returncode == -signal.SIGKILL
    return players


def log_in(db: Path) -> dict[str, Truth]:
    with closing(sqlite3.connect(db)) as connection:
        return truths(connection.execute(MATCHES), connection.execute(ROWS))


def found_in(db: Path, players: list[Witness]) -> set[Kind]:
    return {fault.kind for fault in faults(log_in(db), players)}


def test_nothing_that_was_acknowledged_is_lost(long: bool) -> None:
    luck = random.Random("picows")
    for _ in range(8 if long else 1):
        running = start("--moves-rate", "0", "--requests-rate", "0")
        with running:
            players = killed(running, luck.randrange(200, 1500))
        assert sum(player.version for player in players) > 300
        assert sum(player.accepted for player in players) > 100
        assert faults(log_in(running.db), players) == []
        goes_on(running.db, players)


def goes_on(db: Path, players: list[Witness]) -> None:
    """A new server on the same file: everybody finds the table as it was, with a little extra time."""
    before = log_in(db)
    with start(db=db) as again:
        for player in players[:4]:
            device = Device(again.address, player.key, token=player.token)
            assert device.seat == player.seat
            assert device.version >= player.version
            # The last recorded events may not have been broadcast.
            assert device.table["phase"] == before[player.key].tables[-1].phase
            device.hang_up()
        again.process.terminate()
        again.process.communicate()
    for key, truth in log_in(db).items():
        assert len([event for event in truth.events if isinstance(event, Resumed)]) == 1, key


def test_a_server_that_broadcasts_before_it_records_is_detected() -> None:
    """The control: the same run on a server that broadcasts before it records loses acknowledged moves."""
    assert found_after("ubongo", 1000) == set()
    # What it has written equals what it broadcast: only the end is missing.
    assert found_after("tests.server.early", 1000) == {"lost"}


def found_after(module: str, moves: int) -> set[Kind]:
    running = start("--moves-rate", "0", "--requests-rate", "0", module=module)
    with running:
        players = killed(running, moves)
    return found_in(running.db, players)
