"""Random numbers for compiled loops: SplitMix64, seeded with a word of `Chance`, identical on every machine."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit

from ubongo.kernel.compiling import COMPILED

U = np.uint64
_STEP, _MIX, _MIX_AGAIN = U(0x9E3779B97F4A7C15), U(0xBF58476D1CE4E5B9), U(0x94D049BB133111EB)


@njit("i8(u8[::1],i8)", **COMPILED)
def draw(luck: Any, bound: Any) -> Any:
    """A number below a small bound. The bias is at most one in 2**32 / bound."""
    luck[0] += _STEP
    word = luck[0]
    word = (word ^ (word >> U(30))) * _MIX
    word = (word ^ (word >> U(27))) * _MIX_AGAIN
    word ^= word >> U(31)
    return np.int64(((word >> U(32)) * U(bound)) >> U(32))
