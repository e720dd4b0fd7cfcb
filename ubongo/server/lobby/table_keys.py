"""A table's key, the end of its link: two words and a number, so that it can be said as well as sent."""

from __future__ import annotations

import re
import secrets
from collections.abc import Callable

from ubongo.server.lobby.key_words import FIRST, SECOND
from ubongo.server.store.entities import Key

# Four digits without a leading zero, which people would leave out.
NUMBERS = range(1000, 10_000)
# docs/security.md says why these are enough.
SAYABLE_KEYS = len(FIRST) * len(SECOND) * len(NUMBERS)
# A longer text is not a key.
_LONGEST = 80
_SECOND = frozenset(SECOND)
_SAYABLE = re.compile(r"[a-z]+-[a-z]+-[0-9]{4}")

Below = Callable[[int], int]


def new_key(game: str, below: Below = secrets.randbelow) -> Key:
    """A random key. `below(n)` draws a number from 0 to n - 1.

    The key of a solo run has 128 bits: nobody has to say it, and it gives access to the run's ghost.
    """
    if game == "solo":
        return f"{below(1 << 128):032x}"
    words = FIRST[below(len(FIRST))], SECOND[below(len(SECOND))]
    return f"{words[0]}-{words[1]}-{NUMBERS[below(len(NUMBERS))]}"


def is_sayable(key: Key) -> bool:
    """Whether it is a short key, which could be guessed if guessing were not limited."""
    return _SAYABLE.fullmatch(key) is not None


def read_key(text: str) -> Key:
    """The key in its normal form, however it was typed. A text that is no key is returned as it is.

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
