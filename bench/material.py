"""How fast material is made, graded and proved, and how good its difficulty model is: `make bench`, or some parts:

python bench/material.py found catalogue press grades people
"""

from __future__ import annotations

import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from statistics import quantiles
from time import perf_counter

from rich.table import Table

# Run as a script this file's own folder is where Python looks; the bench is found from the one above.
sys.path.insert(0, str(Path(__file__).parent.parent))

from bench.restarts import HABITS, alike, tries_by_habit
from bench.samples import Ground, flat_grounds, hexagonal_grounds, sample
from bench.tables import judged, new_table, print_parts
from bench.timing import one_core, side_by_side
from bench.watching import Watched, in_a_row, ubongo
from ubongo.commands._support.workers import crew_of
from ubongo.material import GAMES, encode, shipped
from ubongo.material.cubes import CubesEdition
from ubongo.material.cubes import tasks as cubes_tasks
from ubongo.material.extreme import ExtremeEdition
from ubongo.material.extreme import tasks as extreme_tasks
from ubongo.material.task import PrintedTask
from ubongo.workshop import catalogue
from ubongo.workshop.grade import GRADES

WORKERS = 2
UNIQUE_GOAL, GRADED_GOAL = 50_000, 5_000
MAKE_SECONDS, CHECK_SECONDS, MEGABYTES = 120, 60, 1024
# The catalogue is timed from one number of tasks to the other: by then every worker is at work.
FROM_TASK, TO_TASK = 50_000, 150_000
SIZES = {"3-D": (6, 7, 8, 9, 10), "Extreme": (14, 17, 19, 21)}
TASKS_A_ROW = 300


def found_table() -> Table:
    """Includes Python's overhead over the pass over the subsets, but not growing the areas."""
    table = new_table("tasks a second, on one core", "on every area of", "areas", "tasks", "unique", "graded")
    goals = UNIQUE_GOAL, GRADED_GOAL
    with one_core():
        for game, grounds in (("3-D", flat_grounds()), ("Extreme", hexagonal_grounds())):
            number = _all_graded(grounds)
            timed = side_by_side(
                {"unique": partial(_all_unique, grounds), "graded": partial(_all_graded, grounds)}
            ).values()
            rates = [number / one.seconds for one in timed]
            told = [_told(f"{rate:,.0f}", f"≥ {goal:,}", rate >= goal) for rate, goal in zip(rates, goals, strict=True)]
            table.add_row(game, f"{len(grounds):,}", f"{number:,}", *told)
    return table


def _all_unique(grounds: Sequence[Ground]) -> int:
    return sum(len(stock.unique(ground.region, ground.pieces)) for ground in grounds for stock in ground.stocks)


def _all_graded(grounds: Sequence[Ground]) -> int:
    return sum(len(stock.graded(ground.region, ground.pieces)) for ground in grounds for stock in ground.stocks)


def catalogue_table() -> Table:
    """Areas grown, tasks found, graded and written."""
    table = new_table(
        "the catalogue, tasks a second", "game", "one worker", f"{WORKERS} workers", "times", "a million takes"
    )
    for game in ("extreme", "cubes"):
        one, many = _catalogue_rate(game, 1), _catalogue_rate(game, WORKERS)
        table.add_row(game, f"{one:,.0f}", f"{many:,.0f}", f"{many / one:.2f}", f"{1_000_000 / many / 60:.1f} min")
    return table


def _catalogue_rate(game: str, workers: int) -> float:
    written = first = 0
    begun = 0.0
    with crew_of(workers) as crew:
        for chunk in catalogue.lines(game, 1, crew):
            written += len(chunk)
            if not first and written >= FROM_TASK:
                first, begun = written, perf_counter()
            if written >= TO_TASK:
                break
        return (written - first) / (perf_counter() - begun)


