"""The tiling kernel beside xcover, exact-cover and CP-SAT: `make bench`; with --quick beside xcover alone.

All in one run and on one core, except for the test with two threads.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path

import msgspec
from rich.table import Table

from bench import contests, workloads
from bench.contests import OURS, Contest, Entry
from bench.peers import PATIENCE, by_cp_sat, by_exact_cover, by_xcover, cover
from bench.tables import console, judged, new_table
from bench.timing import ROUNDS, SLOW, of_children, one_core, side_by_side
from ubongo import kernel

QUICK_PEERS = {"xcover": by_xcover}
PEERS = QUICK_PEERS | {"exact-cover": by_exact_cover, "CP-SAT": by_cp_sat}
THREADS_GOAL = 1.8
START_GOAL = 0.15
# If two unrelated processes achieve less than this speed-up, nothing can be concluded about threads.
FREE = 1.9


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--quick", action="store_true", help="without exact-cover and CP-SAT, which take minutes")
    peers = QUICK_PEERS if options.parse_args().quick else PEERS
    paper = console()
    for contest in all_contests():
        covers = [cover(task) for task in contest.tasks]
        entries = contests.held(contest, {name: by(covers) for name, by in peers.items()})
        paper.print(table_of(contest, entries))
    paper.print(threads_table())
    with one_core():
        paper.print(start_table())
    paper.print(
        f"Medians of {ROUNDS} rounds, all solvers in turns; slower than {SLOW:.0f} s: one round (*), given up after"
        f" {PATIENCE:.0f} s. Seconds of the processor on one core, but for threads. Times leave out compiling, and"
        " making the solvers' input. All that finished came to the same counts. Nodes are pieces laid, of CP-SAT its"
        f" branches; the others do not tell. Load of the machine at the end: {os.getloadavg()[0]:.1f}."
    )


def all_contests() -> Iterator[Contest]:
    board = workloads.pentominoes(workloads.rectangle(6, 10))
    yield contests.puzzle("pentominoes 6×10", board, 9_356, goal=200)
    yield contests.puzzle("Soma", workloads.soma(), 11_520, goal=250)
    yield contests.puzzle("10 polyhexes in the side-4 hexagon", workloads.polyhexes(), 147_480, goal=50)
    yield contests.batch("a batch of random tasks", workloads.random_tasks(10_000), goal=20)
    yield contests.subsets("every 4 of the 16 blocks in 4×2×2", goal=50)


def table_of(contest: Contest, entries: Sequence[Entry]) -> Table:
    ours = entries[0]
    assert ours.found is not None
    size = len(contest.tasks)
    what = f"{contest.name}: {sum(ours.found.counts):,} fillings" + (f" of {size:,} tasks" if size > 1 else "")
    table = new_table(what, "solver", "time", "a task", "times ours", "nodes", "goal")
    for entry in entries:
        ratio = entry.timed.seconds / ours.timed.seconds
        if entry.found is None:
            table.add_row(entry.solver, f"> {PATIENCE:.0f} s *", "", f"> {ratio:,.0f}", "", "")
            continue
        table.add_row(
            entry.solver,
            _time(entry.timed.seconds) + (" *" if entry.timed.rounds == 1 else ""),
            _time(entry.timed.seconds / size),
            "1" if entry.solver == OURS else f"{ratio:,.1f}",
            "–" if entry.found.nodes is None else f"{entry.found.nodes:,}",
            _goal(f"≥ {contest.goal:.0f}×", ratio >= contest.goal) if entry.solver == "xcover" else "",
        )
    return table


def threads_table() -> Table:
    """A batch, and one big board without symmetry."""
    table = new_table(
        "two threads against one", "workload", "one thread", "two threads", "times", "two processes", "goal"
    )
    tasks = workloads.random_tasks(10_000) * 10
    batch = kernel.prepare(tasks)
    holes = {(0, 0), (2, 5), (6, 6), (7, 2)}
    board = workloads.pentominoes(tuple(cell for cell in workloads.rectangle(8, 8) if cell not in holes))
    alone, together = kernel.ready(board), kernel.ready(board, threads=2)
    if alone.work().count != together.work(2).count or (batch.arrays()[0] != batch.arrays(2)[0]).any():
        raise SystemExit("two threads have another count than one")
    for name, one, two in (
        (f"{len(tasks):,} random tasks", batch.arrays, lambda: batch.arrays(2)),
        ("pentominoes 8×8 with four holes", alone.work, lambda: together.work(2)),
    ):
        calls = {"one": one, "two": two, "process": _busy_process, "processes": _two_busy_processes}
        took = {call: timed.seconds for call, timed in side_by_side(calls).items()}
        gain, free = took["one"] / took["two"], 2 * took["process"] / took["processes"]
        judged = gain >= THREADS_GOAL or free >= FREE
        told = _goal(f"≥ {THREADS_GOAL}×", gain >= THREADS_GOAL) if judged else "not judged: no two free cores"
        table.add_row(name, _time(took["one"]), _time(took["two"]), f"{gain:.2f}", f"{free:.2f}", told)
    return table


_BUSY = [sys.executable, "-c", "for _ in range(10_000_000): pass"]


def _busy_process() -> None:
    subprocess.run(_BUSY, check=True)


def _two_busy_processes() -> None:
    with subprocess.Popen(_BUSY):
        _busy_process()


def start_table() -> Table:
    task = workloads.random_tasks(1)[0]
    # Our environment must not keep Python from caching bytecode, as it does in an installation.
    settings = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "task.jsonl"
        file.write_bytes(msgspec.json.encode(task) + b"\n")
        commands = {"python -c pass": ["-c", "pass"], "ubongo solve": ["-m", "ubongo", "solve", str(file), "--count"]}

        def start(command: Sequence[str]) -> None:
            subprocess.run([sys.executable, *command], check=True, env=settings, stdout=subprocess.DEVNULL)

        start(commands["ubongo solve"])
        calls = {name: partial(start, command) for name, command in commands.items()}
        wall, timed = side_by_side(calls), side_by_side(calls, of_children)
    table = new_table("one small task, the whole process", "command", "by the wall clock", "time", "more", "goal")
    bare = timed["python -c pass"].seconds
    for name in commands:
        more = timed[name].seconds - bare
        told = _goal(f"≤ {START_GOAL} s more", more <= START_GOAL) if name == "ubongo solve" else ""
        table.add_row(name, _time(wall[name].seconds), _time(timed[name].seconds), _time(more) if told else "", told)
    return table


def _goal(goal: str, reached: bool) -> str:
    return f"{goal}: {judged(reached)}"


def _time(seconds: float) -> str:
    for unit, size in (("s", 1.0), ("ms", 1e-3)):
        if seconds >= size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds * 1e6:.3g} µs"


if __name__ == "__main__":
    main()
