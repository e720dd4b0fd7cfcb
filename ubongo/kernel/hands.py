"""Card hands, compiled: the equivalent of `layout.Search`, and a model of a person who tries everything that may fit.

The faces of a stack are examined once: a word for every two of them has the ways (`layout.snug`) in which one fits next
to the other. After that a search does not look at symbols any more.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

from ubongo.kernel.compiling import COMPILED
from ubongo.kernel.luck import draw
from ubongo.kernel.window import trailing_zeros
from ubongo.layout import GOAL, REACH, contacts, snug

U = np.uint64
WAYS = 28
APART, NEVER = WAYS, WAYS + 1
HAND = 9
SPAN = 2 * REACH + 1
MOST_SPOTS = WAYS * GOAL
# Every placement that becomes possible: each card laid adds at most 28 for each card in the hand.
MOST_REACH = WAYS * HAND * HAND

FaceArray = NDArray[np.uint8]  # one row per card: its six symbols as numbers
HandArray = NDArray[np.int64]  # one row per hand: the numbers of its cards
Fits = NDArray[np.uint64]  # bit k of [a, b]: b fits next to a in way k


@cache
def geometry() -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """`where`: [turn, way] -> turn, dx, dy of the neighbour. `meets`: [turn, turn, dx, dy] -> way, APART or NEVER."""
    where = np.array([[(way.turn, way.dx, way.dy) for way in snug(turn)] for turn in range(4)], np.int64)
    meets = np.full((4, 4, SPAN, SPAN), NEVER, np.int64)
    for turn, other, x, y in np.ndindex(meets.shape):
        if contacts(turn, other, x - REACH, y - REACH) == ():
            meets[turn, other, x, y] = APART
    for turn in range(4):
        for number, (other, dx, dy) in enumerate(where[turn]):
            meets[turn, other, dx + REACH, dy + REACH] = number
    return where, meets


@cache
def equalities() -> NDArray[np.uint64]:
    """For each way, the two bits 6 i + j that mean 'cell i of this card equals cell j of its neighbour'."""
    return np.array([sum(1 << (6 * i + j) for i, j in way.contacts) for way in snug(0)], np.uint64)


@njit("u8(u1[::1],u1[::1],u8[::1])", **COMPILED)
def ways_to_fit(ours: Any, theirs: Any, needed: Any) -> Any:
    equal = U(0)
    for i in range(6):
        for j in range(6):
            equal |= U(ours[i] == theirs[j]) << U(6 * i + j)
    ways = U(0)
    for way in range(WAYS):
        ways |= U((equal & needed[way]) == needed[way]) << U(way)
    return ways


@njit("void(u1[:,::1],u8[::1],u8[:,::1])", **COMPILED)
def _fits(faces: Any, needed: Any, fits: Any) -> None:
    for one in range(faces.shape[0]):
        for other in range(faces.shape[0]):
            fits[one, other] = ways_to_fit(faces[one], faces[other], needed)


def fits(faces: FaceArray) -> Fits:
    table = np.empty((len(faces), len(faces)), np.uint64)
    _fits(faces, equalities(), table)
    return table


@njit("void(u8,i8,i8[:,::1])", **COMPILED)
def _deal(seed: Any, cards: Any, hands: Any) -> None:
    luck = np.array([seed], np.uint64)
    deck = np.arange(cards)
    for hand in range(hands.shape[0]):
        for place in range(HAND):
            other = place + draw(luck, cards - place)
            deck[place], deck[other] = deck[other], deck[place]
            hands[hand, place] = deck[place]


def deal(seed: int, cards: int, number: int) -> HandArray:
    """Random hands of nine cards, each from the whole stack."""
    hands = np.empty((number, HAND), np.int64)
    _deal(np.uint64(seed), cards, hands)
    return hands


@njit("void(u8[:,::1],i8[::1],u8[:,::1])", **COMPILED)
def _take(fits: Any, hand: Any, in_hand: Any) -> None:
    for one in range(HAND):
        for other in range(HAND):
            in_hand[one, other] = fits[hand[one], hand[other]]


@njit("i8(i8[:,::1],i8,i8,i8,i8,i8,u8[:,::1],i8[:,:,:,::1])", **COMPILED)
def _meeting(lying: Any, down: Any, card: Any, turn: Any, x: Any, y: Any, in_hand: Any, meets: Any) -> Any:
    """A card next to all that lie: 0 if a neighbour has not exactly two contacts, 1 if a contact differs, 2: right."""
    best = 2
    for one in range(down):
        dx, dy = x - lying[one, 2] + REACH, y - lying[one, 3] + REACH
        if 0 <= dx < SPAN and 0 <= dy < SPAN:
            way = meets[lying[one, 1], turn, dx, dy]
            if way == NEVER:
                return 0
            if way != APART and not (in_hand[lying[one, 0], card] >> U(way)) & U(1):
                best = 1
    return best


@njit("i8(i8[:,::1],i8,i8,i8,i8,i8)", **COMPILED)
def _add(known: Any, count: Any, card: Any, turn: Any, x: Any, y: Any) -> Any:
    """Appends a placement unless it is there already; returns the new number of placements."""
    for one in range(count):
        if known[one, 0] == card and known[one, 1] == turn and known[one, 2] == x and known[one, 3] == y:
            return count
    known[count, 0], known[count, 1], known[count, 2], known[count, 3] = card, turn, x, y
    return count + 1


@njit("void(u8[:,::1],i8[:,::1],i8[:,:,::1],i8[:,:,:,::1],u1[::1],i8[::1])", **COMPILED)
def _lay_seven(fits: Any, hands: Any, where: Any, meets: Any, found: Any, nodes: Any) -> None:
    """`layout.Search`, hand by hand, in the same order, with an explicit stack of positions in place of recursion."""
    lying = np.empty((GOAL, 4), np.int64)
    reach = np.empty((MOST_REACH, 4), np.int64)
    size = np.zeros(GOAL + 1, np.int64)
    at = np.zeros(GOAL + 1, np.int64)
    in_hand = np.empty((HAND, HAND), np.uint64)
    for hand in range(hands.shape[0]):
        _take(fits, hands[hand], in_hand)
        found[hand], nodes[hand] = 0, 0
        for root in range(HAND - GOAL + 1):
            lying[0, 0], lying[0, 1], lying[0, 2], lying[0, 3] = root, 0, 0, 0
            down, used, new = 1, 1 << root, True
            while down:
                if new:
                    new = False
                    nodes[hand] += 1
                    if down == GOAL:
                        found[hand] = 1
                        break
                    last, turn, x, y = lying[down - 1, 0], lying[down - 1, 1], lying[down - 1, 2], lying[down - 1, 3]
                    size[down], at[down] = size[down - 1], at[down - 1]
                    for card in range(root + 1, HAND):
                        ways = in_hand[last, card] if not used >> card & 1 else U(0)
                        while ways != U(0):
                            to = where[turn, trailing_zeros(ways)]
                            ways &= ways - U(1)
                            size[down] = _add(reach, size[down], card, to[0], x + to[1], y + to[2])
                if at[down] == size[down]:
                    down -= 1
                    used &= ~(1 << lying[down, 0])
                    continue
                card, turn, x, y = reach[at[down], 0], reach[at[down], 1], reach[at[down], 2], reach[at[down], 3]
                at[down] += 1
                if not used >> card & 1 and _meeting(lying, down, card, turn, x, y, in_hand, meets) == 2:
                    lying[down, 0], lying[down, 1], lying[down, 2], lying[down, 3] = card, turn, x, y
                    used |= 1 << card
                    down += 1
                    new = True
            if found[hand]:
                break


def lay_seven(fits: Fits, hands: HandArray) -> tuple[NDArray[np.bool_], NDArray[np.int64]]:
    """Which of the hands can lay seven, and how many cards the search laid to find out."""
    found, nodes = np.empty(len(hands), np.uint8), np.empty(len(hands), np.int64)
    _lay_seven(fits, hands, *geometry(), found, nodes)
    return found.astype(np.bool_), nodes


@njit("void(u8[:,::1],i8[:,::1],i8[:,:,::1],i8[:,:,:,::1],u8,i8[::1],i8[::1])", **COMPILED)
def _try_out(fits: Any, hands: Any, where: Any, meets: Any, seed: Any, tries: Any, restarts: Any) -> None:
    lying = np.empty((GOAL, 4), np.int64)
    spots = np.empty((MOST_SPOTS, 4), np.int64)
    order = np.empty(MOST_SPOTS * HAND, np.int64)
    in_hand = np.empty((HAND, HAND), np.uint64)
    luck = np.array([seed], np.uint64)
    for hand in range(hands.shape[0]):
        _take(fits, hands[hand], in_hand)
        tries[hand], restarts[hand] = 0, -1
        down = 0
        while down < GOAL:
            restarts[hand] += 1
            lying[0, 0], lying[0, 1], lying[0, 2], lying[0, 3] = draw(luck, HAND), 0, 0, 0
            used, count = 1 << lying[0, 0], 0
            down = 1
            while down < GOAL:
                kept = 0
                for one in range(count):
                    turn, x, y = spots[one, 1], spots[one, 2], spots[one, 3]
                    if _meeting(lying, down, 0, turn, x, y, in_hand, meets):
                        spots[kept, 0], spots[kept, 1], spots[kept, 2], spots[kept, 3] = 0, turn, x, y
                        kept += 1
                count = kept
                for way in range(WAYS):
                    to = where[lying[down - 1, 1], way]
                    turn, x, y = to[0], lying[down - 1, 2] + to[1], lying[down - 1, 3] + to[2]
                    if _meeting(lying, down, 0, turn, x, y, in_hand, meets):
                        count = _add(spots, count, 0, turn, x, y)
                left = 0
                for card in range(HAND):
                    if not used >> card & 1:
                        for spot in range(count):
                            order[left] = HAND * spot + card
                            left += 1
                laid, card, turn, x, y = False, 0, 0, 0, 0
                while left and not laid:
                    pick = draw(luck, left)
                    left -= 1
                    spot, card = order[pick] // HAND, order[pick] % HAND
                    order[pick] = order[left]
                    tries[hand] += 1
                    turn, x, y = spots[spot, 1], spots[spot, 2], spots[spot, 3]
                    laid = _meeting(lying, down, card, turn, x, y, in_hand, meets) == 2
                if not laid:
                    break
                lying[down, 0], lying[down, 1], lying[down, 2], lying[down, 3] = card, turn, x, y
                used |= 1 << card
                down += 1


def try_out(fits: Fits, hands: HandArray, seed: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """How many tries each hand takes, and how often it was restarted. Terminates only for hands that can lay seven.

    The model lays any card. Then it tries, in random order and none twice, every placement that would be possible if
    all symbols were equal (each remaining card, with exactly two contacts to each neighbour), and keeps the first that
    is right. If none is, it takes all cards back.
    """
    tries, restarts = np.empty(len(hands), np.int64), np.empty(len(hands), np.int64)
    _try_out(fits, hands, *geometry(), np.uint64(seed), tries, restarts)
    return tries, restarts
