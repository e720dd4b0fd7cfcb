"""Runs a command as users do: measures its time, and the memory of it and its descendants together."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from time import perf_counter, sleep

from msgspec import Struct

# The sampling interval of memory. Shorter peaks are missed; ours last longer.
_LOOK_EVERY = 0.05
_PROC = Path("/proc")


class Watched(Struct, frozen=True):
    """`worked`: CPU seconds of all cores together. `megabytes` is None if the system does not report it."""

    seconds: float
    worked: float
    megabytes: float | None


def ubongo(*arguments: str, compiled: Path) -> Watched:
    """Runs an `ubongo` command, which must succeed. Numba's cache is the folder `compiled`."""
    command = [sys.executable, "-m", "ubongo", *arguments]
    settings = os.environ | {"NUMBA_CACHE_DIR": str(compiled)}
    begun, worked = perf_counter(), _worked()
    most = 0
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, env=settings) as running:
        while running.poll() is None:
            most = max(most, sum(map(_kilobytes, _family(running.pid))))
            sleep(_LOOK_EVERY)
    if running.returncode != 0:
        raise SystemExit(f"{' '.join(arguments)} ended with {running.returncode}")
    return Watched(perf_counter() - begun, _worked() - worked, most / 1024 if most else None)


def _worked() -> float:
    """CPU seconds of all child processes that have ended."""
    times = os.times()
    return times.children_user + times.children_system


def _family(first: int) -> Iterator[int]:
    """The process and its descendants."""
    children: dict[int, list[int]] = {}
    for stat in _PROC.glob("[0-9]*/stat"):
        try:
            # After the name, which may hold anything, come the state and the parent.
            parent = int(stat.read_text().rpartition(")")[2].split()[1])
        except OSError:
            continue
        children.setdefault(parent, []).append(int(stat.parent.name))
    waiting = [first]
    while waiting:
        member = waiting.pop()
        yield member
        waiting += children.get(member, [])


def _kilobytes(member: int) -> int:
    """Its proportional set size (PSS): shared pages are divided among their users, so that the sizes add up."""
    try:
        lines = (_PROC / str(member) / "smaps_rollup").read_text().splitlines()
    except OSError:
        return 0
    return next((int(line.split()[1]) for line in lines if line.startswith("Pss:")), 0)


def in_a_row(runs: Sequence[Watched]) -> Watched:
    """Runs one after the other: the total time, and the memory of the largest."""
    known = [one.megabytes for one in runs if one.megabytes is not None]
    memory = max(known) if len(known) == len(runs) else None
    return Watched(sum(one.seconds for one in runs), sum(one.worked for one in runs), memory)
