"""`ubongo make`, `check` and `catalogue`, run as a user would."""

import json
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache, partial
from itertools import pairwise
from pathlib import Path

import msgspec
import pytest
from distributed import LocalCluster

from tests.program import PATIENCE_S, UBONGO, UNTRACED, ubongo
from ubongo import tiling
from ubongo.material import decode, encode, identify, shipped
from ubongo.material.dice import DiceEdition
from ubongo.workshop.crew import Crew
from ubongo.workshop.grow import flat_areas

# A shell reports 130 for both. If Ctrl-C interrupts code generated at run time, the signal itself ends Python.
INTERRUPTED = (130, -signal.SIGINT)

untraced = partial(ubongo, env=UNTRACED)


# The shipped dice are made twice, by one worker and by two, and each time written another way; `--long`: by a cluster.


def test_one_worker_makes_the_same_bytes_and_standard_output_gets_nothing_else(tmp_path: Path) -> None:
    words = ("make", "dice", "--seed", "1", "--out", "-", "--workers", "1")
    done = ubongo(*words, env=UNTRACED, cwd=tmp_path)
    assert (done.returncode, done.stderr, done.stdout) == (0, "", encode(shipped("dice")).decode())
    assert list(tmp_path.iterdir()) == []


def test_two_workers_make_the_same_bytes_and_overwrite_nothing_without_force(tmp_path: Path) -> None:
    out = tmp_path / "mine.json"
    out.write_text("dear to me")
    words = ("make", "dice", "--seed", "1", "--out", out, "--workers", "2")
    refused = untraced(*words)
    assert (refused.returncode, out.read_text()) == (2, "dear to me")
    assert "--force overwrites it" in refused.stderr
    done = untraced(*words, "--force")
    assert (done.returncode, done.stderr) == (0, "")
    assert out.read_bytes() == encode(shipped("dice"))


@pytest.mark.long
@pytest.mark.no_cover
def test_another_seed_makes_another_edition(tmp_path: Path) -> None:
    assert untraced("make", "dice", "--seed", "2", "--out", tmp_path / "two.json").returncode == 0
    assert decode((tmp_path / "two.json").read_bytes()).id != shipped("dice").id
    proved = untraced("check", tmp_path / "two.json")
    assert proved.returncode == 0
    assert ": proved\n" in proved.stdout


TASKS = 2000


@pytest.fixture(scope="module")
def catalogue(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """A catalogue of a game, made once: one by a single worker, the other by one worker per core."""

    @cache
    def made(game: str) -> Path:
        out = tmp_path_factory.mktemp("catalogue") / f"{game}.jsonl"
        workers = ("--workers", "1") if game == "extreme" else ()
        assert untraced("catalogue", game, "--tasks", str(TASKS), "--out", out, *workers).returncode == 0
        return out

    return made


@pytest.mark.parametrize("game", ["extreme", "cubes"])
def test_a_catalogue_has_different_tasks_of_one_filling(game: str, catalogue: Callable[[str], Path]) -> None:
    tasks = [json.loads(line) for line in catalogue(game).read_text().splitlines()]
    assert len(tasks) == TASKS
    assert Counter(task["id"] for task in tasks).most_common(1)[0][1] == 1
    assert all(tiling.count(task) == 1 for task in tasks[:: TASKS // 50])
    falls = sum(before["difficulty"] > after["difficulty"] for before, after in pairwise(tasks))
    assert falls < TASKS / 100, "sorted within a chunk"


@pytest.mark.parametrize("workers", [(), ("--workers", "1")])
def test_an_interrupted_make_leaves_nothing_behind(workers: tuple[str, ...], tmp_path: Path) -> None:
    words = [*UBONGO, "make", "cards", "--seed", "1", "--out", str(tmp_path / "mine.json"), *workers]
    with subprocess.Popen(words, env=UNTRACED, stderr=subprocess.PIPE, text=True) as running:
        while not list(tmp_path.iterdir()):
            assert running.poll() is None
        running.send_signal(signal.SIGINT)
        # A surviving worker would keep the pipe open.
        assert running.communicate(timeout=PATIENCE_S)[1] == ""
    assert running.returncode in INTERRUPTED
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "words",
    [
        ("make", "cards", "--seed", "1", "--out", "x"),
        ("check",),
        ("catalogue", "extreme", "--out", "x"),
        ("simulate", "extreme", "--seats", "easy,easy"),
    ],
)
def test_an_interrupt_is_handled_even_while_workers_start(words: tuple[str, ...], tmp_path: Path) -> None:
    program = """
import os, signal, sys
for moment in ("before", "after_in_parent"):
    os.register_at_fork(**{moment: lambda: signal.raise_signal(signal.SIGINT)})
from ubongo.cli import main
main()
"""
    done = subprocess.run(
        [sys.executable, "-c", program, *words, "--workers", "3"],
        env=UNTRACED,
        capture_output=True,
        text=True,
        check=False,
        timeout=PATIENCE_S,
        cwd=tmp_path,
    )
    assert done.returncode in INTERRUPTED
    assert (done.stderr, done.stdout) == ("", "")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (
            ("make", "chess", "--seed", "1", "--out", "x"),
            "no game 'chess'; there are cards, dice, extreme, cubes",
        ),
        (("make", "dice", "--seed", "-1", "--out", "x"), "--seed is -1; it is 0 or more"),
        (("make", "dice", "--seed", "1", "--out", "no/such/folder/x"), "cannot be written: No such file or directory"),
        (("make", "dice", "--seed", "1", "--out", "."), "is a folder; name a file"),
        (("make", "dice", "--seed", "1", "--out", "x", "--workers", "0"), "--workers is 0; it is at least 1"),
        (("make", "dice", "--seed", "1", "--out", "x", "--dask", "nowhere"), "no Dask cluster answers at nowhere"),
        (("make", "dice", "--seed", "1", "--out", "--force"), 'Invalid value "--force" for --out. Name a file.'),
        (("check", "no-such-file"), "no-such-file cannot be read"),
        (("dump", "chess"), "there is no game 'chess'"),
        (("dump", "dice", "--edition", "no-such-file"), "no-such-file is refused: it cannot be read"),
        (("catalogue", "cards", "--out", "-"), "there is no catalogue of 'cards'"),
        (("catalogue", "cubes", "--out", "--force"), 'Invalid value "--force" for --out. Name a file.'),
        (("catalogue", "cubes", "--out", "-", "--tasks", "0"), "--tasks is 0; it is at least 1"),
    ],
)
def test_bad_arguments_get_one_line_and_change_nothing(words: tuple[str, ...], why: str, tmp_path: Path) -> None:
    done = ubongo(*words, cwd=tmp_path)
    assert done.returncode == 2
    assert why in done.stderr
    assert done.stderr.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


