"""Ubongo Extreme (X): fill your area of hexagons with the pieces of your colour, before the sand runs out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache

from msgspec.structs import replace

from ubongo.chance import Chance
from ubongo.game import Events, face_dealt
from ubongo.games import board, gem_race
from ubongo.games.editions import chosen
from ubongo.games.gem_race import Race, RaceOptions
from ubongo.material.extreme import BOARDS, COLOURS, ExtremeEdition, name_of
from ubongo.material.extreme import pieces as pieces_of
from ubongo.moves import Move
from ubongo.pieces import Piece, Placement
from ubongo.table import Face, Gem, Instant, Options, SeatNo, Table, Task

NAME = "extreme"
SEATS = range(2, 5)
OPTIONS = RaceOptions
GEMS: Mapping[Gem, int] = {"ruby": 9, "sapphire": 18, "emerald": 9, "amber": 18}


def pieces(_: Options) -> Mapping[str, Piece]:
    return pieces_of()


def opening(names: Sequence[str], options: Options) -> Table:
    edition = chosen(ExtremeEdition, options.edition)
    return gem_race.opening(NAME, names, replace(options, edition=edition.id), GEMS, ladder=False, throwing=False)


@lru_cache(256)
def stack(chance: Chance) -> tuple[int, ...]:
    """X4: the boards, shuffled; from the top."""
    return chance.shuffled(range(BOARDS), "boards")


@lru_cache(4096)
def task(edition: str, number: int, side: int, colour: int, face: Face) -> Task:
    """One colour's task on a side of a board."""
    area = chosen(ExtremeEdition, edition).boards[number].side(side)
    names = tuple(name_of(COLOURS[colour], piece) for piece in area.tasks[colour].numbers)
    return Task(names, area.region, board=str(number + 1), face=face)


def deal(table: Table, seats: Sequence[SeatNo], chance: Chance) -> list[tuple[SeatNo, Task]]:
    """X6: a chip and the top board for everyone in turn; no two chips alike, and any colour may come."""
    options = table.options
    assert isinstance(options, RaceOptions)
    chips = chance.shuffled(range(len(COLOURS)), "chips", table.round)
    top = (table.round - 1) * len(table.seats)
    face = face_dealt(options)
    boards = stack(chance)
    return [(seat, task(options.edition, boards[top + seat], options.side, chips[seat], face)) for seat in seats]


def booklet(edition: str, side: int, task: Task) -> tuple[Placement, ...]:
    """The booklet's solution of a task."""
    colour, _, _ = str(task.pieces[0]).partition("-")
    area = chosen(ExtremeEdition, edition).boards[int(task.board) - 1].side(side)
    return board.filling(next(one.solution for one, of in zip(area.tasks, COLOURS, strict=True) if of == colour))


def solution(options: Options, task: Task) -> tuple[Placement, ...]:
    assert isinstance(options, RaceOptions)
    return booklet(options.edition, options.side, task)


RACE = Race(cells=board.cells_of(pieces_of), deal=deal, second_chance="one")


def answer(table: Table, seat: SeatNo, move: Move, now: Instant, chance: Chance) -> Events:
    return gem_race.answer(RACE, table, seat, move, now, chance)


def follow(table: Table, now: Instant, chance: Chance) -> Events:
    return gem_race.follow(RACE, table, now, chance)


verdict = board.verdict
standing = gem_race.standing
totals = gem_race.totals
