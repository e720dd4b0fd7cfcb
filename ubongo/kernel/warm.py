"""Compiles in advance what play and `ubongo solve` need: `python -m ubongo.kernel.warm`. Quick if already done."""

from __future__ import annotations

from importlib import import_module

from ubongo.kernel.window import general


def warm() -> None:
    # Functions with a single form are compiled on import: the cell search was just now, and bots need this module.
    import_module("ubongo.kernel.throws")
    for memo in (False, True):
        general(memo)


if __name__ == "__main__":
    warm()
