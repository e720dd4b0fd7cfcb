"""An edition of the card game: three stacks of 36 cards, printed on both sides (K1, K2)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any, Literal

from msgspec import Meta, Struct

from ubongo.layout import card
from ubongo.material.shapes import Symbol
from ubongo.pieces import Piece

CARDS = 36
Number = Literal[1, 3, 5]
STACKS: tuple[Number, Number, Number] = (1, 3, 5)
SymbolRow = tuple[Symbol, Symbol]
CardFace = tuple[SymbolRow, SymbolRow, SymbolRow]
CardSide = Literal["white", "black"]
SIDES: tuple[CardSide, CardSide] = ("white", "black")


class Card(Struct, frozen=True, forbid_unknown_fields=True):
    """The white face is for an odd round, the black one for the even round after it."""

    white: CardFace
    black: CardFace

    def face(self, side: CardSide) -> CardFace:
        return self.white if side == "white" else self.black


class Stack(Struct, frozen=True, forbid_unknown_fields=True):
    """The cards of two rounds; `stack` is the first of them."""

    stack: Number
    cards: Annotated[tuple[Card, ...], Meta(min_length=CARDS, max_length=CARDS)]


class CardsEdition(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="game", tag="cards"):
    """Made from `seed`; `id` never changes."""

    id: str = ""
    seed: int
    stacks: tuple[Stack, Stack, Stack]


def round_of(stack: int, side: CardSide) -> int:
    """K1: white is for the odd round, black for the even one."""
    return stack + SIDES.index(side)


def name_of(stack: int, number: int, side: CardSide) -> str:
    """The name of a face as a piece: stack, card (from 1) and face."""
    return f"{stack}-{number}-{side}"


def pieces(edition: CardsEdition) -> dict[str, Piece]:
    """Every face as a piece, by its name."""
    faces = [
        card(name_of(stack.stack, number, side), one.face(side))
        for stack in edition.stacks
        for number, one in enumerate(stack.cards, 1)
        for side in SIDES
    ]
    return {face.name: face for face in faces}


def piece_lines(edition: CardsEdition) -> Iterator[dict[str, Any]]:
    """What `ubongo pieces` prints. A card is turned, never flipped: its other side is another face (K2)."""
    for piece in pieces(edition).values():
        yield {"name": piece.name, "shapes": piece.shapes, "after": {"turn": [1, 2, 3, 0]}, "marks": piece.marks}


def dump_lines(edition: CardsEdition) -> Iterator[dict[str, Any]]:
    """What `ubongo dump` prints: one line per card."""
    for stack in edition.stacks:
        for number, one in enumerate(stack.cards, 1):
            names = {"id": f"{stack.stack}-{number}", "stack": stack.stack, "card": number}
            yield names | {side: one.face(side) for side in SIDES}
