"""Compiles ahead what play and `ubongo solve` need: `python -m ubongo.kernel.warm`. Quick where that has been done."""

from __future__ import annotations

from importlib import import_module

from ubongo.kernel.window import general


def warm() -> None:
    # What has one form only is compiled when it is imported: the cell search was just now, and bots count with this.
    import_module("ubongo.kernel.throws")
    for memo in (False, True):
        general(memo)


if __name__ == "__main__":
    warm()
