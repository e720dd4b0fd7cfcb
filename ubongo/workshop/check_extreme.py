"""Proves an edition of Extreme from scratch, in plain Python."""

from __future__ import annotations

from collections.abc import Iterator

from ubongo.material.extreme import COLOURS, SHAPES, SIDES, ExtremeEdition, name_of, tasks
from ubongo.tiling import Puzzle
from ubongo.workshop.check_tasks import Printed, apart, check_areas, check_tasks, check_use
from ubongo.workshop.crew import Crew
from ubongo.workshop.extreme import QUOTAS
from ubongo.workshop.findings import Findings
from ubongo.workshop.grow import handsome


def check(edition: ExtremeEdition, crew: Crew) -> Findings:
    findings = Findings([], list(_misprints(edition)))
    if findings.failed:
        return findings
    printed = [
        Printed(
            f"board {board}, side {side}, {colour}",
            Puzzle("hex", area.region, tuple(SHAPES[colour][number - 1] for number in task.numbers)),
            task,
        )
        for board, side, colour, area, task in tasks(edition)
    ]
    findings.failed += check_tasks(printed, crew, "Extreme: proving tasks")
    for side in SIDES:
        findings.failed += _side(edition, side)
    easy, hard = ([task for _, side, _, _, task in tasks(edition) if side == pieces] for pieces in SIDES)
    if min(task.difficulty for task in hard) < max(task.difficulty for task in easy):
        findings.failed.append("some task of 4 pieces is easier than some of 3")
    if not findings.failed:
        findings.proved += [
            f"{len(printed)} tasks have exactly one filling each, the one in the booklet, and are as hard as they say",
            "areas have 13 to 16 or 17 to 21 hexagons, are in one piece, without holes, handsome, and no two congruent",
            "the four colours of a side have different numbers, and are alike within 1.25; all of a side within 1.5",
            "no task of 4 pieces is easier than one of 3; every piece has half to twice its fair share",
        ]
    return findings


def _misprints(edition: ExtremeEdition) -> Iterator[str]:
    for board, side, colour, _, task in tasks(edition):
        if len(set(task.numbers)) != side or not all(1 <= number <= len(SHAPES[colour]) for number in task.numbers):
            yield f"board {board}, side {side}, {colour}: {task.numbers} are not {side} different numbers from 1 to 13"


def _side(edition: ExtremeEdition, pieces: int) -> Iterator[str]:
    sides = {f"board {number}, side {pieces}": board.side(pieces) for number, board in enumerate(edition.boards, 1)}
    yield from check_areas("hex", {name: side.region for name, side in sides.items()})
    for name, side in sides.items():
        if len(side.region) not in QUOTAS[pieces]:
            yield f"{name}: {len(side.region)} hexagons; there are {min(QUOTAS[pieces])} to {max(QUOTAS[pieces])}"
        if not handsome(side.region):
            yield f"{name}: it is too ragged"
        if len({task.numbers for task in side.tasks}) < len(COLOURS):
            yield f"{name}: two colours have the same numbers"
        if apart(side.tasks, 5, 4):
            yield f"{name}: one colour is more than 1.25 as hard as another"
    if apart([task for side in sides.values() for task in side.tasks], 3, 2):
        yield f"side {pieces}: the hardest task is more than 1.5 as hard as the easiest"
    for place, colour in enumerate(COLOURS):
        kinds = [name_of(colour, number) for number in range(1, len(SHAPES[colour]) + 1)]
        used = [name_of(colour, number) for side in sides.values() for number in side.tasks[place].numbers]
        yield from check_use(f"side {pieces}", kinds, used)