def press_table() -> Table:
    """Each command as users run it, from start to end, with nothing compiled beforehand."""
    table = new_table(f"the press, {WORKERS} workers", "command", "time", "processors", "most memory", "as shipped")
    workers = f"--workers={WORKERS}"
    made = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for game in GAMES:
            file, edition = folder / f"{game}.json", shipped(game)
            made.append(ubongo("make", game, f"--seed={edition.seed}", f"--out={file}", workers, compiled=folder))
            same = file.read_bytes() == encode(edition)
            table.add_row(f"make {game}", *_run(made[-1]), "yes" if same else "[red]no[/]")
        checked = ubongo("check", workers, compiled=folder)
    table.add_row("make, all four", *_run(in_a_row(made), MAKE_SECONDS), "", end_section=True)
    table.add_row("check, all four", *_run(checked, CHECK_SECONDS), "")
    return table


def _run(watched: Watched, goal: float | None = None) -> tuple[str, str, str]:
    """On a busy machine CPU time says more than wall time."""
    seconds, worked = f"{watched.seconds:.1f} s", f"{watched.worked:.1f} s"
    memory = "–" if watched.megabytes is None else f"{watched.megabytes:,.0f} MB"
    if goal is not None:
        seconds = _told(seconds, f"≤ {goal:.0f}", watched.seconds <= goal)
        if watched.megabytes is not None:
            memory = _told(memory, f"≤ {MEGABYTES:,}", watched.megabytes <= MEGABYTES)
    return seconds, worked, memory


def grades_table() -> Table:
    """How many of the shipped tasks have which grade."""
    extreme, cubes = shipped("extreme"), shipped("cubes")
    assert isinstance(extreme, ExtremeEdition)
    assert isinstance(cubes, CubesEdition)
    sides: dict[str, list[PrintedTask]] = {}
    for _, side, _, _, flat in extreme_tasks(extreme):
        sides.setdefault(f"Extreme, {side} pieces", []).append(flat)
    for _, _, side, _, _, solid in cubes_tasks(cubes):
        sides.setdefault(f"3-D, {side} pieces", []).append(solid)
    sides["together"] = [task for tasks in sides.values() for task in tasks]
    table = new_table("shipped tasks", "", "tasks", "difficulty", *(f"grade {grade}" for grade in range(1, 6)))
    table.add_row("a grade begins at", "", "", "", *map(str, GRADES), end_section=True)
    for name, tasks in sides.items():
        hard = [task.difficulty for task in tasks]
        grades = Counter(task.grade for task in tasks)
        counts = [f"{grades[grade]:,}" for grade in range(1, 6)]
        table.add_row(name, f"{len(tasks):,}", f"{min(hard)} – {max(hard)}", *counts)
    return table


def people_table() -> Table:
    """Compares the difficulty of random tasks with `restarts`."""
    title = "difficulty, and its rank correlation with the mean tries of people who start again"
    table = new_table(title, "tasks", "number", "5 %", "50 %", "95 %", *(habit.name for habit in HABITS))
    with crew_of(WORKERS) as crew:
        for game, sizes in SIZES.items():
            for size in sizes:
                graded = sample(game, size, TASKS_A_ROW)
                tries = crew.map(tries_by_habit, [one.task for one in graded], f"{game} {size}")
                hard = [one.difficulty for one in graded]
                cuts = quantiles(hard, n=20)
                alikes = [f"{alike(hard, of_habit):.2f}" for of_habit in zip(*tries, strict=True)]
                table.add_row(f"{game}, {size}", str(len(graded)), *(f"{cuts[i]:.1f}" for i in (0, 9, 18)), *alikes)
    return table


PARTS: dict[str, Callable[[], Table]] = {
    "found": found_table,
    "catalogue": catalogue_table,
    "press": press_table,
    "grades": grades_table,
    "people": people_table,
}


def _told(figure: str, goal: str, reached: bool) -> str:
    return f"{figure} ({goal}: {judged(reached)})"


if __name__ == "__main__":
    print_parts(__doc__, PARTS)
