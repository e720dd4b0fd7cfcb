"""The options that describe a table of bots, for several commands."""

from __future__ import annotations

import msgspec

from ubongo.bots.pace import LEVELS, Level
from ubongo.bots.player import PLAYED
from ubongo.bots.trial import BotTrial
from ubongo.commands import Complaint
from ubongo.game import BadOptions
from ubongo.games import GAMES
from ubongo.material import BadEdition


def trial_of(game: str, seats: str, options: str, seed: str) -> BotTrial:
    """The trial that these options describe; or Complaint. It opens a table to check them."""
    if game not in PLAYED:
        raise Complaint(f"there is no game {game!r} that bots play; there are {', '.join(PLAYED)}")
    levels = tuple(_level(name.strip()) for name in seats.split(","))
    try:
        chosen = msgspec.json.decode(options, type=GAMES[game].OPTIONS)
    except (msgspec.DecodeError, RecursionError) as problem:
        raise Complaint(f'--options is {options}: {problem}; it is an object such as {{"ready_s": 10}}') from None
    trial = BotTrial(game, levels, chosen, seed)
    try:
        trial.bots(1)
    except (BadOptions, BadEdition) as problem:
        raise Complaint(str(problem)) from None
    return trial


def _level(name: str) -> Level:
    for level in LEVELS:
        if level == name:
            return level
    raise Complaint(f"--seats has {name!r}; a level is one of {', '.join(LEVELS)}")
