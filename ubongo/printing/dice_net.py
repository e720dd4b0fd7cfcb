"""The dice of the dice game: nets to fold, and stickers for blank dice."""

from __future__ import annotations

from collections.abc import Iterator

from ubongo.material.shapes import BLACK, WHITE
from ubongo.printing import ink
from ubongo.printing.outline import Box
from ubongo.printing.page import moved
from ubongo.printing.sheet import Thing, ThingKind
from ubongo.printing.symbols import symbol

EDGE, TAB = 18.0, 5.0
NET = ThingKind(4 * EDGE + TAB, 3 * EDGE + 2 * TAB, gap=2, marks=False)
STICKER_EDGE = 16.0
STICKER = ThingKind(14, 14, gap=2)
DICE = 4
# The position of each face in the net: a row of four, and one above and one below its second.
FACES = ((0, 1), (1, 1), (2, 1), (3, 1), (1, 0), (1, 2))
COLOURS = {"black": (BLACK, ink.CARD_BLACK, ink.CARD_WHITE), "white": (WHITE, ink.PAPER, ink.INK)}


def nets() -> Iterator[Thing]:
    """Eight dice: one black and one white for each of four players."""
    for colour in COLOURS:
        for number in range(1, DICE + 1):
            yield Thing(f"{colour}-{number}", _net(colour))


def stickers() -> Iterator[Thing]:
    for colour, (shapes, _, _) in COLOURS.items():
        for number in range(1, DICE + 1):
            for name in shapes:
                yield Thing(f"{colour}-{number}-{name}", face(name, colour, STICKER.width, rounding=1.5))


def _net(colour: str) -> str:
    shapes, ground, _ = COLOURS[colour]
    drawn = f'<path d="{_tabs()}" fill="{ink.PAPER}" stroke="{ink.INK}" stroke-width=".25"/>'
    for (column, row), name in zip(FACES, shapes, strict=True):
        drawn += moved(column * EDGE, TAB + row * EDGE, face(name, colour, EDGE, rim=ground))
    drawn += f'<path class="cut" d="{_lines(_cuts())}" fill="none" stroke="{ink.INK}" stroke-width=".25"/>'
    fold = f'fill="none" stroke="{ink.CARD_WHITE if colour == "black" else ink.SECOND_INK}" stroke-width=".3"'
    return drawn + f'<path class="fold" d="{_lines(_folds())}" {fold} stroke-dasharray="1.2 1"/>'


def face(name: str, colour: str, edge: float, rounding: float = 0, rim: str = ink.INK) -> str:
    _, ground, line = COLOURS[colour]
    return (
        f'<rect width="{edge:g}" height="{edge:g}" rx="{rounding:g}" fill="{ground}" stroke="{rim}" '
        f'stroke-width=".25"/>{symbol(name, Box(0, 0, edge, edge), line)}'
    )


def _lines(sides: Iterator[tuple[int, int, str]]) -> str:
    return "".join(f"M{x * EDGE:g} {TAB + y * EDGE:g}{way}" for x, y, way in sides)


def _folds() -> Iterator[tuple[int, int, str]]:
    """The folds: between two faces, and between a face and a tab."""
    for x in (1, 2, 3, 4):
        yield x, 1, f"v{EDGE:g}"
    for y in (0, 1, 2, 3):
        yield 1, y, f"h{EDGE:g}"
    for x in (1, 2):
        for y in (0, 2):
            yield x, y, f"v{EDGE:g}"


def _cuts() -> Iterator[tuple[int, int, str]]:
    """The cuts: the sides of faces that a tab is glued to."""
    yield 0, 1, f"v{EDGE:g}"
    for x in (0, 2, 3):
        for y in (1, 2):
            yield x, y, f"h{EDGE:g}"


def _tabs() -> str:
    """Seven tabs, on the free sides of the upper and the lower face and at the end of the row, so that all sides hold.

    Open paths: the side at the face is a fold.
    """
    cut = 3.0
    flat = EDGE - 2 * cut
    tabs = f"M{4 * EDGE:g} {TAB + EDGE:g}l{TAB:g} {cut:g}v{flat:g}l{-TAB:g} {cut:g}"
    for y in (0, 2):
        top = TAB + y * EDGE
        tabs += f"M{EDGE:g} {top:g}l{-TAB:g} {cut:g}v{flat:g}l{TAB:g} {cut:g}"
        tabs += f"M{2 * EDGE:g} {top:g}l{TAB:g} {cut:g}v{flat:g}l{-TAB:g} {cut:g}"
    tabs += f"M{EDGE:g} {TAB:g}l{cut:g} {-TAB:g}h{flat:g}l{cut:g} {TAB:g}"
    tabs += f"M{EDGE:g} {TAB + 3 * EDGE:g}l{cut:g} {TAB:g}h{flat:g}l{cut:g} {-TAB:g}"
    return tabs
