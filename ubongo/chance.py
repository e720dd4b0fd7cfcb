"""All randomness: a pure function of a seed and a label.

Nothing here has state, so a draw added to one rule never shifts another, and the same seed deals the same match, and
makes the same material, on every machine.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from hashlib import sha256
from typing import TypeVar

from msgspec import Struct

T = TypeVar("T")
Label = str | int
_WORDS = 2**64


class Chance(Struct, frozen=True):
    """Every draw has a label of its own; the same label draws the same again.

    >>> Chance("abc").pick(["ruby", "amber"], "bag", 1) == Chance("abc").pick(["ruby", "amber"], "bag", 1)
    True
    """

    seed: str

    def words(self, *label: Label) -> Iterator[int]:
        """An endless stream of 64-bit numbers."""
        start = repr((self.seed, *label))
        block = 0
        while True:
            digest = sha256(f"{start}/{block}".encode()).digest()
            for at in range(0, 32, 8):
                yield int.from_bytes(digest[at : at + 8], "big")
            block += 1

    def word(self, *label: Label) -> int:
        return next(self.words(*label))

    def shuffled(self, items: Sequence[T], *label: Label) -> tuple[T, ...]:
        deck, words = list(items), self.words(*label)
        for last in range(len(deck) - 1, 0, -1):
            other = _below(last + 1, words)
            deck[last], deck[other] = deck[other], deck[last]
        return tuple(deck)

    def pick(self, items: Sequence[T], *label: Label) -> T:
        return items[_below(len(items), self.words(*label))]


def _below(bound: int, words: Iterator[int]) -> int:
    """The first word below a multiple of the size, so that no item is likelier than another."""
    even = _WORDS - _WORDS % bound
    return next(word for word in words if word < even) % bound
