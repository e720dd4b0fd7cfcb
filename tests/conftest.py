"""What several tests need: the real server, as a process of its own."""

import atexit
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Generator, Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple, Self

import pytest
from hypothesis import HealthCheck, settings
from xdist.remote import Producer

from tests.distribution import EXTRA_WORKERS, Scheduling, is_in_browser, rank

# The first example of a compiled function may have to wait for the compiler, and any of them for a busy machine.
settings.register_profile("house", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("house")

# A shell starts what it puts into the background deaf to Ctrl-C, and so all that we start: some tests want it heard.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# By this, coverage reaches into the programs that a test starts.
TRACED = "COVERAGE_PROCESS_CONFIG"


class Running(NamedTuple):
    """A server, and its log. Left in whatever way, it is gone: nobody waits for it for ever."""

    process: subprocess.Popen[str]
    address: str
    db: Path

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.process.terminate()
        try:
            self.process.communicate(timeout=20)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.communicate()


@cache
def _folder() -> str:
    """Where servers of this run keep their logs; gone at its end."""
    folder = tempfile.mkdtemp(prefix="ubongo-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder


def start(*flags: str, db: Path | str | None = None, module: str = "ubongo", **environment: str) -> Running:
    """The server on a free port, with a log of its own if none is named. It has printed its address, so it listens."""
    file = db if isinstance(db, Path) else Path(tempfile.mkdtemp(dir=_folder())) / "log.db"
    process = subprocess.Popen(
        [sys.executable, "-m", module, "serve", "--port", "0", "--db", str(db or file), *flags],
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
    return Running(process, line.split()[3], file)


@pytest.fixture
def server() -> Iterator[Running]:
    with start() as running:
        yield running


@pytest.fixture(scope="session")
def address() -> Iterator[str]:
    """One server for all tests that only look at it."""
    with start() as running:
        yield running.address


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--long", action="store_true", help="also run what takes minutes, and repeat what is random more")
    parser.addoption("--pictures", action="store_true", help="save screenshots in tests/browser/pictures")
    parser.addoption("--shuffle", type=int, metavar="SEED", help="run files, and the tests of a file, in random order")


@pytest.fixture(scope="session")
def long(request: pytest.FixtureRequest) -> bool:
    """Whether there is time: `make soak` runs the long version of a test, `make test` a short one."""
    return bool(request.config.getoption("--long"))


def pytest_xdist_auto_num_workers() -> int:
    return (os.cpu_count() or 1) + EXTRA_WORKERS


def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> Scheduling:
    return Scheduling(config, log)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Puts the tests in the order in which workers get them.

    What a screen needs of the server is covered by the server's own tests, and need not be slowed to be seen.
    """
    if not config.getoption("--long"):
        left_out = [item for item in items if item.get_closest_marker("long")]
        config.hook.pytest_deselected(items=left_out)
        items[:] = [item for item in items if item not in left_out]
    seed = config.getoption("--shuffle")
    if seed is None:
        items.sort(key=lambda item: rank(item.path))
    else:
        shuffle(items, seed)
    # Also without workers, browser tests come last: Playwright's event loop keeps running, and no other can start.
    items.sort(key=lambda item: is_in_browser(item.path))
    for item in items:
        if is_in_browser(item.path):
            item.add_marker("no_cover")


def shuffle(items: list[pytest.Item], seed: int) -> None:
    """The files, and the tests within each of them."""
    luck = random.Random(seed)
    files = {item.path: luck.random() for item in items}
    items.sort(key=lambda item: (files[item.path], luck.random()))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    """Where a test is not traced, neither are the programs that it starts."""
    traced = os.environ.pop(TRACED, None) if item.get_closest_marker("no_cover") else None
    try:
        return (yield)
    finally:
        if traced is not None:
            os.environ[TRACED] = traced
