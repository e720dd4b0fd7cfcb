"""Text pictures: regions and layouts, read and drawn. For tests, docs and the terminal.

A letter or digit is a cell of the piece with that name, `#` a free cell of the region, `.` a place outside it.

    square      hex (row r half a cell further right)      cubic (lower level | upper level, seen from above)
    AAB         A A .                                       AAB | ABB
    A#B          A # B                                      A.B | A.B
                  . B B

On squares and hexagons y runs downwards. Seen from above, with z towards the viewer, cubes need y upwards:
otherwise every piece would look like its mirror image.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, islice
from string import ascii_lowercase, ascii_uppercase, digits

from ubongo.lattice import CUBIC, HEX, Cell, Lattice, Shape, corner, minus

FREE, OUTSIDE = "#", "."
LEVELS = " | "


def names(number: int) -> list[str]:
    """So many different one-letter names."""
    more = (chr(code) for code in range(0xC0, 0x10000) if chr(code).isalpha())
    return list(islice(chain(ascii_uppercase, ascii_lowercase, digits, more), number))


def read(lattice: Lattice, picture: str) -> dict[Cell, str]:
    """The mark of each cell of a picture except those outside. Common indentation and empty lines do not count.

    >>> from ubongo.lattice import SQUARE
    >>> read(SQUARE, "A#\\n.A")
    {(0, 0): 'A', (1, 0): '#', (1, 1): 'A'}
    """
    lines = [line.rstrip() for line in picture.splitlines() if line.strip()]
    margin = min((len(line) - len(line.lstrip()) for line in lines), default=0)
    return {cell: mark for cell, mark in _marks(lattice, [line[margin:] for line in lines]) if mark != OUTSIDE}


def _marks(lattice: Lattice, lines: Sequence[str]) -> Iterator[tuple[Cell, str]]:
    for row, line in enumerate(lines):
        y = len(lines) - 1 - row if lattice == CUBIC else row
        if lattice == HEX:
            for column, mark in enumerate(line):
                if mark == " ":
                    continue
                if (column - y) % 2:
                    raise ValueError(f"line {y + 1} of the picture: {mark!r} stands between two hexagons")
                yield ((column - y) // 2, y), mark
        elif lattice == CUBIC:
            for z, level in enumerate(line.split(LEVELS)):
                yield from (((x, y, z), mark) for x, mark in enumerate(level))
        else:
            yield from (((x, y), mark) for x, mark in enumerate(line))


def region(lattice: Lattice, picture: str) -> Shape:
    """All cells of a picture, free or covered, sorted, starting at 0 on every axis."""
    cells = read(lattice, picture)
    low = corner(cells)
    return tuple(sorted(minus(cell, low) for cell in cells))


def layout(lattice: Lattice, picture: str) -> dict[str, Shape]:
    """The cells of each piece in a picture, by its letter, where `region` has them."""
    cells = read(lattice, picture)
    low = corner(cells)
    pieces: dict[str, list[Cell]] = {}
    for cell, mark in cells.items():
        if mark != FREE:
            pieces.setdefault(mark, []).append(minus(cell, low))
    return {mark: tuple(sorted(these)) for mark, these in sorted(pieces.items())}


def draw(lattice: Lattice, region: Iterable[Cell], pieces: Mapping[str, Iterable[Cell]] | None = None) -> str:
    """The picture of a region with the pieces that lie in it; a cell that two of them cover shows the later one.

    >>> from ubongo.lattice import HEX
    >>> print(draw(HEX, [(0, 0), (1, 0), (0, 1), (1, 1)], {"A": [(0, 0), (0, 1)]}))
    A #
     A #
    """
    marks = dict.fromkeys(region, FREE)
    for name, cells in (pieces or {}).items():
        marks |= dict.fromkeys(cells, name)
    low = corner(marks)
    marks = {minus(cell, low): mark for cell, mark in marks.items()}
    sizes = [max(axis) + 1 for axis in zip(*marks, strict=True)]
    rows = []
    for y in range(sizes[1]):
        levels = [(z,) for z in range(sizes[2])] if lattice == CUBIC else [()]
        gap = " " if lattice == HEX else ""
        row = LEVELS.join(gap.join(marks.get((x, y, *z), OUTSIDE) for x in range(sizes[0])) for z in levels)
        rows.append((" " * y + row if lattice == HEX else row).rstrip())
    return "\n".join(reversed(rows) if lattice == CUBIC else rows)
