"""A score sheet: a row for each player, a field for each round and for the sum."""

from __future__ import annotations

from ubongo.printing import ink
from ubongo.printing.order import Order
from ubongo.printing.page import A4, words

MARGIN, TOP = 18.0, 40.0
NAME, ROW = 54.0, 16.0
# Matches per page, with four players each.
MATCHES = 2


def score_sheet(order: Order, game: str, players: int, rounds: int) -> str:
    drawn = words(MARGIN, 24, 8, order.say(game), "strong")
    drawn += words(A4[0] - MARGIN, 24, 4.4, order.say("points"), "second end")
    width = (A4[0] - 2 * MARGIN - NAME) / (rounds + 1)
    heads = [*(str(number) for number in range(1, rounds + 1)), order.say("sum")]
    height = (players + 1) * ROW
    for match in range(MATCHES):
        top = TOP + match * (height + 8)
        drawn += words(MARGIN + 2, top + 10, 4.4, order.say("name"), "second")
        for place, head in enumerate(heads):
            drawn += words(MARGIN + NAME + (place + 0.5) * width, top + 10, 4.4, head, "strong middle")
        across = "".join(f"M{MARGIN:g} {top + (row + 1) * ROW:g}H{A4[0] - MARGIN:g}" for row in range(players + 1))
        down = "".join(
            f"M{MARGIN + NAME + place * width:g} {top + 3:g}V{top + height:g}" for place in range(rounds + 1)
        )
        drawn += f'<path d="{across}{down}" fill="none" stroke="{ink.RIM}" stroke-width=".3"/>'
    return drawn
