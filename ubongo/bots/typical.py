"""How long a bot usually needs for a board, so that people can choose an opponent they have not met."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from statistics import median

from ubongo import material
from ubongo.bots.pace import FILLING, LEVELS, filling_time
from ubongo.games.solo.tasks import choices

# The easier side, the default (T15).
PIECES = 3


@lru_cache(8)
def board_seconds(game: str) -> Mapping[str, int]:
    """Seconds by level, for a task in the middle of the shipped ones.

    Empty for cards and dice: a hand ends when somebody calls, and how long an area takes depends on the dice.
    """
    if game not in FILLING:
        return {}
    middle = median(one.difficulty for one in choices(game, material.shipped(game).id) if one.side == PIECES)
    return {level: round(filling_time(game, level, middle, PIECES, form=0) / 1000) for level in LEVELS}
