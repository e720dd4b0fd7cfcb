"""A sheet of the dice game on a page: six areas to draw in, a field for the points of each, and one for their sum."""

from __future__ import annotations

from ubongo.material.dice import Area, Sheet
from ubongo.printing import ink
from ubongo.printing.drawing import Drawing, Path, Style, moved, polyline, rectangle
from ubongo.printing.order import IN_ENGLISH, Say
from ubongo.printing.outline import SQUARES, Box
from ubongo.printing.page import A4, RING, fitting, panel, words
from ubongo.printing.svg import svg_page
from ubongo.printing.tiles import area

MARGIN, GAP, TOP = 12.0, 4.0, 24.0
WIDTH, HEIGHT = (A4[0] - 2 * MARGIN - GAP) / 2, 78.0
ROOM = Box(24, 4, WIDTH - 28, HEIGHT - 8)
FIELD = (16.0, 11.0)


def sheet_page(number: int, sheet: Sheet) -> str:
    return svg_page(A4, f"Dice game, sheet {number}", sheet_body(number, sheet))


def sheet_body(number: int, sheet: Sheet, say: Say = IN_ENGLISH) -> Drawing:
    # All areas have squares of one size: a larger area is not drawn finer.
    size = min(fitting(SQUARES, one.region, ROOM, 13)[0] for one in sheet.areas)
    right = A4[0] - MARGIN
    body = words(MARGIN, 18, 8, say("sheet", sheet=number), "strong")
    body += words(right, 18, 4, say("dice"), "second end")
    for place, one in enumerate(sheet.areas):
        x, y = MARGIN + place % 2 * (WIDTH + GAP), TOP + place // 2 * (HEIGHT + GAP)
        body += moved(x, y, _area(place + 1, one, size, say))
    foot = TOP + 3 * (HEIGHT + GAP) + 1
    body += words(MARGIN, foot + 8, 4.4, say("name"), "second")
    body += (Path(polyline((MARGIN + 15, foot + 8.6), (right - 52, foot + 8.6)), RING),)
    body += words(right - FIELD[0] - 3, foot + 8, 4.4, say("sum"), "strong end") + _field(right - FIELD[0], foot)
    return body


def _area(place: int, one: Area, size: float, say: Say) -> Drawing:
    _, x, y = fitting(SQUARES, one.region, ROOM, size)
    return (
        panel(0, 0, WIDTH, HEIGHT)
        + words(5, 10.5, 7, str(place), "strong")
        + moved(x, y, area(SQUARES, one.region, size))
        + words(4 + FIELD[0] / 2, HEIGHT - FIELD[1] - 6, 3, say("points"), "second middle")
        + _field(4, HEIGHT - FIELD[1] - 4)
    )


def _field(x: float, y: float) -> Drawing:
    style = Style(fill=ink.PAPER, stroke=ink.RIM, width=0.5)
    return (Path(rectangle(x, y, *FIELD, 2.4), style, "field"),)
