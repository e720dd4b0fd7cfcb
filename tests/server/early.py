"""A server that broadcasts before it records: the control of the kill -9 test, which has to detect it.

Its disk is slow, too: entries wait until several more were broadcast. A fast disk has often written them before the
test kills the server, and detecting the fault would be luck.

python -m tests.server.early serve --port 0 ...
"""

from __future__ import annotations

import asyncio
from collections import deque

from ubongo.cli import main
from ubongo.server.store import Entry, OnLost, OnRecorded
from ubongo.server.store.sqlite import SqliteLog

_start = SqliteLog.start
_append = SqliteLog.append
_tell: list[OnRecorded] = []
_unwritten: deque[Entry] = deque()
BEHIND = 100


class _Silent:
    """The same rows, without callbacks."""

    def __init__(self, entry: Entry) -> None:
        self.match, self.since, self.rows = entry.match, entry.since, entry.rows


async def start(self: SqliteLog, recorded: OnRecorded, lost: OnLost) -> None:
    _tell.append(recorded)
    await _start(self, lambda _: None, lost)


def append(self: SqliteLog, entry: Entry) -> None:
    _unwritten.append(_Silent(entry))
    if len(_unwritten) > BEHIND:
        _append(self, _unwritten.popleft())
    asyncio.get_running_loop().call_soon(_tell[0], [entry])


SqliteLog.start = start  # type: ignore[method-assign] # what this file is for
SqliteLog.append = append  # type: ignore[method-assign] # what this file is for

if __name__ == "__main__":
    main()
