"""PDFs for HTTP, made by `ubongo print` in a process of low priority and cached on disk.

An edition never changes, so a cached file is served to everybody. Only new files are limited: an address may have some
at once, then one a minute, and at most two waiting in the queue.
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
# Unix' nice value: a tenth of the usual share. At the lowest priority, 19, a busy machine would never print at all.
LOW_PRIORITY = 10
# How many may wait, per address and in all.
WAITING_EACH, WAITING = 2, 32
# New files per address: a burst, then one a minute.
PRINTS_BURST, PRINTS_RATE = 20, 1 / 60
# The size of the cache; files that were requested longest ago are deleted first.
MOST_BYTES = 512 * 1024 * 1024


class PrintRequest(Struct, frozen=True):
    game: str
    edition: str
    part: str
    paper: str
    duplex: str
    lang: str
    url: str
    # The number of pages of each part, as JSON, in place of the pages.
    count: bool = False

    def arguments(self) -> list[str]:
        """The command line of `ubongo`."""
        flags = ("part", "paper", "duplex", "lang", "url")
        counted = ["--pages"] if self.count else []
        return ["print", self.game, *(f"--{flag}={getattr(self, flag)}" for flag in flags), *counted]

    def file_name(self) -> str:
        """Differs whenever the program's drawings change."""
        mark = sha256(drawing_hash() + msgspec.json.encode(self)).hexdigest()
        return f"{mark}.{'json' if self.count else 'pdf'}"


@cache
def drawing_hash() -> bytes:
    """A hash of everything that a printed page depends on, except its edition."""
    found = sha256()
    home = Path(ubongo.__file__).parent
    for file in sorted(one for part in ("printing", "words", "material") for one in (home / part).rglob("*")):
        if file.is_file() and file.suffix != ".pyc":
            found.update(f"{file.relative_to(home)} ".encode())
            found.update(sha256(file.read_bytes()).digest())
    return found.digest()


class PrintCache:
    """`folder` is where files are cached; if it is not writable, a temporary one is used."""

    def __init__(self, folder: Path, clock: Clock, limited: bool = True) -> None:
        self._folder = folder
        self._clock = clock
        self._quota = NewcomerRateLimit(PRINTS_RATE if limited else 0, PRINTS_BURST)
        self._one = asyncio.Lock()
        self._waiting: Counter[str] = Counter()
        self._being_printed: dict[PrintRequest, asyncio.Task[Path]] = {}
        self._preparing = asyncio.Lock()
        self._ready = False

    async def file(self, request: PrintRequest, address: str) -> Path:
        """The file, from the cache or newly printed. Raises Denied if a new one is over the limits."""
        async with self._preparing:
            if not self._ready:
                self._folder = await asyncio.to_thread(_usable, self._folder)
                await asyncio.to_thread(drawing_hash)
                self._ready = True
        file = self._folder / request.file_name()
        if await asyncio.to_thread(_touched, file):
            return file
        task = self._being_printed.get(request)
        if task is None:
            whose = household(address)
            self._admit(address, whose)
            task = self._being_printed[request] = asyncio.create_task(self._print(request, file, whose))
            task.add_done_callback(lambda done: self._done(request, done))
        # If the first client disconnects, others still wait for the file.
        return await asyncio.shield(task)

    def _done(self, request: PrintRequest, task: asyncio.Task[Path]) -> None:
        del self._being_printed[request]
        if not task.cancelled():
            # Marks the exception as retrieved, in case no client waits any more.
            task.exception()

    def tidy(self) -> None:
        self._quota.tidy(self._clock.now())

    def _admit(self, address: str, whose: str) -> None:
        if self._waiting[whose] >= WAITING_EACH or self._waiting.total() >= WAITING:
            raise Denied("printing_busy")
        if not self._quota.take(address, self._clock.now()):
            raise Denied("too_many_prints")
        self._waiting[whose] += 1

    async def _print(self, request: PrintRequest, file: Path, whose: str) -> Path:
        try:
            async with self._one:
                pdf = await printed(request)
        finally:
            self._waiting[whose] -= 1
            # Drops addresses with nothing in the queue.
            self._waiting = +self._waiting
        try:
            await asyncio.to_thread(_store, pdf, file)
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
    """Whether it exists; if so, marks it as just requested."""
    try:
        os.utime(file)
    except OSError:
        return False
    return True


def _store(content: bytes, file: Path) -> None:
    """Writes the file in one step, and keeps the cache within its size."""
    temporary = file.with_suffix(f".{os.getpid()}")
    temporary.write_bytes(content)
    temporary.replace(file)
    cached = []
    for one in file.parent.iterdir():
        with suppress(OSError):
            about = one.stat()
            cached.append((about.st_mtime, about.st_size, one))
    size = sum(bytes_ for _, bytes_, _ in cached)
    for _, bytes_, one in sorted(cached):
        if size <= MOST_BYTES or one == file:
            break
        one.unlink(missing_ok=True)
        size -= bytes_


async def printed(request: PrintRequest) -> bytes:
    try:
        edition = chosen(type(shipped(request.game)), request.edition)
    except BadOptions as problem:
        raise Denied("bad_options", why=str(problem)) from None
    with TemporaryDirectory(prefix="ubongo-") as folder:
        file, out = Path(folder, "edition.json"), Path(folder, "out")
        await asyncio.to_thread(file.write_bytes, encode(edition))
        command = (sys.executable, "-m", "ubongo", *request.arguments(), f"--edition={file}", f"--out={out}")
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
                _, errors = await process.communicate()
        except TimeoutError:
            # The machine is busy, and everything else has priority.
            raise Denied("printing_busy") from None
        finally:
            if process.returncode is None:
                process.kill()
                await process.wait()
        if process.returncode == 2:
            raise Denied("unreadable", why=errors.decode().strip().removeprefix("ubongo: "))
        return await asyncio.to_thread(out.read_bytes)
