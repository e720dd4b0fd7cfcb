"""The sheets of the dice game: randomly grown areas, pleasant to look at, none of which takes too long.

*Growing from 1 to 6*: the first area of a sheet has 14 squares, the last 21, and each has more than the one before.
*Pleasant*: see `blemishes`. *None takes too long*: the plain player (`plain_player.py`) needs between 8.5 and 10 rounds
alone, on average, for every area; this is computed exactly, not by sampling.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import count

from msgspec import Struct

from ubongo.chance import Chance
from ubongo.kernel import throws
from ubongo.lattice import SQUARE, Cell, Shape, anchored, connected, minus, plus
from ubongo.material.dice import AREAS, LARGEST, SHEETS, SMALLEST, Area, DiceEdition, Sheet
from ubongo.pieces import canonical, shifted
from ubongo.workshop.crew import Crew
from ubongo.workshop.grow import whole
from ubongo.workshop.plain_player import FACES, bits, in_hundredths

# Hundredths of a round.
BAND = range(850, 1001)
LONGEST_SIDE = 6
MOST_ENDS = 1
CORNERS = range(8, 17)
# The weight of a square by its number of neighbours in the area: compact areas are better.
_WEIGHTS = (0, 1, 3, 9, 9)
_BLOCK = ((0, 0), (1, 0), (0, 1), (1, 1))


class AreaPlot(Struct, frozen=True):
    """A place on a sheet, and the first of the numbered trials to fill it."""

    seed: int
    sheet: int
    area: int
    squares: int
    trial: int = 0


class Grown(Struct, frozen=True):
    """The area that grew for a plot, and in which trial."""

    region: Shape
    hundredths: int
    trial: int


def hundredths(region: Shape) -> int:
    """The plain player's rounds."""
    return in_hundredths(throws.rounds(bits(region), FACES))


def blemishes(region: Iterable[Cell]) -> Iterator[str]:
    """Why an area is not pleasant to look at; empty if it is."""
    cells = set(region)
    if not connected(SQUARE, cells):
        yield "it is not connected"
    if not whole(SQUARE, cells):
        yield "it has a hole"
    wide, high = (max(axis) - min(axis) + 1 for axis in zip(*cells, strict=True))
    if max(wide, high) > LONGEST_SIDE or abs(wide - high) > 2:
        yield f"its box is {wide} × {high}"
    if any(_meet_in_a_corner(cells, block) for block in _blocks(cells)):
        yield "two of its squares meet in a corner only"
    if (ends := sum(_neighbours(cells, cell) == 1 for cell in cells)) > MOST_ENDS:
        yield f"{ends} of its squares hang by one side"
    if 4 * (thin := len(cells - _thick(cells))) > len(cells):
        yield f"{thin} of its squares are in no block of four"
    if (corners := _corners(cells)) not in CORNERS:
        yield f"its outline has {corners} corners"


def _meet_in_a_corner(cells: set[Cell], block: Shape) -> bool:
    upper_left, upper_right, lower_left, lower_right = (cell in cells for cell in block)
    return upper_left == lower_right != upper_right == lower_left


def _neighbours(cells: set[Cell], cell: Cell) -> int:
    return sum(plus(cell, step) in cells for step in SQUARE.steps)


def _blocks(cells: set[Cell]) -> Iterator[Shape]:
    """Every two by two squares of which one at least is in the area."""
    for first in {minus(cell, step) for cell in cells for step in _BLOCK}:
        yield shifted(_BLOCK, first)


def _thick(cells: set[Cell]) -> set[Cell]:
    return {cell for block in _blocks(cells) if cells.issuperset(block) for cell in block}


def _corners(cells: set[Cell]) -> int:
    """The corners of the outline: points where one or three of the four squares around belong to the area."""
    return sum(len(cells.intersection(block)) in (1, 3) for block in _blocks(cells))


def grow(plot: AreaPlot) -> Grown:
    """The first trial that is pleasant and takes a suitable number of rounds."""
    chance = Chance(f"dice {plot.seed}")
    for trial in count(plot.trial):
        region = _grown(plot.squares, chance.words("grow", plot.sheet, plot.area, trial))
        if not any(blemishes(region)) and (rounds := hundredths(region)) in BAND:
            return Grown(region, rounds, trial)
    raise AssertionError


def _grown(squares: int, words: Iterator[int]) -> Shape:
    cells: set[Cell] = {(0, 0)}
    while len(cells) < squares:
        near = sorted({plus(cell, step) for cell in cells for step in SQUARE.steps} - cells)
        weights = [_WEIGHTS[_neighbours(cells, cell)] for cell in near]
        pick = next(words) % sum(weights)
        for cell, weight in zip(near, weights, strict=True):
            pick -= weight
            if pick < 0:
                cells.add(cell)
                break
    return tuple(sorted(anchored(cells)))


def sizes(seed: int, sheet: int) -> tuple[int, ...]:
    """The number of squares of each area of a sheet: the smallest, four in between, and the largest."""
    between = Chance(f"dice {seed}").shuffled(range(SMALLEST + 1, LARGEST), "sizes", sheet)[: AREAS - 2]
    return SMALLEST, *sorted(between), LARGEST


def make(seed: int, crew: Crew, sheets: int = SHEETS) -> DiceEdition:
    """A whole block; no two of its areas are congruent."""
    plots = [
        AreaPlot(seed, sheet, area, squares)
        for sheet in range(1, sheets + 1)
        for area, squares in enumerate(sizes(seed, sheet), 1)
    ]
    areas: dict[Shape, Area] = {}
    for plot, grown in zip(plots, crew.map(grow, plots, "dice"), strict=True):
        new = grown
        while (kind := canonical(SQUARE, new.region)) in areas:
            new = grow(AreaPlot(seed, plot.sheet, plot.area, plot.squares, new.trial + 1))
        areas[kind] = Area(tuple((x, y) for x, y in new.region), new.hundredths / 100)
    block = list(areas.values())
    return DiceEdition(seed=seed, sheets=tuple(Sheet(tuple(block[i : i + AREAS])) for i in range(0, len(block), AREAS)))
