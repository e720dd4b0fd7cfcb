"""Proves an edition of 3-D from scratch, in plain Python."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import groupby

from ubongo.material.cubes import (
    ANIMALS,
    BOARDS_OF_AN_ANIMAL,
    COPIES,
    NUMBERS,
    SHAPES,
    SIDES,
    TASKS_OF_AN_AREA,
    Area,
    CubesEdition,
    board_name,
    name_of,
    task_name,
    task_of,
    tasks,
)
from ubongo.tiling import Puzzle
from ubongo.workshop.check_tasks import Printed, apart, check_areas, check_tasks, check_use
from ubongo.workshop.crew import Crew
from ubongo.workshop.cubes import QUOTAS, fits_board
from ubongo.workshop.findings import Findings


def check(edition: CubesEdition, crew: Crew) -> Findings:
    findings = Findings([], list(_misprints(edition)))
    if findings.failed:
        return findings
    printed = [
        Printed(
            f"{board_name(number, side)} {task_name(numbers)}",
            Puzzle("cubic", area.region, tuple(SHAPES[kind - 1] for kind in task.kinds)),
            task,
        )
        for number, _, side, numbers, area, task in tasks(edition)
    ]
    findings.failed += check_tasks(printed, crew, "3-D: proving tasks")
    for side in SIDES:
        findings.failed += _side(edition, side)
        findings.failed += _rounds(edition, side)
    findings.failed += _order(edition)
    if not findings.failed:
        findings.proved += [
            f"{len(printed)} tasks have exactly one filling each, the one in the booklet, and are as hard as they say",
            "areas have 6 to 7 or 8 to 10 squares, fit their boxes, are in one piece, without holes, no two congruent",
            "no type comes twice in a task, and no set twice on an area",
            "for each animal, side and number the pieces suffice for four, and the tasks are alike within 1.25",
            "no task of 4 pieces is easier than one of 3; 3|4 is the easiest on average",
            "every type has half to twice its fair share on each side",
        ]
    return findings


def _areas(edition: CubesEdition, side: int) -> dict[str, Area]:
    return {
        f"{board_name(number, side)}, {half} area": area
        for number, board in enumerate(edition.boards, 1)
        for half, area in (("upper", board.side(side).upper), ("lower", board.side(side).lower))
    }


def _misprints(edition: CubesEdition) -> Iterator[str]:
    animals = [(animal, len(list(boards))) for animal, boards in groupby(board.animal for board in edition.boards)]
    # In their order: the page derives a board's animal from its number.
    if animals != [(animal, BOARDS_OF_AN_ANIMAL) for animal in ANIMALS]:
        yield f"the boards are not {BOARDS_OF_AN_ANIMAL} of each animal, one after the other: {', '.join(ANIMALS)}"
    for side in SIDES:
        for name, area in _areas(edition, side).items():
            if len(area.tasks) != TASKS_OF_AN_AREA[side]:
                yield f"{name}: it has {len(area.tasks)} tasks; there are {TASKS_OF_AN_AREA[side]}"
            for task in area.tasks:
                if len(set(task.kinds)) != side or not all(1 <= kind <= len(SHAPES) for kind in task.kinds):
                    yield f"{name}: {task.kinds} are not {side} different types from 1 to 16"


def _side(edition: CubesEdition, side: int) -> Iterator[str]:
    areas = _areas(edition, side)
    yield from check_areas("square", {name: area.ground for name, area in areas.items()})
    for name, area in areas.items():
        if len(area.ground) not in QUOTAS[side]:
            yield f"{name}: {len(area.ground)} squares; there are {min(QUOTAS[side])} to {max(QUOTAS[side])}"
        elif not fits_board(area.ground):
            yield f"{name}: it is too long or too ragged"
        if len({frozenset(task.kinds) for task in area.tasks}) < len(area.tasks):
            yield f"{name}: the same set of types comes twice"
    used = [name_of(kind) for area in areas.values() for task in area.tasks for kind in task.kinds]
    yield from check_use(f"side {side}", [name_of(kind) for kind in range(1, len(SHAPES) + 1)], used)


def _rounds(edition: CubesEdition, side: int) -> Iterator[str]:
    """What different players get in the same round (Q4): enough pieces, and equally hard tasks."""
    for animal, boards in groupby(edition.boards, key=lambda board: board.animal):
        four = list(boards)
        for numbers in NUMBERS[side]:
            what = f"{animal}, side {side}, task {task_name(numbers)}"
            played = [task_of(board, side, numbers[0])[1] for board in four]
            asked = Counter(kind for task in played for kind in task.kinds)
            for kind, number in sorted(asked.items()):
                if number > COPIES[kind - 1]:
                    yield f"{what}: {number} of type {kind} are asked for; there are {COPIES[kind - 1]}"
            if apart(played, 5, 4):
                yield f"{what}: one board is more than 1.25 as hard as another"


def _order(edition: CubesEdition) -> Iterator[str]:
    easy, hard = ([task for _, _, side, _, _, task in tasks(edition) if side == pieces] for pieces in SIDES)
    if min(task.difficulty for task in hard) < max(task.difficulty for task in easy):
        yield "some task of 4 pieces is easier than some of 3"
    sums = Counter[str]()
    for _, _, side, numbers, _, task in tasks(edition):
        if side == SIDES[0]:
            sums[task_name(numbers)] += int(8 * task.difficulty)
    if min(sums, key=lambda name: sums[name]) != "3|4":
        yield f"task {min(sums, key=lambda name: sums[name])} is the easiest on average; it should be 3|4 (Q21)"
