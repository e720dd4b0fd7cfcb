"""The printed parts of Extreme: boards, pieces and chips, all with hexagons of one size."""

from __future__ import annotations

from collections.abc import Iterator

from ubongo.lattice import Shape
from ubongo.material import extreme
from ubongo.material.extreme import Colour, ExtremeEdition
from ubongo.printing import ink
from ubongo.printing.code import code
from ubongo.printing.drawing import Drawing, Path, Style, lines, moved, named, rectangle, scaled
from ubongo.printing.order import Order
from ubongo.printing.outline import HEXAGONS, Box, box, innermost, rounded
from ubongo.printing.outline import outline as around
from ubongo.printing.page import fitting, panel, words
from ubongo.printing.sheet import Thing, ThingKind
from ubongo.printing.tiles import badge, plan, tile

BOARD = ThingKind(126, 178, gap=6)
MARGIN = 7.0
ROOM = Box(MARGIN, 15, BOARD.width - 2 * MARGIN, 101)
LARGEST = 9.2
ROW = (55.0, 20.5)
ROWS_FROM, ROW_GAP = 117.0, 2.0
CODE = 15.6


def cell_size(edition: ExtremeEdition) -> float:
    """The side of a hexagon, such that every area has room: pieces have to fit on all boards."""
    regions = [board.side(pieces).region for board in edition.boards for pieces in extreme.SIDES]
    return min(fitting(HEXAGONS, region, ROOM, LARGEST)[0] for region in regions)


def boards(edition: ExtremeEdition, order: Order) -> Iterator[Thing]:
    """The side for 3 pieces on the front, the one for 4 on the back."""
    size = cell_size(edition)
    for number, board in enumerate(edition.boards, 1):
        front, back = (_side(order, number, pieces, board.side(pieces), size) for pieces in extreme.SIDES)
        yield Thing(str(number), front, back)


def _side(order: Order, number: int, pieces: int, side: extreme.Side, size: float) -> Drawing:
    _, x, y = fitting(HEXAGONS, side.region, ROOM, size)
    said = f"{order.say('pieces', pieces=pieces)} · {order.say('hexagons', cells=len(side.region))}"
    drawn = frame() + words(MARGIN, 11, 6, order.say("extreme"), "strong")
    drawn += words(BOARD.width - MARGIN, 11, 3.4, said, "end") + moved(x, y, plan(HEXAGONS, side.region, size))
    for place, (colour, task) in enumerate(zip(extreme.COLOURS, side.tasks, strict=True)):
        left = MARGIN + place % 2 * (ROW[0] + ROW_GAP)
        drawn += moved(left, ROWS_FROM + place // 2 * (ROW[1] + ROW_GAP), _row(order, colour, task.numbers))
    drawn += words(MARGIN, BOARD.height - 5.5, 6, str(number), "strong")
    if order.url:
        address = f"{order.url}/b/{order.edition}/{number}"
        drawn += moved(BOARD.width - MARGIN - CODE + 1, BOARD.height - CODE - 0.6, code(address, CODE))
    return drawn


def frame() -> Drawing:
    outline = rectangle(0.2, 0.2, BOARD.width - 0.4, BOARD.height - 0.4, 4)
    return (Path(outline, Style(stroke=ink.LINE, width=0.4)),)


def _row(order: Order, colour: Colour, numbers: tuple[int, ...]) -> Drawing:
    """A colour's chip, and which of its pieces to take."""
    drawn = panel(0, 0, *ROW) + moved(7, 7.6, tile(HEXAGONS, [(0, 0)], 3.9, colour))
    drawn += words(7, 17.6, 2.9, order.say(colour), "middle")
    width = (ROW[0] - 16) / len(numbers)
    for place, number in enumerate(numbers):
        shape = extreme.SHAPES[colour][number - 1]
        room = Box(14.5 + place * width, 1.8, width - 1, 12.4)
        size, x, y = fitting(HEXAGONS, shape, room, 2.1)
        drawn += moved(x, y, tile(HEXAGONS, shape, size, colour))
        drawn += words(room.x + room.width / 2, 18.4, 3.6, str(number), "strong middle")
    return drawn


def pieces(edition: ExtremeEdition) -> tuple[ThingKind, list[Thing]]:
    """All 52 with their backs, which show them turned over. A cell of the sheet has room for the largest."""
    size = cell_size(edition)
    wide = [box(HEXAGONS, shape, size) for shapes in extreme.SHAPES.values() for shape in shapes]
    kind = ThingKind(max(one.width for one in wide), max(one.height for one in wide), gap=3, marks=False)
    things = []
    for colour in extreme.COLOURS:
        for number, shape in enumerate(extreme.SHAPES[colour], 1):
            middle = (innermost(HEXAGONS, shape),)
            front = _piece(kind, shape, middle, size, colour, number)
            back = _piece(kind, turned_over(shape), turned_over(middle), size, colour, number)
            things.append(Thing(extreme.name_of(colour, number), front, back))
    return kind, things


def turned_over(shape: Shape) -> Shape:
    """What was on the left is on the right.

    >>> turned_over(((0, 0), (0, 1)))
    ((0, 0), (-1, 1))
    """
    return tuple((-q - r, r) for q, r in shape)


def _piece(kind: ThingKind, shape: Shape, middle: Shape, size: float, colour: Colour, number: int) -> Drawing:
    """A piece drawn flat, exactly up to its outline: with a drawn thickness it would not fit into the area."""
    _, x, y = fitting(HEXAGONS, shape, Box(0, 0, kind.width, kind.height), size)
    # Drawn twice as large, with its pattern, so that colours can be told apart across the table.
    drawn, paint = around(HEXAGONS, shape, size / 2), ink.PIECES[colour]
    edge = rounded(drawn.loops, 0.08, 0.1 * size)
    flat = (
        Path(edge, Style(fill=paint)),
        Path(edge, Style(pattern=colour, stroke=ink.INK, width=0.15)),
        Path(lines(drawn.joints), Style(stroke=ink.dark(paint), width=0.13)),
    )
    return named("piece", moved(x, y, scaled(2, flat) + badge(HEXAGONS, middle, size, number, loose=True)))
