"""No cold start: the code for play and `ubongo solve` is compiled once, with a message for users who have to wait."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import httpx
import pytest

from tests.conftest import Running, start
from tests.known import KNOWN, box, rectangle
from tests.program import PATIENCE_S, ubongo
from tests.server.people import PATIENCE, Person, hang_up_all
from ubongo.server.precompiler import FUNCTION, KERNEL, looks_compiled
from ubongo.tiling import Puzzle

MESSAGE = "Compiling the solver for this machine; this happens once.\n"
# Too large for plain Python, on each lattice, with one layer and with two; and tasks with many pieces.
SMALL = (
    Puzzle("square", rectangle(2, 3), (rectangle(2, 1), rectangle(2, 2))),
    Puzzle("hex", rectangle(2, 3), (rectangle(2, 1), rectangle(2, 2))),
    Puzzle("cubic", box(3, 2, 2), (box(1, 2, 2), box(2, 2, 2))),
    Puzzle("cubic", box(3, 3, 3), (box(1, 3, 3), box(2, 3, 3))),
)
BIG = [known for known in KNOWN if known.name in ("pentominoes 3x20", "soma", "tetrahexes 4x7")]


def line(task: Puzzle) -> str:
    return json.dumps({"lattice": task.lattice, "region": task.region, "pieces": task.pieces}) + "\n"


TASKS = "".join(map(line, [*SMALL * 25, *[known.task for known in BIG]]))


def env(folder: Path) -> dict[str, str]:
    return {**os.environ, "NUMBA_CACHE_DIR": str(folder)}


def cached_files(folder: Path) -> set[tuple[str, int]]:
    return {(str(file), file.stat().st_mtime_ns) for file in folder.rglob("*") if file.is_file()}


def warm_up(folder: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "ubongo.kernel.warm"]
    return subprocess.run(command, env=env(folder), capture_output=True, text=True, check=True, timeout=PATIENCE_S)


def wait_for_grabbed_dice(running: Running) -> None:
    """Waits until a bot, which uses compiled code, has grabbed dice."""
    ann = Person(running.address, "Ann")
    options = {"game": "dice", "seats": 2, "bots": ["expert", "expert"], "sit": False}
    table = ann.post("/tables", options)["table"]
    ann.post(f"/tables/{table}/start")
    ann.sit_at(table).see(lambda table: any(die["taken"] is not None for die in table["dice"]))
    hang_up_all()


@pytest.mark.no_cover
def test_everything_is_compiled_once_and_the_server_answers_in_the_meantime(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One test, since compiling takes most of its time."""
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    assert not looks_compiled()
    with start() as running:
        assert running.process.stderr is not None
        assert json.loads(running.process.stderr.readline())["event"] == MESSAGE.strip()
        assert httpx.get(f"{running.address}healthz", timeout=PATIENCE).status_code == 200
        assert not looks_compiled(), "it answered before all was compiled"
        wait_for_grabbed_dice(running)
        assert looks_compiled()
        running.process.terminate()
        assert running.process.communicate()[1] == "", "the server itself compiled nothing"
    cold = ubongo("solve", "-", "--count", "--json", stdin=TASKS, env=env(tmp_path))
    assert cold.stderr == MESSAGE
    warm_up(tmp_path)
    everything = cached_files(tmp_path)
    assert warm_up(tmp_path).stderr == ""
    warm = ubongo("solve", "-", "--count", "--json", stdin=TASKS, env=env(tmp_path))
    assert (warm.stdout, warm.stderr) == (cold.stdout, "")
    counts = [json.loads(answer)["count"] for answer in warm.stdout.splitlines()]
    assert counts[-len(BIG) :] == [known.fillings for known in BIG]
    for game in ("cards", "dice", "extreme", "cubes"):
        played = ubongo("simulate", game, "--seats", "easy,expert", "--matches", "1", "--seed", "1", env=env(tmp_path))
        assert (played.returncode, played.stderr) == (0, "")
    assert cached_files(tmp_path) == everything


def test_cache_entries_of_another_source_do_not_count(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    folder = tmp_path / f"{KERNEL.name}_0123"
    folder.mkdir()
    python = "py{}{}".format(*sys.version_info)
    (folder / f"{FUNCTION}-131.{python}.nbi").write_bytes(b"of something else")
    assert not looks_compiled()


@pytest.mark.no_cover
def test_without_a_writable_cache_folder_it_is_compiled_each_time() -> None:
    # Simulates that neither the program's folder nor the user's is writable, in a way that works for root, too.
    nowhere = {
        **os.environ,
        "NUMBA_CACHE_DIR": "/dev/null/no",
        "NUMBA_CACHE_LOCATOR_CLASSES": "UserProvidedCacheLocator",
    }
    dominoes = Puzzle("square", rectangle(6, 6), (rectangle(1, 2),) * 18)
    done = ubongo("solve", "-", "--count", "--json", stdin=line(dominoes), env=nowhere)
    # Kasteleyn 1961: dominoes on a 6 x 6 board.
    assert (done.returncode, json.loads(done.stdout)["count"]) == (0, 6728)
    assert "NUMBA_CACHE_DIR" in done.stderr
    assert done.stderr.count("\n") == 1


WORKERS = """
import logging
from ubongo.commands._support.workers import _Pool
def work(number):
    logging.getLogger("ubongo.kernel").warning("Compiling")
    return number
with _Pool(3) as pool:
    print(sum(pool.map(work, range(12))))
"""


@pytest.mark.skipif(sys.platform == "win32", reason="no such terminals there")
def test_only_one_worker_says_that_it_compiles_and_only_on_a_terminal() -> None:
    command = [sys.executable, "-c", WORKERS]
    on_a_pipe = subprocess.run(command, capture_output=True, text=True, check=False, timeout=PATIENCE_S)
    assert (on_a_pipe.returncode, on_a_pipe.stdout, on_a_pipe.stderr) == (0, "66\n", "")
    ours, theirs = os.openpty()
    shown = subprocess.run(command, stdout=-1, stderr=theirs, text=True, check=False, timeout=PATIENCE_S)
    assert (shown.returncode, shown.stdout) == (0, "66\n")
    os.close(theirs)
    with open(ours, "rb", buffering=0) as terminal:  # noqa: PTH123 - it has no path
        assert terminal.read(1000) == b"Compiling\r\n"
