"""Printed material as data: editions, and what each game takes from them.

An edition's id is its game and a hash of its content. An edition never changes, because logs refer to it by id; so a
file whose content does not match its id is refused.
"""

from __future__ import annotations

from functools import cache
from hashlib import sha256
from pathlib import Path

import msgspec

from ubongo.material.cards import CardsEdition
from ubongo.material.cubes import CubesEdition
from ubongo.material.dice import DiceEdition
from ubongo.material.extreme import ExtremeEdition

Edition = CardsEdition | DiceEdition | ExtremeEdition | CubesEdition
GAMES = ("cards", "dice", "extreme", "cubes")
SHIPPED = Path(__file__).parent / "editions"


_decoder: msgspec.json.Decoder[Edition] = msgspec.json.Decoder(Edition)


class BadEdition(ValueError):
    """An invalid edition; the text describes the first error."""


def game_of(edition: Edition) -> str:
    return str(edition.__struct_config__.tag)


def identify(edition: Edition) -> Edition:
    """The edition under the id that its content gives it.

    >>> identify(CardsEdition(seed=1, stacks=())).id.startswith("cards-")
    True
    """
    content = msgspec.json.encode(msgspec.structs.replace(edition, id=""))
    return msgspec.structs.replace(edition, id=f"{game_of(edition)}-{sha256(content).hexdigest()[:12]}")


def encode(edition: Edition) -> bytes:
    return msgspec.json.encode(edition) + b"\n"


def unproved(data: bytes) -> Edition:
    """The edition in a file, with its form checked but not its content: for proving it."""
    try:
        return _decoder.decode(data)
    except (msgspec.DecodeError, RecursionError) as problem:
        raise BadEdition(f"it is no edition: {problem}") from None


def decode(data: bytes) -> Edition:
    """The edition in a file, if it is valid and unchanged."""
    edition = unproved(data)
    if identify(edition).id != edition.id:
        raise BadEdition(f"its content does not belong to its id, {edition.id!r}: it has been changed")
    return edition


def read(path: Path) -> Edition:
    try:
        return decode(path.read_bytes())
    except OSError as problem:
        raise BadEdition(f"it cannot be read: {problem.strerror}") from None


@cache
def shipped(game: str) -> Edition:
    """The edition of a game that comes with the program and is the default."""
    [path] = SHIPPED.glob(f"{game}-*.json")
    return read(path)
