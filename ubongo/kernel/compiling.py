"""How everything here is compiled and cached, and the message for users who have to wait for the compiler.

Numba caches compiled code for this machine: in `NUMBA_CACHE_DIR`, next to the sources, or in the user's cache folder,
whichever is writable. So it compiles once, and again when a source has changed.
"""

from __future__ import annotations

import logging
from typing import Any

from numba import njit
from numba.core import event

log = logging.getLogger("ubongo.kernel")


def _kept() -> bool:
    """Whether there is a folder to cache compiled code in."""
    try:
        njit(cache=True)(_kept)
    except RuntimeError:
        return False
    return True


COMPILED: dict[str, Any] = {"cache": _kept(), "nogil": True, "boundscheck": False, "error_model": "numpy"}


class Announcement(event.Listener):
    """Says once that the compiler is running. Numba notifies us only of functions that are not in its cache."""

    def __init__(self) -> None:
        self._said = False

    def on_start(self, _: Any) -> None:
        if self._said:
            return
        self._said = True
        # A warning, because Python prints those on standard error unless logging is configured otherwise.
        if COMPILED["cache"]:
            log.warning("Compiling the solver for this machine; this happens once.")
        else:
            log.warning("Compiling the solver, and again next time: let NUMBA_CACHE_DIR name a folder to keep it in.")

    def on_end(self, _: Any) -> None:
        """Nothing to do: only the start is announced."""


event.register("numba:compile", Announcement())  # type: ignore[no-untyped-call] # Numba's own has no types
