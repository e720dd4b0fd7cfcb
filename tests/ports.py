"""A port for a program that has to be told one: nobody else gets it before the program listens, or between two runs."""

from __future__ import annotations

import socket
import sys
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def free_port() -> Iterator[int]:
    """On Linux it is kept by a socket that is bound and does not listen: whoever names the port and says that it may be
    in use, as servers do, can listen there all the same, and whoever asks for any port is given another one. Elsewhere
    nobody could, so there it is only likely that it stays free.
    """
    with socket.socket() as held:
        held.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        held.bind(("127.0.0.1", 0))
        port: int = held.getsockname()[1]
        if sys.platform != "linux":
            held.close()
        yield port
