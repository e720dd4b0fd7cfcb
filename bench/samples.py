"""Areas and tasks to measure: all that boards could have, not only those chosen for boards."""

from __future__ import annotations

from functools import cache

from msgspec import Struct

from ubongo.chance import Chance
from ubongo.lattice import HEX, SQUARE, Shape
from ubongo.material import cubes, extreme
from ubongo.tiling import Puzzle
from ubongo.workshop.cubes import fits_board, side_of
from ubongo.workshop.extreme import QUOTAS
from ubongo.workshop.grow import flat_areas, grown, handsome, symmetric, whole
from ubongo.workshop.luck import WorkshopLuck
from ubongo.workshop.survey import Stock

_CHANCE = Chance("bench")
AREAS_A_SIZE = 60


class Ground(Struct, frozen=True):
    """A region, how many pieces fill it, and what they are chosen from: one stock, or one a colour."""

    region: Shape
    pieces: int
    stocks: tuple[Stock, ...]


class Graded(Struct, frozen=True):
    task: Puzzle
    difficulty: float


@cache
def _stocks(game: str) -> tuple[Stock, ...]:
    if game == "3-D":
        return (Stock("cubic", cubes.SHAPES),)
    return tuple(Stock("hex", extreme.SHAPES[colour]) for colour in extreme.COLOURS)


@cache
def flat_grounds() -> tuple[Ground, ...]:
    """Every area that a board of 3-D could have."""
    areas = [area for area in flat_areas(5, 4, range(6, 11)) if not symmetric(SQUARE, area) and fits_board(area)]
    return tuple(Ground(cubes.two_levels(area), side_of(area), _stocks("3-D")) for area in areas)


@cache
def hexagonal_grounds() -> tuple[Ground, ...]:
    """A number of areas of each size in Extreme."""
    return tuple(
        Ground(area, pieces, _stocks("Extreme"))
        for pieces, sizes in QUOTAS.items()
        for size in sizes
        for area in _hexagonal_areas(size)
    )


def _hexagonal_areas(size: int) -> list[Shape]:
    luck = WorkshopLuck(_CHANCE.word("areas", size))
    areas: dict[Shape, None] = {}
    while len(areas) < AREAS_A_SIZE:
        area = grown(luck, size)
        if handsome(area) and whole(HEX, area) and not symmetric(HEX, area):
            areas[area] = None
    return list(areas)


def sample(game: str, size: int, number: int) -> list[Graded]:
    """A random sample of the tasks with one filling on areas of that size; all, if there are fewer."""
    grounds = flat_grounds() if game == "3-D" else hexagonal_grounds()
    cells = 2 * size if game == "3-D" else size
    tasks = [task for ground in grounds if len(ground.region) == cells for task in _tasks(game, ground)]
    return list(_CHANCE.shuffled(tasks, "tasks", game, size)[:number])


def _tasks(game: str, ground: Ground) -> list[Graded]:
    shapes = [cubes.SHAPES] if game == "3-D" else [extreme.SHAPES[colour] for colour in extreme.COLOURS]
    lattice = "cubic" if game == "3-D" else "hex"
    return [
        Graded(Puzzle(lattice, ground.region, tuple(pieces[i] for i in found.pieces)), found.eighths / 8)
        for stock, pieces in zip(ground.stocks, shapes, strict=True)
        for found in stock.graded(ground.region, ground.pieces)
    ]
