"""A page: one self-contained SVG file in millimetres."""

from __future__ import annotations

from collections.abc import Collection
from html import escape

from ubongo.lattice import Cell
from ubongo.printing import ink
from ubongo.printing.outline import Box, Grid, box, short

GRADES = 5
A4, A5, A6_ACROSS = (210, 297), (148, 210), (148, 105)


def page(size: tuple[int, int], title: str, body: str, colours: Collection[str] = ()) -> str:
    """The whole file. `colours` are those whose patterns the body uses."""
    width, height = size
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}mm" height="{height}mm" viewBox="0 0 {width} {height}">'
        f"<title>{escape(title)}</title><style>{ink.STYLE}</style><defs>{ink.patterns(colours)}</defs>"
        f'<rect width="{width}" height="{height}" fill="{ink.PAPER}"/>{body}</svg>\n'
    )


def words(x: float, y: float, size: float, said: str, kind: str = "", colour: str = "") -> str:
    """A line of text. `kind`: strong, second (the paler ink), middle, end."""
    style = f' style="fill:{colour}"' if colour else ""
    return f'<text class="{kind}"{style} x="{short(x)}" y="{short(y)}" font-size="{short(size)}">{escape(said)}</text>'


def panel(x: float, y: float, width: float, height: float) -> str:
    return f'<rect class="panel" x="{short(x)}" y="{short(y)}" width="{width:g}" height="{height:g}" rx="2.4"/>'


def grade(x: float, y: float, of: int, radius: float = 0.75) -> str:
    """The grade of a task as full dots out of five. `x` is where they begin."""
    return "".join(
        f'<circle class="{"dot" if step < of else "ring"}" cx="{short(x + radius + step * 2.8 * radius)}" '
        f'cy="{short(y)}" r="{short(radius)}"/>'
        for step in range(GRADES)
    )


def moved(x: float, y: float, body: str) -> str:
    return f'<g transform="translate({short(x)} {short(y)})">{body}</g>'


def fitting(grid: Grid, cells: Collection[Cell], room: Box, largest: float) -> tuple[float, float, float]:
    """The largest side of a cell with which all cells fit, and the position of the origin that centres them."""
    once = box(grid, cells, 1)
    size = min(room.width / once.width, room.height / once.height, largest)
    x = room.x + room.width / 2 - (once.x + once.width / 2) * size
    y = room.y + room.height / 2 - (once.y + once.height / 2) * size
    return size, x, y
