"""Writes src/lessons/*.json: small tasks with their one solution, so that a lesson only compares, and knows no rule.

.venv/bin/python -m web.lessons
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from ubongo import picture
from ubongo.lattice import HEX, Cell, Lattice, Shape, anchored
from ubongo.material import extreme
from ubongo.pieces import Piece, after

FOLDER = Path(__file__).parent / "src" / "lessons"

# A letter a piece, in the order in which they are laid: as it comes, after one turn, after a flip.
EXTREME = """
. . . . A .
 . B A A A C
  B B B A C .
   . . C C . .
"""


def lessons() -> Iterator[tuple[Path, str]]:
    """Each file with its content."""
    own = {name: piece for name, piece in extreme.pieces().items() if name.startswith("green")}
    yield FOLDER / "extreme.json", written(laying(HEX, EXTREME, own, ("", "turn", "flip")))


def laying(lattice: Lattice, drawn: str, pieces: dict[str, Piece], twists: tuple[str, ...]) -> dict[str, Any]:
    """A region, the pieces that fill it, and how they lie; each comes so that its twist leads to where it lies."""
    parts = picture.layout(lattice, drawn)
    taken, answer = [], []
    for number, (letter, twist) in enumerate(zip(sorted(parts), twists, strict=True)):
        cells = parts[letter]
        shape = tuple(sorted(anchored(cells)))
        piece = next(piece for piece in pieces.values() if shape in piece.shapes)
        lies = piece.shapes.index(shape)
        comes = lies if twist == "" else after(lattice, piece.shapes)[twist].index(lies)
        # The first of its shapes is how it comes.
        shapes = (piece.shapes[comes], *(one for one in piece.shapes if one != piece.shapes[comes]))
        taken.append({"name": piece.name, "shapes": shapes, "after": after(lattice, shapes)})
        answer.append({"piece": number, "turn": shapes.index(shape), "at": corner(cells)})
    region = sorted(cell for cells in parts.values() for cell in cells)
    return {"region": region, "pieces": taken, "answer": answer}


def corner(cells: Shape) -> Cell:
    return tuple(min(axis) for axis in zip(*cells, strict=True))


def written(lesson: dict[str, Any]) -> str:
    return msgspec.json.format(msgspec.json.encode(lesson), indent=0).decode() + "\n"


if __name__ == "__main__":
    for file, content in lessons():
        file.write_text(content)
