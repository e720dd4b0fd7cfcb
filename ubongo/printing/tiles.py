"""Areas, and pieces as tiles: an ink edge, a dark side below, a light line inside, faint joints between the cells."""

from __future__ import annotations

from collections.abc import Collection
from functools import lru_cache

from ubongo.lattice import Cell, Shape
from ubongo.printing import ink
from ubongo.printing.outline import Grid, Outline, innermost, lines, outline, path, short

# As shares of a cell's side. The gap between two tiles is twice the inset, so a tile's dark side just fits into it.
INSET, THICKNESS, LIGHT_LINE = 0.065, 0.13, 0.09


def area(grid: Grid, cells: Collection[Cell], size: float) -> str:
    """The board under the pieces, with a strong rim."""
    drawn = outline(grid, cells, size)
    around = path(drawn.loops, -0.05 * size, 0.18 * size)
    return (
        f'<g class="area"><path class="cells" d="{around}"/><path class="hair" d="{lines(drawn.joints)}"/>'
        f'<path class="rim" d="{around}"/></g>'
    )


def plan(grid: Grid, cells: Collection[Cell], size: float) -> str:
    """An area to play on, in plain ink: real pieces cover it, and any printer shows it."""
    drawn = outline(grid, cells, size)
    around = path(drawn.loops, -0.05 * size, 0.18 * size)
    return (
        f'<g class="area"><path d="{lines(drawn.joints)}" fill="none" stroke="{ink.RIM}" stroke-width=".25"/>'
        f'<path d="{around}" fill="none" stroke="{ink.INK}" stroke-width=".9"/></g>'
    )


def tile(grid: Grid, cells: Collection[Cell], size: float, colour: str) -> str:
    """A piece of one of the four colours, with its pattern."""
    return _tile(grid, tuple(cells), size, colour)


# A piece is on many boards, and drawn the same way on all of them.
@lru_cache(maxsize=4096)
def _tile(grid: Grid, cells: Shape, size: float, colour: str) -> str:
    drawn, paint = outline(grid, cells, size), ink.PIECES[colour]
    around = path(drawn.loops, INSET * size, 0.2 * size)
    return (
        f'<path class="side" d="{around}" fill="{ink.dark(paint)}" transform="translate(0 {short(THICKNESS * size)})"/>'
        f'<path d="{around}" fill="{paint}"/><path class="edge" d="{around}" fill="url(#p-{colour})"/>'
        f"{_inside(drawn, size, paint)}"
    )


def _inside(drawn: Outline, size: float, paint: str) -> str:
    within = path(drawn.loops, (INSET + LIGHT_LINE) * size, 0.14 * size)
    light = f'<path class="light" d="{within}" stroke="{ink.light(paint)}"/>'
    if not drawn.joints:
        return light
    return f'<path class="joint" d="{lines(drawn.joints, 0.16)}" stroke="{ink.dark(paint)}"/>{light}'


def badge(grid: Grid, cells: Collection[Cell], size: float, number: int, loose: bool = False) -> str:
    """A piece's number, in the middle of it, on a plain background, since patterns make it hard to read.

    A loose piece has no upper side, so there 6 and 9 are underlined.
    """
    x, y = grid.on_paper(grid.centre(innermost(grid, cells)), size)
    radius = 0.56 * size * max(grid.step)
    line = f"M{short(x - 0.34 * radius)} {short(y + 0.66 * radius)}h{short(0.68 * radius)}"
    under = f'<path d="{line}" fill="none" stroke="{ink.INK}" stroke-width=".5"/>' if loose and number in {6, 9} else ""
    return (
        f'<circle class="badge" cx="{short(x)}" cy="{short(y)}" r="{short(radius)}"/>'
        f'<text class="strong middle" x="{short(x)}" y="{short(y + radius * 0.44)}" '
        f'font-size="{short(radius * 1.22)}">{number}</text>{under}'
    )
