"""What is left of an area of dice, and how good that is.

A sensible player leaves few squares, in few heaps with short borders (`kernel.throws`, as docs/difficulty.md has it).
One who looks ahead weighs what is left by the rounds that such a player would still need for it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from heapq import nsmallest

from msgspec import Struct

from ubongo.bots import pace
from ubongo.lattice import Cell, Shape, plus
from ubongo.material.shapes import BLACK, DICE_PIECES, WHITE
from ubongo.pieces import fits


def bits(cells: Shape) -> int:
    return sum(1 << (x + 8 * y) for x, y in cells)


FACES = tuple(tuple(bits(shape) for shape in DICE_PIECES[name].shapes) for name in BLACK + WHITE)


class ShapeFit(Struct, frozen=True):
    """A shape where it fits on an empty area."""

    bits: int
    turn: int
    at: Cell


@lru_cache(1024)
def ways(region: Shape, name: str) -> tuple[ShapeFit, ...]:
    shapes = DICE_PIECES[name].shapes
    found = fits(shapes, region)
    return tuple(ShapeFit(bits(tuple(plus(cell, at) for cell in shapes[turn])), turn, at) for turn, at in found)


@lru_cache(1 << 14)
def leaves(left: int) -> list[int]:
    """What a sensible player leaves of these squares, for each black face with each white one."""
    from ubongo.kernel import throws  # noqa: PLC0415 - Numba is for those who play dice

    return throws.leaves(left, FACES)


@lru_cache(1 << 16)
def rounds(left: int) -> int:
    """How long a sensible player would still need, in small units."""
    from ubongo.kernel import throws  # noqa: PLC0415 - Numba is for those who play dice

    return throws.rounds(left, FACES) if left else 0


def plain_rest(left: int, black: str, white: str) -> int:
    return leaves(left)[len(WHITE) * BLACK.index(black) + WHITE.index(white)]


def leftovers(left: int, black: Sequence[ShapeFit], white: Sequence[ShapeFit]) -> Iterator[int]:
    """Everything that can be left of these squares by entering both, one or neither."""
    blacks = [left & ~way.bits for way in black if not way.bits & ~left]
    fitting = [way.bits for way in white if not way.bits & ~left]
    yield left
    yield from blacks
    for rest in (left, *blacks):
        yield from [rest & ~mask for mask in fitting if not mask & ~rest]


def looks(left: int) -> int:
    """How bad it looks at a glance: many squares, a long border."""
    inside = (left & left >> 1).bit_count() + (left & left >> 8).bit_count()
    return 3 * left.bit_count() - inside


@lru_cache(1 << 14)
def thought_through(left: int, region: Shape, black: str, white: str) -> int:
    """What to leave if one thinks of the throws to come."""
    could = set(leftovers(left, ways(region, black), ways(region, white)))
    hopeful = {*nsmallest(pace.THOUGHT_THROUGH, could, key=looks), plain_rest(left, black, white)}
    return min(hopeful, key=lambda rest: (rounds(rest), rest))
