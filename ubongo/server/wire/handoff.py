"""Passes open connections between worker processes, so that all connections of a table are served by one worker.

Any worker can serve any connection. But if two serve the same table, one writes, and the other has to read, replay and
broadcast the same events. So a worker that gets an upgrade request passes the open connection, with the bytes it has
read, to the worker that the table's key hashes to. If that worker is not alive, it keeps the connection.
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
from ubongo.server.wire.listener import has_free_descriptor

HEARTBEAT_S = 0.5
# A worker without a heartbeat for this long hangs or is gone: it gets no connections.
ALIVE_WITHIN_S = 2.0
# No upgrade request is longer.
LONGEST_REQUEST = 1 << 17

Take = Callable[[socket.socket, bytes], None]


class WorkerPlace(Struct, frozen=True):
    """A worker among the others. Their Unix sockets are in a folder that only this user may enter."""

    folder: str
    number: int
    workers: int

    def socket_path(self, number: int) -> str:
        return str(Path(self.folder) / str(number))


class Handoff:
    """`take` gets the connections that other workers pass to this one."""

    def __init__(self, place: WorkerPlace, take: Take) -> None:
        self._place = place
        self._take = take
        self._socket_path = place.socket_path(place.number)
        self._listener: socket.socket | None = None
        # Unix sockets: the listener and those that other workers have opened, and ours to other workers.
        self._incoming: set[socket.socket] = set()
        self._outgoing: dict[int, socket.socket] = {}

    def open(self) -> None:
        with suppress(FileNotFoundError):
            # Left by a worker that has died.
            Path(self._socket_path).unlink()
        try:
            listener = _listen(self._socket_path)
        except OSError:
            # macOS has no such sockets, and a folder's name may be too long for one: then each worker serves the
            # connections that it accepts.
            return
        self._listener = listener
        self._incoming.add(listener)
        self.heartbeat()

    async def watch(self) -> None:
        while True:
            await asyncio.sleep(HEARTBEAT_S)
            self.heartbeat()

    def heartbeat(self) -> None:
        """Shows that this worker is alive, unless it has no free descriptor: then others keep their connections."""
        if self._listener is not None and has_free_descriptor():
            with suppress(OSError):
                os.utime(self._socket_path)
            asyncio.get_running_loop().add_reader(self._listener, self._accept, self._listener)

    def close(self) -> None:
        loop = asyncio.get_running_loop()
        for one in self._incoming:
            loop.remove_reader(one)
        for one in (*self._incoming, *self._outgoing.values()):
            one.close()
        self._incoming.clear()
        self._listener = None
        with suppress(OSError):
            Path(self._socket_path).unlink()

    # To other workers

    def hand_over(self, key: Key, transport: asyncio.BaseTransport, request: bytes) -> bool:
        """True if another worker has the connection now: then it must not be read here any more."""
        worker = crc32(key.encode()) % self._place.workers
        if worker == self._place.number:
            return False
        try:
            if time.time() - Path(self._place.socket_path(worker)).stat().st_mtime > ALIVE_WITHIN_S:
                return False
            self._send(worker, transport.get_extra_info("socket").fileno(), request)
        except OSError:
            self._disconnect(worker)
            return False
        return True

    def _send(self, worker: int, descriptor: int, request: bytes) -> None:
        if worker not in self._outgoing:
            self._outgoing[worker] = _unix_socket()
            self._outgoing[worker].connect(self._place.socket_path(worker))
        socket.send_fds(self._outgoing[worker], [request], [descriptor])

    def _disconnect(self, worker: int) -> None:
        outgoing = self._outgoing.pop(worker, None)
        if outgoing is not None:
            outgoing.close()

    # From other workers

    def _accept(self, listener: socket.socket) -> None:
        try:
            incoming, _ = listener.accept()
        except OSError:
            # No free file descriptor. Its request stays in the backlog, so the loop would call us without end: the next
            # heartbeat listens again.
            asyncio.get_running_loop().remove_reader(listener)
            return
        incoming.setblocking(False)
        self._incoming.add(incoming)
        asyncio.get_running_loop().add_reader(incoming, self._receive, incoming)

    def _receive(self, incoming: socket.socket) -> None:
        try:
            request, descriptors, *_ = socket.recv_fds(incoming, LONGEST_REQUEST, 1)
        except BlockingIOError:
            return
        except OSError:
            request, descriptors = b"", []
        if not request:
            asyncio.get_running_loop().remove_reader(incoming)
            self._incoming.discard(incoming)
            incoming.close()
        for descriptor in descriptors:
            self._take(socket.socket(fileno=descriptor), request)


def _unix_socket() -> socket.socket:
    """SEQPACKET keeps messages apart, and queues more of them than a datagram socket, which holds about ten."""
    unix_socket = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    unix_socket.setblocking(False)
    return unix_socket


def _listen(path: str) -> socket.socket:
    listener = _unix_socket()
    try:
        listener.bind(path)
        listener.listen()
    except OSError:
        listener.close()
        raise
    return listener
