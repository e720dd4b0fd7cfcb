"""Gems, chips and numbers to draw from a bag. All gems are squares of one size, so nobody can feel what they draw."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ubongo.games.gem_race import VALUE
from ubongo.material.extreme import COLOURS
from ubongo.printing import ink
from ubongo.printing.drawing import Drawing, Path, Segments, Style, moved, path_data, polyline, rectangle, scaled
from ubongo.printing.order import Order
from ubongo.printing.outline import HEXAGONS, Box
from ubongo.printing.page import fitting, words
from ubongo.printing.sheet import Thing, ThingKind
from ubongo.printing.tiles import tile
from ubongo.table import Gem

TOKEN = ThingKind(22, 22)
MIDDLE = TOKEN.width / 2
# Chips are in the same bag: larger, so that a hand can tell them from gems.
CHIP = ThingKind(30, 30)
# Each differs in form as well as in colour: a lozenge, a circle, a hexagon and a drop, centred on the origin.
FORMS: dict[Gem, Segments] = {
    "ruby": path_data("M0-8.4L6.6 0L0 8.4L-6.6 0Z"),
    "sapphire": path_data("M0-7.2C4-7.2 7.2-4 7.2 0C7.2 4 4 7.2 0 7.2C-4 7.2-7.2 4-7.2 0C-7.2-4-4-7.2 0-7.2Z"),
    "emerald": path_data("M-4-7L4-7L8 0L4 7L-4 7L-8 0Z"),
    "amber": path_data("M0-8.6C2.4-5 6.4-1.6 6.4 2.2C6.4 5.8 3.6 8 0 8C-3.6 8-6.4 5.8-6.4 2.2C-6.4-1.6-2.4-5 0-8.6Z"),
}
COLOUR_OF: dict[Gem, str] = {"ruby": "#C0324A", "sapphire": "#2F62B8", "emerald": "#2E9E6B", "amber": "#E0982A"}


def gems(counts: Mapping[Gem, int]) -> Iterator[Thing]:
    """As many of each kind as a game has, the same on both sides."""
    for kind, count in counts.items():
        drawn = ground() + moved(MIDDLE, MIDDLE, gem(kind))
        for number in range(1, count + 1):
            yield Thing(f"{kind}-{number}", drawn, drawn)


def gem(kind: Gem) -> Drawing:
    """A gem with its value on it; light inside, so that the figure stands out in grey too."""
    paint = COLOUR_OF[kind]
    inside = Style(fill=ink.mixed(paint, ink.WHITE, 0.72), stroke=ink.dark(paint), width=0.3)
    return (
        Path(FORMS[kind], Style(fill=paint, stroke=ink.INK, width=0.5)),
        *scaled(0.66, (Path(FORMS[kind], inside),)),
        *words(0, 2.3, 6.4, str(VALUE[kind]), "strong middle"),
    )


def chips(order: Order) -> Iterator[Thing]:
    """A colour on the front, the values of the gems on the back (X3)."""
    values = ground()
    for place, kind in enumerate(FORMS):
        x, y = 6.4 + place % 2 * 9.2, 6.4 + place // 2 * 9.2
        values += moved(x, y, gem(kind), scale=0.5)
    for colour in COLOURS:
        size, x, y = fitting(HEXAGONS, [(0, 0)], Box(0, 1.5, TOKEN.width, 14), 7)
        drawn = ground() + moved(x, y, tile(HEXAGONS, [(0, 0)], size, colour))
        drawn += words(MIDDLE, 19.8, 3.2, order.say(colour), "strong middle")
        front, back = (scaled(CHIP.width / TOKEN.width, one) for one in (drawn, values))
        yield Thing(colour, front, back)


def numbers() -> Iterator[Thing]:
    """1 to 10, in place of a ten-sided die."""
    for number in range(1, 11):
        line = Path(polyline((MIDDLE - 4, 17.6), (MIDDLE + 4, 17.6)), Style(stroke=ink.INK, width=0.6))
        yield Thing(f"number-{number}", ground() + words(MIDDLE, 15, 11, str(number), "strong middle") + (line,))


def ground() -> Drawing:
    square = rectangle(0, 0, TOKEN.width, TOKEN.height)
    return (Path(square, Style(fill=ink.PAPER, stroke=ink.LINE, width=0.3)),)
