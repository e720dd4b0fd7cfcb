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
from bench.siege.abuses import ABUSES
from bench.siege.attacker import Attacker
from bench.siege.floods import FLOODS, Flood
from bench.siege.honest import Ready

LOW_PRIORITY = 10


async def peace(_attacker: Attacker) -> None:
    """Nobody attacks."""
    await asyncio.Event().wait()


def public_tables(db: Path) -> None:
    bounds.public_tables(db, bounds.MANY)


ATTACKS: Mapping[str, Flood] = {"peace": peace, **FLOODS, **ABUSES}
PREPARED: Mapping[str, Callable[[Path], None]] = dict.fromkeys(("unread-list", "lists", "list-names"), public_tables)


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
