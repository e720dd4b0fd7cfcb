"""What bots count with is compiled by a process of its own, at low priority: the server goes on answering meanwhile.

That happens once for a machine. Numba keeps what it has compiled, and afterwards loading it is enough.
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
# What is compiled last, of all that bots need.
SOURCE, FUNCTION = "throws.py", "throws._rounds"
LOW_PRIORITY = 10

log = logging.getLogger("ubongo.server")


def looks_compiled() -> bool:
    """Whether Numba has kept what it made of our source. Only Numba knows for sure, and takes half a second to load.

    Where this is wrong nothing is lost: a process more is started, or the server compiles what it loads.
    """
    own = os.environ.get("NUMBA_CACHE_DIR")
    folders = Path(own).glob(f"{KERNEL.name}_*") if own else [KERNEL / "__pycache__"]
    python = "py{}{}".format(*sys.version_info)
    marks = sha256((KERNEL / SOURCE).read_bytes()).digest(), version("numba").encode()
    kept = [index.read_bytes() for folder in folders for index in folder.glob(f"{FUNCTION}-*.{python}*.nbi")]
    return any(all(mark in index for mark in marks) for index in kept)


def precompiler(games: Collection[str], program: str) -> Callable[[str], Awaitable[None]]:
    """Runs the program for one of these games in another Python, unless that looks done.

    The server itself is not to compile what it loads: whoever plays would notice.
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
        # Ctrl-C is for the server, which ends it.
        start_new_session=True,
    )
    try:
        if sys.platform != "win32":
            os.setpriority(os.PRIO_PROCESS, process.pid, LOW_PRIORITY)
        assert process.stderr is not None
        async for line in process.stderr:
            # That it compiles, if it does, or why it cannot.
            log.warning("%s", line.decode(errors="replace").rstrip())
        await process.wait()
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
