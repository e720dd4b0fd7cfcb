"""Reserves a port for a program: no other process gets it before the program listens, or between two runs."""

from __future__ import annotations

import socket
import sys
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def free_port() -> Iterator[int]:
    """On Linux a socket that is bound but does not listen reserves the port: a server that sets SO_REUSEADDR can still
    listen on it, and a process that asks for any port gets another one. On other systems that server would be refused,
    so there the port is only likely to stay free.
    """
    with socket.socket() as held:
        held.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        held.bind(("127.0.0.1", 0))
        port: int = held.getsockname()[1]
        if sys.platform != "linux":
            held.close()
        yield port
