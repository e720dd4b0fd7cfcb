"""The games over HTTP: their options as JSON Schema, levels of bots, editions, pieces and tasks."""

from __future__ import annotations

import gzip
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from types import ModuleType
from typing import Any

import msgspec
from litestar import Controller, Response, get
from litestar.datastructures import State
from litestar.enums import MediaType
from litestar.params import FromPath, FromQuery
from msgspec import Struct

from ubongo import material
from ubongo.game import BadOptions
from ubongo.games import GAMES, editions
from ubongo.games.solo.tasks import choices, numbers
from ubongo.material import Edition, cards, cubes, dice, extreme
from ubongo.server.errors import Denied
from ubongo.server.http.guests import AnyRequest, lobby_of

_LINES: Mapping[str, ModuleType] = {"cards": cards, "dice": dice, "extreme": extreme, "cubes": cubes}
_KINDS: Mapping[str, type[Edition]] = {
    "cards": cards.CardsEdition,
    "dice": dice.DiceEdition,
    "extreme": extreme.ExtremeEdition,
    "cubes": cubes.CubesEdition,
}
# Editions from `--editions`, by game; the shipped ones need no list.
_ADDED: dict[str, list[str]] = {}


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
    """`board` and `number` are the options that practise it; for cards the board is a round, without a number."""

    board: str
    number: str
    side: int | None
    grade: int
    difficulty: float


def add_editions(folder: Path) -> None:
    """Makes every edition in a folder available; BadEdition names a file that is not valid."""
    if not folder.is_dir():
        raise material.BadEdition(f"{folder} is no folder with editions")
    for path in sorted(folder.glob("*.json")):
        try:
            edition = material.read(path)
        except material.BadEdition as problem:
            raise material.BadEdition(f"{path} is refused: {problem}") from None
        names = _ADDED.setdefault(material.game_of(edition), [])
        name = editions.bring(edition)
        if name not in names:
            names.append(name)


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
        yield from _ADDED.get(game, [])


@lru_cache(16)
def grades_of(game: str) -> tuple[int, ...]:
    if game not in material.GAMES:
        return ()
    return tuple(sorted({one.grade for one in choices(game, material.shipped(game).id)}))


@lru_cache(16)
def options_form(game: str) -> dict[str, Any]:
    """The JSON Schema of a game's options: one object without references."""
    kind = GAMES[game].OPTIONS
    [_], found = msgspec.json.schema_components([kind])
    form: dict[str, Any] = found[kind.__name__]
    return form


@lru_cache(16)
def pieces_of(game: str, edition: str) -> bytes:
    """The lines that `ubongo pieces` prints, as a JSON list."""
    found = _edition(game, edition)
    return msgspec.json.encode(list(_LINES[game].piece_lines(found)))


@lru_cache(16)
def compressed_pieces_of(game: str, edition: str) -> bytes:
    """The same with gzip, which makes it at least ten times smaller."""
    return gzip.compress(pieces_of(game, edition), mtime=0)


@lru_cache(64)
def sheet_of(game: str, edition: str, sheet: int) -> bytes:
    """The areas of a sheet, as `ubongo dump dice` prints them. No other game has sheets."""
    lines = dice.dump_lines(_edition(game, edition)) if game == "dice" else ()
    areas = [line for line in lines if line["sheet"] == sheet]
    if not areas:
        raise Denied("not_found")
    return msgspec.json.encode(areas)


def _edition(game: str, edition: str) -> Any:
    if game not in _KINDS:
        raise Denied("not_found")
    try:
        return editions.chosen(_KINDS[game], edition)
    except BadOptions as problem:
        raise Denied("bad_options", why=problem) from None


@lru_cache(16)
def tasks_of(game: str, edition: str) -> tuple[TaskEntry, ...]:
    """The tasks of the booklet, in its order."""
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


class GameRoutes(Controller):
    path = "/games"
    tags = ("games",)

    @get(sync_to_thread=False)
    def games(self, state: State) -> Sequence[GameEntry]:
        """Each game's seats, options as a JSON Schema with defaults, levels of bots and their pace, and editions."""
        return catalogue(lobby_of(state).bots, state.board_s)

    @get("/{game:str}/pieces", sync_to_thread=False)
    def pieces(self, request: AnyRequest, game: FromPath[str], edition: FromQuery[str] = "") -> Response[bytes]:
        """Every piece of an edition with all its orientations; of the shipped edition by default."""
        if "gzip" not in request.headers.get("accept-encoding", ""):
            return Response(pieces_of(game, edition), media_type=MediaType.JSON, headers={"vary": "accept-encoding"})
        headers = {"content-encoding": "gzip", "vary": "accept-encoding"}
        return Response(compressed_pieces_of(game, edition), media_type=MediaType.JSON, headers=headers)

    @get("/{game:str}/tasks", sync_to_thread=False)
    def tasks(self, game: FromPath[str], edition: FromQuery[str] = "") -> Sequence[TaskEntry]:
        """Every task that can be practised, and how hard it is."""
        return tasks_of(game, edition)

    @get("/{game:str}/sheets/{sheet:int}", sync_to_thread=False)
    def sheet(self, game: FromPath[str], sheet: FromPath[int], edition: FromQuery[str] = "") -> Response[bytes]:
        """The six areas of a sheet of the dice game. A match deals them one by one, but they are no secret."""
        return Response(sheet_of(game, edition, sheet), media_type=MediaType.JSON)
