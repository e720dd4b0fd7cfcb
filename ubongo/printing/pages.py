"""An edition as files: one picture per board, card or sheet."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from ubongo.material import Edition
from ubongo.material.cards import CardsEdition
from ubongo.material.dice import DiceEdition
from ubongo.material.extreme import ExtremeEdition
from ubongo.printing.cards import card_page
from ubongo.printing.cubes import cubes_page
from ubongo.printing.dice import sheet_page
from ubongo.printing.extreme import extreme_page
from ubongo.printing.solutions import solutions


def pages(edition: Edition, board: int | None = None) -> Iterator[tuple[str, str]]:
    """Name and content of every file, or of one board's. All numbers have two digits, so that folders sort them."""
    if isinstance(edition, CardsEdition):
        for stack in edition.stacks:
            for number, card in enumerate(stack.cards, 1):
                yield f"card-{stack.stack}-{number:02}.svg", card_page(stack.stack, number, card)
    elif isinstance(edition, DiceEdition):
        for number, sheet in enumerate(edition.sheets, 1):
            yield f"sheet-{number:02}.svg", sheet_page(number, sheet)
    else:
        draw = extreme_page if isinstance(edition, ExtremeEdition) else cubes_page
        for number, solved in groupby(solutions(edition), key=lambda one: one.board):
            if board in {None, number}:
                yield f"board-{number:02}.svg", draw(tuple(solved))
