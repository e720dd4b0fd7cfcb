"""Printing for HTTP: by the program's own `print`, in a process of its own at a low priority; kept on the disk.

An edition never changes, so what was printed once is there for everybody. Only what is new costs anything: of that an
address has some at once and one a minute, and waits in a line in which it has no more than two places.
"""

from __future__ import annotations

import asyncio
import os
import sys
from collections import Counter
from contextlib import suppress
from functools import cache
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory, mkdtemp

import msgspec
from msgspec import Struct

import ubongo
from ubongo.game import BadOptions
from ubongo.games.editions import chosen
from ubongo.material import encode, shipped
from ubongo.server.clock import Clock
from ubongo.server.errors import Denied
from ubongo.server.rate_limit import NewcomerRateLimit, household

PATIENCE_S = 120
# As Unix counts it: a tenth of what everybody else gets. At the lowest, 19, a busy machine would never print at all.
LOW_PRIORITY = 10
# So many may wait, of one address and in all.
WAITING_EACH, WAITING = 2, 32
# What is new of one address: so many at once, then one a minute.
PRINTS_BURST, PRINTS_RATE = 20, 1 / 60
# So many bytes are kept; what was asked for longest ago goes first.
KEPT = 512 * 1024 * 1024


class PrintRequest(Struct, frozen=True):
    game: str
    edition: str
    part: str
    paper: str
    duplex: str
    lang: str
    url: str
    # Not the pages, but how many each part has, as JSON: drawn to be counted, as they would be to be printed.
    count: bool = False

    def words(self) -> list[str]:
        """As one would type them."""
        flags = ("part", "paper", "duplex", "lang", "url")
        counted = ["--pages"] if self.count else []
        return ["print", self.game, *(f"--{flag}={getattr(self, flag)}" for flag in flags), *counted]

    def file_name(self) -> str:
        """Another one when the program prints otherwise."""
        mark = sha256(drawing_hash() + msgspec.json.encode(self)).hexdigest()
        return f"{mark}.{'json' if self.count else 'pdf'}"


@cache
def drawing_hash() -> bytes:
    """Of all that a printed page depends on but its edition."""
    found = sha256()
    home = Path(ubongo.__file__).parent
    for file in sorted(one for part in ("printing", "words", "material") for one in (home / part).rglob("*")):
        if file.is_file() and file.suffix != ".pyc":
            found.update(f"{file.relative_to(home)} ".encode())
            found.update(sha256(file.read_bytes()).digest())
    return found.digest()


class PrintCache:
    """`folder` is where what was printed is kept; if nothing can be kept there, a temporary one is used."""

    def __init__(self, folder: Path, clock: Clock, limited: bool = True) -> None:
        self._folder = folder
        self._clock = clock
        self._quota = NewcomerRateLimit(PRINTS_RATE if limited else 0, PRINTS_BURST)
        self._one = asyncio.Lock()
        self._waiting: Counter[str] = Counter()
        self._being_printed: dict[PrintRequest, asyncio.Task[Path]] = {}
        self._preparing = asyncio.Lock()
        self._ready = False

    async def file(self, wanted: PrintRequest, address: str) -> Path:
        """A file with what is wanted. What is there, or being made, is everybody's; anything new may be refused."""
        async with self._preparing:
            if not self._ready:
                self._folder = await asyncio.to_thread(_usable, self._folder)
                await asyncio.to_thread(drawing_hash)
                self._ready = True
        file = self._folder / wanted.file_name()
        if await asyncio.to_thread(_touched, file):
            return file
        task = self._being_printed.get(wanted)
        if task is None:
            whose = household(address)
            self._admit(address, whose)
            task = self._being_printed[wanted] = asyncio.create_task(self._print(wanted, file, whose))
            task.add_done_callback(lambda done: self._done(wanted, done))
        # Whoever asked first may go: the others still wait for it.
        return await asyncio.shield(task)

    def _done(self, wanted: PrintRequest, task: asyncio.Task[Path]) -> None:
        del self._being_printed[wanted]
        if not task.cancelled():
            # Perhaps nobody waits for it any more: then nobody hears why not.
            task.exception()

    def tidy(self) -> None:
        self._quota.tidy(self._clock.now())

    def _admit(self, address: str, whose: str) -> None:
        if self._waiting[whose] >= WAITING_EACH or self._waiting.total() >= WAITING:
            raise Denied("printing_busy")
        if not self._quota.take(address, self._clock.now()):
            raise Denied("too_many_prints")
        self._waiting[whose] += 1

    async def _print(self, wanted: PrintRequest, file: Path, whose: str) -> Path:
        try:
            async with self._one:
                made = await printed(wanted)
        finally:
            self._waiting[whose] -= 1
            # Nobody stays in it who waits for nothing.
            self._waiting = +self._waiting
        try:
            await asyncio.to_thread(_keep, made, file)
        except OSError as problem:
            raise Denied("not_recorded") from problem
        return file


def _usable(folder: Path) -> Path:
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        with TemporaryDirectory(dir=folder):
            return folder
    except OSError:
        return Path(mkdtemp(prefix="ubongo-print-"))


def _touched(file: Path) -> bool:
    """Whether it is there; if so it has just been asked for."""
    try:
        os.utime(file)
    except OSError:
        return False
    return True


def _keep(made: bytes, file: Path) -> None:
    beside = file.with_suffix(f".{os.getpid()}")
    beside.write_bytes(made)
    beside.replace(file)
    kept = []
    for one in file.parent.iterdir():
        with suppress(OSError):
            about = one.stat()
            kept.append((about.st_mtime, about.st_size, one))
    size = sum(bytes_ for _, bytes_, _ in kept)
    for _, bytes_, one in sorted(kept):
        if size <= KEPT or one == file:
            break
        one.unlink(missing_ok=True)
        size -= bytes_


async def printed(wanted: PrintRequest) -> bytes:
    try:
        edition = chosen(type(shipped(wanted.game)), wanted.edition)
    except BadOptions as problem:
        raise Denied("bad_options", why=str(problem)) from None
    with TemporaryDirectory(prefix="ubongo-") as folder:
        file, out = Path(folder, "edition.json"), Path(folder, "out")
        await asyncio.to_thread(file.write_bytes, encode(edition))
        command = (sys.executable, "-m", "ubongo", *wanted.words(), f"--edition={file}", f"--out={out}")
        process = await asyncio.create_subprocess_exec(
            *command,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.DEVNULL,
            stderr=asyncio.subprocess.PIPE,
        )
        try:
            if sys.platform != "win32":
                os.setpriority(os.PRIO_PROCESS, process.pid, LOW_PRIORITY)
            async with asyncio.timeout(PATIENCE_S):
                _, said = await process.communicate()
        except TimeoutError:
            # The machine has too much else to do, and everything else comes first.
            raise Denied("printing_busy") from None
        finally:
            if process.returncode is None:
                process.kill()
                await process.wait()
        if process.returncode == 2:
            raise Denied("unreadable", why=said.decode().strip().removeprefix("ubongo: "))
        return await asyncio.to_thread(out.read_bytes)
