"""Puzzles whose number of fillings is known, with the source of the number. Nothing is reduced by symmetry."""

from __future__ import annotations

from msgspec import Struct

from ubongo.lattice import CUBIC, HEX, SQUARE, Shape
from ubongo.picture import layout
from ubongo.pieces import polyforms
from ubongo.tiling import Puzzle

PENTOMINOES = polyforms(SQUARE, 5)

# The seven ways to join three or four cubes that have a corner in them.
SOMA = tuple(
    layout(CUBIC, picture)["A"]
    for picture in (
        "AA\nA#",
        "AAA\nA##",
        "AAA\n#A#",
        "AA#\n#AA",
        "AA | #A\n## | #A",
        "AA | A#\n## | A#",
        "AA | A#\nA# | ##",
    )
)


class Known(Struct, frozen=True):
    name: str
    task: Puzzle
    fillings: int
    source: str


def rectangle(width: int, height: int) -> Shape:
    return tuple((x, y) for x in range(width) for y in range(height))


def box(*sizes: int) -> Shape:
    width, depth, height = sizes
    return tuple((x, y, z) for x in range(width) for y in range(depth) for z in range(height))


def hexagon(side: int) -> Shape:
    reach = range(1 - side, side)
    return tuple((q, r) for q in reach for r in reach if abs(q + r) < side)


def _pentominoes(width: int, height: int, different: int, source: str) -> Known:
    task = Puzzle("square", rectangle(width, height), PENTOMINOES)
    return Known(f"pentominoes {width}x{height}", task, 4 * different, source)


KNOWN = (
    _pentominoes(3, 20, 2, "Haselgrove 1960: 2, four times each by symmetry"),
    _pentominoes(4, 15, 368, "Haselgrove 1960: 368, four times each"),
    _pentominoes(5, 12, 1010, "Haselgrove 1960: 1010, four times each"),
    _pentominoes(6, 10, 2339, "C. B. and J. Haselgrove, Eureka 23, 1960: 2339, four times each"),
    Known("soma", Puzzle("cubic", box(3, 3, 3), SOMA), 48 * 240, "Conway and Guy 1961: 240, 48 times each"),
    Known(
        "trihexes and tetrahexes",
        Puzzle("hex", hexagon(4), polyforms(HEX, 3) + polyforms(HEX, 4)),
        12 * 12290,
        "six independent solvers agree: 12290 in the hexagon of side 4, twelve times each",
    ),
    Known(
        "tetrahexes 4x7",
        Puzzle("hex", rectangle(4, 7), polyforms(HEX, 4)),
        18,
        "two independent solvers agree: 9 in the rhomboid, twice each",
    ),
)
# What plain Python counts while one waits.
SMALL = {"pentominoes 3x20", "soma", "tetrahexes 4x7"}
