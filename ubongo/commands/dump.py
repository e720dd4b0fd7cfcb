"""`ubongo dump`: every task, card or area of an edition."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ubongo.commands import Flag
from ubongo.commands._support.editions import edition_of
from ubongo.commands._support.listing import MODULES, ListedItem, listed


def dump(game: str, /, *, edition: Path | None = None, json: Flag = False) -> None:
    """
    Parameters
    ----------
    game
        cards, dice, extreme or cubes.
    edition
        The file of an edition; without it, the one that comes with the program.
    json
        JSON lines instead of lines for people.
    """
    chosen = edition_of(game, edition)
    listed(MODULES[game].dump_lines(chosen), json, _described)


def _described(line: ListedItem) -> str:
    """The fields that are short enough for a line."""
    shown = {name: value for name, value in line.items() if name not in {"lattice", "region", "pieces"}}
    return "  ".join(f"{name} {_short(value)}" for name, value in shown.items())


def _short(value: Any) -> str:
    return "-".join(map(_short, value)) if isinstance(value, tuple | list) else str(value)
