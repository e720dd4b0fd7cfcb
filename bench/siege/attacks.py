"""All attacks by their names, what the log holds before some of them, and the attacker's process."""

from __future__ import annotations

import asyncio
import os
from collections import Counter
from collections.abc import Callable, Mapping
from contextlib import suppress
from multiprocessing.connection import Connection
from pathlib import Path
from typing import NamedTuple

import uvloop

from bench import bounds
from bench.serving import serving
from bench.siege.abuses import ABUSES
from bench.siege.attacker import Attacker
from bench.siege.floods import FLOODS, Flood
from bench.siege.honest import Ready

LOW_PRIORITY = 10


async def peace(_attacker: Attacker) -> None:
    """Nobody attacks."""
    await asyncio.Event().wait()


def public_tables(db: Path) -> None:
    """Very many of them."""
    bounds.public_tables(db, bounds.MANY)


def old_match(db: Path) -> str:
    """A finished match with very many rows of other matches in between; returns its key."""
    with serving(db) as server:
        table, token = uvloop.run(bounds.half_played(server.address))
    bounds.played_meanwhile(db)
    with serving(db) as server:
        uvloop.run(bounds.read_log(server.address, table, token))
    return table


ATTACKS: Mapping[str, Flood] = {"peace": peace, **FLOODS, **ABUSES}
# What the log holds before the server starts; if it is a certain match that is attacked, its key.
PREPARED: Mapping[str, Callable[[Path], str | None]] = {
    "unread-list": public_tables,
    "lists": public_tables,
    "list-names": public_tables,
    "logs": old_match,
}


class Done(NamedTuple):
    work: Counter[str]
    breaches: Counter[str]


def run(name: str, address: str, at: Ready, seconds: float, pipe: Connection) -> None:
    os.nice(LOW_PRIORITY)
    pipe.send("here")
    pipe.recv()
    attacker = Attacker(address, at.table, at.finished)

    async def for_a_while() -> None:
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await ATTACKS[name](attacker)

    uvloop.run(for_a_while())
    pipe.send(Done(attacker.work, +attacker.breaches))
