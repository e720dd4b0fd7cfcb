"""The faces of a stack of cards, by simulated annealing: squares are swapped between cards until most cards fit.

Random faces of seven kinds or more leave too many hands without a layout. Every number here is an integer, and so is
the acceptance of a worse stack: an `exp` could differ between machines in its last digit, and then so would the cards.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from msgspec import Struct
from numba import njit

from ubongo.kernel.compiling import COMPILED
from ubongo.kernel.hands import WAYS, FaceArray, equalities
from ubongo.kernel.luck import draw

U = np.uint64
# The probability of accepting a stack that is worse by k eighths of the temperature: (113/128)**k, nearly exp(-k/8),
# times 2**32.
_EIGHTHS = 160
_CHANCES = [1 << 32]
while len(_CHANCES) < _EIGHTHS:
    _CHANCES.append(_CHANCES[-1] * 113 >> 7)
CHANCES = np.array(_CHANCES, np.int64)


class Aim(Struct, frozen=True):
    """The cost function. Prices: two cards that never fit; a card's number of such pairs, squared; a fit.

    `warm` and `cold` are the temperatures of the first and the last swap, in the same unit.
    """

    misfit: int
    lonely: int
    fit: int
    warm: int
    cold: int
    swaps: int


@njit("i8(u1[::1],u1[::1],u8[::1])", **COMPILED)
def _number_of_fits(ours: Any, cells: Any, needed: Any) -> Any:
    """`cells[s]`: the bits of the other card's cells that carry symbol s."""
    equal = U(0)
    for i in range(6):
        equal |= U(cells[ours[i]]) << U(6 * i)
    number = 0
    for way in range(WAYS):
        number += (equal & needed[way]) == needed[way]
    return number


@njit("u8(u1[::1])", **COMPILED)
def _code(face: Any) -> Any:
    """A number for a face that is invariant under half turns, so that two cards that look alike share it."""
    one, other = U(0), U(0)
    for i in range(6):
        one = (one << U(8)) | U(face[i])
        other = (other << U(8)) | U(face[5 - i])
    return min(one, other)


@njit("void(u1[:,::1],u8[::1],i8[::1],i8[::1],u8)", **COMPILED)
def _anneal(faces: Any, needed: Any, chances: Any, aim: Any, seed: Any) -> None:
    misfit, lonely, fit, warm, cold, swaps = aim[0], aim[1], aim[2], aim[3], aim[4], aim[5]
    luck = np.array([seed], np.uint64)
    cards = faces.shape[0]
    codes = np.empty(cards, np.uint64)
    cells = np.zeros((cards, 256), np.uint8)
    fits = np.zeros((cards, cards), np.int64)
    misfits = np.zeros(cards, np.int64)
    changed = np.empty((2, cards), np.int64)
    for one in range(cards):
        codes[one] = _code(faces[one])
        for i in range(6):
            cells[one, faces[one, i]] |= 1 << i
    for one in range(cards):
        for other in range(cards):
            if one != other:
                fits[one, other] = _number_of_fits(faces[one], cells[other], needed)
                misfits[one] += fits[one, other] == 0
    for swap in range(swaps):
        temperature = warm + (cold - warm) * swap // swaps
        one, other = draw(luck, cards), draw(luck, cards)
        i, j = draw(luck, 6), draw(luck, 6)
        ours, theirs = faces[one, i], faces[other, j]
        if one == other or ours == theirs:
            continue
        faces[one, i], faces[other, j] = theirs, ours
        cells[one, ours] ^= 1 << i
        cells[one, theirs] ^= 1 << i
        cells[other, theirs] ^= 1 << j
        cells[other, ours] ^= 1 << j
        code, code_ = _code(faces[one]), _code(faces[other])
        taken, more, more_, new, mutual = code != code_, 0, 0, 0, 0
        for card in range(cards):
            if card not in (one, other) and codes[card] in (code, code_):
                taken = False
        if taken:
            worse, was, is_ = 0, misfits[one] * misfits[one] + misfits[other] * misfits[other], 0
            for card in range(cards):
                if card in (one, other):
                    continue
                changed[0, card] = _number_of_fits(faces[one], cells[card], needed)
                changed[1, card] = _number_of_fits(faces[other], cells[card], needed)
                worse += fit * (changed[0, card] + changed[1, card] - fits[one, card] - fits[other, card])
                new = (changed[0, card] == 0) - (fits[one, card] == 0)
                new_ = (changed[1, card] == 0) - (fits[other, card] == 0)
                more += new
                more_ += new_
                is_ += (new + new_) * (2 * misfits[card] + new + new_)
            mutual = _number_of_fits(faces[one], cells[other], needed)
            worse += fit * (mutual - fits[one, other])
            new = (mutual == 0) - (fits[one, other] == 0)
            worse += misfit * (more + more_ + new)
            is_ += (misfits[one] + more + new) ** 2 + (misfits[other] + more_ + new) ** 2
            worse += lonely * (is_ - was)
            step = 8 * worse // temperature if worse > 0 else 0
            taken = step < chances.shape[0] and draw(luck, 1 << 32) < chances[step]
        if not taken:
            faces[one, i], faces[other, j] = ours, theirs
            cells[one, ours] ^= 1 << i
            cells[one, theirs] ^= 1 << i
            cells[other, theirs] ^= 1 << j
            cells[other, ours] ^= 1 << j
            continue
        codes[one], codes[other] = code, code_
        for card in range(cards):
            if card not in (one, other):
                misfits[card] += (changed[0, card] == 0) - (fits[one, card] == 0)
                misfits[card] += (changed[1, card] == 0) - (fits[other, card] == 0)
                fits[one, card] = fits[card, one] = changed[0, card]
                fits[other, card] = fits[card, other] = changed[1, card]
        fits[one, other] = fits[other, one] = mutual
        misfits[one] += more + new
        misfits[other] += more_ + new


def anneal(faces: FaceArray, aim: Aim, seed: int) -> FaceArray:
    """Better faces with the same symbols in total. No two faces are equal, unless two that were never changed are."""
    better = faces.copy()
    prices = np.array([aim.misfit, aim.lonely, aim.fit, aim.warm, aim.cold, aim.swaps], np.int64)
    _anneal(better, equalities(), CHANCES, prices, np.uint64(seed))
    return better
