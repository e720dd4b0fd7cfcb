"""A table's options: read from requests, checked, stored, and turned into the opening of a match."""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec import Raw

from ubongo.game import BadOptions, opened
from ubongo.games import GAMES
from ubongo.match_file import Bot, Opening
from ubongo.material import BadEdition
from ubongo.server.errors import Denied
from ubongo.server.tables.table_setup import TableSetup
from ubongo.table import Options


def read_options(game: str, given: dict[str, Any]) -> Options:
    """Options as a client sends them; raises Denied."""
    kind = GAMES[game].OPTIONS
    try:
        return msgspec.convert(given, kind)
    except msgspec.ValidationError as problem:
        names = ", ".join(kind.__struct_fields__)
        raise Denied("bad_options", why=f"{problem}; {game} has {names}") from None


def complete_options(game: str, seats: int, options: Options) -> Options:
    """The options with every default filled in; raises Denied if the game cannot be played with them at so many seats.

    That is checked before the players come, not only at the start.
    """
    try:
        return opened(GAMES[game], [""] * seats, options, "").options
    except BadOptions as problem:
        raise Denied(problem.code, why=problem) from None
    except BadEdition as problem:
        raise Denied("bad_options", why=problem) from None


def encode_options(options: Options) -> Raw:
    return Raw(msgspec.json.encode(options))


def opening_of(plan: TableSetup, seed: str) -> Opening:
    seats = tuple(Bot(chair.name, chair.bot) if chair.bot is not None else chair.name for chair in plan.chairs)
    return Opening(plan.game, seats, seed, plan.options)
