"""The games: each module is one, by the names it exports (see `ubongo.game.Game`)."""

from __future__ import annotations

from ubongo.game import Game
from ubongo.games import cards, cubes, dice, extreme, solo

GAMES: dict[str, Game] = {game.NAME: game for game in (cards, dice, extreme, cubes, solo)}
