"""What several tests need: the real server, as a process of its own."""

import os
import subprocess
import sys
from collections.abc import Iterator
from typing import NamedTuple

import pytest
from hypothesis import settings

# The first example of a compiled function may have to wait for the compiler.
settings.register_profile("house", deadline=None)
settings.load_profile("house")


class Running(NamedTuple):
    process: subprocess.Popen[str]
    address: str


def start(*flags: str, **environment: str) -> Running:
    """The server on a free port. It has printed its address, so it listens."""
    process = subprocess.Popen(
        [sys.executable, "-m", "ubongo", "serve", "--port", "0", *flags],
        env={**os.environ, **environment},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    line = process.stdout.readline()
    if not line.startswith("Ubongo is at http://"):
        process.kill()
        raise AssertionError(f"The server did not start: {line}{process.communicate()[1]}")
    return Running(process, line.split()[3])


@pytest.fixture
def server() -> Iterator[Running]:
    running = start()
    with running.process:
        yield running
        running.process.kill()


@pytest.fixture(scope="session")
def address() -> Iterator[str]:
    """One server for all tests that only look at it."""
    running = start()
    with running.process:
        yield running.address
        running.process.terminate()
