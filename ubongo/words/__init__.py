"""Messages to people, by code: one catalogue per language, for Python and for the browser.

A catalogue has two parts: `refused` (why a move was refused and what to do instead) and `story` (what happened).
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pkgutil import get_data
from typing import Any

import msgspec

LANGUAGES = ("en", "de", "pl")
Catalogue = dict[str, dict[str, str]]


@cache
def catalogue(language: str = "en") -> Catalogue:
    found = get_data(__name__, f"{language}.json")
    assert found is not None
    return msgspec.json.decode(found, type=Catalogue)


@cache
def printed(language: str = "en") -> dict[str, str]:
    """The printed texts, in separate files because no browser needs them."""
    found = get_data(__name__, f"print/{language}.json")
    assert found is not None
    return msgspec.json.decode(found, type=dict[str, str])


def refusal(code: str, values: Mapping[str, Any], language: str = "en") -> str:
    """The reason of a refusal, for the player.

    >>> refusal("not_roller", {"name": "Ann"})
    'It is not your throw. Ann throws this time.'
    """
    return catalogue(language)["refused"][code].format_map(values)


def told(code: str, values: Mapping[str, Any], language: str = "en") -> str:
    """An event as a sentence of the story."""
    return catalogue(language)["story"][code].format_map(values)
