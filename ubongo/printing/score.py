"""A score sheet: a row for each player, a field for each round and for the sum."""

from __future__ import annotations

from ubongo.printing import ink
from ubongo.printing.drawing import Drawing, Path, Style, lines
from ubongo.printing.order import Order
from ubongo.printing.page import A4, words

MARGIN, TOP = 18.0, 40.0
NAME, ROW = 54.0, 16.0
# Matches per page, with four players each.
MATCHES = 2


def score_sheet(order: Order, game: str, players: int, rounds: int) -> Drawing:
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
        left, right = MARGIN, A4[0] - MARGIN
        rows = [top + (row + 1) * ROW for row in range(players + 1)]
        columns = [left + NAME + place * width for place in range(rounds + 1)]
        across = lines(((left, y), (right, y)) for y in rows)
        down = lines(((x, top + 3), (x, top + height)) for x in columns)
        drawn += (Path(across + down, Style(stroke=ink.RIM, width=0.3)),)
    return drawn
