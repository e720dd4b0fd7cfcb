"""The dice of the dice game: nets to fold, and stickers for blank dice."""

from __future__ import annotations

from collections.abc import Iterator

from ubongo.material.shapes import BLACK, WHITE
from ubongo.printing import ink
from ubongo.printing.drawing import (
    Drawing,
    Path,
    Point,
    Segments,
    Style,
    between,
    joined,
    lines,
    moved,
    polyline,
    rectangle,
)
from ubongo.printing.outline import Box
from ubongo.printing.sheet import Thing, ThingKind
from ubongo.printing.symbols import symbol

EDGE, TAB = 18.0, 5.0
NET = ThingKind(4 * EDGE + TAB, 3 * EDGE + 2 * TAB, gap=2, marks=False)
STICKER_EDGE = 16.0
STICKER = ThingKind(14, 14, gap=2)
DICE = 4
# The position of each face in the net: a row of four, and one above and one below its second.
FACES = ((0, 1), (1, 1), (2, 1), (3, 1), (1, 0), (1, 2))
NetSide = tuple[tuple[int, int], tuple[int, int]]


def _down(x: int, y: int) -> NetSide:
    return (x, y), (x, y + 1)


def _across(x: int, y: int) -> NetSide:
    return (x, y), (x + 1, y)


# The folds: between two faces, and between a face and a tab. The cuts: the sides of faces that a tab is glued to.
FOLDS = (
    *(_down(x, 1) for x in (1, 2, 3, 4)),
    *(_across(1, y) for y in (0, 1, 2, 3)),
    *(_down(x, y) for x in (1, 2) for y in (0, 2)),
)
CUTS = (_down(0, 1), *(_across(x, y) for x in (0, 2, 3) for y in (1, 2)))
# The tabs, on the free sides of the upper and the lower face and at the end of the row, so that all sides hold: their
# sides, and whether they lie to the right and below.
TABS = (
    (_down(4, 1), 1, 0),
    *((_down(x, y), right, 0) for y in (0, 2) for x, right in ((1, -1), (2, 1))),
    (_across(1, 0), 0, -1),
    (_across(1, 3), 0, 1),
)
LINE = Style(stroke=ink.INK, width=0.25)
COLOURS = {"black": (BLACK, ink.CARD_BLACK, ink.CARD_WHITE), "white": (WHITE, ink.PAPER, ink.INK)}


def nets() -> Iterator[Thing]:
    """Eight dice: one black and one white for each of four players."""
    for colour in COLOURS:
        for number in range(1, DICE + 1):
            yield Thing(f"{colour}-{number}", _net(colour))


def stickers() -> Iterator[Thing]:
    for colour, (shapes, _, _) in COLOURS.items():
        for number in range(1, DICE + 1):
            for name in shapes:
                yield Thing(f"{colour}-{number}-{name}", face(name, colour, STICKER.width, rounding=1.5))


def _net(colour: str) -> Drawing:
    shapes, ground, _ = COLOURS[colour]
    drawn: Drawing = (Path(joined(_tab(*tab) for tab in TABS), LINE, "tabs"),)
    for (column, row), name in zip(FACES, shapes, strict=True):
        drawn += moved(column * EDGE, TAB + row * EDGE, face(name, colour, EDGE, rim=ground))
    fold = Style(stroke=ink.CARD_WHITE if colour == "black" else ink.SECOND_INK, width=0.3, dashes=(1.2, 1))
    return (*drawn, Path(lines(map(_on_paper, CUTS)), LINE, "cut"), Path(lines(map(_on_paper, FOLDS)), fold, "fold"))


def face(name: str, colour: str, edge: float, rounding: float = 0, rim: str = ink.INK) -> Drawing:
    _, ground, line = COLOURS[colour]
    square = Path(rectangle(0, 0, edge, edge, rounding), Style(fill=ground, stroke=rim, width=0.25))
    return (square, *symbol(name, Box(0, 0, edge, edge), line))


def _on_paper(side: NetSide) -> tuple[Point, Point]:
    (a, b), (c, d) = side
    return (a * EDGE, TAB + b * EDGE), (c * EDGE, TAB + d * EDGE)


def _tab(side: NetSide, right: int, down: int) -> Segments:
    """An open path, narrower at its far end: the side at the face is a fold."""
    start, end = _on_paper(side)
    far = [(x + right * TAB, y + down * TAB) for x, y in (between(start, end, 1 / 6), between(end, start, 1 / 6))]
    return polyline(start, *far, end)
