"""Writes src/lessons/*.json: small tasks with their only solution, so that a lesson only compares and needs no rules.

.venv/bin/python -m web.lessons
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from ubongo import layout, picture
from ubongo.games.solo.options import SoloOptions
from ubongo.lattice import CUBIC, HEX, SQUARE, Cell, Lattice, Shape, anchored
from ubongo.material import cubes, extreme
from ubongo.material.shapes import DICE_PIECES
from ubongo.moves import Call, Grab, Pass, Place
from ubongo.pieces import Piece, next_orientations
from ubongo.table import Die, Seat, Table, Task

FOLDER = Path(__file__).parent / "src" / "lessons"

# One letter per piece, in the order in which they are laid: unchanged, after one turn, after a flip.
EXTREME = """
. . . . A .
 . B A A A C
  B B B A C .
   . . C C . .
"""
# Flat on the ground; over it, after a turn that stands it up; and into the remaining corner, after another turn.
CUBES = """
AA.. | CC..
CAAB | CBBB
"""
# The first card lies anywhere; each other one then fits in one place: below it unchanged, next to that after a turn.
CARDS = (("T4 Y5", "T4 Y5", "L5 O4"), ("L5 O4", "T4 L5", "L5 Y5"), ("Y5 O4", "Y5 L5", "O4 L5"))
# The black die's shape is entered flipped, the white one's turned; no other two dice of the throw fill the area.
DICE = """
..BB
..BA
AAAA
"""
BLACK, WHITE = ("T4", "S4", "L5", "P5"), ("I2", "L3", "O4", "I4")


def lessons() -> Iterator[tuple[Path, str]]:
    """Each file with its content."""
    own = {name: piece for name, piece in extreme.pieces().items() if name.startswith("green")}
    filling = laying(HEX, EXTREME, own, ("", "turn", "flip"))
    yield FOLDER / "extreme.json", written({**filling, "moves": [*filling["moves"], Call()]})
    yield FOLDER / "cards.json", written(cards())
    yield FOLDER / "cubes.json", written(solid())
    yield FOLDER / "dice.json", written(dice())


def cards() -> dict[str, Any]:
    hand = [layout.card(f"1-{number}-white", map(str.split, rows)) for number, rows in enumerate(CARDS, 1)]
    laid = layout.beside(hand, (), 0)[:1]
    for number in range(1, len(hand)):
        laid += layout.beside(hand, laid, number)
    return {
        "pieces": [
            {"name": one.name, "shapes": one.shapes, "after": {"turn": [1, 2, 3, 0]}, "marks": one.marks}
            for one in hand
        ],
        "moves": [*(Place(where.piece, where.turn, where.at) for where in laid), Call()],
    }


def solid() -> dict[str, Any]:
    filling = laying(CUBIC, CUBES, cubes.pieces(), ("", "x", "z"))
    colours = dict(zip(cubes.pieces(), cubes.PIECE_COLOURS, strict=True))
    coloured = [{**piece, "colour": colours[piece["name"]]} for piece in filling["pieces"]]
    return {**filling, "pieces": coloured, "moves": [*filling["moves"], Call()]}


def dice() -> dict[str, Any]:
    """A table as a server would send it, after the throw, with one seat, so that nobody else grabs."""
    filling = laying(SQUARE, DICE, {name: DICE_PIECES[name] for name in BLACK + WHITE}, ("flip", "turn"))
    taken = [piece["name"] for piece in filling["pieces"]]
    thrown = (*(Die("black", face) for face in BLACK), *(Die("white", face) for face in WHITE))
    task = Task(tuple(taken), filling["region"])
    return {
        "table": Table(
            "dice", SoloOptions(of="dice", mode="day"), (Seat("", task=task),), phase="grab", area=1, dice=thrown
        ),
        "pieces": [
            {"name": name, "shapes": piece.shapes, "after": next_orientations(SQUARE, piece.shapes)}
            for name, piece in DICE_PIECES.items()
            if name in BLACK + WHITE
        ],
        "moves": [*(Grab([die.face for die in thrown].index(face)) for face in taken), *filling["moves"], Pass()],
    }


def laying(lattice: Lattice, drawn: str, pieces: dict[str, Piece], twists: tuple[str, ...]) -> dict[str, Any]:
    """A region, the pieces that fill it, and their placements; each piece starts so that its twist leads there."""
    parts = picture.layout(lattice, drawn)
    taken, moves = [], []
    for number, (letter, twist) in enumerate(zip(sorted(parts), twists, strict=True)):
        cells = parts[letter]
        shape = tuple(sorted(anchored(cells)))
        piece = next(piece for piece in pieces.values() if shape in piece.shapes)
        lies = piece.shapes.index(shape)
        comes = lies if twist == "" else next_orientations(lattice, piece.shapes)[twist].index(lies)
        # The first of its shapes is the initial one.
        shapes = (piece.shapes[comes], *(one for one in piece.shapes if one != piece.shapes[comes]))
        taken.append({"name": piece.name, "shapes": shapes, "after": next_orientations(lattice, shapes)})
        moves.append(Place(number, shapes.index(shape), corner(cells)))
    region = tuple(sorted(cell for cells in parts.values() for cell in cells))
    return {"region": region, "pieces": taken, "moves": moves}


def corner(cells: Shape) -> Cell:
    return tuple(min(axis) for axis in zip(*cells, strict=True))


def written(lesson: dict[str, Any]) -> str:
    return msgspec.json.format(msgspec.json.encode(lesson), indent=0).decode() + "\n"


if __name__ == "__main__":
    for file, content in lessons():
        file.write_text(content)
