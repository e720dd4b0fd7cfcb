"""Every piece has a name for screen readers in every language, unique among the pieces of one player."""

import json
import re
from itertools import groupby

import pytest

from hatch_build import WEB
from ubongo.material import cubes, extreme
from ubongo.material.shapes import DICE_PIECES, SYMBOLS

LANGUAGES = ("en", "de", "pl")
GAMES = {
    "extreme": tuple(extreme.pieces()),
    "dice": tuple(DICE_PIECES),
    "cubes": tuple(cubes.pieces()),
    "cards": SYMBOLS,
}


def spoken_name(language: str, piece: str) -> str:
    """The name, looked up as in web/src/names.ts: Extreme's numbers 1 to 8 have one shape in all colours."""
    texts = json.loads((WEB / "src" / "i18n" / f"{language}.json").read_text())
    name: str = texts.get(f"shape.{piece}") or texts.get("shape." + re.sub("^[a-z]+", "any", piece), "")
    return name


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", GAMES)
def test_every_piece_has_a_name_of_its_own(game: str, language: str) -> None:
    names = {piece: spoken_name(language, piece) for piece in GAMES[game]}
    assert not [piece for piece, name in names.items() if name == ""]
    # In Extreme all pieces of a player have one colour.
    colour = (lambda piece: piece.split("-")[0]) if game == "extreme" else (lambda _: "")
    for _, together in groupby(sorted(names, key=colour), colour):
        own = [names[piece] for piece in together]
        assert len(set(own)) == len(own)


@pytest.mark.parametrize("language", LANGUAGES)
def test_different_shapes_have_different_names(language: str) -> None:
    shapes = {spoken_name(language, piece.name): piece.shapes for piece in extreme.pieces().values()}
    assert all(shapes[spoken_name(language, piece.name)] == piece.shapes for piece in extreme.pieces().values())
