"""Servers for bench/server.py, ours and others', each as a process of its own on the first core."""

from __future__ import annotations

import contextlib
import os
import resource
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import IO, Any

import msgspec

from hatch_build import node_from_wheel

PEERS = Path(__file__).parent / "peers"
# Players of one machine are one address.
UNLIMITED = ("--moves-rate", "0", "--requests-rate", "0", "--connections", "0")
TICKS = os.sysconf("SC_CLK_TCK")


class Server:
    def __init__(self, process: subprocess.Popen[str], address: str, started_s: float) -> None:
        self.process, self.address, self.started_s = process, address, started_s

    def kib(self) -> int:
        pages = Path(f"/proc/{self.process.pid}/statm").read_text().split()[1]
        return int(pages) * resource.getpagesize() // 1024

    def worked_s(self) -> float:
        """CPU seconds of all its threads."""
        user, system = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()[11:13]
        return (int(user) + int(system)) / TICKS


def family_s(pid: int) -> float:
    """CPU seconds of a process and its children, including those that have exited."""
    ticks = 0
    for place in Path("/proc").glob("[0-9]*/stat"):
        try:
            parts = place.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(place.parent.name) == pid:
            ticks += sum(map(int, parts[11:15]))
        elif int(parts[1]) == pid:
            ticks += sum(map(int, parts[11:13]))
    return ticks / TICKS


@contextlib.contextmanager
def running(
    command: Sequence[str | Path], stderr: IO[str] | None = None, **environment: str
) -> Iterator[subprocess.Popen[str]]:
    mine = os.sched_getaffinity(0)
    # Inherited, so it applies to every thread from the start.
    os.sched_setaffinity(0, {0})
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=stderr, text=True, env={**os.environ, **environment}
    )
    os.sched_setaffinity(0, mine)
    try:
        yield process
    finally:
        process.kill()
        process.wait()


@contextlib.contextmanager
def serving(
    db: Path, flags: Sequence[str] = UNLIMITED, stderr: IO[str] | None = None, port: int = 0
) -> Iterator[Server]:
    began = time.perf_counter()
    command = [sys.executable, "-m", "ubongo", "serve", "--port", str(port), "--db", str(db), *flags]
    with running(command, stderr) as process:
        assert process.stdout is not None
        address = process.stdout.readline().split()[3]
        yield Server(process, address, time.perf_counter() - began)


@contextlib.contextmanager
def peer(script: str, argument: str) -> Iterator[tuple[Server, dict[str, Any]]]:
    """A server of bench/peers/, and the address it printed."""
    began = time.perf_counter()
    with running([node_from_wheel()[0], PEERS / script, argument], NODE_ENV="production") as process:
        assert process.stdout is not None
        # Some print other lines first.
        line = next((line for line in process.stdout if line.startswith("{")), None)
        assert line is not None, f"{script} did not start"
        said: dict[str, Any] = msgspec.json.decode(line)
        yield Server(process, f"http://127.0.0.1:{said['port']}", time.perf_counter() - began), said
