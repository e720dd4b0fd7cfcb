"""The first page of each part: how to print it, and how to use it at the table."""

from __future__ import annotations

from collections.abc import Sequence

from ubongo.printing import ink
from ubongo.printing.drawing import Path, Style, circle, moved
from ubongo.printing.lettering import broken
from ubongo.printing.order import Order
from ubongo.printing.page import words
from ubongo.printing.sheet import PaperSide, footer, ruler

MARGIN, RULER = 20.0, 100
SIZE, LEADING = 4.6, 6.4


def cover(order: Order, game: str, part: str, printing: Sequence[str], playing: Sequence[str]) -> PaperSide:
    width, _ = order.upright
    body = words(MARGIN, 32, 11, order.say(game), "strong")
    body += words(MARGIN, 42, 6.4, _capital(order.part_name(game, part)), "second")
    y = 60.0
    told = [("how_to_print", [order.say("true_size", length=RULER), *_scaled(order), *printing])]
    if playing:
        told.append(("how_to_set_up", list(playing)))
    for heading, points in told:
        body += words(MARGIN, y, 6, order.say(heading), "strong")
        y += 9
        for point in points:
            body += (Path(circle(MARGIN + 1, y - 1.5, 0.8), Style(fill=ink.RIM)),)
            for line in broken(point, SIZE, width - 2 * MARGIN - 6):
                body += words(MARGIN + 6, y, SIZE, line)
                y += LEADING
            y += 1.6
        y += 6
    foot = order.upright[1] - 26
    body += moved(MARGIN, foot, ruler(RULER)) + words(MARGIN, foot + 6, 3.4, order.say("ruler", length=RULER), "second")
    edge = width - MARGIN / 2
    body += moved(edge, foot, ruler(RULER), angle=-90)
    body += footer(order, order.upright, f"{order.say(game)} · {order.part_name(game, part)}")
    return PaperSide(order.upright, body)


def _scaled(order: Order) -> list[str]:
    return [] if order.scale == 1 else [order.say("scaled", scale=f"{order.scale:g}")]


def _capital(said: str) -> str:
    return said[:1].upper() + said[1:]
