"""Boards for Extreme: randomly grown areas, each with an equally hard task of one filling in every colour.

The requirements (X1, X2, and fairness): the four colours of a side have different numbers and differ in difficulty
by a quarter at most, all tasks of a side by a half; no piece is used far more than the others.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache

from msgspec import Struct

from ubongo.chance import Chance
from ubongo.lattice import HEX, Shape
from ubongo.material.extreme import BOARDS, COLOURS, SHAPES, SIDES, Board, Colour, ExtremeEdition, ExtremeTask, Side
from ubongo.pieces import canonical
from ubongo.tiling import Puzzle
from ubongo.workshop.crew import Crew
from ubongo.workshop.grade import grade
from ubongo.workshop.grow import grown, handsome, symmetric, whole
from ubongo.workshop.luck import WorkshopLuck
from ubongo.workshop.solution import solution
from ubongo.workshop.survey import Found, Stock

# How many of the 54 areas of a side have each number of hexagons.
QUOTAS = {3: {13: 12, 14: 22, 15: 14, 16: 6}, 4: {17: 6, 18: 13, 19: 18, 20: 11, 21: 6}}
# Eight times the least and greatest difficulty of a side's tasks: the greatest is at most half as much again.
BANDS = {3: (48, 72), 4: (192, 288)}
_CHUNKS, _AREAS_A_CHUNK = 12, 36
_FOURS_AN_AREA = 60
_PASSES, _RIVALS = 12, 20

Four = tuple[Found, Found, Found, Found]


class HexArea(Struct, frozen=True):
    """An area that could be a board, and ways to give each colour a task on it."""

    region: Shape
    fours: tuple[Four, ...]


class HexPlot(Struct, frozen=True):
    """A chunk of work: how many hexagons, for which side, and the seed of its random numbers."""

    side: int
    size: int
    luck: int


def make(seed: int, crew: Crew) -> ExtremeEdition:
    chance = Chance(str(seed))
    plots = [
        HexPlot(side, size, chance.word("extreme", "grow", size, chunk))
        for side in SIDES
        for size in QUOTAS[side]
        for chunk in range(_CHUNKS)
    ]
    grounds: dict[int, dict[int, dict[Shape, HexArea]]] = {side: {size: {} for size in QUOTAS[side]} for side in SIDES}
    for plot, found in zip(plots, crew.map(survey_plot, plots, "Extreme: growing areas"), strict=True):
        for ground in found:
            grounds[plot.side][plot.size].setdefault(canonical(HEX, ground.region), ground)
    sides = []
    for side in SIDES:
        chosen = _chosen(side, grounds[side], WorkshopLuck(chance.word("extreme", "choose", side)))
        sides.append(chance.shuffled(chosen, "extreme", "order", side))
    laid_out = crew.map(print_side, [side for both in zip(*sides, strict=True) for side in both], "Extreme: solutions")
    boards = tuple(Board(three, four) for three, four in zip(laid_out[::2], laid_out[1::2], strict=True))
    return ExtremeEdition(seed=seed, boards=boards)


def survey_plot(plot: HexPlot) -> list[HexArea]:
    """Grows areas until enough of them have a task for every colour."""
    stocks = [_stock(colour) for colour in COLOURS]
    luck = WorkshopLuck(plot.luck)
    low, high = BANDS[plot.side]
    found: list[HexArea] = []
    for _ in range(_AREAS_A_CHUNK):
        region = grown(luck, plot.size)
        if not (handsome(region) and whole(HEX, region)) or symmetric(HEX, region):
            continue
        by_colour = [
            [task for task in stock.graded(region, plot.side) if low <= task.eighths <= high] for stock in stocks
        ]
        if fours := tuple(_fours(by_colour, luck)):
            found.append(HexArea(region, fours))
    return found


@cache
def _stock(colour: Colour) -> Stock:
    return Stock("hex", SHAPES[colour])


def _fours(by_colour: Sequence[Sequence[Found]], luck: WorkshopLuck) -> Iterator[Four]:
    """Some ways to give each colour a task, with different numbers and similar difficulties."""
    if not all(by_colour):
        return
    seen = set()
    for _ in range(4 * _FOURS_AN_AREA):
        yellow, blue, red, green = (luck.pick(tasks) for tasks in by_colour)
        four = (yellow, blue, red, green)
        numbers = tuple(task.pieces for task in four)
        eighths = [task.eighths for task in four]
        if numbers not in seen and len(set(numbers)) == len(four) and 4 * max(eighths) <= 5 * min(eighths):
            seen.add(numbers)
            yield four
            if len(seen) == _FOURS_AN_AREA:
                return


ChosenArea = tuple[HexArea, Four]


def _chosen(side: int, grounds: dict[int, dict[Shape, HexArea]], luck: WorkshopLuck) -> list[ChosenArea]:
    """An area for every slot, in passes: each slot in turn takes the one that best evens out the use of pieces."""
    free = {size: list(these.values()) for size, these in grounds.items()}
    fair = BOARDS * side
    use = [[0] * len(SHAPES[colour]) for colour in COLOURS]
    chosen: list[ChosenArea] = []
    for size, quota in QUOTAS[side].items():
        for _ in range(quota):
            ground = free[size].pop(luck.below(len(free[size])))
            chosen.append((ground, ground.fours[0]))
            _count(use, ground.fours[0], 1)
    for _ in range(_PASSES):
        for slot, (ground, four) in enumerate(chosen):
            _count(use, four, -1)
            pool = free[len(ground.region)]
            rivals = [ground] * _RIVALS + [luck.pick(pool) for _ in range(_RIVALS)]
            choices = [(ground, four), *((rival, luck.pick(rival.fours)) for rival in rivals)]
            best = min(choices, key=lambda choice: _crowding(use, choice[1], fair))
            if best[0] is not ground:
                pool[pool.index(best[0])] = ground
            chosen[slot] = best
            _count(use, best[1], 1)
    return chosen


def _count(use: list[list[int]], four: Four, change: int) -> None:
    for colour, task in zip(use, four, strict=True):
        for piece in task.pieces:
            colour[piece] += change


def _crowding(use: list[list[int]], four: Four, fair: int) -> int:
    """How far these pieces are above their fair share, squared so that the worst counts most."""
    pieces = len(use[0])
    above = [pieces * colour[piece] - fair for colour, task in zip(use, four, strict=True) for piece in task.pieces]
    return sum(number * abs(number) for number in above)


def print_side(choice: ChosenArea) -> Side:
    """The side of a board with its solutions."""
    ground, four = choice
    tasks = []
    for colour, found in zip(COLOURS, four, strict=True):
        difficulty = found.eighths / 8
        puzzle = Puzzle("hex", ground.region, tuple(SHAPES[colour][piece] for piece in found.pieces))
        numbers = tuple(piece + 1 for piece in found.pieces)
        tasks.append(
            ExtremeTask(numbers=numbers, solution=solution(puzzle), difficulty=difficulty, grade=grade(difficulty))
        )
    yellow, blue, red, green = tasks
    return Side(ground.region, (yellow, blue, red, green))
