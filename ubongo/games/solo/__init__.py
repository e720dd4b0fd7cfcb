"""Solo (Q22 to Q24a, S): one seat, task after task of any of the four games.

Against the clock or the count, the puzzle of the day, or practice. There is no hourglass and there are no gems; points
are 1 for a task solved, 0 for one set aside.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from ubongo.chance import Chance
from ubongo.game import Events, Game, deadline
from ubongo.games import board, cards, cubes, dice, extreme
from ubongo.games.editions import chosen
from ubongo.games.solo import laying, rounds
from ubongo.games.solo.booklet import solution as printed_solution
from ubongo.games.solo.options import SoloOptions, fitting, options_of
from ubongo.games.solo.run import STANDING, solved
from ubongo.games.solo.tasks import EDITIONS, ONLY_SEAT, harder, wanted
from ubongo.moves import Move
from ubongo.pieces import Piece, Placement
from ubongo.table import Instant, Options, Places, Seat, SeatNo, Table, Task
from ubongo.tiling import Verdict

NAME = "solo"
SEATS = range(1, 2)
OPTIONS = SoloOptions
_GAMES: Mapping[str, Game] = {game.NAME: game for game in (cards, cubes, dice, extreme)}


def pieces(options: Options) -> Mapping[str, Piece]:
    assert isinstance(options, SoloOptions)
    return _GAMES[options.of].pieces(options)


def opening(names: Sequence[str], options: Options) -> Table:
    assert isinstance(options, SoloOptions)
    options = fitting(options)
    edition = chosen(EDITIONS[options.of], options.edition).id
    options = replace(options, edition=edition)
    if options.mode == "practice":
        wanted(options)
    elif options.mode == "day":
        options = replace(options, side=4 if harder(options.day) else 3)
    limit = deadline(Instant(0), options.ready_s)
    seats = tuple(map(Seat, names))
    if options.of == "dice":
        return Table(NAME, options, seats, phase="throw", area=1, roller=ONLY_SEAT, limit=limit, until=limit)
    return Table(NAME, options, seats, phase="ready", limit=limit, until=limit)


def answer(table: Table, _: SeatNo, move: Move, now: Instant, chance: Chance) -> Events:
    if options_of(table).of == "dice":
        return rounds.answer(table, move, now, chance)
    return laying.answer(table, move, now, chance)


def follow(table: Table, now: Instant, chance: Chance) -> Events:
    if options_of(table).of == "dice":
        return rounds.follow(table, now, chance)
    return laying.follow(table, now, chance)


def standing(_: Table) -> Places:
    return STANDING


def totals(table: Table) -> tuple[int, ...]:
    return (solved(table),)


def verdict(known: Mapping[str, Piece], task: Task, laid: Sequence[Placement]) -> Verdict:
    return cards.verdict(known, task, laid) if task.region is None else board.verdict(known, task, laid)


solution = printed_solution
