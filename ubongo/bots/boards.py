"""The bot for Extreme and 3-D: fills its area, and on the way lays pieces wrongly and lifts them again.

First it draws how long it takes, from people's times for a task of this difficulty (`pace`). Then it makes up visible
tries: the bulkiest piece first, each where it fits, lifted again if the next one fits nowhere; then the filling.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from msgspec import Struct

from ubongo.bots import pace
from ubongo.bots.luck import BotLuck
from ubongo.bots.pace import FILLING, Level
from ubongo.bots.plan import MovePlan, plan_of
from ubongo.chance import Label
from ubongo.difficulty import beside, bulkiest_first, eighths, has_small_hole
from ubongo.lattice import CUBIC, HEX, Cell, plus
from ubongo.moves import Call, Lift, Move, Place
from ubongo.pieces import Piece, fits
from ubongo.table import Millis

LATTICES = {"extreme": HEX, "cubes": CUBIC}
# The most moves before the filling, however long it takes.
MOST_TRIES = 80


class Fit(Struct, frozen=True):
    """A piece in a place where it fits: the bits of its cells, and the move that lays it there."""

    bits: int
    place: Place


class VisibleTask(Struct, frozen=True):
    """A task as a player sees it: pieces bulkiest first, with their placements. `filling`: a way for each, or ()."""

    order: tuple[int, ...]
    ways: tuple[tuple[Fit, ...], ...]
    near: tuple[int, ...]
    smallest: int
    filling: tuple[Fit, ...]
    difficulty: float


@lru_cache(2048)
def ground_of(game: str, pieces: tuple[Piece, ...], region: tuple[Cell, ...]) -> VisibleTask:
    lattice = LATTICES[game]
    shapes = [piece.shapes[0] for piece in pieces]
    order = bulkiest_first(lattice, shapes)
    bit = {cell: 1 << i for i, cell in enumerate(region)}
    ways = tuple(
        tuple(
            Fit(sum(bit[plus(cell, at)] for cell in pieces[number].shapes[turn]), Place(number, turn, at))
            for turn, at in fits(pieces[number].shapes, region)
        )
        for number in order
    )
    near = tuple(beside(lattice, region))
    smallest = len(shapes[order[-1]])
    tries = eighths([[way.bits for way in those] for those in ways], near, smallest)
    return VisibleTask(tuple(order), ways, near, smallest, _filling(ways, (1 << len(region)) - 1), tries / 8)


def _filling(ways: Sequence[tuple[Fit, ...]], free: int) -> tuple[Fit, ...]:
    if not ways:
        return ()
    for way in ways[0]:
        if not way.bits & ~free:
            rest = _filling(ways[1:], free & ~way.bits)
            if len(rest) == len(ways) - 1:
                return (way, *rest)
    return ()


@lru_cache(8192)
def plan(
    game: str, pieces: tuple[Piece, ...], region: tuple[Cell, ...], level: Level, seed: str, label: tuple[Label, ...]
) -> MovePlan:
    """All that the bot will do with a task, from its start on."""
    ground = ground_of(game, pieces, region)
    luck = BotLuck(seed, *label)
    people = FILLING[game]
    number = len(ground.order)
    takes = pace.filling_time(game, level, ground.difficulty, number, luck.normal())
    look, hand = pace.hand_time(level, people.look), pace.hand_time(level, people.hand)
    # Leaves time to lift every wrong piece and to lay every right one.
    tries = (takes - look - 2 * number * hand) // pace.hand_time(level, people.between)
    tried, down = _tries(ground, level, luck, min(tries, MOST_TRIES))
    if not ground.filling:
        return plan_of(_spread(tried, look, takes, luck))
    finish = _finish(ground, down)
    begins = takes - (len(finish) - 1) * hand
    timed = _spread(tried, look, Millis(begins - hand), luck)
    timed += [(Millis(begins + step * hand), move) for step, move in enumerate(finish)]
    return plan_of(timed, Call(), pace.CALL)


def _tries(ground: VisibleTask, level: Level, luck: BotLuck, number: int) -> tuple[list[Move], dict[int, Fit]]:
    """So many moves that do not fill the area, and what lies after them: ways by the place of a piece in the order."""
    moves: list[Move] = []
    down: dict[int, Fit] = {}
    free = (1 << len(ground.near)) - 1
    while len(moves) < number:
        waiting = [place for place in range(len(ground.order)) if place not in down]
        place = waiting[1 if len(waiting) > 1 and luck.happens(pace.OUT_OF_ORDER) else 0]
        # The last one fits nowhere: it would be the filling.
        way = _try(ground, place, free, down, pace.OVERLOOKS_HOLE[level], luck) if len(waiting) > 1 else None
        if way is not None:
            down[place] = way
            free &= ~way.bits
            moves.append(way.place)
        elif down:
            _, lifted = down.popitem()
            free |= lifted.bits
            moves.append(Lift(lifted.place.piece))
        else:
            break
    return moves, down


def _try(
    ground: VisibleTask, place: int, free: int, down: dict[int, Fit], overlooks: float, luck: BotLuck
) -> Fit | None:
    """A way for this piece to be tried; None: it seems to fit nowhere. Never the last but one that would be right."""
    ways = ground.ways[place]
    for _ in range(pace.PLACES_LOOKED_AT):
        way = luck.pick(ways)
        if way.bits & ~free:
            continue
        if len(down) == len(ground.order) - 2 and _right(ground, {**down, place: way}):
            continue
        if has_small_hole(free & ~way.bits, ground.near, ground.smallest) and not luck.happens(overlooks):
            continue
        return way
    return None


def _right(ground: VisibleTask, down: dict[int, Fit]) -> bool:
    return bool(ground.filling) and all(ground.filling[place] == way for place, way in down.items())


def _finish(ground: VisibleTask, down: dict[int, Fit]) -> list[Move]:
    """Lifts what is wrong, the last first, and lays the rest of the filling."""
    wrong = [place for place, way in down.items() if ground.filling[place] != way]
    right = down.keys() - set(wrong)
    lifts: list[Move] = [Lift(ground.order[place]) for place in reversed(wrong)]
    return lifts + [way.place for place, way in enumerate(ground.filling) if place not in right]


def _spread(moves: Sequence[Move], begin: Millis, end: Millis, luck: BotLuck) -> list[tuple[Millis, Move]]:
    """The moves with times from `begin` on, unevenly, the last of them before `end`."""
    gaps = [0.4 + luck.share() for _ in moves]
    whole, passed = sum(gaps), 0.0
    timed: list[tuple[Millis, Move]] = []
    for gap, move in zip(gaps, moves, strict=True):
        timed.append((Millis(begin + int((end - begin) * passed / whole)), move))
        passed += gap
    return timed
