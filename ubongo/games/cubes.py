"""Ubongo 3-D (Q): fill your area two levels high with polycubes; a die says which task."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Annotated, Literal

from msgspec import Meta
from msgspec.structs import replace

from ubongo.chance import Chance
from ubongo.game import BadOptions, Events, face_dealt
from ubongo.games import board, gem_race
from ubongo.games.editions import chosen
from ubongo.games.gem_race import ROUNDS, Race, RaceOptions
from ubongo.material.cubes import (
    ANIMALS,
    BOARDS_OF_AN_ANIMAL,
    NUMBERS,
    CubesEdition,
    board_name,
    name_of,
    task_name,
    task_of,
)
from ubongo.material.cubes import pieces as pieces_of
from ubongo.moves import Move
from ubongo.pieces import Piece, Placement
from ubongo.table import Face, Gem, Instant, Options, SeatNo, Table, Task

NAME = "cubes"
SEATS = range(2, 5)
GEMS: Mapping[Gem, int] = {"ruby": 10, "sapphire": 19, "emerald": 10, "amber": 19}
DIE = range(1, 11)
FIRST_GAME = 3  # Q21: task 3|4


class CubesOptions(RaceOptions, frozen=True, kw_only=True, gc=False):
    hourglass_s: Annotated[int, Meta(ge=1, le=3600)] = 90
    scoring: Literal["gems", "ladder"] = "gems"
    die: Literal["on", "off"] = "on"


OPTIONS = CubesOptions


def pieces(_: Options) -> Mapping[str, Piece]:
    return pieces_of()


def _options(table: Table) -> CubesOptions:
    assert isinstance(table.options, CubesOptions)
    return table.options


def opening(names: Sequence[str], options: Options) -> Table:
    assert isinstance(options, CubesOptions)
    # Q21: with the harder side the option is refused.
    if options.die == "off" and options.side == 4:
        raise BadOptions("die is 'off' with side 4; playing without the die goes with side 3 only", code="die_needed")
    options = replace(options, edition=chosen(CubesEdition, options.edition).id)
    return gem_race.opening(
        NAME, names, options, GEMS, ladder=options.scoring == "ladder", throwing=options.die == "on"
    )


@lru_cache(256)
def animals(chance: Chance) -> tuple[int, ...]:
    """Q6: the order in which the animals lie in the stack."""
    return chance.shuffled(range(len(ANIMALS)), "animals")


@lru_cache(4096)
def boards(chance: Chance, animal: int) -> tuple[int, ...]:
    """Q6: an animal's boards; as many as there are players go into the stack, the others into the box."""
    first = animal * BOARDS_OF_AN_ANIMAL
    return chance.shuffled(range(first, first + BOARDS_OF_AN_ANIMAL), "boards", animal)


@lru_cache(8192)
def task(edition: str, number: int, side: int, thrown: int, face: Face) -> Task:
    """The task that a number of the die means on a board, on both its levels."""
    area, found = task_of(chosen(CubesEdition, edition).boards[number], side, thrown)
    name = next(task_name(numbers) for numbers in NUMBERS[side] if thrown in numbers)
    names = tuple(name_of(kind) for kind in found.kinds)
    return Task(names, area.region, board=board_name(number + 1, side), number=name, face=face)


def booklet(edition: str, side: int, task: Task) -> tuple[Placement, ...]:
    """Q25: the booklet's solution of a task, by the name of the board and the number of the die."""
    printed = chosen(CubesEdition, edition).boards[int(task.board[1:]) - 1]
    thrown, _, _ = task.number.partition("|")
    return board.filling(task_of(printed, side, int(thrown))[1].solution)


def solution(options: Options, task: Task) -> tuple[Placement, ...]:
    assert isinstance(options, CubesOptions)
    return booklet(options.edition, options.side, task)


def number_thrown(table: Table, round_: int, chance: Chance) -> int:
    """The number thrown in one of the nine rounds: a function of the round, so it can be recomputed at any time."""
    return FIRST_GAME if _options(table).die == "off" else chance.pick(DIE, "die", round_)


def playoff_animal(chance: Chance) -> int:
    return chance.pick(animals(chance), "playoff")


def throws(table: Table, chance: Chance) -> Sequence[int]:
    """Q8; Q18: in the play-off throws are repeated while they give the task that its animal was played with."""
    if not table.playoff:
        return (number_thrown(table, table.round, chance),)
    played = number_thrown(table, animals(chance).index(playoff_animal(chance)) + 1, chance)
    same = next(numbers for numbers in NUMBERS[_options(table).side] if played in numbers)
    thrown: list[int] = []
    while not thrown or thrown[-1] in same:
        thrown.append(chance.pick(DIE, "die", table.round, len(thrown)))
    return thrown


def taken(table: Table, seats: Sequence[SeatNo], chance: Chance) -> Sequence[int]:
    """The boards of these seats: all of one animal."""
    if not table.playoff:
        mine = boards(chance, animals(chance)[table.round - 1])
        return [mine[seat] for seat in seats]
    animal = playoff_animal(chance)
    box = boards(chance, animal)[len(table.seats) :]
    if len(box) < len(seats):
        box = chance.shuffled(boards(chance, animal), "playoff boards")
    return box[: len(seats)]


def deal(table: Table, seats: Sequence[SeatNo], chance: Chance) -> list[tuple[SeatNo, Task]]:
    """Q8: everyone takes a board of the same animal, and plays the task of the number thrown."""
    options = _options(table)
    number = throws(table, chance)[-1]
    face = face_dealt(options)
    numbers = taken(table, seats, chance)
    return [
        (seat, task(options.edition, one, options.side, number, face)) for seat, one in zip(seats, numbers, strict=True)
    ]


def throwing(table: Table, playoff: bool) -> bool:
    return playoff or _options(table).die == "on"


RACE = Race(
    cells=board.cells_of(pieces_of),
    deal=deal,
    second_chance="all",
    throws=throws,
    ladder=lambda table: _options(table).scoring == "ladder",
    throwing=throwing,
)
assert len(ANIMALS) == ROUNDS, "an animal a round"


def answer(table: Table, seat: SeatNo, move: Move, now: Instant, chance: Chance) -> Events:
    return gem_race.answer(RACE, table, seat, move, now, chance)


def follow(table: Table, now: Instant, chance: Chance) -> Events:
    return gem_race.follow(RACE, table, now, chance)


verdict = board.verdict
standing = gem_race.standing
totals = gem_race.totals
