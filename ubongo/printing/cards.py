"""A card on a page, both faces side by side: the white one for the odd round, the black one for the even (K1)."""

from __future__ import annotations

from collections.abc import Sequence

from ubongo.material.cards import SIDES, Card, CardSide, round_of
from ubongo.printing import ink
from ubongo.printing.drawing import Drawing, Path, Style, circle, lines, moved, named, rectangle
from ubongo.printing.order import IN_ENGLISH
from ubongo.printing.outline import Box
from ubongo.printing.page import A6_ACROSS, words
from ubongo.printing.svg import svg_page
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
    body: Drawing = ()
    for place, side in enumerate(SIDES):
        body += moved(left + place * (WIDTH + BETWEEN), TOP, card_face(stack, number, card, side))
    said = IN_ENGLISH("card_of_stack", card=number, first=stack, second=stack + 1)
    body += words(A6_ACROSS[0] / 2, A6_ACROSS[1] - 5, 3.2, said, "second middle")
    return svg_page(A6_ACROSS, said, body)


def card_face(stack: int, number: int, card: Card, side: CardSide) -> Drawing:
    """The round's number is in the middle, where it hides no symbol; the card's own number is small, at the edge."""
    ground, line, fold = COLOURS[side]
    drawn = plain_face([name for row in card.face(side) for name in row], side)
    drawn += (Path(circle(WIDTH / 2, HEIGHT / 2, 3.6), Style(fill=ground, stroke=fold, width=0.4)),)
    drawn += words(WIDTH / 2, HEIGHT / 2 + 1.8, 5, str(round_of(stack, side)), "strong middle", line)
    drawn += words(WIDTH / 2, HEIGHT - 1.4, 2.2, f"{stack}–{number}", "middle", line)
    return named("face", drawn)


def plain_face(marks: Sequence[str], side: CardSide) -> Drawing:
    """Only its six symbols, row by row."""
    ground, line, fold = COLOURS[side]
    folds = lines(
        [
            ((SQUARE, 4), (SQUARE, HEIGHT - 4)),
            ((4, SQUARE), (WIDTH - 4, SQUARE)),
            ((4, 2 * SQUARE), (WIDTH - 4, 2 * SQUARE)),
        ]
    )
    drawn: Drawing = (
        Path(rectangle(0, 0, WIDTH, HEIGHT, 4), Style(fill=ground, stroke=ink.INK, width=0.4)),
        Path(folds, Style(stroke=fold, width=0.3)),
    )
    for place, name in enumerate(marks):
        drawn += symbol(name, Box(place % 2 * SQUARE, place // 2 * SQUARE, SQUARE, SQUARE), line)
    return drawn
