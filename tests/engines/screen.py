"""A virtual display, and programs on it. WebKit does not start without a display."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from tests.engines.driver import Failed

PIXELS = "1600x1200x24"


@contextmanager
def running(
    command: Sequence[str], environment: Mapping[str, str], log: Path, pass_fds: Sequence[int] = ()
) -> Iterator[subprocess.Popen[bytes]]:
    """A program that is stopped at the end of the block; its output goes into a file."""
    with log.open("wb") as said:
        process = subprocess.Popen(
            command, env={**os.environ, **environment}, stdout=said, stderr=said, pass_fds=pass_fds
        )
    try:
        yield process
    finally:
        process.terminate()
        try:
            process.wait(20)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


@contextmanager
def screen(folder: Path) -> Iterator[dict[str, str]]:
    """The environment of programs on that display."""
    ours, its = os.pipe()
    command = ["Xvfb", "-displayfd", str(its), "-screen", "0", PIXELS, "-nolisten", "tcp"]
    with os.fdopen(ours) as tells, running(command, {}, folder / "xvfb.log", [its]):
        os.close(its)
        number = tells.readline().strip()
        if not number:
            raise Failed("Xvfb does not start: " + (folder / "xvfb.log").read_text())
        yield {"DISPLAY": f":{number}"}
