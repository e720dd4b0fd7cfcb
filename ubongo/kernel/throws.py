"""How many rounds an area of the dice game takes the plain player (`workshop/plain_player.py`), exactly, compiled.

A board is one word, bit x + 8 y for a square. What the player leaves depends only on the free squares and the two faces
thrown. So the reachable states are visited once, and the mean is computed from the emptiest one up, without sampling
and without fractions: rounds are counted in units of 2**-32.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np
from numba import njit, types
from numba.extending import intrinsic

from ubongo.kernel.compiling import COMPILED

U = np.uint64
ROW = U(8)
ONE = 1 << 32
FACES = 6
THROWS = FACES * FACES
# Twenty-one squares have about 2,000 states, so more than half of the slots stay empty.
MOST_STATES = 1 << 14
SLOT_BITS = 16
_MIX = U(0x9E3779B97F4A7C15)


def _number_of_bits(_: Any, word: Any) -> Any:
    def generate(_: Any, builder: Any, __: Any, words: Any) -> Any:
        return builder.ctpop(words[0])

    return types.int64(word), generate


number_of_bits: Any = intrinsic(_number_of_bits)


@njit("i8(u8)", **COMPILED)
def heaps_of(left: Any) -> Any:
    heaps = 0
    while left != U(0):
        heap, more = U(0), left & (~left + U(1))
        while heap != more:
            heap = more
            more = (heap | heap << U(1) | heap >> U(1) | heap << ROW | heap >> ROW) & left
        left &= ~heap
        heaps += 1
    return heaps


@njit("i8(u8)", **COMPILED)
def border_price(left: Any) -> Any:
    """Twice the squares and the border: the price of a rest without its separate parts."""
    squares = number_of_bits(left)
    inside = number_of_bits(left & (left >> U(1))) + number_of_bits(left & (left >> ROW))
    return 6 * squares - 2 * inside


@njit("void(u8[::1],i8[::1],u8,u8[::1])", **COMPILED)
def _leave(masks: Any, ends: Any, left: Any, leaves: Any) -> None:
    """leaves[6 black + white]: what the player leaves. Face f has the places masks[ends[f]:ends[f + 1]]."""
    fitting = np.empty(masks.shape[0], np.uint64)
    last = np.empty(2 * FACES + 1, np.int64)
    alone = np.empty(2 * FACES, np.uint64)
    prices = np.empty(2 * FACES, np.int64)
    now = border_price(left) + 6 * heaps_of(left)
    last[0] = 0
    for face in range(2 * FACES):
        last[face + 1] = last[face]
        alone[face], prices[face] = left, now
        for place in range(ends[face], ends[face + 1]):
            mask = masks[place]
            if mask & ~left:
                continue
            fitting[last[face + 1]] = mask
            last[face + 1] += 1
            after = left & ~mask
            price = border_price(after) + 6 * heaps_of(after)
            if price < prices[face] or (price == prices[face] and after < alone[face]):
                alone[face], prices[face] = after, price
    for black in range(FACES):
        for white in range(FACES, 2 * FACES):
            either = prices[black] < prices[white] or (prices[black] == prices[white] and alone[black] < alone[white])
            best = alone[black] if either else alone[white]
            least = min(prices[black], prices[white])
            for one in range(last[black], last[black + 1]):
                between = left & ~fitting[one]
                for other in range(last[white], last[white + 1]):
                    if fitting[other] & ~between:
                        continue
                    after = between & ~fitting[other]
                    price = border_price(after)
                    # Separate parts take longest to count, and there is at least one.
                    if price + (6 if after else 0) > least:
                        continue
                    price += 6 * heaps_of(after)
                    if price < least or (price == least and after < best):
                        best, least = after, price
            leaves[FACES * black + white - FACES] = best


@njit("i8(u8[::1],i8[::1],u8,u8[::1],i8[::1])", **COMPILED)
def _places(shapes: Any, faces: Any, region: Any, masks: Any, ends: Any) -> Any:
    """The number of places on a region; those of face f are masks[ends[f]:ends[f + 1]].

    `shapes[faces[f]:faces[f + 1]]`: how face f can be held.
    """
    ends[0] = 0
    for face in range(2 * FACES):
        ends[face + 1] = ends[face]
        for shape in range(faces[face], faces[face + 1]):
            for step in range(64):
                # A shape that runs over the edge of a row has a square in column 7, where no region has one.
                mask = shapes[shape] << U(step)
                if not mask & ~region and mask >> U(step) == shapes[shape]:
                    masks[ends[face + 1]] = mask
                    ends[face + 1] += 1
    return ends[2 * FACES]


@njit("void(u8[::1],i8[::1],u8,u8[::1])", **COMPILED)
def _leaves(shapes: Any, faces: Any, region: Any, leaves: Any) -> None:
    masks = np.empty(64 * shapes.shape[0], np.uint64)
    ends = np.empty(2 * FACES + 1, np.int64)
    _leave(masks[: _places(shapes, faces, region, masks, ends)], ends, region, leaves)


@njit("i8(u8[::1],i8[::1],u8)", **COMPILED)
def _rounds(shapes: Any, faces: Any, region: Any) -> Any:
    """In units of 1 / ONE; -1: there are too many states."""
    masks = np.empty(64 * shapes.shape[0], np.uint64)
    ends = np.empty(2 * FACES + 1, np.int64)
    masks = masks[: _places(shapes, faces, region, masks, ends)]
    states = np.empty(MOST_STATES, np.uint64)
    to = np.empty((MOST_STATES, THROWS), np.int32)
    slots = np.full(1 << SLOT_BITS, -1, np.int32)
    leaves = np.empty(THROWS, np.uint64)
    states[0] = region
    slots[np.int64((region * _MIX) >> U(64 - SLOT_BITS))] = 0
    count, at = 1, 0
    while at < count:
        if states[at]:
            _leave(masks, ends, states[at], leaves)
            for throw in range(THROWS):
                slot = np.int64((leaves[throw] * _MIX) >> U(64 - SLOT_BITS))
                while slots[slot] >= 0 and states[slots[slot]] != leaves[throw]:
                    slot = (slot + 1) & ((1 << SLOT_BITS) - 1)
                if slots[slot] < 0:
                    if count == MOST_STATES:
                        return -1
                    slots[slot] = count
                    states[count] = leaves[throw]
                    count += 1
                to[at, throw] = slots[slot]
        at += 1
    rounds = np.zeros(count, np.int64)
    for squares in range(1, number_of_bits(region) + 1):
        for state in range(count):
            if number_of_bits(states[state]) == squares:
                total, stays = THROWS * ONE, 0
                for throw in range(THROWS):
                    if to[state, throw] == state:
                        stays += 1
                    else:
                        total += rounds[to[state, throw]]
                rounds[state] = total // (THROWS - stays)
    return rounds[0]


def rounds(region: int, faces: Sequence[Sequence[int]]) -> int:
    """The mean in units of 1 / ONE. `faces`: how each of the six black ones, then of the white ones, can be held.

    Regions and shapes are bits x + 8 y, within seven columns and eight rows.
    """
    found = int(_rounds(*_held(faces), np.uint64(region)))
    if found < 0:
        raise ValueError(f"the area has more than {MOST_STATES:,} ways to be partly filled")
    return found


def leaves(region: int, faces: Sequence[Sequence[int]]) -> list[int]:
    """What the player leaves of a region: for the first black face with each white one, then the next black face, …"""
    left = np.empty(THROWS, np.uint64)
    _leaves(*_held(faces), np.uint64(region), left)
    found: list[int] = left.tolist()
    return found


@cache
def _together(faces: tuple[tuple[int, ...], ...]) -> tuple[Any, Any]:
    shapes = np.array([shape for face in faces for shape in face], np.uint64)
    return shapes, np.cumsum([0, *map(len, faces)], dtype=np.int64)


def _held(faces: Sequence[Sequence[int]]) -> tuple[Any, Any]:
    """All shapes of all faces in one list, and where each face's shapes begin."""
    return _together(tuple(map(tuple, faces)))
