"""The proofs that Extreme and 3-D share: each task by itself, in plain Python, and how pieces are used."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from msgspec import Struct

from ubongo.difficulty import difficulty
from ubongo.lattice import LATTICES, Cell, Shape, anchored, connected
from ubongo.material.task import PrintedTask
from ubongo.pieces import canonical, orientations, shifted
from ubongo.tiling import Puzzle, count, verdict
from ubongo.workshop.crew import Crew
from ubongo.workshop.grade import grade
from ubongo.workshop.grow import whole

_AT_ONCE = 32


class Printed(Struct, frozen=True):
    """A task as it is printed, and its name."""

    name: str
    puzzle: Puzzle
    task: PrintedTask


def check_tasks(printed: Sequence[Printed], crew: Crew, what: str) -> list[str]:
    """Errors of single tasks: each must have one filling, the one in the booklet, and the stated difficulty."""
    chunks = [printed[low : low + _AT_ONCE] for low in range(0, len(printed), _AT_ONCE)]
    return [fault for faults in crew.map(faults_of, chunks, what) for fault in faults]


def faults_of(printed: Sequence[Printed]) -> list[str]:
    return [f"{one.name}: {fault}" for one in printed for fault in _faults(one)]


def _faults(printed: Printed) -> Iterator[str]:
    puzzle, task = printed.puzzle, printed.task
    fillings = count(puzzle)
    if fillings != 1:
        yield f"it has {fillings} fillings"
        return
    if not _fills(puzzle, task.solution):
        yield "the booklet's solution does not fill it"
    hard = difficulty(puzzle)
    if hard != task.difficulty:
        yield f"its difficulty is {hard}, not {task.difficulty}"
    if grade(hard) != task.grade:
        yield f"its grade is {grade(hard)}, not {task.grade}"


def _fills(puzzle: Puzzle, solution: Sequence[tuple[int, Cell]]) -> bool:
    if len(solution) != len(puzzle.pieces):
        return False
    laid = []
    for piece, (turn, at) in zip(puzzle.pieces, solution, strict=True):
        shapes = orientations(LATTICES[puzzle.lattice], piece, puzzle.mirror)
        if turn not in range(len(shapes)) or len(at) != len(piece[0]):
            return False
        laid.append(shifted(shapes[turn], at))
    return verdict(puzzle.region, laid).state == "solved"


def check_areas(lattice: str, areas: Mapping[str, Shape]) -> Iterator[str]:
    """Whether areas are connected, without holes, in normal form, and no two of them congruent."""
    world = LATTICES[lattice]
    seen: dict[Shape, str] = {}
    for name, area in areas.items():
        if area != tuple(sorted(set(anchored(area)))):
            yield f"{name}: its cells are not sorted, or do not start at 0"
        elif not connected(world, area):
            yield f"{name}: it is not in one piece"
        elif not whole(world, area):
            yield f"{name}: it has a hole"
        other = seen.setdefault(canonical(world, area, True), name)
        if other != name:
            yield f"{name}: it is congruent to {other}"


def check_use(what: str, kinds: Sequence[str], used: Iterable[str]) -> Iterator[str]:
    """Whether each kind of piece is used between half and twice as often as the average."""
    use = Counter(used)
    total = use.total()
    for kind in kinds:
        if not total <= 2 * len(kinds) * use[kind] <= 4 * total:
            yield f"{what}: {kind} is used {use[kind]} times; half to twice of {total / len(kinds):.1f} is fair"


def apart(tasks: Sequence[PrintedTask], numerator: int, denominator: int) -> bool:
    """Whether the hardest is more than that many times as hard as the easiest."""
    hard = [task.difficulty for task in tasks]
    return max(hard) * denominator > min(hard) * numerator
