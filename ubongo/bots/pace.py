"""What we assume about people: all of it stands here, so that real solve times can take its place (docs/bots.md).

A level is a place among people, `medium` being the middle. Nobody was measured: the figures are chosen so that a round
goes as the sheets expect it to go, with an hourglass that the middle of people mostly beats.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from math import exp
from statistics import NormalDist
from typing import Literal

from msgspec import Struct

from ubongo.table import Millis

Level = Literal["beginner", "easy", "medium", "hard", "expert"]

# Which part of people is quicker than this level.
QUICKER: Mapping[Level, float] = {"beginner": 0.92, "easy": 0.75, "medium": 0.5, "hard": 0.25, "expert": 0.08}
LEVELS: tuple[Level, ...] = tuple(QUICKER)

# How far people are apart, and how far one person's solve times for equally hard tasks are: standard deviations of the
# logarithm of the time. Hands differ less than heads.
PEOPLE, ONE_PERSON = 0.6, 0.65
HANDS = 0.5


class Filling(Struct, frozen=True):
    """Seconds that the middle of people need to fill an area. `look` once; `hand` to lay a piece; `between` two tries.

    `think` is for a task of difficulty 1, and grows with this power of the difficulty: who meets many wrong places
    sees more and more of them before laying.
    """

    look: float
    hand: float
    between: float
    think: float
    power: float = 0.75


FILLING: Mapping[str, Filling] = {
    "extreme": Filling(look=2.5, hand=1.3, between=2.6, think=4.2),
    # A cube is turned about three axes, with a mouse.
    "cubes": Filling(look=3.0, hand=2.2, between=3.8, think=9.0),
}
# How often the bulkiest piece left is not tried next, and how often a hole that nothing fills is overseen.
OUT_OF_ORDER = 0.2
OVERSEES_HOLE: Mapping[Level, float] = {"beginner": 0.7, "easy": 0.5, "medium": 0.3, "hard": 0.15, "expert": 0.05}

# From the last piece to "Ubongo!", where it has to be said.
CALL: Millis = 700
# When someone in a play-off, which has no hourglass, would rather share the place.
GIVES_UP: Millis = 8 * 60_000


@lru_cache(64)
def slowness(level: Level, spread: float = PEOPLE) -> float:
    """How many times the time of the middle of people."""
    return exp(spread * NormalDist().inv_cdf(QUICKER[level]))


def hand_time(level: Level, seconds: float) -> Millis:
    """For what hands do."""
    return round(1000 * seconds * slowness(level, PEOPLE * HANDS))


def filling_time(game: str, level: Level, difficulty: float, pieces: int, form: float) -> Millis:
    """From the start to the last piece. `form`: how this time compares, in standard deviations; 0 is the median."""
    people = FILLING[game]
    thought: float = people.think * difficulty**people.power * slowness(level) * exp(ONE_PERSON * form)
    return hand_time(level, people.look + people.hand * pieces) + round(1000 * thought)
