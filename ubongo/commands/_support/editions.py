"""Editions as arguments of commands: by game or by file."""

from __future__ import annotations

from pathlib import Path

from ubongo.commands import Complaint
from ubongo.material import GAMES, BadEdition, Edition, game_of, read, shipped


def known(game: str) -> None:
    if game not in GAMES:
        raise Complaint(f"there is no game {game!r}; there are {', '.join(GAMES)}")


def edition_of(game: str, file: Path | None) -> Edition:
    """The edition in the file, which must be of that game, or the one that comes with the program."""
    known(game)
    if file is None:
        return shipped(game)
    edition = edition_in(file)
    if game_of(edition) != game:
        raise Complaint(f"{file} is an edition of {game_of(edition)}, not of {game}")
    return edition


def edition_in(file: Path) -> Edition:
    try:
        return read(file)
    except BadEdition as problem:
        raise Complaint(f"{file} is refused: {problem}") from None
