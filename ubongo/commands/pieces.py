"""`ubongo pieces`: every piece of an edition."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from ubongo.commands import Flag
from ubongo.commands._support.editions import edition_of
from ubongo.commands._support.listing import MODULES, ListedItem, listed
from ubongo.lattice import CUBIC, HEX, SQUARE, Lattice
from ubongo.picture import draw

_WORLDS: Mapping[str, Lattice] = {"dice": SQUARE, "extreme": HEX, "cubes": CUBIC}


def pieces(game: str, /, *, edition: Path | None = None, json: Flag = False) -> None:
    """
    Parameters
    ----------
    game
        cards, dice, extreme or cubes.
    edition
        The file of an edition; without it, the one that comes with the program.
    json
        JSON lines instead of pictures.
    """
    chosen = edition_of(game, edition)
    listed(MODULES[game].piece_lines(chosen), json, lambda line: f"{line['name']}\n{_picture(game, line)}\n")


def _picture(game: str, line: ListedItem) -> str:
    if game == "cards":
        return "\n".join(f"{left} {right}" for left, right in zip(*[iter(line["marks"])] * 2, strict=True))
    return draw(_WORLDS[game], line["shapes"][0])
