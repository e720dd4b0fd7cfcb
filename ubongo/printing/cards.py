"""A card on a page, both faces side by side: the white one for the odd round, the black one for the even (K1)."""

from __future__ import annotations

from collections.abc import Sequence

from ubongo.material.cards import SIDES, Card, CardSide, round_of
from ubongo.printing import ink
from ubongo.printing.order import IN_ENGLISH
from ubongo.printing.outline import Box
from ubongo.printing.page import A6_ACROSS, moved, page, words
from ubongo.printing.symbols import symbol

SQUARE = 28.0
WIDTH, HEIGHT = 2 * SQUARE, 3 * SQUARE
TOP, BETWEEN = 8.0, 12.0
# The ground, the symbols' outline, and the lines between the squares.
COLOURS: dict[CardSide, tuple[str, str, str]] = {
    "white": (ink.CARD_WHITE, ink.INK, ink.LINE),
    "black": (ink.CARD_BLACK, ink.CARD_WHITE, ink.SECOND_INK),
}


def card_page(stack: int, number: int, card: Card) -> str:
    left = (A6_ACROSS[0] - 2 * WIDTH - BETWEEN) / 2
    body = ""
    for place, side in enumerate(SIDES):
        body += moved(left + place * (WIDTH + BETWEEN), TOP, card_face(stack, number, card, side))
    said = IN_ENGLISH("card_of_stack", card=number, first=stack, second=stack + 1)
    body += words(A6_ACROSS[0] / 2, A6_ACROSS[1] - 5, 3.2, said, "second middle")
    return page(A6_ACROSS, said, body)


def card_face(stack: int, number: int, card: Card, side: CardSide) -> str:
    """The round's number is in the middle, where it hides no symbol; the card's own number is small, at the edge."""
    ground, line, fold = COLOURS[side]
    drawn = plain_face([name for row in card.face(side) for name in row], side)
    drawn += (
        f'<circle cx="{WIDTH / 2:g}" cy="{HEIGHT / 2:g}" r="3.6" fill="{ground}" stroke="{fold}" stroke-width=".4"/>'
        f"{words(WIDTH / 2, HEIGHT / 2 + 1.8, 5, str(round_of(stack, side)), 'strong middle', line)}"
        f"{words(WIDTH / 2, HEIGHT - 1.4, 2.2, f'{stack}–{number}', 'middle', line)}"
    )
    return f'<g class="face">{drawn}</g>'


def plain_face(marks: Sequence[str], side: CardSide) -> str:
    """Only its six symbols, row by row."""
    ground, line, fold = COLOURS[side]
    drawn = (
        f'<rect width="{WIDTH:g}" height="{HEIGHT:g}" rx="4" fill="{ground}" stroke="{ink.INK}" stroke-width=".4"/>'
        f'<path d="M{SQUARE:g} 4V{HEIGHT - 4:g}M4 {SQUARE:g}H{WIDTH - 4:g}M4 {2 * SQUARE:g}H{WIDTH - 4:g}" '
        f'stroke="{fold}" stroke-width=".3"/>'
    )
    for place, name in enumerate(marks):
        drawn += symbol(name, Box(place % 2 * SQUARE, place // 2 * SQUARE, SQUARE, SQUARE), line)
    return drawn
