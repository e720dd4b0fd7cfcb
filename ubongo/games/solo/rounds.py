"""The dice game in solo play (S2): one may choose from all dice of the box, and rounds are counted.

An area is a task; `area` counts them, as `points` has one entry for each.
"""

from __future__ import annotations

from ubongo.chance import Chance
from ubongo.events import AnyEvent, Lifted, Opened, Passed, Placed, RoundClosed, RoundOpened, Started, Thrown
from ubongo.game import Events, limit_reached, throws_by_itself
from ubongo.games import board, dice
from ubongo.games.solo.options import options_of
from ubongo.games.solo.run import (
    closed,
    count_in_first,
    ends,
    enough,
    refuse_unless_another_comes,
    scored,
    solved,
    time_is_up,
)
from ubongo.games.solo.tasks import ONLY_SEAT, deal, luck
from ubongo.material.shapes import BLACK, WHITE
from ubongo.moves import Grab, Hint, Lift, Move, Pass, Place, Refused, SetAside, Throw, name_of
from ubongo.table import Instant, Table

# W1: as many as lie there with four players.
OF_A_COLOUR = 4


def answer(table: Table, move: Move, now: Instant, chance: Chance) -> Events:
    match move:
        case Place(piece, turn, at):
            board.lay(dice.CELLS, dice.entering(table, ONLY_SEAT, move, piece), move)
            return (Placed(ONLY_SEAT, piece, turn, at),)
        case Lift(piece):
            board.refuse_unless_laid(dice.entering(table, ONLY_SEAT, move, piece), piece)
            return (Lifted(ONLY_SEAT, piece),)
        case Grab(die):
            return dice.grab(table, ONLY_SEAT, die)
        case Pass():
            dice.entering(table, ONLY_SEAT, move)
            return (Passed(ONLY_SEAT),)
        case Throw():
            if table.phase != "throw":
                raise Refused("not_now", move="throw", phase=table.phase)
            return count_in_first(table, now) or throw(table, now, chance)
        case SetAside():
            return set_aside(table, now, chance)
        case Hint():
            raise Refused("no_hint_for_dice" if options_of(table).mode == "practice" else "hints_in_practice")
    raise Refused("not_here", move=name_of(move))


def throw(table: Table, now: Instant, chance: Chance) -> Events:
    """W6: all dice in every round. The time runs from the first throw on."""
    mine = luck(table, chance)
    colours = (("black", BLACK), ("white", WHITE))
    values = [mine.pick(faces, name, table.round, die) for name, faces in colours for die in range(OF_A_COLOUR)]
    limit = ends(table, now)
    thrown = (Thrown(tuple(values)), Opened("grab", limit))
    return thrown if table.began is not None else (Started(now, limit), *thrown)


def set_aside(table: Table, now: Instant, chance: Chance) -> Events:
    """Q24, S2: at any time after the first throw; the rounds it has taken still count."""
    if table.began is None:
        raise Refused("not_started")
    refuse_unless_another_comes(table)
    return next_area(table, 0, now, chance)


def follow(table: Table, now: Instant, chance: Chance) -> Events:  # noqa: PLR0911 - a case each
    me = table.seats[ONLY_SEAT]
    if me.task is None:
        return deal(table, 1, 0, "up", chance)
    if table.began is not None and limit_reached(table, now):
        return time_is_up(table, now, chance)
    match table.phase:
        case "throw" if table.began is None and throws_by_itself(table, now):
            return count_in_first(table, now) or throw(table, now, chance)
        case "count" if limit_reached(table, now):
            return throw(table, now, chance)
        case "grab" if sum(die.taken == ONLY_SEAT for die in table.dice) == dice.DICE_EACH:
            return (Opened("enter", ends(table, now)),)
        case "enter" if me.passed and board.full(dice.CELLS, me):
            return next_area(table, 1, now, chance)
        case "enter" if me.passed:
            return (RoundClosed(table.round), opened(table, now, table.area))
    return ()


def opened(table: Table, now: Instant, area: int | None) -> AnyEvent:
    return RoundOpened(table.round + 1, "throw", ends(table, now), ONLY_SEAT, area)


def next_area(table: Table, points: int, now: Instant, chance: Chance) -> Events:
    if enough(table, points):
        return (*scored(table, points), closed(table, points, now, chance))
    assert table.area is not None
    area = table.area + 1
    return (*scored(table, points), opened(table, now, area), *deal(table, area, solved(table) + points, "up", chance))
