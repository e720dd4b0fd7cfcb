"""Plays a round of each game by mouse and by touch in Chromium, Firefox and WebKit: `make browsers`.

`python -m tests.engines firefox cards touch` plays only the given combination.
"""

from __future__ import annotations

import shutil
import sys
from itertools import product
from time import monotonic
from typing import get_args

from tests.conftest import start
from tests.engines import firefox, webkit
from tests.engines.chromium import chromium
from tests.engines.driver import Hand, Starts
from tests.engines.page import PICTURES, Page
from tests.engines.rounds import GAMES, play

ENGINES: dict[str, Starts] = {"chromium": chromium, "firefox": firefox.firefox, "webkit": webkit.webkit}
HANDS: tuple[Hand, ...] = get_args(Hand)


def missing(engines: list[str]) -> list[str]:
    """The Debian packages that are missing."""
    found = {
        "firefox-esr": "firefox" not in engines or shutil.which(firefox.PROGRAM),
        "webkit2gtk-driver": "webkit" not in engines or (shutil.which(webkit.PROGRAM) and webkit.browser()),
        "xvfb": engines == ["chromium"] or shutil.which("Xvfb"),
    }
    return [package for package, there in found.items() if not there]


def outcome(engine: str, game: str, hand: Hand, address: str) -> str:
    """The error of one combination; empty if it passed."""
    name = f"{engine}-{game}-{hand}"
    for old in PICTURES.glob(f"{name}-*.png"):
        old.unlink()
    try:
        with ENGINES[engine](hand) as driver:
            page = Page(driver, name)
            try:
                play(page, address, game)
            except Exception:
                page.save("failed")
                raise
    except Exception as problem:  # noqa: BLE001  # after any failure the others are still played
        return f"{type(problem).__name__}: {problem}"
    return ""


def main(words: list[str]) -> int:
    known = [*ENGINES, *GAMES, *HANDS]
    if unknown := set(words).difference(known):
        print(f"Not known: {', '.join(sorted(unknown))}. There are: {' '.join(known)}")
        return 2
    engines, games = ([one for one in all_ if one in words] or list(all_) for all_ in (ENGINES, GAMES))
    hands = [one for one in HANDS if one in words] or list(HANDS)
    if packages := missing(engines):
        print(f"Debian packages are missing. Type:\n  sudo apt-get install {' '.join(packages)}")
        return 2
    PICTURES.mkdir(exist_ok=True)
    failures = 0
    with start() as server:
        for engine, game, hand in product(engines, games, hands):
            began = monotonic()
            problem = outcome(engine, game, hand, server.address)
            failures += bool(problem)
            print(f"{engine:8} {game:7} {hand:5} {monotonic() - began:4.0f} s  {problem or 'played'}", flush=True)
    print(f"{failures} failed. Pictures: {PICTURES}")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
