"""All assumptions about people, in one place, so that measured solve times can replace them (docs/bots.md).

A level is a rank among people; `medium` is the median. Nobody was measured: the figures are chosen so that a round goes
as the rule sheets expect, with an hourglass that the median player mostly beats.
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


class FillingPace(Struct, frozen=True):
    """Seconds that the middle of people need to fill an area. `look` once; `hand` to lay a piece; `between` two tries.

    `think` is for a task of difficulty 1, and grows with this power of the difficulty: a player who meets
    many wrong places sees more and more of them before laying.
    """

    look: float
    hand: float
    between: float
    think: float
    power: float = 0.75


FILLING: Mapping[str, FillingPace] = {
    "extreme": FillingPace(look=2.5, hand=1.3, between=2.6, think=4.2),
    # A cube is turned about three axes, with a mouse.
    "cubes": FillingPace(look=3.0, hand=2.2, between=3.8, think=9.0),
}
# How often the bulkiest piece left is not tried next, and how often a hole that nothing fills is overlooked.
OUT_OF_ORDER = 0.2
OVERLOOKS_HOLE: Mapping[Level, float] = {"beginner": 0.7, "easy": 0.5, "medium": 0.3, "hard": 0.15, "expert": 0.05}

# How many places for a piece are looked at before it seems to fit nowhere.
PLACES_LOOKED_AT = 4

# From the last piece to "Ubongo!", where it has to be said.
CALL = Millis(700)
# When someone in a play-off, which has no hourglass, would rather share the place.
GIVES_UP = Millis(8 * 60_000)


@lru_cache(64)
def slowness(level: Level, spread: float = PEOPLE) -> float:
    """The factor on the median time of people."""
    return exp(spread * NormalDist().inv_cdf(QUICKER[level]))


def hand_time(level: Level, seconds: float) -> Millis:
    """The time of something done by hand."""
    return Millis(round(1000 * seconds * slowness(level, PEOPLE * HANDS)))


def head_time(level: Level, seconds: float) -> Millis:
    """The time of something done by thinking."""
    return Millis(round(1000 * seconds * slowness(level)))


def spread_of(form: float, spread: float) -> float:
    """By what a time is longer or shorter than its median, `form` standard deviations from it."""
    return exp(spread * form)


def filling_time(game: str, level: Level, difficulty: float, pieces: int, form: float) -> Millis:
    """From the start to the last piece. `form`: how this time compares, in standard deviations; 0 is the median."""
    people = FILLING[game]
    thought: float = people.think * difficulty**people.power * slowness(level) * spread_of(form, ONE_PERSON)
    return Millis(hand_time(level, people.look + people.hand * pieces) + round(1000 * thought))


class Laying(Struct, frozen=True):
    """The card game. `look`: seconds for one way in which a card could be laid beside the others; the rest are hands.

    Someone tries such ways, in their head, until one fits: so a fit takes the longer, the fewer there are.
    """

    first: float = 4.0
    look: float = 0.45
    lay: float = 1.1
    take_back: float = 0.9
    call: float = 1.2
    # How often someone takes back a card that was right, and after how many times of being stuck they are content.
    second_thoughts: float = 0.1
    patience: int = 12


LAYING = Laying()
# Of a person's rounds of cards; each is made of many finds, so that they differ less than fillings.
ONE_PERSONS_CARDS = 0.35
# How often a card is laid that fits one neighbour and not another (K9); how often that is seen when the next is laid,
# and how often when all is looked over before the call.
SLIPS: Mapping[Level, float] = {"beginner": 0.08, "easy": 0.045, "medium": 0.02, "hard": 0.008, "expert": 0.002}
NOTICES: Mapping[Level, float] = {"beginner": 0.15, "easy": 0.25, "medium": 0.35, "hard": 0.5, "expert": 0.7}
LOOKS_OVER: Mapping[Level, float] = {"beginner": 0.3, "easy": 0.5, "medium": 0.7, "hard": 0.9, "expert": 0.98}


class Dicing(Struct, frozen=True):
    """The dice game, in seconds of the middle of people: to eye a throw, to take the second die, to look again when
    somebody took a wanted one; to think where to enter, to enter a shape, and to say that it is done."""

    eye: float = 3.2
    second: float = 0.9
    again: float = 0.8
    think: float = 5.0
    enter: float = 1.6
    done: float = 0.8


DICING = Dicing()
# A person's reactions to equal throws: as ONE_PERSON.
ONE_PERSONS_GRABS = 0.5
# How often someone thinks of what will be left of the area, when grabbing and when entering; else they cover as many
# squares as they can. And whether they think of the throws to come as well.
MINDS_THE_REST: Mapping[Level, float] = {"beginner": 0.45, "easy": 0.65, "medium": 0.82, "hard": 0.95, "expert": 1.0}
LOOKS_AHEAD: Mapping[Level, bool] = {level: level == "expert" for level in LEVELS}
# How many of the best-looking leftovers of an area a player who looks ahead thinks through.
THOUGHT_THROUGH = 16
# W17: after so many rounds in an area a bot agrees to give it up, if another player has asked for it.
WEARY_OF_AREA = 12


def hurried(takes: Millis, within: Millis | None) -> float:
    """The factor that shortens something to fit a limit: people watch the clock, too."""
    return 1.0 if within is None or takes <= 0.8 * within else 0.8 * within / takes
