"""All people of a table come to one worker, whichever of them has heard the knock.

Any worker can serve anybody. But what two of them serve is written by one, and read, played and told once more by the
other. So whoever hears somebody ask for a table hands the open connection to the worker whose turn it is by the table's
name, together with what was said, and keeps it where that one is not there.
"""

from __future__ import annotations

import asyncio
import os
import socket
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from zlib import crc32

from msgspec import Struct

from ubongo.server.log.register import Key

BEAT_S = 0.5
# Who has not been seen for so long hangs, or is gone: nobody is sent there.
LIVING_S = 2.0
# No request to become a socket is longer.
LONGEST_HEAD = 1 << 17

Take = Callable[[socket.socket, bytes], None]


class Place(Struct, frozen=True):
    """A worker among its like: they meet in a folder that nobody else may enter."""

    folder: str
    number: int
    workers: int

    def door(self, number: int) -> str:
        return str(Path(self.folder) / str(number))


class Porter:
    """`take` is given whoever is brought to this worker."""

    def __init__(self, place: Place, take: Take) -> None:
        self._place = place
        self._take = take
        self._door = place.door(place.number)

    def open(self) -> None:
        with suppress(FileNotFoundError):
            # Whoever had this number before us has died.
            Path(self._door).unlink()
        self._ear = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._ear.bind(self._door)
        self._ear.setblocking(False)
        asyncio.get_running_loop().add_reader(self._ear, self._hear)

    async def watch(self) -> None:
        """Every moment: we are there."""
        while True:
            with suppress(OSError):
                os.utime(self._door)
            await asyncio.sleep(BEAT_S)

    def close(self) -> None:
        asyncio.get_running_loop().remove_reader(self._ear)
        self._ear.close()
        with suppress(OSError):
            Path(self._door).unlink()

    def brings(self, key: Key, transport: asyncio.BaseTransport, said: bytes) -> bool:
        """Whether they are somebody else's now: then nothing may be read from them here any more."""
        turn = crc32(key.encode()) % self._place.workers
        if turn == self._place.number:
            return False
        door = self._place.door(turn)
        try:
            if time.time() - Path(door).stat().st_mtime > LIVING_S:
                return False
            with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as mouth:
                mouth.setblocking(False)
                mouth.connect(door)
                socket.send_fds(mouth, [said], [transport.get_extra_info("socket").fileno()])
        except OSError:
            return False
        return True

    def _hear(self) -> None:
        with suppress(BlockingIOError):
            while True:
                said, connections, *_ = socket.recv_fds(self._ear, LONGEST_HEAD, 1)
                for one in connections:
                    self._take(socket.socket(fileno=one), said)
