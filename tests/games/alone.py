"""Solo play in tests: starts any game, and plays dice at leisure."""

from typing import Any

import pytest

from tests.play import Match
from ubongo.moves import Grab, Pass, Place, Throw
from ubongo.pieces import covered, fits
from ubongo.table import Task

OF = pytest.mark.parametrize("of", ["cubes", "extreme", "cards", "dice"])


def begun(of: str, **options: Any) -> Match:
    match = Match("solo", 1, of=of, **options)
    match.begin()
    return match


def task_of(match: Match) -> Task:
    task = match.seat(0).task
    assert task is not None
    return task


def enter_what_fits(match: Match) -> None:
    """Plays a round of dice with the two dice that fit the free squares best."""
    if match.table.phase == "throw":
        match.ask(0, Throw())
    for colour in ("black", "white"):
        dice = [number for number, die in enumerate(match.table.dice) if die.colour == colour]
        match.ask(0, Grab(max(dice, key=lambda number: len(ways(match, str(match.table.dice[number].face))))))
    for piece in range(len(task_of(match).pieces) - 2, len(task_of(match).pieces)):
        name = str(task_of(match).pieces[piece])
        found = ways(match, name)
        if found:
            match.ask(0, Place(piece, *found[0]))
    match.ask(0, Pass())


def ways(match: Match, name: str) -> list[tuple[int, tuple[int, ...]]]:
    known = match.game.pieces(match.table.options)
    me, task = match.seat(0), task_of(match)
    assert task.region is not None
    taken = {cell for where in me.laid for cell in covered(known[str(task.pieces[where.piece])], where)}
    return list(fits(known[name].shapes, [cell for cell in task.region if cell not in taken]))


def fill(match: Match) -> None:
    """Throws until the area is full."""
    area = match.table.area
    while match.table.area == area and match.table.phase != "over":
        enter_what_fits(match)
