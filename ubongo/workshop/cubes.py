"""Boards for 3-D: areas of squares, chosen and grouped so that an animal's four boards can be played at the same time.

The requirements (Q1 to Q4, Q21, and fairness): a task has one filling and no type twice, an area no set twice; for each
animal, side and number the four boards' tasks can be laid from the 40 pieces and differ in difficulty by a quarter at
most; no 4-piece task is easier than a 3-piece one; no type is used far more or less than the others.

Four areas that share an animal and a half of the board are a *group*; a *slot* is one of the tasks of a group's areas.
The search moves areas between groups and sets between slots, taking a step that makes things worse only within a
threshold that falls to zero. There is no exponential, so the steps are the same on every machine.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from ubongo.chance import Chance
from ubongo.lattice import SQUARE, Shape
from ubongo.material.cubes import (
    ANIMALS,
    BOARDS_OF_AN_ANIMAL,
    COPIES,
    SHAPES,
    SIDES,
    TASKS_OF_AN_AREA,
    Area,
    Board,
    CubesEdition,
    CubesTask,
    Side,
    two_levels,
)
from ubongo.tiling import Puzzle
from ubongo.workshop.crew import Crew
from ubongo.workshop.grade import grade
from ubongo.workshop.grow import flat_areas, outline, symmetric
from ubongo.workshop.luck import WorkshopLuck
from ubongo.workshop.solution import solution
from ubongo.workshop.survey import Found, Stock

# How many of a side's 72 areas have each number of squares.
QUOTAS = {3: {6: 17, 7: 55}, 4: {8: 22, 9: 38, 10: 12}}
# Eight times the least and greatest difficulty of a side's tasks.
BANDS = {3: (16, 64), 4: (64, 256)}
_CHUNK = 40
_STEPS = {3: 200_000, 4: 400_000}
# Prices: a piece beyond its number of copies, and a use outside half to twice the fair share.
_SHORTAGE, _UNEVEN = 60, 40
_WARM = 40


class SquareArea(Struct, frozen=True):
    """An area that could be on a board, and the sets that fill it in exactly one way."""

    area: Shape
    found: tuple[Found, ...]


def make(seed: int, crew: Crew) -> CubesEdition:
    chance = Chance(str(seed))
    areas = [area for area in flat_areas(5, 4, range(6, 11)) if not symmetric(SQUARE, area) and fits_board(area)]
    chunks = [areas[low : low + _CHUNK] for low in range(0, len(areas), _CHUNK)]
    grounds = [ground for chunk in crew.map(survey_areas, chunks, "3-D: surveying areas") for ground in chunk]
    jobs = [ArrangeJob(side, grounds_of(side, grounds), chance.word("cubes", "choose", side)) for side in SIDES]
    groups = dict(zip(SIDES, crew.map(arranged, jobs, "3-D: arranging boards"), strict=True))
    halves = [paired(side, groups[side], chance) for side in SIDES]
    sides = crew.map(print_side, [half for of_side in halves for half in of_side], "3-D: solutions")
    easier, harder = sides[: len(sides) // 2], sides[len(sides) // 2 :]
    animals = [animal for animal in ANIMALS for _ in range(BOARDS_OF_AN_ANIMAL)]
    boards = tuple(map(Board, animals, easier, harder))
    return CubesEdition(seed=seed, boards=boards)


def side_of(area: Shape) -> int:
    return 3 if len(area) <= 7 else 4


def fits_board(area: Shape) -> bool:
    """The box of an easier area is 4 x 4 or 5 x 3 at most; a harder one is 5 x 4 at most, and its outline is short."""
    sizes: list[int] = sorted(max(axis) + 1 for axis in zip(*area, strict=True))
    short, long = sizes
    if side_of(area) == 3:
        return long <= 4 or (short <= 3 and long <= 5)
    return short <= 4 and long <= 5 and outline(area) <= 2 * len(area)


def survey_areas(areas: Sequence[Shape]) -> list[SquareArea]:
    """For each area, the sets that fill it in exactly one way and have a difficulty that suits its side."""
    stock = Stock("cubic", SHAPES)
    surveyed = []
    for area in areas:
        side = side_of(area)
        low, high = BANDS[side]
        found = [one for one in stock.graded(two_levels(area), side) if low <= one.eighths <= high]
        if len(found) >= TASKS_OF_AN_AREA[side]:
            surveyed.append(SquareArea(area, tuple(found)))
    return surveyed


def grounds_of(side: int, grounds: Sequence[SquareArea]) -> tuple[SquareArea, ...]:
    return tuple(ground for ground in grounds if side_of(ground.area) == side)


class ArrangeJob(Struct, frozen=True):
    """The arguments of `arranged` for one side."""

    side: int
    grounds: tuple[SquareArea, ...]
    luck: int


PlacedArea = tuple[SquareArea, tuple[Found, ...]]


def arranged(job: ArrangeJob) -> list[list[PlacedArea]]:
    """Eighteen groups of four areas, each with its sets in the order of the slots; restarted until all are fair."""
    luck = WorkshopLuck(job.luck)
    steps = _STEPS[job.side]
    while True:
        arrangement = Arrangement(job.side, job.grounds, luck)
        for step in range(steps):
            arrangement.step(max(0, _WARM - _WARM * step * 2 // steps))
            if arrangement.cost == 0:
                return arrangement.groups()


class Arrangement:
    """Areas in groups and sets in slots, with a cost for every requirement that they violate."""

    def __init__(self, side: int, grounds: Sequence[SquareArea], luck: WorkshopLuck) -> None:
        self._luck = luck
        self._slots = TASKS_OF_AN_AREA[side]
        self._free: dict[int, list[SquareArea]] = {size: [] for size in QUOTAS[side]}
        for ground in grounds:
            self._free[len(ground.area)].append(ground)
        chosen = [
            self._free[size].pop(luck.below(len(self._free[size])))
            for size, quota in QUOTAS[side].items()
            for _ in range(quota)
        ]
        # Similar areas next to each other: that is a good start for groups of equally hard tasks.
        chosen.sort(key=lambda ground: sorted(one.eighths for one in ground.found)[len(ground.found) // 2])
        self._places: list[list[Found]] = []
        self._grounds = chosen
        for ground in chosen:
            self._places.append(self._fresh(ground))
        uses = len(chosen) * self._slots * side
        self._least, self._most = -(-uses // (2 * len(SHAPES))), 2 * uses // len(SHAPES)
        self._use = [0] * len(SHAPES)
        for sets in self._places:
            self._count(sets, 1)
        self._of_group = [self._group_cost(group) for group in range(len(chosen) // BOARDS_OF_AN_ANIMAL)]
        self.cost = sum(self._of_group) + self._unevenness()

    def groups(self) -> list[list[PlacedArea]]:
        places = [(ground, tuple(sets)) for ground, sets in zip(self._grounds, self._places, strict=True)]
        return [places[low : low + BOARDS_OF_AN_ANIMAL] for low in range(0, len(places), BOARDS_OF_AN_ANIMAL)]

    def _fresh(self, ground: SquareArea) -> list[Found]:
        """Random, different sets for the slots."""
        left = list(ground.found)
        return [left.pop(self._luck.below(len(left))) for _ in range(self._slots)]

    def _count(self, sets: Sequence[Found], change: int) -> None:
        for one in sets:
            for piece in one.pieces:
                self._use[piece] += change

    def _unevenness(self) -> int:
        return _UNEVEN * sum(max(0, self._least - use, use - self._most) for use in self._use)

    def _group_cost(self, group: int) -> int:
        low = group * BOARDS_OF_AN_ANIMAL
        boards = self._places[low : low + BOARDS_OF_AN_ANIMAL]
        return sum(_slot_cost([sets[slot] for sets in boards]) for slot in range(self._slots))

    def step(self, threshold: int) -> None:
        """One random change; it is kept unless the cost rises by more than the threshold."""
        kind = self._luck.below(8)
        place = self._luck.below(len(self._places))
        if kind == 0:
            self._try_swap(place, self._luck.below(len(self._places)), threshold)
        elif kind == 1:
            self._try_other_area(place, threshold)
        else:
            self._try_other_set(place, self._luck.below(self._slots), threshold)

    def _try_other_set(self, place: int, slot: int, threshold: int) -> None:
        sets = self._places[place]
        other = self._luck.pick(self._grounds[place].found)
        if other in sets:
            # Already on this area: the two slots may be swapped.
            changed = list(sets)
            where = sets.index(other)
            changed[slot], changed[where] = other, sets[slot]
        else:
            changed = [*sets[:slot], other, *sets[slot + 1 :]]
        self._settle([place], [(self._grounds[place], changed)], threshold)

    def _try_swap(self, one: int, other: int, threshold: int) -> None:
        changed = [(self._grounds[place], self._places[place]) for place in (other, one)]
        self._settle([one, other], changed, threshold)

    def _try_other_area(self, place: int, threshold: int) -> None:
        old = self._grounds[place]
        pool = self._free[len(old.area)]
        if not pool:
            return
        which = self._luck.below(len(pool))
        if self._settle([place], [(pool[which], self._fresh(pool[which]))], threshold):
            pool[which] = old

    def _settle(self, places: Sequence[int], changed: Sequence[tuple[SquareArea, list[Found]]], threshold: int) -> bool:
        before = [(self._grounds[place], self._places[place]) for place in places]
        groups = sorted({place // BOARDS_OF_AN_ANIMAL for place in places})
        self._put(places, changed)
        costs = [self._group_cost(group) for group in groups]
        uneven = self._unevenness()
        others = sum(self._of_group) - sum(self._of_group[group] for group in groups)
        cost = others + sum(costs) + uneven
        if cost > self.cost + threshold:
            self._put(places, before)
            return False
        for group, of_group in zip(groups, costs, strict=True):
            self._of_group[group] = of_group
        self.cost = cost
        return True

    def _put(self, places: Sequence[int], contents: Sequence[tuple[SquareArea, list[Found]]]) -> None:
        for place, (ground, sets) in zip(places, contents, strict=True):
            self._count(self._places[place], -1)
            self._grounds[place], self._places[place] = ground, sets
            self._count(sets, 1)


def _slot_cost(sets: Sequence[Found]) -> int:
    """The cost of four tasks that are played in the same round: different difficulties, and missing pieces (Q4)."""
    eighths = [one.eighths for one in sets]
    spread = max(0, 4 * max(eighths) - 5 * min(eighths))
    asked: dict[int, int] = {}
    for one in sets:
        for piece in one.pieces:
            asked[piece] = asked.get(piece, 0) + 1
    short = sum(max(0, number - COPIES[piece]) for piece, number in asked.items())
    return spread + _SHORTAGE * short


def paired(side: int, groups: Sequence[list[PlacedArea]], chance: Chance) -> list[tuple[PlacedArea, PlacedArea]]:
    """Two groups per animal, upper and lower areas; the boards of an animal one after the other.

    On the easier side the easiest of an animal's four slots becomes the task 3|4 (Q21).
    """
    halves = []
    mixed = chance.shuffled(groups, "cubes", "animals", side)
    for animal in range(len(ANIMALS)):
        upper, lower = mixed[2 * animal], mixed[2 * animal + 1]
        if side == 3:
            upper, lower = _easiest_second(upper), _easiest_second(lower)
            if _mean(upper, 1) > _mean(lower, 1):
                upper, lower = lower, upper
        halves += list(zip(upper, lower, strict=True))
    return halves


def _mean(group: Sequence[PlacedArea], slot: int) -> int:
    return sum(sets[slot].eighths for _, sets in group)


def _easiest_second(group: list[PlacedArea]) -> list[PlacedArea]:
    return group if _mean(group, 1) <= _mean(group, 0) else [(ground, sets[::-1]) for ground, sets in group]


def print_side(half: tuple[PlacedArea, PlacedArea]) -> Side:
    """The side of a board with its solutions."""
    return Side(*(_print_area(ground, sets) for ground, sets in half))


def _print_area(ground: SquareArea, sets: Sequence[Found]) -> Area:
    tasks = []
    for one in sets:
        difficulty = one.eighths / 8
        puzzle = Puzzle("cubic", two_levels(ground.area), tuple(SHAPES[piece] for piece in one.pieces))
        kinds = tuple(piece + 1 for piece in one.pieces)
        tasks.append(CubesTask(kinds=kinds, solution=solution(puzzle), difficulty=difficulty, grade=grade(difficulty)))
    return Area(ground.area, tuple(tasks))
