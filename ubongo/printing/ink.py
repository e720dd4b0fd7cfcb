"""Colours and patterns. No information depends on colour alone: print may be black and white, and eyes differ."""

from __future__ import annotations

from ubongo.printing.drawing import Path, Style, circle, path_data

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
    return mixed(colour, WHITE, 0.37)


def _mark(colour: str, data: str, line: str, share: float) -> Path:
    return Path(path_data(data), Style(stroke=mixed(PIECES[colour], line, share), width=0.24, round_caps=True))


# The pattern of each colour: the side of its square in millimetres, and what is drawn in it.
PATTERNS = {
    "yellow": (1.7, Path(circle(0.85, 0.85, 0.26), Style(fill=mixed(PIECES["yellow"], INK, 0.6)))),
    "blue": (1.6, _mark("blue", "M-.4 .4L.4-.4M0 1.6L1.6 0M1.2 2L2 1.2", WHITE, 0.6)),
    "red": (1.9, _mark("red", "M.95 .45V1.45M.45 .95H1.45", WHITE, 0.7)),
    "green": (1.9, _mark("green", "M0 .95Q.475 .15 .95 .95T1.9 .95", INK, 0.6)),
}
