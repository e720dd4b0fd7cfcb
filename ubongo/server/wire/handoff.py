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

from ubongo.server.store.entities import Key
from ubongo.server.wire.listener import has_room

BEAT_S = 0.5
# Who has not been seen for so long hangs, or is gone: nobody is sent there.
LIVING_S = 2.0
# No request to become a socket is longer.
LONGEST_HEAD = 1 << 17

Take = Callable[[socket.socket, bytes], None]


class WorkerPlace(Struct, frozen=True):
    """A worker among its like: they meet in a folder that nobody else may enter."""

    folder: str
    number: int
    workers: int

    def socket_path(self, number: int) -> str:
        return str(Path(self.folder) / str(number))


class Handoff:
    """`take` is given whoever is brought to this worker."""

    def __init__(self, place: WorkerPlace, take: Take) -> None:
        self._place = place
        self._take = take
        self._socket_path = place.socket_path(place.number)
        self._ear: socket.socket | None = None
        # Where others are heard, and lines to them by their numbers.
        self._from: set[socket.socket] = set()
        self._to: dict[int, socket.socket] = {}

    def open(self) -> None:
        with suppress(FileNotFoundError):
            # Whoever had this number before us has died.
            Path(self._socket_path).unlink()
        try:
            ear = _receiver(self._socket_path)
        except OSError:
            # A system without such lines, as a Mac is, or a folder whose name is too long for one: everybody serves
            # whoever comes to them.
            return
        self._ear = ear
        self._from.add(ear)
        self.beat()

    async def watch(self) -> None:
        while True:
            await asyncio.sleep(BEAT_S)
            self.beat()

    def beat(self) -> None:
        """Every moment: we are there. Who has no room for anybody else does not say so, and is soon brought nobody."""
        if self._ear is not None and has_room():
            with suppress(OSError):
                os.utime(self._socket_path)
            asyncio.get_running_loop().add_reader(self._ear, self._meet, self._ear)

    def close(self) -> None:
        loop = asyncio.get_running_loop()
        for line in self._from:
            loop.remove_reader(line)
        for line in (*self._from, *self._to.values()):
            line.close()
        self._from.clear()
        self._ear = None
        with suppress(OSError):
            Path(self._socket_path).unlink()

    # To others

    def brings(self, key: Key, transport: asyncio.BaseTransport, said: bytes) -> bool:
        """Whether they are somebody else's now: then nothing may be read from them here any more."""
        turn = crc32(key.encode()) % self._place.workers
        if turn == self._place.number:
            return False
        try:
            if time.time() - Path(self._place.socket_path(turn)).stat().st_mtime > LIVING_S:
                return False
            self._send(turn, transport.get_extra_info("socket").fileno(), said)
        except OSError:
            self._hang_up(turn)
            return False
        return True

    def _send(self, turn: int, connection: int, said: bytes) -> None:
        if turn not in self._to:
            self._to[turn] = _line()
            self._to[turn].connect(self._place.socket_path(turn))
        socket.send_fds(self._to[turn], [said], [connection])

    def _hang_up(self, turn: int) -> None:
        line = self._to.pop(turn, None)
        if line is not None:
            line.close()

    # From others

    def _meet(self, ear: socket.socket) -> None:
        try:
            line, _ = ear.accept()
        except OSError:
            # They stay at the door, and we would be called without end: we listen again when there is room.
            asyncio.get_running_loop().remove_reader(ear)
            return
        line.setblocking(False)
        self._from.add(line)
        asyncio.get_running_loop().add_reader(line, self._hear, line)

    def _hear(self, line: socket.socket) -> None:
        try:
            said, connections, *_ = socket.recv_fds(line, LONGEST_HEAD, 1)
        except BlockingIOError:
            return
        except OSError:
            said, connections = b"", []
        if not said:
            asyncio.get_running_loop().remove_reader(line)
            self._from.discard(line)
            line.close()
        for one in connections:
            self._take(socket.socket(fileno=one), said)


def _line() -> socket.socket:
    """Keeps what was said apart, and more of it than a letter box of ten."""
    line = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    line.setblocking(False)
    return line


def _receiver(path: str) -> socket.socket:
    ear = _line()
    try:
        ear.bind(path)
        ear.listen()
    except OSError:
        ear.close()
        raise
    return ear
