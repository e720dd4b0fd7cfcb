"""An edition of the dice game: a block of sheets with six areas each (W2). The dice are the same in all (`shapes`)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any

from msgspec import Meta, Struct

from ubongo.lattice import SQUARE
from ubongo.material.shapes import DICE_PIECES
from ubongo.pieces import Piece, next_orientations

SHEETS = 60
AREAS = 6
SMALLEST, LARGEST = 14, 21
Square = tuple[int, int]


class Area(Struct, frozen=True, forbid_unknown_fields=True):
    """`difficulty`: the rounds that the plain player needs alone, on average (docs/difficulty.md)."""

    region: Annotated[tuple[Square, ...], Meta(min_length=SMALLEST, max_length=LARGEST)]
    difficulty: float


class Sheet(Struct, frozen=True, forbid_unknown_fields=True):
    """The sheet that every player of a table gets: its areas, from the smallest to the largest."""

    areas: Annotated[tuple[Area, ...], Meta(min_length=AREAS, max_length=AREAS)]


class DiceEdition(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="game", tag="dice"):
    """Made from `seed`; `id` never changes."""

    id: str = ""
    seed: int
    sheets: Annotated[tuple[Sheet, ...], Meta(min_length=SHEETS, max_length=SHEETS)]


def pieces(_edition: DiceEdition) -> dict[str, Piece]:
    """Every shape that a die can show, by its name."""
    return DICE_PIECES


def piece_lines(edition: DiceEdition) -> Iterator[dict[str, Any]]:
    """What `ubongo pieces` prints."""
    for piece in pieces(edition).values():
        yield {"name": piece.name, "shapes": piece.shapes, "after": next_orientations(SQUARE, piece.shapes)}


def dump_lines(edition: DiceEdition) -> Iterator[dict[str, Any]]:
    """What `ubongo dump` prints: one line per area."""
    for number, sheet in enumerate(edition.sheets, 1):
        for place, area in enumerate(sheet.areas, 1):
            yield {
                "id": f"{number}-{place}",
                "lattice": "square",
                "region": area.region,
                "sheet": number,
                "area": place,
                "difficulty": area.difficulty,
            }
