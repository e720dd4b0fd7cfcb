"""What can be played here: games with their options as forms, levels, editions and pieces."""

from __future__ import annotations

import gzip
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from types import ModuleType
from typing import Any

import msgspec
from msgspec import Struct

from ubongo import material
from ubongo.game import BadOptions
from ubongo.games import GAMES, editions
from ubongo.games.solo.tasks import choices, numbers
from ubongo.material import Edition, cards, cubes, dice, extreme
from ubongo.server.errors import Denied

_LINES: Mapping[str, ModuleType] = {"cards": cards, "dice": dice, "extreme": extreme, "cubes": cubes}
_KINDS: Mapping[str, type[Edition]] = {
    "cards": cards.CardsEdition,
    "dice": dice.DiceEdition,
    "extreme": extreme.ExtremeEdition,
    "cubes": cubes.CubesEdition,
}
# Editions that were brought along, by game; the shipped ones need no list.
_BROUGHT: dict[str, list[str]] = {}


class GameEntry(Struct, frozen=True):
    game: str
    seats: Sequence[int]
    options: dict[str, Any]
    levels: Sequence[str]
    # The name of the bot at each level.
    bots: Mapping[str, str]
    # About how many seconds the bot at each level needs for a board; empty where there is no such figure.
    board_s: Mapping[str, int]
    editions: Sequence[str]
    # Which grades the tasks of the shipped edition have, the easiest first.
    grades: Sequence[int]


class TaskEntry(Struct, frozen=True):
    """`board` and `number` are what practice is told; cards have a round as board and no number."""

    board: str
    number: str
    side: int | None
    grade: int
    difficulty: float


def bring_all(folder: Path) -> None:
    """Every edition in a folder can be chosen; one that is not to be trusted is refused, with its name."""
    if not folder.is_dir():
        raise material.BadEdition(f"{folder} is no folder with editions")
    for path in sorted(folder.glob("*.json")):
        try:
            edition = material.read(path)
        except material.BadEdition as problem:
            raise material.BadEdition(f"{path} is refused: {problem}") from None
        own = _BROUGHT.setdefault(material.game_of(edition), [])
        name = editions.bring(edition)
        if name not in own:
            own.append(name)


def catalogue(bots: Mapping[str, str], board_s: Callable[[str], Mapping[str, int]]) -> list[GameEntry]:
    return [
        GameEntry(
            game=name,
            seats=tuple(game.SEATS),
            options=options_form(name),
            levels=tuple(bots),
            bots=bots,
            board_s=board_s(name),
            editions=tuple(editions_of(name)),
            grades=grades_of(name),
        )
        for name, game in GAMES.items()
    ]


def editions_of(game: str) -> Iterable[str]:
    if game in material.GAMES:
        yield material.shipped(game).id
        yield from _BROUGHT.get(game, [])


@lru_cache(16)
def grades_of(game: str) -> tuple[int, ...]:
    if game not in material.GAMES:
        return ()
    return tuple(sorted({one.grade for one in choices(game, material.shipped(game).id)}))


@lru_cache(16)
def options_form(game: str) -> dict[str, Any]:
    """The lobby's form: one object, with nothing to look up elsewhere."""
    kind = GAMES[game].OPTIONS
    [_], found = msgspec.json.schema_components([kind])
    form: dict[str, Any] = found[kind.__name__]
    return form


@lru_cache(16)
def pieces_of(game: str, edition: str) -> bytes:
    """A list of what `ubongo pieces` prints."""
    chosen = _chosen(game, edition)
    return msgspec.json.encode(list(_LINES[game].piece_lines(chosen)))


@lru_cache(16)
def packed_pieces_of(game: str, edition: str) -> bytes:
    """The same by gzip: it repeats itself so much that a tenth of it is left, or less."""
    return gzip.compress(pieces_of(game, edition), mtime=0)


@lru_cache(64)
def sheet_of(game: str, edition: str, sheet: int) -> bytes:
    """A list of what `ubongo dump dice` prints of that sheet: its areas. No other game has sheets."""
    lines = dice.dump_lines(_chosen(game, edition)) if game == "dice" else ()
    areas = [line for line in lines if line["sheet"] == sheet]
    if not areas:
        raise Denied("not_found")
    return msgspec.json.encode(areas)


def _chosen(game: str, edition: str) -> Any:
    if game not in _KINDS:
        raise Denied("not_found")
    try:
        return editions.chosen(_KINDS[game], edition)
    except BadOptions as problem:
        raise Denied("bad_options", why=problem) from None


@lru_cache(16)
def tasks_of(game: str, edition: str) -> tuple[TaskEntry, ...]:
    """What the booklet has, in its order."""
    if game not in _KINDS:
        raise Denied("not_found")
    try:
        found = choices(game, edition)
    except BadOptions as problem:
        raise Denied("bad_options", why=problem) from None
    return tuple(
        TaskEntry(str(one.board), next(iter(numbers(game, one)), ""), one.side or None, one.grade, one.difficulty)
        for one in found
    )