def test_an_edition_of_another_game_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "dice.json"
    file.write_bytes(encode(shipped("dice")))
    assert "is an edition of dice, not of cubes" in untraced("dump", "cubes", "--edition", file).stderr


@pytest.mark.no_cover
def test_a_changed_edition_is_refused_and_its_check_says_why(tmp_path: Path) -> None:
    file = tmp_path / "changed.json"
    edition = shipped("dice")
    assert isinstance(edition, DiceEdition)
    plain = msgspec.to_builtins(edition)
    plain["sheets"][6]["areas"][2]["difficulty"] += 1
    file.write_bytes(encode(msgspec.convert(plain, DiceEdition)))
    refused = untraced("dump", "dice", "--edition", file)
    assert refused.returncode == 2
    assert "it has been changed" in refused.stderr
    proof = untraced("check", file)
    assert proof.returncode == 1
    assert "it has been changed" in proof.stdout
    assert "area 3 of sheet 7" in proof.stdout
    # With a matching id only the check can tell; it reports squares out of order before it plays anything.
    plain["sheets"][6]["areas"][2]["region"] = plain["sheets"][6]["areas"][2]["region"][::-1]
    file.write_bytes(encode(identify(msgspec.convert(plain, DiceEdition))))
    assert untraced("dump", "dice", "--edition", file).returncode == 0
    again = untraced("check", file)
    assert again.returncode == 1
    assert "it has been changed" not in again.stdout
    assert "area 3 of sheet 7" in again.stdout


def test_the_list_of_areas_is_complete() -> None:
    # Polyominoes without holes that fit 5 x 4, counted another way: of six squares all 35 but the bar.
    areas = flat_areas(5, 4, [6])
    assert len(areas) == 34


def test_a_crew_returns_results_in_order() -> None:
    reported: list[tuple[str, int, int]] = []
    crew = Crew(None, lambda *news: reported.append(news))
    assert crew.map(str, [3, 1, 2], "writing") == ["3", "1", "2"]
    assert reported == [("writing", 0, 3), ("writing", 1, 3), ("writing", 2, 3), ("writing", 3, 3)]
    assert list(crew.stream(str, iter([3, 1]))) == ["3", "1"]


# Last, since starting a cluster takes long even without work.


@pytest.fixture(scope="module")
def cluster(long: bool) -> Iterator[str]:
    """Its workers are processes, or threads in a short test run, which start sooner."""
    # Any port for its dashboard: the default, 8787, may be in use by the cluster of another pytest worker.
    with LocalCluster(
        n_workers=2,
        threads_per_worker=1,
        processes=long,
        protocol="tcp://",
        dashboard_address="127.0.0.1:0",
        host="127.0.0.1",
    ) as running:
        yield running.scheduler_address


@pytest.mark.long
def test_a_cluster_makes_the_same_bytes(cluster: str, tmp_path: Path) -> None:
    done = untraced("make", "dice", "--seed", "1", "--out", tmp_path / "mine.json", "--dask", cluster)
    assert (done.returncode, done.stderr) == (0, "")
    assert (tmp_path / "mine.json").read_bytes() == encode(shipped("dice"))


def test_a_cluster_makes_the_same_catalogue(cluster: str, catalogue: Callable[[str], Path], long: bool) -> None:
    tasks = TASKS if long else 200
    done = untraced("catalogue", "extreme", "--tasks", str(tasks), "--out", "-", "--dask", cluster)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines() == catalogue("extreme").read_text().splitlines()[:tasks]
