"""The shift window: the search for tasks of different pieces whose box is small.

The region lies in a line of bits (`line.py`) in which moving a piece is a shift. A position is the line shifted so that
bit 0 is its first free cell; its first 64 bits are the window, in which every piece that covers this cell must lie. For
each byte of the window a table has the orientations that still fit: the bitwise and of these words, and of the
remaining pieces, is exactly the list of what can be laid. The tables depend only on the pieces, so a task needs no
set-up.

One compiled function handles a whole batch, because Numba cannot cache a function that calls another one made at run
time. Sizes are constants of each variant, so that loops over them unroll. The tables are flat, because Numba would look
up their sizes at every step. Every integer is a uint64: an expression that mixes signs would become a float.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any

import numpy as np
from llvmlite import ir
from numba import njit, types
from numba.extending import intrinsic

from ubongo.kernel.compiling import COMPILED

U = np.uint64
FULL = U(0xFFFFFFFFFFFFFFFF)
MOST_PIECES = 32
MOST_WORDS = 8
MOST_PHASES = 2
MOST_BYTES = 8
MEMO_BITS = 15
# With fewer pieces left than this, searching a position is faster than looking it up.
MEMO_FLOOR = 4
_MIX_W, _MIX_G, _MIX_U = U(0x9E3779B97F4A7C15), U(0xC2B2AE3D27D4EB4F), U(0xD6E8FEB86659FD93)


def _trailing_zeros(_: Any, word: Any) -> Any:
    """The index of the lowest bit set; undefined for 0. It is one instruction, which Numba has no name for."""

    def generate(_: Any, builder: Any, __: Any, words: Any) -> Any:
        return builder.cttz(words[0], ir.Constant(ir.IntType(1), 1))

    return types.int64(word), generate


trailing_zeros: Any = intrinsic(_trailing_zeros)


@njit("void(u8[:,::1],u1[:,::1],u8[:,:,:,::1],u8[:,:,::1])", **COMPILED)
def fill_tables(masks: Any, piece_of: Any, tables: Any, by_piece: Any) -> None:
    """tables[phase, byte, value]: the orientations that fit with that value of that byte of the window."""
    for phase in range(tables.shape[0]):
        for o in range(masks.shape[1]):
            if masks[phase, o] == U(0):
                continue
            word, bit = o >> 6, U(1) << U(o & 63)
            by_piece[phase, piece_of[phase, o], word] |= bit
            for byte in range(tables.shape[1]):
                part = (masks[phase, o] >> U(8 * byte)) & U(255)
                for value in range(256):
                    if (part & U(value)) == U(0):
                        tables[phase, byte, value, word] |= bit


@lru_cache(None)
def variant(phases: int, words: int, width: int, long: bool, memo: bool, subsets: bool) -> Callable[..., None]:
    """The search for tables of these sizes.

    `long`: some region has more than 64 bits. `memo`: remember how many fillings a position has. `subsets`: count for
    every set of at most `deepest` pieces, list in `filling` those that fill it, and return their number. `word_of`: the
    word that has all orientations of a piece.
    """

    def search(
        tables: Any,
        by_piece: Any,
        masks: Any,
        piece_of: Any,
        word_of: Any,
        low: Any,
        high: Any,
        given: Any,
        limit: Any,
        deepest: Any,
        by_subset: Any,
        filling: Any,
        memory: Any,
        stamp: Any,
        found: Any,
        visited: Any,
    ) -> None:
        windows = np.empty(MOST_PIECES + 2, np.uint64)
        beyonds = np.empty(MOST_PIECES + 2, np.uint64)
        choices = np.empty((MOST_PIECES + 2, words), np.uint64)
        at_phase = np.empty(MOST_PIECES + 2, np.int64)
        at_word = np.empty(MOST_PIECES + 2, np.int64)
        rests = np.empty(MOST_PIECES + 2, np.uint64)
        lefts = np.empty(MOST_PIECES + 2, np.uint64)
        before = np.empty(MOST_PIECES + 2, np.uint64)
        slots = np.empty(MOST_PIECES + 2, np.int64)
        open_ = np.empty((MOST_PIECES + 2, phases, words), np.uint64)
        last = limit if limit != U(0) else FULL
        for task in range(low.shape[0]):
            count, nodes = U(0), U(0)
            found[task] = U(0)
            visited[task] = U(0)
            for phase in range(phases):
                for word in range(words):
                    open_[0, phase, word] = U(0)
            number = 0
            pieces = U(given[task])
            while pieces != U(0):
                piece = trailing_zeros(pieces)
                pieces &= pieces - U(1)
                number += 1
                for phase in range(phases):
                    for word in range(words):
                        open_[0, phase, word] |= by_piece[(phase * MOST_PIECES + piece) * words + word]
            window, beyond = ~low[task], ~high[task]
            phase = 0
            if long and window == FULL:
                window, beyond = beyond, FULL
            if window == FULL:
                continue
            shift = trailing_zeros(~window)
            if shift:
                if long:
                    window = (window >> U(shift)) | (beyond << U(64 - shift))
                    beyond = (beyond >> U(shift)) | ~(FULL >> U(shift))
                else:
                    window = (window >> U(shift)) | ~(FULL >> U(shift))
            if phases == 2:
                phase = shift & 1
            depth = 0
            left = U(given[task])
            rest = U(0)
            for word in range(words):
                fitting = open_[0, phase, word]
                for byte in range(width):
                    value = np.int64((window >> U(8 * byte)) & U(255))
                    fitting &= tables[((phase * width + byte) * 256 + value) * words + word]
                choices[0, word] = fitting
                rest |= U(fitting != U(0)) << U(word)
            if rest == U(0):
                continue
            word = trailing_zeros(rest)
            rest &= rest - U(1)
            choice = choices[0, word]
            while True:
                if choice == U(0):
                    if words > 1 and rest != U(0):
                        word = trailing_zeros(rest)
                        rest &= rest - U(1)
                        choice = choices[depth, word]
                        continue
                    if depth == 0:
                        break
                    if memo and slots[depth] >= 0:
                        slot = slots[depth]
                        memory[slot, 0] = window
                        memory[slot, 1] = beyond
                        memory[slot, 2] = left | stamp | (U(phase) << U(63))
                        memory[slot, 3] = count - before[depth]
                    depth -= 1
                    window, left = windows[depth], lefts[depth]
                    if long:
                        beyond = beyonds[depth]
                    if phases == 2:
                        phase = at_phase[depth]
                    if words > 1:
                        word, rest = at_word[depth], rests[depth]
                    choice = choices[depth, word]
                    continue
                o = 64 * word + trailing_zeros(choice)
                choice &= choice - U(1)
                nodes += U(1)
                piece = np.int64(piece_of[64 * words * phase + o])
                window2, beyond2 = window | masks[64 * words * phase + o], beyond
                if window2 == FULL:
                    if not long or beyond == FULL:
                        if subsets:
                            used = (U(given[task]) & ~left) | (U(1) << U(piece))
                            by_subset[used] += U(1)
                            if by_subset[used] != U(1):
                                continue
                            filling[count] = used
                        count += U(1)
                        if count >= last:
                            break
                        continue
                    window2, beyond2 = beyond, FULL
                    shift = trailing_zeros(~window2)
                    if shift:
                        window2 = (window2 >> U(shift)) | ~(FULL >> U(shift))
                elif long:
                    shift = trailing_zeros(~window2)
                    window2 = (window2 >> U(shift)) | (beyond2 << U(64 - shift))
                    beyond2 = (beyond2 >> U(shift)) | ~(FULL >> U(shift))
                else:
                    shift = trailing_zeros(~window2)
                    window2 = (window2 >> U(shift)) | ~(FULL >> U(shift))
                if depth + 1 == deepest:
                    continue
                phase2 = 0
                if phases == 2:
                    phase2 = (phase + shift) & 1
                left2 = left & ~(U(1) << U(piece))
                if not subsets and number - depth == 2:
                    # The last piece has as many cells as are free: if it fits in some way, it fills them.
                    final = trailing_zeros(left2)
                    place = np.int64(word_of[phase2 * MOST_PIECES + final])
                    fitting = by_piece[(phase2 * MOST_PIECES + final) * words + place]
                    for byte in range(width):
                        value = np.int64((window2 >> U(8 * byte)) & U(255))
                        fitting &= tables[((phase2 * width + byte) * 256 + value) * words + place]
                    # An addition rather than a branch, which could not be predicted.
                    fits = U(fitting != U(0))
                    nodes += fits
                    count += fits
                    if count >= last:
                        break
                    continue
                some = U(0)
                for w in range(words):
                    fitting = open_[depth, phase2, w] & ~by_piece[(phase2 * MOST_PIECES + piece) * words + w]
                    for byte in range(width):
                        value = np.int64((window2 >> U(8 * byte)) & U(255))
                        fitting &= tables[((phase2 * width + byte) * 256 + value) * words + w]
                    choices[depth + 1, w] = fitting
                    some |= U(fitting != U(0)) << U(w)
                if some == U(0):
                    continue
                if memo:
                    slot = np.int64(-1)
                    if number - depth > MEMO_FLOOR:
                        key = left2 | stamp | (U(phase2) << U(63))
                        mixed = (window2 * _MIX_W) ^ (beyond2 * _MIX_G) ^ (key * _MIX_U)
                        slot = np.int64((mixed ^ (mixed >> U(29))) >> U(64 - MEMO_BITS))
                        if memory[slot, 0] == window2 and memory[slot, 1] == beyond2 and memory[slot, 2] == key:
                            count += memory[slot, 3]
                            if count >= last:
                                break
                            continue
                    slots[depth + 1] = slot
                    before[depth + 1] = count
                choices[depth, word] = choice
                windows[depth], lefts[depth] = window, left
                if long:
                    beyonds[depth] = beyond
                if phases == 2:
                    at_phase[depth] = phase
                if words > 1:
                    at_word[depth], rests[depth] = word, rest
                for p in range(phases):
                    for w in range(words):
                        open_[depth + 1, p, w] = open_[depth, p, w] & ~by_piece[(p * MOST_PIECES + piece) * words + w]
                depth += 1
                left, window, beyond, phase = left2, window2, beyond2, phase2
                word = trailing_zeros(some) if words > 1 else 0
                rest = some & (some - U(1))
                choice = choices[depth, word]
            found[task] = count
            visited[task] = nodes

    # A separate name gives each variant a separate cache file: if variants shared one, two processes that compile at
    # the same time may leave one's code under the other's name.
    search.__qualname__ = f"search_{phases}_{words}_{width}_{long:d}_{memo:d}_{subsets:d}"
    compiled: Callable[..., None] = njit(
        "void(u8[::1],u8[::1],u8[::1],u1[::1],u1[::1],u8[::1],u8[::1],u4[::1],u8,i8,u8[::1],u4[::1],u8[:,::1],u8,u8[::1],u8[::1])",
        **COMPILED,
    )(search)
    return compiled


def general(memo: bool) -> Callable[..., None]:
    """The search for tables padded to the largest size: half as fast, but one variant serves all tasks."""
    return variant(MOST_PHASES, MOST_WORDS, MOST_BYTES, True, memo, False)
