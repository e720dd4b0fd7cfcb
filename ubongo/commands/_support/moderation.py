"""What the operators' commands share: the servers' database, the time, and the operator's name."""

from __future__ import annotations

import asyncio
import getpass
import time
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from typing import TYPE_CHECKING, TypeVar

from ubongo.commands import Complaint
from ubongo.server.clock import Timestamp

if TYPE_CHECKING:
    from ubongo.server.moderation.decisions import Moderation

Got = TypeVar("Got")

# A server polls every second; a busy one may take longer.
WAIT_S = 5.0


def moderated(db: str | None, action: Callable[[Moderation], Awaitable[Got]]) -> Got:
    """Runs an action on the servers' database, while they run; an action that fails is a Complaint."""
    from ubongo.server.moderation.decisions import BadDecision, Moderation
    from ubongo.server.settings import Settings
    from ubongo.server.store import StoreError
    from ubongo.server.store.schema import BadLog
    from ubongo.server.store.side_connection import side_connection

    async def done() -> Got:
        async with side_connection(Settings(db=db)) as store:
            return await action(Moderation(store, operator()))

    try:
        return asyncio.run(done())
    except (BadDecision, BadLog) as problem:
        raise Complaint(str(problem)) from None
    except StoreError as problem:
        raise Complaint(f"nothing has been done, since the database did not take it: {problem}") from None


async def told(moderation: Moderation, number: int, what: str) -> None:
    """Prints the decision, and whether a server has carried it out."""
    if await moderation.carried_out(number, WAIT_S) is not None:
        print(f"{what}; done")
    else:
        print(f"{what}; no server has carried it out yet, the next one that runs will")


def operator() -> str:
    try:
        return getpass.getuser()
    except (KeyError, OSError):
        # In a container the user may have no name.
        return ""


def now() -> Timestamp:
    return Timestamp(time.time_ns() // 1_000_000)


def written_time(at: Timestamp) -> str:
    return datetime.fromtimestamp(at / 1000, UTC).strftime("%Y-%m-%d %H:%M UTC")
