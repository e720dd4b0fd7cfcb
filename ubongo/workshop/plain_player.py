"""The plain player, a model that measures areas of the dice game; `kernel/throws.py` is the compiled version.

The player is alone, with one black and one white die. Each round they enter both shapes, either one or neither, in the
way that leaves the rest with the lowest price, and never look ahead. The price of a rest is

    2 for each square left, 1 for each unit of its border, 6 for each separate part

and among equal rests it is the smallest number (bit x + 8 y for a square), which fills the last squares first.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ubongo.lattice import Shape
from ubongo.material.shapes import BLACK, DICE_PIECES, WHITE
from ubongo.pieces import fits, shifted

ONE = 1 << 32


def bits(cells: Shape) -> int:
    return sum(1 << (x + 8 * y) for x, y in cells)


SHAPES = [DICE_PIECES[name].shapes for name in BLACK + WHITE]
FACES = [[bits(shape) for shape in shapes] for shapes in SHAPES]
THROWS = [(black, white) for black in range(6) for white in range(6, 12)]


def price(left: int) -> int:
    inside = (left & left >> 1).bit_count() + (left & left >> 8).bit_count()
    border = 4 * left.bit_count() - 2 * inside
    return 2 * left.bit_count() + border + 6 * sum(1 for _ in heaps(left))


def heaps(left: int) -> Iterator[int]:
    while left:
        heap, more = 0, left & -left
        while heap != more:
            heap = more
            more = (heap | heap << 1 | heap >> 1 | heap << 8 | heap >> 8) & left
        yield heap
        left &= ~heap


def leave(left: int, black: Sequence[int], white: Sequence[int]) -> int:
    """What is left of the free squares after the best way to enter these shapes; each is given by its places."""
    blacks = [left & ~mask for mask in black if not mask & ~left]
    rests = {left, *blacks, *(rest & ~mask for rest in (left, *blacks) for mask in white if not mask & ~rest)}
    return min(rests, key=lambda rest: (price(rest), rest))


def rounds(region: Shape) -> int:
    """The mean number of rounds to fill a region, in units of 1 / ONE, each division rounded down."""
    places = [[bits(shifted(shapes[turn], at)) for turn, at in fits(shapes, region)] for shapes in SHAPES]
    states = [bits(region)]
    after: dict[int, list[int]] = {0: []}
    for left in states:
        if left not in after:
            after[left] = [leave(left, places[black], places[white]) for black, white in THROWS]
            states += after[left]
    mean = {0: 0}
    for left in sorted(after.keys() - {0}, key=int.bit_count):
        going = [mean[rest] for rest in after[left] if rest != left]
        mean[left] = (len(THROWS) * ONE + sum(going)) // len(going)
    return mean[bits(region)]


def in_hundredths(units: int) -> int:
    """Rounded half up."""
    return (200 * units + ONE) // (2 * ONE)
