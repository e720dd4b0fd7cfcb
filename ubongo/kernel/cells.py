"""The search for all other tasks of up to 128 cells: equal pieces, disconnected pieces, boxes too large for the window.

Its options are those of `tiling.Search`, gathered in plain Python, in arrays: for each first free cell those that cover
it. The whole state is in arrays, so the search can stop when the buffer for fillings is full, and continue from there.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from msgspec import Struct
from numba import njit

from ubongo.kernel.compiling import COMPILED
from ubongo.kernel.window import FULL, U, trailing_zeros
from ubongo.tiling import Filling, Option, TilingSearch

MOST_CELLS = 128
_ROOM = 4096


class _State(Struct):
    """The state of a search: the cells covered at each depth, the options laid, the copies left of each kind.

    place[0] is the nodes so far and the depth to continue from (-1: done); place[d + 1] the option laid at depth d and
    the next to try there (-1: the first).
    """

    occupied: Any
    place: Any
    left: Any


@njit("i8(u8[:,::1],i8[::1],i8[::1],u8[:,::1],i8[:,::1],i8[::1],i8[:,::1])", **COMPILED)
def _search(bits: Any, kind: Any, start: Any, occupied: Any, place: Any, left: Any, fillings: Any) -> int:
    """Searches until the buffer for fillings is full or everything is searched; without one it only counts them."""
    room = fillings.shape[0]
    depth = place[0, 1]
    found = 0
    while depth >= 0:
        low, high = occupied[depth, 0], occupied[depth, 1]
        if low == FULL and high == FULL:
            found += 1
            depth -= 1
            if depth >= 0:
                left[kind[place[depth + 1, 0]]] += 1
            if room > 0:
                for d in range(depth + 1):
                    fillings[found - 1, d] = place[d + 1, 0]
                if found == room:
                    break
            continue
        cell = trailing_zeros(~low) if low != FULL else 64 + trailing_zeros(~high)
        i, end = place[depth + 1, 1], start[cell + 1]
        if i < 0:
            i = start[cell]
        while i < end and (((bits[i, 0] & low) | (bits[i, 1] & high)) != U(0) or left[kind[i]] == 0):
            i += 1
        if i == end:
            depth -= 1
            if depth >= 0:
                left[kind[place[depth + 1, 0]]] += 1
            continue
        place[0, 0] += 1
        place[depth + 1, 0], place[depth + 1, 1] = i, i + 1
        left[kind[i]] -= 1
        depth += 1
        occupied[depth, 0], occupied[depth, 1] = low | bits[i, 0], high | bits[i, 1]
        place[depth + 1, 1] = -1
    place[0, 1] = depth
    return found


class CellSearch:
    """A `tiling.Search` whose options are tried by compiled code."""

    def __init__(self, search: TilingSearch) -> None:
        self._plain = search
        self._options = [option for options in search.options for option in options]
        words = [(option.bits & int(FULL), option.bits >> 64) for option in self._options]
        self._bits = np.array(words, np.uint64).reshape(-1, 2)
        self._kind = np.array([option.kind for option in self._options], np.int64)
        self._start = np.cumsum([0, *map(len, search.options)], dtype=np.int64)
        self._pieces = sum(len(kind.copies) for kind in search.kinds)
        self.nodes = 0

    def count(self, *laid: Option) -> int:
        """The number of fillings in which these options are laid."""
        state = self._opening(laid)
        found = self._run(state, np.empty((0, self._pieces), np.int64))
        self.nodes += int(state.place[0, 0])
        return found

    def fillings(self) -> Iterator[Filling]:
        state = self._opening(())
        room = np.empty((_ROOM, self._pieces), np.int64)
        while state.place[0, 1] >= 0:
            for row in room[: self._run(state, room)].tolist():
                yield self._plain.filling(self._options[i] for i in row)

    def _opening(self, laid: Sequence[Option]) -> _State:
        occupied = np.zeros((self._pieces + 1, 2), np.uint64)
        taken = ~self._plain.full & (1 << MOST_CELLS) - 1 | sum(option.bits for option in laid)
        occupied[0] = taken & int(FULL), taken >> 64
        left = np.array([len(kind.copies) for kind in self._plain.kinds], np.int64)
        for option in laid:
            left[option.kind] -= 1
        place = np.full((self._pieces + 2, 2), -1, np.int64)
        place[0] = 0
        return _State(occupied, place, left)

    def _run(self, state: _State, room: Any) -> int:
        return int(_search(self._bits, self._kind, self._start, state.occupied, state.place, state.left, room))
