"""The QR code in a board's corner: it opens the board's own page."""

from __future__ import annotations

import segno

from ubongo.printing import ink
from ubongo.printing.drawing import Drawing, Group, Path, Style, joined, rectangle

QUIET, BLACK = 2, "#000000"


def code(address: str, side: float) -> Drawing:
    """A QR code of that size, including a white margin."""
    made = segno.make_qr(address, error="m")
    rows = [list(row) for row in made.matrix]
    modules = len(rows) + 2 * QUIET
    dark = joined(
        rectangle(x, y, 1, 1) for y, row in enumerate(rows, QUIET) for x, module in enumerate(row, QUIET) if module
    )
    square = rectangle(0, 0, modules, modules)
    drawn = (Path(square, Style(fill=ink.PAPER)), Path(dark, Style(fill=BLACK)))
    return (Group(drawn, scale=side / modules, name="code"),)
