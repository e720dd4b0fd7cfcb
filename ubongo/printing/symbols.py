"""The shapes as symbols: each with its outline and its own colour."""

from __future__ import annotations

from functools import cache

from ubongo.material.shapes import SHAPES
from ubongo.printing import ink
from ubongo.printing.drawing import Drawing, Path, Style, lines, moved, named
from ubongo.printing.outline import SQUARES, Box, box, outline, rounded

# The largest size of a symbol, and of one of its cells, as shares of its square: so a domino is not drawn too large.
WHOLE, ONE_CELL = 0.7, 0.24


@cache  # few differ, and a deck has thousands
def symbol(name: str, room: Box, line: str) -> Drawing:
    """`line` is the colour of its outline: dark on white cards, light on black ones."""
    cells = SHAPES[name]
    once = box(SQUARES, cells, 1)
    size = min(room.width * WHOLE / max(once.width, once.height), room.width * ONE_CELL)
    drawn = outline(SQUARES, cells, size)
    x = room.x + room.width / 2 - (once.x + once.width / 2) * size
    y = room.y + room.height / 2 - (once.y + once.height / 2) * size
    fill = ink.SYMBOLS[name]
    shape = (
        Path(rounded(drawn.loops, 0, 0.14 * size), Style(fill=fill, stroke=line, width=0.5)),
        Path(lines(drawn.joints, 0.08), Style(stroke=ink.mixed(fill, line, 0.5), width=0.25)),
    )
    return named("symbol", moved(x, y, shape))
