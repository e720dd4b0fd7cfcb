"""Random numbers for long loops: SplitMix64, the same on every machine, and quicker than a labelled draw."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")
_WORD = (1 << 64) - 1


class WorkshopLuck:
    """Seeded with a word of `Chance`, so that every loop has random numbers of its own."""

    def __init__(self, word: int) -> None:
        self._state = word

    def below(self, bound: int) -> int:
        """A number from 0 up to the bound, which must be small compared with 2**32."""
        self._state = self._state + 0x9E3779B97F4A7C15 & _WORD
        word = self._state
        word = (word ^ word >> 30) * 0xBF58476D1CE4E5B9 & _WORD
        word = (word ^ word >> 27) * 0x94D049BB133111EB & _WORD
        return ((word ^ word >> 31) >> 32) * bound >> 32

    def pick(self, items: Sequence[T]) -> T:
        return items[self.below(len(items))]
