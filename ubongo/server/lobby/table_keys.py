"""A table's key, which is the end of its link: two words and a number, to be said as well as sent."""

from __future__ import annotations

import re
import secrets
from collections.abc import Callable

from ubongo.server.lobby.key_words import FIRST, SECOND
from ubongo.server.store.entities import Key

# Four digits, the first of which is no zero: nobody has to ask whether it is to be written.
NUMBERS = range(1000, 10_000)
# How many there are; docs/security.md says why these are enough.
SAYABLE_KEYS = len(FIRST) * len(SECOND) * len(NUMBERS)
# Nobody writes more around one.
_LONGEST = 80
_SECOND = frozenset(SECOND)
_SAYABLE = re.compile(r"[a-z]+-[a-z]+-[0-9]{4}")

Below = Callable[[int], int]


def new_key(game: str, below: Below = secrets.randbelow) -> Key:
    """`below` draws a number from 0 up to, and without, the one that it is given.

    Who plays alone has nobody to say it to, and a run's key opens its ghost: there it is 128 bits, as all were once.
    """
    if game == "solo":
        return f"{below(1 << 128):032x}"
    words = FIRST[below(len(FIRST))], SECOND[below(len(SECOND))]
    return f"{words[0]}-{words[1]}-{NUMBERS[below(len(NUMBERS))]}"


def sayable(key: Key) -> bool:
    """Whether it is so short that it could be guessed, if guessing were free."""
    return _SAYABLE.fullmatch(key) is not None


def read_key(text: str) -> Key:
    """The key that somebody means, however they have typed it. What is none stays as it is.

    >>> read_key("Amber Heron 4172"), read_key("amberheron4172"), read_key(" AMBER_heron-4172 ")
    ('amber-heron-4172', 'amber-heron-4172', 'amber-heron-4172')
    """
    if len(text) > _LONGEST:
        return text
    written = re.fullmatch(r"[\W_]*([a-z]+)[\W_]*([a-z]*)[\W_]*([0-9]{4})[\W_]*", text.casefold(), re.ASCII)
    if written is None:
        return text
    one, other, number = written.groups()
    if not other:
        split = next(
            ((word, one[len(word) :]) for word in FIRST if one.startswith(word) and one[len(word) :] in _SECOND), None
        )
        if split is None:
            return text
        one, other = split
    return f"{one}-{other}-{number}"
