"""`ubongo solve`, run as a user would."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.program import PATIENCE_S, UBONGO, ubongo
from ubongo import __version__

DOMINOES = {"lattice": "square", "region": [[0, 0], [1, 0], [0, 1], [1, 1]], "pieces": [[[0, 0], [0, 1]]] * 2}


def answers(*arguments: str, stdin: str) -> list[dict[str, Any]]:
    done = ubongo("solve", "-", "--json", *arguments, stdin=stdin)
    assert done.stderr == ""
    return [json.loads(line) for line in done.stdout.splitlines()]


def test_count_has_id_count_and_nodes() -> None:
    assert answers("--count", stdin=json.dumps({"id": "t1"} | DOMINOES)) == [{"id": "t1", "count": 2, "nodes": 4}]


def test_without_an_id_the_line_number_is_the_id() -> None:
    lines = "\n".join([json.dumps(DOMINOES), "", json.dumps(DOMINOES)])
    assert [answer["id"] for answer in answers("--count", stdin=lines)] == [1, 3]


@pytest.mark.parametrize("arguments", [(), ("--first",)])
def test_first_is_the_default(arguments: tuple[str, ...]) -> None:
    [answer] = answers(*arguments, stdin=json.dumps(DOMINOES))
    assert answer["solution"] == [{"piece": 0, "cells": [[0, 0], [0, 1]]}, {"piece": 1, "cells": [[1, 0], [1, 1]]}]


def test_first_of_none_is_null() -> None:
    assert answers("--first", stdin=json.dumps(DOMINOES | {"pieces": []})) == [{"id": 1, "solution": None}]


def test_all_and_limit() -> None:
    assert len(answers("--all", stdin=json.dumps(DOMINOES))[0]["solutions"]) == 2
    assert len(answers("--all", "--limit", "1", stdin=json.dumps(DOMINOES))[0]["solutions"]) == 1


def test_pictures_for_people() -> None:
    done = ubongo("solve", "-", "--all", stdin=json.dumps(DOMINOES))
    assert done.stdout == "1, filling 1\nAB\nAB\n\n1, filling 2\nAA\nBB\n\n"


def test_a_picture_too_wide_to_draw_is_a_list() -> None:
    far = DOMINOES | {"region": [[0, 0], [0, 10**12]], "pieces": [[[0, 0]]] * 2}
    assert ubongo("solve", "-", stdin=json.dumps(far)).stdout == "1\nA: (0, 0)\nB: (0, 1000000000000)\n\n"


def test_sizes_that_do_not_add_up_are_reported() -> None:
    odd = DOMINOES | {"pieces": [[[0, 0], [0, 1], [0, 2]]]}
    assert answers("--count", stdin=json.dumps(odd)) == [{"id": 1, "count": 0, "nodes": 0}]
    done = ubongo("solve", "-", "--count", stdin=json.dumps(odd))
    assert done.stdout == "1: no filling: the pieces have 3 cells together, the region has 4\n"
    assert done.returncode == 0


@pytest.mark.no_cover
def test_a_big_puzzle_is_solved_by_compiled_code() -> None:
    hexagon = [[q, r] for q in range(-2, 3) for r in range(-2, 3) if abs(q + r) < 3]
    bars = {"lattice": "hex", "region": hexagon[:18], "pieces": [[[0, 0]]] * 18}
    assert answers("--count", stdin=json.dumps(bars))[0]["count"] == 1
    many = DOMINOES | {"region": [[x, y] for x in range(8) for y in range(6)], "pieces": [[[0, 0], [0, 1]]] * 24}
    # Kasteleyn 1961: dominoes on a 6 x 8 board, and on 6 x 6: of these the first 4,000 are found in plain Python.
    assert answers("--count", stdin=json.dumps(many))[0]["count"] == 167_089
    fewer = DOMINOES | {"region": [[x, y] for x in range(6) for y in range(6)], "pieces": [[[0, 0], [0, 1]]] * 18}
    found = answers("--all", stdin=json.dumps(fewer))[0]["solutions"]
    assert len(found) == len(set(map(str, found))) == 6728
    assert answers("--all", "--limit", "5000", stdin=json.dumps(fewer))[0]["solutions"] == found[:5000]


BAD = [
    ("not json", "JSON is malformed", None),
    ('{"id": "a", "lattice": "hex", "region": [[0,0],[0,0]], "pieces": [[[0,0]]]}', "twice", "a"),
    ('{"id": "b", "lattice": "hex", "region": [[0,0,0]], "pieces": [[[0,0]]]}', "3 coordinates", "b"),
    ('{"id": "c", "lattice": "hex", "region": [[0,0]], "pieces": [[]]}', "piece 0 has no cells", "c"),
    ('{"id": 4, "lattice": "hex", "region": [[0,"x"]], "pieces": [[[0,0]]]}', "Expected `int`", 4),
    ('{"lattice": "hex", "pieces": [[[0,0]]]}', "missing required field `region`", None),
    ("[" * 100_000, "", None),
    ('{"id": "d", "lattice": "hex", "x": ' + "[" * 100_000, "", None),
    ("x" * (5 << 20), "longer than 4 MiB", None),
    (json.dumps({"id": "e", **DOMINOES, "region": [[x, y] for x in range(65) for y in range(64)]}), "4,160 cells", "e"),
]


@pytest.mark.parametrize(("line", "why", "name"), BAD, ids=[why or "nested" for _, why, _ in BAD])
def test_a_bad_line_is_answered_in_its_place(line: str, why: str, name: object) -> None:
    good = json.dumps(DOMINOES)
    done = ubongo("solve", "-", "--count", "--json", stdin=f"{good}\n{line}\n{good}")
    first, fault, last = [json.loads(answer) for answer in done.stdout.splitlines()]
    assert (first["id"], first["count"], last["id"], last["count"]) == (1, 2, 3, 2)
    assert fault["line"] == 2
    assert why in fault["error"]
    assert fault.get("id") == name
    assert done.returncode == 1
    assert done.stderr == ""


def test_a_line_that_is_not_text_is_answered_in_its_place() -> None:
    good, bad = json.dumps(DOMINOES).encode(), b'{"id": "\xff", "lattice": "hex"}'
    arguments = [*UBONGO, "solve", "-", "--count", "--json"]
    done = subprocess.run(arguments, input=bad + b"\n" + good, capture_output=True, check=False, timeout=PATIENCE_S)
    fault, last = [json.loads(answer) for answer in done.stdout.splitlines()]
    assert fault["line"] == 1
    assert "not UTF-8" in fault["error"]
    assert last["count"] == 2
    assert (done.returncode, done.stderr) == (1, b"")


def test_a_bad_line_among_pictures_is_reported_on_standard_error() -> None:
    done = ubongo("solve", "-", "--count", stdin="what\n" + json.dumps(DOMINOES))
    assert done.stdout == "2: 2 fillings\n"
    assert done.stderr.startswith("line 1: ")
    assert done.returncode == 1


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (("solve",), "FILE requires an argument"),
        (("solve", "no-such-file"), "no-such-file cannot be read: No such file or directory"),
        (("solve", "-", "--count", "--all"), "exclude each other"),
        (("solve", "-", "--limit", "3"), "--limit goes with --all"),
        (("solve", "-", "--all", "--limit", "0"), "at least 1"),
        (("solve", "-", "--threads", "0"), "at least 1"),
        (("solve", "-", "--what"), "Unknown option"),
        (("dance",), "Unknown command"),
    ],
)
def test_bad_arguments_get_one_line_and_status_2(arguments: tuple[str, ...], why: str) -> None:
    done = ubongo(*arguments)
    assert done.returncode == 2
    assert done.stdout == ""
    assert why in done.stderr
    assert done.stderr.count("\n") == 1


def test_help_has_an_example_and_version_prints_the_version() -> None:
    assert "ubongo solve - --all" in ubongo("solve", "--help").stdout
    assert ubongo("--version").stdout == f"{__version__}\n"


def test_a_pipe_is_answered_line_by_line() -> None:
    with subprocess.Popen([*UBONGO, "solve", "-", "--count", "--json"], stdin=-1, stdout=-1, text=True) as running:
        assert running.stdin is not None
        assert running.stdout is not None
        for number in (1, 2, 3):
            running.stdin.write(json.dumps(DOMINOES) + "\n")
            running.stdin.flush()
            assert json.loads(running.stdout.readline())["id"] == number
        running.stdin.close()


def test_a_reader_that_closes_the_pipe_early_is_not_an_error() -> None:
    lines = (json.dumps(DOMINOES) + "\n") * 20_000
    shell = f"{sys.executable} -m ubongo solve - --first --json | head -1"
    done = subprocess.run(
        shell, shell=True, input=lines, capture_output=True, text=True, check=False, timeout=PATIENCE_S
    )
    assert done.stderr == ""
    assert done.stdout.count("\n") == 1


FULL = Path("/dev/full")


@pytest.mark.skipif(not FULL.is_char_device(), reason="there is no disk here that is always full")
def test_a_full_disk_is_reported_in_one_line() -> None:
    with FULL.open("wb") as full:
        done = subprocess.run(
            [*UBONGO, "pieces", "dice"], stdout=full, stderr=-1, text=True, check=False, timeout=PATIENCE_S
        )
    message = "ubongo: there is no room for what is to be written: No space left on device\n"
    assert (done.returncode, done.stderr) == (74, message)


@pytest.mark.skipif(sys.platform == "win32", reason="no limits there")
def test_a_file_that_does_not_fit_on_the_disk_leaves_nothing_behind(tmp_path: Path) -> None:
    shell = f"ulimit -f 1; exec {sys.executable} -m ubongo print cards --part rules --out {tmp_path / 'rules.pdf'}"
    # Python would also truncate its bytecode cache, and later imports would fail.
    environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run(
        shell, shell=True, env=environment, capture_output=True, text=True, check=False, timeout=PATIENCE_S
    )
    assert (done.returncode, done.stderr.count("\n")) == (74, 1)
    assert list(tmp_path.iterdir()) == []


BLOCK = [[x, y] for x in range(2) for y in range(6)]
CUT = DOMINOES | {"region": BLOCK, "pieces": [BLOCK[:7], BLOCK[7:]]}


def many_lines(path: Path, number: int) -> None:
    """Enough tasks that holding all of them in memory would show."""

    def lines() -> Iterator[str]:
        for first in range(0, number, 1000):
            yield "".join(json.dumps({"id": i, **CUT}) + "\n" for i in range(first, min(first + 1000, number)))

    with path.open("w") as file:
        file.writelines(lines())


def peak_kib(path: Path) -> int:
    # The peak reported for a child is at least that of its parent at the fork, so read our own from Linux.
    measure = (
        "import re, resource, sys; from pathlib import Path; from ubongo.cli import main\n"
        "sys.argv = ['ubongo', 'solve', sys.argv[1], '--count', '--json']\n"
        "def peak():\n"
        "    mine = Path('/proc/self/status')\n"
        "    found = re.search(r'VmHWM:\\s*(\\d+) kB', mine.read_text()) if mine.exists() else None\n"
        "    return found[1] if found else resource.getrusage(resource.RUSAGE_SELF).ru_maxrss\n"
        "try: main()\n"
        "finally: print(peak(), file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", measure, path], capture_output=True, text=True, check=True, timeout=PATIENCE_S
    )
    assert done.stdout.count("\n") > 0
    # A message about compiling may come first.
    return int(done.stderr.splitlines()[-1])


@pytest.mark.no_cover
def test_memory_stays_flat_however_long_the_file(tmp_path: Path) -> None:
    few, short, long = tmp_path / "few", tmp_path / "short", tmp_path / "long"
    # Compiling takes memory, too, and the first run may have to compile.
    many_lines(few, 100)
    peak_kib(few)
    many_lines(short, 12_000)
    many_lines(long, 50_000)
    assert peak_kib(long) < peak_kib(short) * 1.15
