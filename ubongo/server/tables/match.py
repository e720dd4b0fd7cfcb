"""The match that is played at a table."""

from __future__ import annotations

from ubongo.chance import Chance
from ubongo.game import Game
from ubongo.server.clock import Timestamp
from ubongo.table import Table


class Match:
    """The fixed facts of a match. `number` identifies it in the log."""

    __slots__ = ("chance", "game", "number", "opening", "started")

    def __init__(self, number: int, game: Game, opening: Table, seed: str, started: Timestamp) -> None:
        self.number = number
        self.game = game
        self.opening = opening
        self.chance = Chance(seed)
        self.started = started
