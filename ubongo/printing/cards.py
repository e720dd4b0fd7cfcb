"""A card on a page, both faces side by side: the white one for the odd round, the black one for the even (K1)."""

from __future__ import annotations

from ubongo.material.cards import SIDES, Card, Side, round_of
from ubongo.printing import ink
from ubongo.printing.order import IN_ENGLISH
from ubongo.printing.outline import Box
from ubongo.printing.page import A6_ACROSS, moved, page, words
from ubongo.printing.symbols import symbol

SQUARE = 28.0
WIDTH, HEIGHT = 2 * SQUARE, 3 * SQUARE
TOP, BETWEEN = 8.0, 12.0


def card_page(stack: int, number: int, card: Card) -> str:
    left = (A6_ACROSS[0] - 2 * WIDTH - BETWEEN) / 2
    body = ""
    for place, side in enumerate(SIDES):
        body += moved(left + place * (WIDTH + BETWEEN), TOP, card_face(stack, number, card, side))
    said = IN_ENGLISH("card_of_stack", card=number, first=stack, second=stack + 1)
    body += words(A6_ACROSS[0] / 2, A6_ACROSS[1] - 5, 3.2, said, "second middle")
    return page(A6_ACROSS, said, body)


def card_face(stack: int, number: int, card: Card, side: Side) -> str:
    """The round's number stands in the middle, where it hides no symbol; the card's own, small, at the edge."""
    white = side == "white"
    ground, line = (ink.CARD_WHITE, ink.INK) if white else (ink.CARD_BLACK, ink.CARD_WHITE)
    fold = ink.LINE if white else ink.SECOND_INK
    drawn = (
        f'<rect width="{WIDTH:g}" height="{HEIGHT:g}" rx="4" fill="{ground}" stroke="{ink.INK}" stroke-width=".4"/>'
        f'<path d="M{SQUARE:g} 4V{HEIGHT - 4:g}M4 {SQUARE:g}H{WIDTH - 4:g}M4 {2 * SQUARE:g}H{WIDTH - 4:g}" '
        f'stroke="{fold}" stroke-width=".3"/>'
    )
    for y, row in enumerate(card.face(side)):
        for x, name_of_symbol in enumerate(row):
            drawn += symbol(name_of_symbol, Box(x * SQUARE, y * SQUARE, SQUARE, SQUARE), line)
    drawn += (
        f'<circle cx="{WIDTH / 2:g}" cy="{HEIGHT / 2:g}" r="3.6" fill="{ground}" stroke="{fold}" stroke-width=".4"/>'
        f"{words(WIDTH / 2, HEIGHT / 2 + 1.8, 5, str(round_of(stack, side)), 'strong middle', line)}"
        f"{words(WIDTH / 2, HEIGHT - 1.4, 2.2, f'{stack}–{number}', 'middle', line)}"
    )
    return f'<g class="face">{drawn}</g>'
