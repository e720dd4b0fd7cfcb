"""The QR code in a board's corner: it opens the board's own page."""

from __future__ import annotations

import segno

from ubongo.printing import ink

QUIET = 2


def code(address: str, side: float) -> str:
    """A QR code of that size, including a white margin."""
    made = segno.make_qr(address, error="m")
    rows = [list(row) for row in made.matrix]
    unit = side / (len(rows) + 2 * QUIET)
    dark = "".join(
        f"M{x + QUIET} {y + QUIET}h1v1h-1Z" for y, row in enumerate(rows) for x, module in enumerate(row) if module
    )
    return (
        f'<g class="code" transform="scale({unit:.4f})"><rect width="{len(rows) + 2 * QUIET}" '
        f'height="{len(rows) + 2 * QUIET}" fill="{ink.PAPER}"/><path d="{dark}" fill="#000"/></g>'
    )
