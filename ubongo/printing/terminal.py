"""Solutions in a terminal: in colour if it has colours, otherwise in letters.

A level of 3-D is shown from above, the far row first, as on paper: the other way each block would be mirrored.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from ubongo.lattice import CUBIC
from ubongo.picture import draw, names
from ubongo.printing import ink
from ubongo.printing.outline import HEXAGONS, SQUARES, innermost
from ubongo.printing.page import GRADES
from ubongo.printing.solutions import PrintedPlacement, Solution, parts_on

# Neighbouring pieces of one colour differ in shade: the share of another colour in each.
SHADES = ((ink.WHITE, 0.0), (ink.WHITE, 0.4), (ink.WARM_BLACK, 0.42), (ink.WHITE, 0.7))
STEPS = (0, 95, 135, 175, 215, 255)
# Half a cell, counted from the left, and its row. Hexagons of the next row begin half a cell further right.
TextCell = tuple[int, int]


class HalfCell(NamedTuple):
    """The two characters of a half cell. A character is twice as high as wide, so a cell is four wide and two high."""

    said: str
    paint: str


def title(solved: Solution) -> str:
    stars = "●" * solved.grade + "○" * (GRADES - solved.grade)
    what = [f"{solved.name} {solved.task}", solved.animal, f"{solved.side} pieces", stars]
    return " · ".join(word for word in what if word)


def in_letters(solved: Solution) -> str:
    """The picture, and below it the piece of each letter."""
    letters = names(len(solved.laid))
    picture = draw(
        solved.lattice,
        solved.region,
        dict(zip(letters, [piece.cells for piece in solved.laid], strict=True)),
    )
    legend = "  ".join(f"{letter} = {piece.number}" for letter, piece in zip(letters, solved.laid, strict=True))
    levels = "   (lower level | upper level, from above)" if solved.lattice == CUBIC else ""
    return f"{title(solved)}\n{picture}\n{legend}{levels}\n"


def in_colour(solved: Solution, many_colours: bool) -> str:
    """The same in blocks of colour with the pieces' numbers. `many_colours`: 24-bit colours instead of 256."""
    code = _of_millions if many_colours else _of_256
    spots = {place: spot for piece, paint in _painted(solved) for place, spot in _spots(solved, piece, paint)}
    halves, rows = (range(min(axis), max(axis) + 1) for axis in zip(*spots, strict=True))
    lines = [
        "".join(_inked(spots.get((half, row)), first, code) for half in halves)
        for row in rows
        for first in (True, False)
    ]
    if solved.lattice == CUBIC:
        lines.append(f"{'lower level':<{2 * _upper_from(solved)}}upper level")
    return "\n".join([title(solved), *(f"  {line.rstrip()}" for line in lines), ""])


def _painted(solved: Solution) -> Iterator[tuple[PrintedPlacement, str]]:
    met: dict[str, int] = {}
    for piece in solved.laid:
        met[piece.colour] = met.get(piece.colour, -1) + 1
        yield piece, ink.mixed(ink.PIECES[piece.colour], *SHADES[met[piece.colour]])


def _spots(solved: Solution, piece: PrintedPlacement, paint: str) -> Iterator[tuple[TextCell, HalfCell]]:
    """A piece's half cells, with its number in the middle of the piece, or of each of its parts on a level."""
    if solved.lattice != CUBIC:
        numbered = innermost(HEXAGONS, piece.cells)
        for q, r in piece.cells:
            yield from _cell((2 * q + r, r), piece.number if (q, r) == numbered else None, paint)
        return
    far = max(y for _, y, _ in solved.region)
    for level in (0, 1):
        for part in parts_on(level, piece.cells):
            numbered = innermost(SQUARES, part)
            for x, y in part:
                place = (2 * x + level * _upper_from(solved), y + far)
                yield from _cell(place, piece.number if (x, y) == numbered else None, paint)


def _cell(place: TextCell, number: int | None, paint: str) -> Iterator[tuple[TextCell, HalfCell]]:
    said = f"{'' if number is None else number:^4}"
    yield place, HalfCell(said[:2], paint)
    yield (place[0] + 1, place[1]), HalfCell(said[2:], paint)


def _upper_from(solved: Solution) -> int:
    """The half cell at which the upper level begins, with room for the words below the lower one."""
    return max(2 * (max(x for x, _, _ in solved.region) + 1) + 2, 7)


def _inked(spot: HalfCell | None, first: bool, code: Callable[[str], str]) -> str:
    if spot is None:
        return "  "
    writing = ink.INK if _lightness(spot.paint) > 0.45 else ink.WHITE
    return f"\x1b[48;{code(spot.paint)};38;{code(writing)};1m{spot.said if first else '  '}\x1b[0m"


def _lightness(colour: str) -> float:
    red, green, blue = _parts(colour)
    return (0.3 * red + 0.59 * green + 0.11 * blue) / 255


def _of_millions(colour: str) -> str:
    return "2;" + ";".join(map(str, _parts(colour)))


def _of_256(colour: str) -> str:
    """The nearest colour of the 6 × 6 × 6 cube that every such terminal has."""
    red, green, blue = (min(range(6), key=lambda step: abs(STEPS[step] - part)) for part in _parts(colour))
    return f"5;{16 + 36 * red + 6 * green + blue}"


def _parts(colour: str) -> tuple[int, int, int]:
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)
