"""Colours and patterns. No information depends on colour alone: print may be black and white, and eyes differ."""

from __future__ import annotations

from collections.abc import Iterable

PAPER, INK, SECOND_INK, LINE = "#FFFFFF", "#2A2118", "#5F5240", "#DED1BA"
CELL, HAIR, RIM = "#FFF9EC", "#D9CBB2", "#7A6446"
CARD_WHITE, CARD_BLACK = "#FFFDF8", "#231D18"
WARM_BLACK, WHITE = "#1A0F05", "#FFFFFF"

# The four colours of the pieces differ in lightness, too.
PIECES = {"yellow": "#E3C734", "blue": "#285BAA", "red": "#B73C1C", "green": "#40C085"}
# Each shape of the family has one colour, on cards and dice alike.
SYMBOLS = {
    "I1": "#9A8E7C",
    "I2": "#E8C22E",
    "I3": "#E07F2C",
    "I4": "#DB7FA3",
    "L3": "#B73C1C",
    "L4": "#7B3F90",
    "L5": "#8A6238",
    "O4": "#7F93E6",
    "P5": "#1E7B6C",
    "S4": "#1F4C8A",
    "T4": "#37A7CB",
    "Y5": "#79BE4B",
    "Z5": "#55504A",
}
# The pattern of each colour: the side of its square in millimetres, and what is drawn in it.
PATTERNS = {
    "yellow": (1.7, f'<circle cx=".85" cy=".85" r=".26" fill="{INK}" fill-opacity=".6"/>'),
    "blue": (1.6, '<path d="M-.4 .4L.4-.4M0 1.6L1.6 0M1.2 2L2 1.2" stroke="#fff" stroke-opacity=".6"/>'),
    "red": (1.9, '<path d="M.95 .45V1.45M.45 .95H1.45" stroke="#fff" stroke-opacity=".7"/>'),
    "green": (1.9, f'<path d="M0 .95q.475-.8 .95 0t.95 0" stroke="{INK}" stroke-opacity=".6"/>'),
}
STYLE = f"""
text{{font-family:ui-rounded,"SF Pro Rounded",system-ui,"Segoe UI",Roboto,"DejaVu Sans",sans-serif;fill:{INK}}}
.strong{{font-weight:700}} .second{{fill:{SECOND_INK}}} .middle{{text-anchor:middle}} .end{{text-anchor:end}}
.cells{{fill:{CELL}}} .hair{{fill:none;stroke:{HAIR};stroke-width:.2}}
.rim{{fill:none;stroke:{RIM};stroke-width:.6;stroke-linejoin:round}}
.side,.edge{{stroke:{INK};stroke-width:.28;stroke-linejoin:round}} .light,.joint{{fill:none}}
.light{{stroke-width:.18;stroke-opacity:.8}} .joint{{stroke-width:.16;stroke-linecap:round}}
.badge{{fill:{WHITE};stroke:{INK};stroke-width:.22}} .panel{{fill:none;stroke:{LINE};stroke-width:.3}}
.field{{fill:{PAPER};stroke:{RIM};stroke-width:.5}}
.dot{{fill:{INK}}} .ring{{fill:none;stroke:{SECOND_INK};stroke-width:.22}}
"""


def mixed(colour: str, other: str, share: float) -> str:
    """A colour with a share of another in it.

    >>> mixed("#000000", "#FFFFFF", 0.5)
    '#808080'
    """
    pairs = [(int(colour[i : i + 2], 16), int(other[i : i + 2], 16)) for i in (1, 3, 5)]
    return "#" + "".join(f"{round(a + (b - a) * share):02X}" for a, b in pairs)


def dark(colour: str) -> str:
    return mixed(colour, WARM_BLACK, 0.46)


def light(colour: str) -> str:
    return mixed(colour, WHITE, 0.46)


def patterns(colours: Iterable[str]) -> str:
    """The definitions that `fill="url(#p-red)"` refers to."""
    return "".join(
        f'<pattern id="p-{colour}" width="{size}" height="{size}" patternUnits="userSpaceOnUse">'
        f'<g fill="none" stroke-width=".24" stroke-linecap="round">{drawing}</g></pattern>'
        for colour in colours
        for size, drawing in [PATTERNS[colour]]
    )
