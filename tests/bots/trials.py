"""Helpers of the bots' tests: a trial, a plan, a hand, and clearing the caches."""

from __future__ import annotations

from string import ascii_letters

import msgspec

from ubongo import layout
from ubongo.bots import boards, cards, dice, plan, rests
from ubongo.bots.pace import Level
from ubongo.bots.trial import BotTrial
from ubongo.games import GAMES
from ubongo.material.extreme import pieces as hexagonal_pieces
from ubongo.pieces import Piece
from ubongo.table import Task


def trial(game: str, levels: tuple[Level, ...], **options: object) -> BotTrial:
    return BotTrial(game, levels, msgspec.convert(options, GAMES[game].OPTIONS), "tests")


def forget() -> None:
    """Clears the bots' caches, like a restart."""
    for worked_out in (boards.plan, boards.ground_of, cards.plan, dice.plan, rests.leaves, rests.thought_through):
        worked_out.cache_clear()


def filling_plan(level: Level = "medium", luck: str = "a") -> tuple[Task, tuple[Piece, ...], plan.MovePlan]:
    bots = trial("extreme", (level, level)).bots(1)
    task = bots.match.table.seats[0].task
    assert task is not None
    assert task.region is not None
    pieces = tuple(hexagonal_pieces()[str(name)] for name in task.pieces)
    return task, pieces, boards.plan("extreme", pieces, task.region, level, luck, (1,))


def strangers() -> tuple[Piece, ...]:
    """A hand of nine cards of which no two fit together: every symbol occurs once."""
    marks = ascii_letters + "01"
    sixes = [marks[first : first + 6] for first in range(0, 54, 6)]
    return tuple(layout.card(f"card {i}", [six[:2], six[2:4], six[4:]]) for i, six in enumerate(sixes))
