"""Areas, and pieces as tiles: an ink edge, a dark side below, a light line inside, faint joints between the cells."""

from __future__ import annotations

from collections.abc import Collection
from functools import lru_cache

from msgspec.structs import replace

from ubongo.lattice import Cell, Shape
from ubongo.printing import ink
from ubongo.printing.drawing import Drawing, Path, Style, circle, lines, moved, named, polyline
from ubongo.printing.outline import Grid, Outline, innermost, outline, rounded
from ubongo.printing.page import words

# As shares of a cell's side. The gap between two tiles is twice the inset, so a tile's dark side just fits into it.
INSET, THICKNESS, LIGHT_LINE = 0.065, 0.13, 0.09
EDGE = Style(stroke=ink.INK, width=0.28)
BADGE = Style(fill=ink.WHITE, stroke=ink.INK, width=0.22)


def area(grid: Grid, cells: Collection[Cell], size: float) -> Drawing:
    """The board under the pieces, with a strong rim."""
    drawn = outline(grid, cells, size)
    around = rounded(drawn.loops, -0.05 * size, 0.18 * size)
    drawing = (
        Path(around, Style(fill=ink.CELL)),
        Path(lines(drawn.joints), Style(stroke=ink.HAIR, width=0.2)),
        Path(around, Style(stroke=ink.RIM, width=0.6)),
    )
    return named("area", drawing)


def plan(grid: Grid, cells: Collection[Cell], size: float) -> Drawing:
    """An area to play on, in plain ink: real pieces cover it, and any printer shows it."""
    drawn = outline(grid, cells, size)
    around = rounded(drawn.loops, -0.05 * size, 0.18 * size)
    drawing = (
        Path(lines(drawn.joints), Style(stroke=ink.RIM, width=0.25)),
        Path(around, Style(stroke=ink.INK, width=0.9)),
    )
    return named("area", drawing)


def tile(grid: Grid, cells: Collection[Cell], size: float, colour: str) -> Drawing:
    """A piece of one of the four colours, with its pattern."""
    return _tile(grid, tuple(cells), size, colour)


# A piece is on many boards, and drawn the same way on all of them.
@lru_cache(maxsize=4096)
def _tile(grid: Grid, cells: Shape, size: float, colour: str) -> Drawing:
    drawn, paint = outline(grid, cells, size), ink.PIECES[colour]
    around = rounded(drawn.loops, INSET * size, 0.2 * size)
    return (
        *moved(0, THICKNESS * size, (Path(around, replace(EDGE, fill=ink.dark(paint))),)),
        Path(around, Style(fill=paint)),
        Path(around, replace(EDGE, pattern=colour)),
        *_inside(drawn, size, paint),
    )


def _inside(drawn: Outline, size: float, paint: str) -> Drawing:
    within = rounded(drawn.loops, (INSET + LIGHT_LINE) * size, 0.14 * size)
    light = Path(within, Style(stroke=ink.light(paint), width=0.18))
    return (Path(lines(drawn.joints, 0.16), joint(paint)), light) if drawn.joints else (light,)


def joint(paint: str) -> Style:
    """The faint line between two cells of a piece."""
    return Style(stroke=ink.dark(paint), width=0.16, round_caps=True)


def badge(grid: Grid, cells: Collection[Cell], size: float, number: int, loose: bool = False) -> Drawing:
    """A piece's number, in the middle of it, on a plain background, since patterns make it hard to read.

    A loose piece has no upper side, so there 6 and 9 are underlined.
    """
    x, y = grid.on_paper(grid.centre(innermost(grid, cells)), size)
    radius = 0.56 * size * max(grid.step)
    drawn = (
        Path(circle(x, y, radius), BADGE),
        *words(x, y + radius * 0.44, radius * 1.22, str(number), "strong middle"),
    )
    if not loose or number not in {6, 9}:
        return drawn
    left, right, foot = x - 0.34 * radius, x + 0.34 * radius, y + 0.66 * radius
    return (*drawn, Path(polyline((left, foot), (right, foot)), Style(stroke=ink.INK, width=0.5)))
