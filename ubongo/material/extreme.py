"""An edition of Extreme: 54 boards, an area of hexagons on each side, and a task in each of four colours (X1, X2)."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Annotated, Any, Literal

from msgspec import Meta, Struct

from ubongo.lattice import HEX, Cell, Shape
from ubongo.material.task import PrintedTask
from ubongo.picture import region
from ubongo.pieces import Piece, next_orientations, orientations

Colour = Literal["yellow", "blue", "red", "green"]
COLOURS: tuple[Colour, ...] = ("yellow", "blue", "red", "green")
SIDES = (3, 4)
BOARDS = 54

# Numbers 1 to 8 have the same shape in every colour; 9 to 13 differ between colours.
COMMON = (
    "# .\n # .\n  # #",
    "# #\n # #",
    "# #\n # .\n  # .",
    "# .\n # #\n  . #",
    "# . #\n # # .",
    ". # .\n # # #\n  # . .",
    "# . .\n # # #\n  # . .",
    "# .\n # #\n  # #",
)
OWN: dict[Colour, tuple[str, ...]] = {
    "yellow": (
        "# .\n # #\n  . #\n   # .",
        "# . .\n # # #\n  . # .",
        "# #\n # #\n  # .\n   # .",
        "# . .\n # # #\n  # # .",
        "# . #\n # # #\n  . # .",
    ),
    "blue": (
        "# .\n # #\n  # .\n   # .",
        "# # #\n # . .\n  # . .",
        ". . #\n # # .\n  # # .\n   . # .",
        "# .\n # #\n  # #\n   . #",
        ". # . .\n # # # #\n  # . . .",
    ),
    "red": (
        "# . .\n # . #\n  # # .",
        ". . #\n # # #\n  # . .",
        "# # .\n # # #\n  # . .",
        "# # .\n # # .\n  . # #",
        ". . # .\n # # # #\n  # . . .",
    ),
    "green": (
        "# #\n # #\n  # .",
        "# #\n # .\n  # #",
        "# . #\n # # #\n  # . .",
        "# # .\n # # #\n  . # .",
        "# .\n # .\n  # #\n   # #",
    ),
}
SHAPES: dict[Colour, tuple[Shape, ...]] = {
    colour: tuple(region(HEX, picture) for picture in COMMON + OWN[colour]) for colour in COLOURS
}


class ExtremeTask(PrintedTask, frozen=True, forbid_unknown_fields=True):
    """One colour's task on a side: which numbers fill the area."""

    numbers: Annotated[tuple[int, ...], Meta(min_length=3, max_length=4)]


class Side(Struct, frozen=True, forbid_unknown_fields=True):
    """An area, and the four colours' tasks on it, in the order of COLOURS."""

    region: tuple[Cell, ...]
    tasks: tuple[ExtremeTask, ExtremeTask, ExtremeTask, ExtremeTask]


class Board(Struct, frozen=True, forbid_unknown_fields=True):
    three: Side
    four: Side

    def side(self, pieces: int) -> Side:
        return self.three if pieces == 3 else self.four


class ExtremeEdition(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="game", tag="extreme"):
    """Made from `seed`; `id` never changes."""

    id: str = ""
    seed: int
    boards: Annotated[tuple[Board, ...], Meta(min_length=BOARDS, max_length=BOARDS)]


def name_of(colour: Colour, number: int) -> str:
    return f"{colour}-{number}"


@cache
def pieces() -> dict[str, Piece]:
    """All 52, by their names: the same in every edition."""
    return {
        name: Piece(name, orientations(HEX, shape))
        for colour in COLOURS
        for number, shape in enumerate(SHAPES[colour], 1)
        for name in [name_of(colour, number)]
    }


def piece_lines(_: ExtremeEdition) -> Iterator[dict[str, Any]]:
    """What `ubongo pieces` prints."""
    for piece in pieces().values():
        yield {"name": piece.name, "shapes": piece.shapes, "after": next_orientations(HEX, piece.shapes)}


def tasks(edition: ExtremeEdition) -> Iterator[tuple[int, int, Colour, Side, ExtremeTask]]:
    """Every task with its board (from 1), side, colour and area."""
    for number, board in enumerate(edition.boards, 1):
        for pieces_of_side in SIDES:
            side = board.side(pieces_of_side)
            for colour, task in zip(COLOURS, side.tasks, strict=True):
                yield number, pieces_of_side, colour, side, task


def dump_lines(edition: ExtremeEdition) -> Iterator[dict[str, Any]]:
    """What `ubongo dump` prints: one line per task."""
    for board, pieces_of_side, colour, side, task in tasks(edition):
        yield {
            "id": f"{board}-{pieces_of_side}-{colour}",
            "lattice": "hex",
            "region": side.region,
            "pieces": [SHAPES[colour][number - 1] for number in task.numbers],
            "board": board,
            "side": pieces_of_side,
            "colour": colour,
            "numbers": task.numbers,
            "solutions": 1,
            "difficulty": task.difficulty,
            "grade": task.grade,
        }
