"""The examples in the rules, on paper and on screen, from the boards, cards and sheets of the shipped editions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import permutations, product
from typing import Any

from ubongo import layout, tiling
from ubongo.lattice import Cell
from ubongo.material import cards, cubes, extreme, shipped
from ubongo.material.cards import CardsEdition
from ubongo.material.cubes import CubesEdition
from ubongo.material.dice import DiceEdition
from ubongo.material.extreme import ExtremeEdition
from ubongo.material.shapes import BLACK, DICE_PIECES, WHITE
from ubongo.pieces import Piece, Placement, covered

EXTREME_BOARD = 8
EXTREME_COLOUR: extreme.Colour = "green"
# A piece whose other face looks different.
HOOK = "green-1"
CUBES_BOARD, CUBES_THROWN = 12, 3
DICE_SHEET, DICE_AREA = 5, 1
# One shape from an earlier round, both of this round, and a white one that closes the last gap. All are different.
DICE_ENTERED = ("black", "black", "white", "white")
# What four players throw in this round, including the two dice that are taken.
DICE_THROWN = ("Y5", "I1", "T4", "O4", "P5", "I3", "L5", "I2")
DICE_COLOURS = ("black", "white") * 4

# Cards of the first round, and how the second lies next to the first: its turn, and its offset to the right and down.
JOINS: dict[str, tuple[str, str, int, Cell]] = {
    "long": ("1-1-white", "1-3-white", 0, (2, 1)),
    "short": ("1-1-white", "1-5-white", 0, (0, 3)),
    "across": ("1-1-white", "1-2-white", 1, (2, 1)),
    "one": ("1-1-white", "1-7-white", 0, (2, 2)),
    "three": ("1-1-white", "1-8-white", 0, (2, 0)),
    "differs": ("1-1-white", "1-15-white", 0, (2, 1)),
    "crosswise": ("1-1-white", "1-19-white", 0, (2, 1)),
}
# Three cards next to one, on three of its sides.
BRANCHES: tuple[Cell, ...] = ((0, -3), (-2, 1), (2, 1))


@cache
def hexagons() -> dict[str, Any]:
    """A board, its pieces of one colour as they come, and their solution."""
    edition = shipped("extreme")
    assert isinstance(edition, ExtremeEdition)
    side = edition.boards[EXTREME_BOARD - 1].three
    task = side.tasks[extreme.COLOURS.index(EXTREME_COLOUR)]
    taken = [extreme.pieces()[extreme.name_of(EXTREME_COLOUR, number)] for number in task.numbers]
    return {
        "region": side.region,
        "hook": extreme.pieces()[HOOK].shapes[0],
        "pieces": [
            {"comes": piece.shapes[0], "lies": covered(piece, Placement(i, turn, at))}
            for i, (piece, (turn, at)) in enumerate(zip(taken, task.solution, strict=True))
        ],
    }


@cache
def solid() -> dict[str, Any]:
    """The areas on both sides of a board, the upper one first, and one task for a number of the die."""
    edition = shipped("cubes")
    assert isinstance(edition, CubesEdition)
    board = edition.boards[CUBES_BOARD - 1]
    area, task = cubes.task_of(board, 3, CUBES_THROWN)
    assert area == board.easier.upper
    taken = [cubes.pieces()[cubes.name_of(kind)] for kind in task.kinds]
    return {
        "animal": board.animal,
        "thrown": CUBES_THROWN,
        "easier": [board.easier.upper.ground, board.easier.lower.ground],
        "harder": [board.harder.upper.ground, board.harder.lower.ground],
        "pieces": [
            {
                "colour": cubes.PIECE_COLOURS[kind - 1],
                "comes": piece.shapes[0],
                "lies": covered(piece, Placement(i, turn, at)),
            }
            for i, (kind, piece, (turn, at)) in enumerate(zip(task.kinds, taken, task.solution, strict=True))
        ],
    }


@cache
def sheet() -> dict[str, Any]:
    """An area, and shapes of dice that fill it, in the order in which they are entered."""
    edition = shipped("dice")
    assert isinstance(edition, DiceEdition)
    area = edition.sheets[DICE_SHEET - 1].areas[DICE_AREA - 1]
    faces = {"black": BLACK, "white": WHITE}
    for names in product(*(faces[colour] for colour in DICE_ENTERED)):
        taken = [DICE_PIECES[name] for name in names]
        if len(set(names)) < len(names) or sum(len(piece.shapes[0]) for piece in taken) != len(area.region):
            continue
        filling = tiling.first(tiling.Puzzle("square", area.region, tuple(piece.shapes[0] for piece in taken)))
        if filling is not None:
            entered = [{"face": names[laid.piece], "cells": laid.cells} for laid in filling]
            thrown = [{"colour": colour, "face": face} for colour, face in zip(DICE_COLOURS, DICE_THROWN, strict=True)]
            return {
                "region": area.region,
                "entered": entered,
                "thrown": thrown,
                "taken": [DICE_THROWN.index(name) for name in names[1:3]],
                "sheet": [one.region for one in edition.sheets[DICE_SHEET - 1].areas],
            }
    raise AssertionError("no four such shapes fill this area")


@cache
def hand() -> dict[str, Any]:
    """Nine cards, seven of them laid by the rules; and two or more cards that meet, rightly or wrongly."""
    edition = shipped("cards")
    assert isinstance(edition, CardsEdition)
    faces = cards.pieces(edition)
    nine = [faces[f"1-{number}-white"] for number in range(1, 10)]
    laid = layout.seven(nine)
    assert laid is not None
    joins = {
        name: lying([faces[first], faces[other]], [Placement(0, 0, (0, 0)), Placement(1, turn, at)])
        for name, (first, other, turn, at) in JOINS.items()
    }
    branching = next(branches([faces[f"1-{number}-white"] for number in range(1, 37)]))
    return {
        "hand": [{"name": one.name, "marks": one.marks} for one in nine],
        "black": faces["1-1-black"].marks,
        "laid": lying(nine, laid),
        "joins": {**joins, "branches": branching},
    }


def lying(pieces: Sequence[Piece], laid: Sequence[Placement]) -> list[dict[str, Any]]:
    return [
        {
            "name": pieces[where.piece].name,
            "marks": pieces[where.piece].marks,
            "turn": where.turn,
            "cells": covered(pieces[where.piece], where),
        }
        for where in laid
    ]


def branches(pieces: Sequence[Piece]) -> Iterator[list[dict[str, Any]]]:
    where = [Placement(0, 0, (0, 0)), *(Placement(i, 0, at) for i, at in enumerate(BRANCHES, 1))]
    for some in permutations(pieces, len(where)):
        if layout.verdict(some, where).state == "open":
            yield lying(some, where)
