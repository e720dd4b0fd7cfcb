"""An edition of 3-D: 36 boards of nine animals, two areas on each side, two or five tasks on each area (Q1 to Q4)."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Annotated, Any, Literal

from msgspec import Meta, Struct

from ubongo.lattice import CUBIC, Cell, Shape
from ubongo.material.task import PrintedTask
from ubongo.picture import region
from ubongo.pieces import Piece, next_orientations, orientations

Animal = Literal["elephant", "gazelle", "snake", "gnu", "ostrich", "rhino", "giraffe", "zebra", "warthog"]
ANIMALS: tuple[Animal, ...] = ("elephant", "gazelle", "snake", "gnu", "ostrich", "rhino", "giraffe", "zebra", "warthog")
BOARDS_OF_AN_ANIMAL = 4
BOARDS = len(ANIMALS) * BOARDS_OF_AN_ANIMAL
SIDES = (3, 4)
LETTERS = {3: "A", 4: "B"}

# The sixteen types: their cubes (lower level | upper level), colour and copies.
TYPES: tuple[tuple[str, str, int], ...] = (
    ("#.. | ...\n### | .#.", "yellow", 2),
    ("..# | ...\n### | #..", "yellow", 2),
    (".# | ..\n## | #.", "yellow", 3),
    ("#.#\n###", "yellow", 2),
    ("#.. | #..\n### | ...", "blue", 2),
    (".## | ...\n##. | #..", "blue", 2),
    ("##.\n###", "blue", 3),
    ("#.\n##", "blue", 4),
    ("## | ..\n## | #.", "red", 3),
    ("## | ..\n#. | #.", "red", 3),
    ("#.. | ...\n### | ..#", "red", 2),
    (".##\n##.", "red", 2),
    ("##. | #..\n.## | ...", "green", 2),
    ("### | ...\n#.. | #..", "green", 2),
    (".#.\n###", "green", 2),
    ("#..\n###", "green", 4),
)
SHAPES: tuple[Shape, ...] = tuple(region(CUBIC, picture) for picture, _, _ in TYPES)
COPIES: tuple[int, ...] = tuple(copies for _, _, copies in TYPES)
PIECE_COLOURS: tuple[str, ...] = tuple(colour for _, colour, _ in TYPES)

# Q2: the numbers of the die for each task, in the order of the tasks: those of the upper area, then of the lower.
NUMBERS: dict[int, tuple[tuple[int, ...], ...]] = {
    3: ((1, 2), (3, 4), (5, 6, 7), (8, 9, 10)),
    4: tuple((number,) for number in range(1, 11)),
}
TASKS_OF_AN_AREA = {3: 2, 4: 5}


class CubesTask(PrintedTask, frozen=True, forbid_unknown_fields=True):
    """One task of an area: which types fill it on two levels."""

    kinds: Annotated[tuple[int, ...], Meta(min_length=3, max_length=4)]


class Area(Struct, frozen=True, forbid_unknown_fields=True):
    """The squares on the ground, and the tasks on them."""

    ground: tuple[Cell, ...]
    tasks: tuple[CubesTask, ...]

    @property
    def region(self) -> Shape:
        """Both levels."""
        return two_levels(self.ground)


class Side(Struct, frozen=True, forbid_unknown_fields=True):
    upper: Area
    lower: Area


class Board(Struct, frozen=True, forbid_unknown_fields=True):
    animal: Animal
    easier: Side
    harder: Side

    def side(self, pieces: int) -> Side:
        return self.easier if pieces == 3 else self.harder


class CubesEdition(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="game", tag="cubes"):
    """Made from `seed`; `id` never changes. The boards of an animal are consecutive."""

    id: str = ""
    seed: int
    boards: Annotated[tuple[Board, ...], Meta(min_length=BOARDS, max_length=BOARDS)]


def two_levels(ground: tuple[Cell, ...]) -> Shape:
    return tuple(sorted((x, y, z) for x, y in ground for z in (0, 1)))


def name_of(kind: int) -> str:
    return f"type-{kind}"


def board_name(number: int, side: int) -> str:
    """The name at the lower left of a board's side (Q25): A25 on the easier one, B25 on the harder."""
    return f"{LETTERS[side]}{number}"


def task_name(numbers: tuple[int, ...]) -> str:
    return "|".join(map(str, numbers))


@cache
def pieces() -> dict[str, Piece]:
    """One of each type, by its name: the same in every edition."""
    return {
        name: Piece(name, orientations(CUBIC, shape))
        for kind, shape in enumerate(SHAPES, 1)
        for name in [name_of(kind)]
    }


def piece_lines(_: CubesEdition) -> Iterator[dict[str, Any]]:
    """What `ubongo pieces` prints."""
    for piece, colour in zip(pieces().values(), PIECE_COLOURS, strict=True):
        yield {
            "name": piece.name,
            "shapes": piece.shapes,
            "after": next_orientations(CUBIC, piece.shapes),
            "colour": colour,
        }


def task_of(board: Board, side: int, thrown: int) -> tuple[Area, CubesTask]:
    """The area and task on a board for a number of the die (Q2)."""
    areas = board.side(side)
    slot = next(i for i, numbers in enumerate(NUMBERS[side]) if thrown in numbers)
    area, of_area = (areas.upper, areas.lower)[slot // TASKS_OF_AN_AREA[side]], slot % TASKS_OF_AN_AREA[side]
    return area, area.tasks[of_area]


def tasks(edition: CubesEdition) -> Iterator[tuple[int, Board, int, tuple[int, ...], Area, CubesTask]]:
    """Every task with its board (and its number, from 1), side, numbers of the die and area."""
    for number, board in enumerate(edition.boards, 1):
        for side in SIDES:
            for numbers in NUMBERS[side]:
                yield number, board, side, numbers, *task_of(board, side, numbers[0])


def dump_lines(edition: CubesEdition) -> Iterator[dict[str, Any]]:
    """What `ubongo dump` prints: one line per task."""
    for number, board, side, numbers, area, task in tasks(edition):
        name, slot = board_name(number, side), task_name(numbers)
        yield {
            "id": f"{name} {slot}",
            "lattice": "cubic",
            "region": area.region,
            "pieces": [SHAPES[kind - 1] for kind in task.kinds],
            "board": name,
            "animal": board.animal,
            "side": side,
            "task": slot,
            "dice": numbers,
            "kinds": task.kinds,
            "solutions": 1,
            "difficulty": task.difficulty,
            "grade": task.grade,
        }
