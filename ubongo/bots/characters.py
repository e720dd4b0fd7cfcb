"""The bots' names. A name and its face mean the same level everywhere, in every language."""

from __future__ import annotations

from collections.abc import Mapping

CHARACTERS: Mapping[str, str] = {
    "beginner": "Momo",
    "easy": "Pip",
    "medium": "Otto",
    "hard": "Runa",
    "expert": "Vega",
}
