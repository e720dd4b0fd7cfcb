"""Reports crashed bots on standard error, for `simulate` and `watch`."""

from __future__ import annotations

import sys
from collections.abc import Mapping

from ubongo.bots.match import BotCrash
from ubongo.bots.pace import Level


def report_crashes(game: str, crashes: Mapping[Level, int], first: BotCrash | None) -> int:
    """The exit status. Bots that crashed are named on standard error, with the first traceback."""
    if first is None:
        return 0
    for level, times in crashes.items():
        print(f"ubongo: {level} bots of {game} crashed {times} times", file=sys.stderr)
    print(f"The first crash:\n{first.traceback}", end="", file=sys.stderr)
    return 1
