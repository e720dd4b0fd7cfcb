"""The edition of a table: the shipped one, or a registered one, by its id."""

from __future__ import annotations

from typing import TypeVar

from ubongo import material
from ubongo.game import BadOptions
from ubongo.material import Edition

E = TypeVar("E", bound=Edition)
_BROUGHT: dict[str, Edition] = {}


def bring(edition: Edition) -> str:
    """Registers an edition and returns its id, by which logs refer to it for ever."""
    named = material.identify(edition)
    _BROUGHT[named.id] = named
    return named.id


def chosen(kind: type[E], edition_id: str) -> E:
    """The edition of that id; without one the shipped edition of the game."""
    game = str(kind.__struct_config__.tag)
    found = _BROUGHT.get(edition_id)
    if found is None:
        found = material.shipped(game)
        if edition_id not in ("", found.id):
            raise BadOptions(
                f"edition is {edition_id!r}; it is the id of an edition of this game, such as {found.id!r}"
            )
    if not isinstance(found, kind):
        raise BadOptions(f"edition is {edition_id!r}, which is of another game")
    return found
