"""Workloads: classic puzzles with a known count, and tasks like those of the games."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from random import Random

from ubongo.lattice import CUBIC, HEX, LATTICES, SQUARE, Cell, Shape, anchored, plus
from ubongo.material.cubes import SHAPES
from ubongo.picture import layout
from ubongo.pieces import polyforms
from ubongo.tiling import Puzzle

PENTOMINOES = polyforms(SQUARE, 5)
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
# The sixteen blocks of the three-dimensional game, by their numbers.
BLOCKS = SHAPES
HEXAGON_PIECES = polyforms(HEX, 3) + polyforms(HEX, 4)
TILES = HEXAGON_PIECES + polyforms(HEX, 5)[1:13:3]


def rectangle(width: int, height: int) -> Shape:
    return tuple((x, y) for x in range(width) for y in range(height))


def box(width: int, depth: int, height: int) -> Shape:
    return tuple((x, y, z) for x, y in rectangle(width, depth) for z in range(height))


def hexagon(side: int) -> Shape:
    reach = range(1 - side, side)
    return tuple((q, r) for q in reach for r in reach if abs(q + r) < side)


def pentominoes(region: Shape) -> Puzzle:
    return Puzzle("square", region, PENTOMINOES)


def soma() -> Puzzle:
    return Puzzle("cubic", box(3, 3, 3), SOMA)


def polyhexes() -> Puzzle:
    return Puzzle("hex", hexagon(4), HEXAGON_PIECES)


def subsets(region: Shape, pieces: Sequence[Shape], k: int) -> dict[tuple[int, ...], Puzzle]:
    """A task for each k of the pieces that add up to the region."""
    return {
        these: task
        for these in combinations(range(len(pieces)), k)
        if (task := Puzzle("cubic", region, tuple(pieces[i] for i in these))).adds_up
    }


def random_tasks(number: int, seed: int = 1) -> list[Puzzle]:
    """Three or four blocks on two levels and three or four hexagonal tiles by turns, each on a random region."""
    luck = Random(seed)
    tasks: list[Puzzle] = []
    while len(tasks) < number:
        blocks = len(tasks) % 2 == 0
        pieces = tuple(luck.sample(BLOCKS if blocks else TILES, luck.choice((3, 4))))
        size = sum(map(len, pieces))
        if not blocks:
            tasks.append(Puzzle("hex", _grown(luck, "hex", size, (7, 6)), pieces))
        elif size % 2 == 0:
            floor = _grown(luck, "square", size // 2, (5, 4))
            tasks.append(Puzzle("cubic", tuple((*cell, z) for cell in floor for z in (0, 1)), pieces))
    return tasks


def _grown(luck: Random, lattice: str, size: int, room: tuple[int, int]) -> Shape:
    """A connected region within the room, grown a neighbour at a time."""
    cells: list[Cell] = [(0, 0)]
    steps = LATTICES[lattice].steps
    while len(cells) < size:
        more = plus(luck.choice(cells), luck.choice(steps))
        if more not in cells and _fits([*cells, more], room):
            cells.append(more)
    return tuple(sorted(anchored(cells)))


def _fits(cells: Sequence[Cell], room: tuple[int, int]) -> bool:
    return all(max(axis) - min(axis) < most for axis, most in zip(zip(*cells, strict=True), room, strict=True))
