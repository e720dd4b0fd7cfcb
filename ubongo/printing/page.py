"""What all pages share: their sizes, text, panels and grades, and how to fit cells into a box."""

from __future__ import annotations

from collections.abc import Collection

from ubongo.lattice import Cell
from ubongo.printing import ink
from ubongo.printing.drawing import Anchor, Drawing, Path, Style, Text, circle, rectangle
from ubongo.printing.outline import Box, Grid, box

GRADES = 5
A4, A5, A6_ACROSS = (210, 297), (148, 210), (148, 105)
PANEL, DOT = Style(stroke=ink.LINE, width=0.3), Style(fill=ink.INK)
RING = Style(stroke=ink.SECOND_INK, width=0.22)


def words(x: float, y: float, size: float, text: str, kind: str = "", colour: str = "") -> Drawing:
    """A line of text. `kind`: strong, second (the paler ink), middle, end."""
    kinds = kind.split()
    colour = colour or (ink.SECOND_INK if "second" in kinds else ink.INK)
    anchor: Anchor = "middle" if "middle" in kinds else "end" if "end" in kinds else "start"
    return (Text(x, y, size, text, colour, "strong" in kinds, anchor),)


def panel(x: float, y: float, width: float, height: float) -> Drawing:
    return (Path(rectangle(x, y, width, height, 2.4), PANEL),)


def grade(x: float, y: float, of: int, radius: float = 0.75) -> Drawing:
    """The grade of a task as full dots out of five. `x` is where they begin."""
    return tuple(
        Path(circle(x + radius + step * 2.8 * radius, y, radius), DOT if step < of else RING) for step in range(GRADES)
    )


def fitting(grid: Grid, cells: Collection[Cell], room: Box, largest: float) -> tuple[float, float, float]:
    """The largest side of a cell with which all cells fit, and the position of the origin that centres them."""
    once = box(grid, cells, 1)
    size = min(room.width / once.width, room.height / once.height, largest)
    x = room.x + room.width / 2 - (once.x + once.width / 2) * size
    y = room.y + room.height / 2 - (once.y + once.height / 2) * size
    return size, x, y
