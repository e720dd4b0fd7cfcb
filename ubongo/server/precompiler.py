"""Compiles the bots' code in another process at low priority, so that the server goes on answering.

That happens once on a machine: Numba caches what it has compiled, and afterwards it is only loaded.
"""

from __future__ import annotations

import asyncio
import logging
import os
import sys
from collections.abc import Awaitable, Callable, Collection
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path

import ubongo

KERNEL = Path(ubongo.__file__).parent / "kernel"
# The function that is compiled last.
SOURCE, FUNCTION = "throws.py", "throws._rounds"
LOW_PRIORITY = 10

log = logging.getLogger("ubongo.server")


def looks_compiled() -> bool:
    """Whether Numba's cache seems to have our compiled code. Only Numba knows, and takes half a second to load.

    A wrong answer does no harm: a process is started for nothing, or the server compiles what it loads.
    """
    own = os.environ.get("NUMBA_CACHE_DIR")
    folders = Path(own).glob(f"{KERNEL.name}_*") if own else [KERNEL / "__pycache__"]
    python = "py{}{}".format(*sys.version_info)
    marks = sha256((KERNEL / SOURCE).read_bytes()).digest(), version("numba").encode()
    cached = [index.read_bytes() for folder in folders for index in folder.glob(f"{FUNCTION}-*.{python}*.nbi")]
    return any(all(mark in index for mark in marks) for index in cached)


def precompiler(games: Collection[str], program: str) -> Callable[[str], Awaitable[None]]:
    """Runs the program for one of these games in another Python process, unless the code looks compiled.

    The server itself must not compile: players would notice.
    """

    async def precompile(game: str) -> None:
        if game in games and not looks_compiled():
            await _run_in_background(program.format(game=game))

    return precompile


async def _run_in_background(program: str) -> None:
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-c",
        program,
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.PIPE,
        # Ctrl-C goes to the server alone, which ends this process.
        start_new_session=True,
    )
    try:
        if sys.platform != "win32":
            os.setpriority(os.PRIO_PROCESS, process.pid, LOW_PRIORITY)
        assert process.stderr is not None
        async for line in process.stderr:
            # It says that it compiles, or why it cannot.
            log.warning("%s", line.decode(errors="replace").rstrip())
        await process.wait()
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
