"""A bot's own random numbers, one after the other: in long plans a label for each draw would cost too much."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import NormalDist
from typing import TypeVar

from ubongo.chance import Chance, Label

T = TypeVar("T")
_NORMAL = NormalDist()


class BotLuck:
    """Seeded with the bot's seed and a label of its view; the same label gives the same draws, in the same order."""

    def __init__(self, seed: str, *label: Label) -> None:
        self._words = Chance(seed).words("bot", *label)

    def below(self, bound: int) -> int:
        """A number from 0 up to the bound, which is small beside 2**64."""
        return next(self._words) * bound >> 64

    def pick(self, items: Sequence[T]) -> T:
        return items[self.below(len(items))]

    def share(self) -> float:
        """From 0 up to 1."""
        return (next(self._words) >> 11) / (1 << 53)

    def happens(self, chance: float) -> bool:
        return self.share() < chance

    def normal(self) -> float:
        """How far from the middle, in standard deviations."""
        return _NORMAL.inv_cdf(((next(self._words) >> 12) + 0.5) / (1 << 52))
