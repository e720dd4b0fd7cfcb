"""Extreme, 3-D and cards in solo play: boards or hands, one after the other. A task is a round."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec.structs import replace

from ubongo.chance import Chance
from ubongo.events import AnyEvent, Called, Judged, Lifted, Placed, RoundOpened, Started
from ubongo.game import Events, answer_ready, limit_reached, make_ready, unready
from ubongo.games import board, cards, cubes, extreme
from ubongo.games.board import CellsOf
from ubongo.games.solo.hints import hint
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
from ubongo.games.solo.tasks import ONLY_SEAT, deal
from ubongo.layout import GOAL
from ubongo.moves import Call, Hint, Lift, Move, Place, Ready, Refused, SetAside, name_of
from ubongo.table import Instant, Seat, Table

CELLS: Mapping[str, CellsOf] = {"extreme": extreme.RACE.cells, "cubes": cubes.RACE.cells}


def answer(table: Table, move: Move, now: Instant, chance: Chance) -> Events:
    if isinstance(move, Ready):
        return answer_ready(table, ONLY_SEAT)
    if table.phase != "play":
        raise Refused("not_started")
    me = table.seats[ONLY_SEAT]
    match move:
        case Place():
            return place(table, me, move, now)
        case Lift(piece):
            board.refuse_unless_laid(me, piece)
            return (Lifted(ONLY_SEAT, piece), *unmarked(me))
        case Call():
            return call(table, me)
        case SetAside():
            # Q24: at any time, for a new board.
            refuse_unless_another_comes(table)
            return next_task(table, 0, now, chance)
        case Hint():
            return hint(table, now)
    raise Refused("not_here", move=name_of(move))


def place(table: Table, me: Seat, move: Place, now: Instant) -> Events:
    """T10: laying the piece that completes the filling is the call; alone, so is the seventh card of a right layout."""
    if options_of(table).of == "cards":
        laid = cards.lay(me, move)
        complete = len(laid) == GOAL and not wrong_cards(table, replace(me, laid=laid))
    else:
        complete = board.lay(CELLS[options_of(table).of], me, move)
    placed = (Placed(ONLY_SEAT, move.piece, move.turn, move.at), *unmarked(me))
    return (*placed, Called(ONLY_SEAT, now)) if complete else placed


def unmarked(me: Seat) -> list[AnyEvent]:
    """Any change of the layout removes the marks of wrong pieces."""
    return [Judged(ONLY_SEAT, ())] if me.wrong else []


def call(table: Table, me: Seat) -> Events:
    """The last piece brings the next task, so there is never a right layout to call for.

    S1: a wrong layout of seven cards is judged, which costs nothing but time.
    """
    if options_of(table).of != "cards":
        raise Refused("not_filled")
    if len(me.laid) < GOAL:
        raise Refused("too_few", laid=len(me.laid), goal=GOAL)
    return (Judged(ONLY_SEAT, wrong_cards(table, me)),)


def wrong_cards(table: Table, me: Seat) -> tuple[int, ...]:
    assert me.task is not None
    found = cards.verdict(cards.faces(table.options.edition), me.task, me.laid)
    return tuple(sorted(me.laid[number].piece for number in found.wrong))


def follow(table: Table, now: Instant, chance: Chance) -> Events:  # noqa: PLR0911 - a case each
    me = table.seats[ONLY_SEAT]
    match table.phase:
        case "ready" if me.task is None:
            return deal(table, table.round, 0, "down" if table.options.reveal == "start" else "hand", chance)
        case "ready" if not unready(table):
            return count_in_first(table, now) or start(table, now)
        case "count" if limit_reached(table, now):
            return start(table, now)
        case "ready":
            return make_ready(table, now)
        case "play" if limit_reached(table, now):
            return time_is_up(table, now, chance)
        case "play" if me.called is not None:
            return next_task(table, 1, now, chance)
    return ()


def start(table: Table, now: Instant) -> Events:
    return (Started(now, ends(table, now)),)


def next_task(table: Table, points: int, now: Instant, chance: Chance) -> Events:
    """The next task comes at once, and the time goes on; or it was the last one."""
    if enough(table, points):
        return (*scored(table, points), closed(table, points, now, chance))
    number = table.round + 1
    return (
        *scored(table, points),
        RoundOpened(number, "ready"),
        *deal(table, number, solved(table) + points, "down", chance),
        *start(table, now),
    )
