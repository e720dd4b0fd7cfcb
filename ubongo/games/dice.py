"""Ubongo, the dice game (W): throw, grab a black and a white die, and enter their shapes into your area."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Literal

from msgspec.structs import replace

from ubongo.chance import Chance
from ubongo.events import (
    AnyEvent,
    Called,
    Dealt,
    Grabbed,
    Lifted,
    MatchClosed,
    Opened,
    Passed,
    Placed,
    RoundClosed,
    RoundOpened,
    Scored,
    Stopped,
    TakenBack,
    Thrown,
)
from ubongo.game import (
    BadOptions,
    Events,
    agreed,
    count_in,
    deadline,
    limit_reached,
    refuse_unless_thrower,
    standing_by,
    throws_by_itself,
    unpassed,
)
from ubongo.games import board
from ubongo.games.editions import chosen
from ubongo.material.dice import DiceEdition
from ubongo.material.shapes import BLACK, DICE_PIECES, WHITE
from ubongo.moves import Claim, Grab, Lift, Move, Pass, Place, Refused, Stop, TakeBack, Throw, name_of
from ubongo.pieces import Piece
from ubongo.table import (
    Instant,
    Options,
    Places,
    Seat,
    SeatNo,
    Seconds,
    Table,
    Task,
    contending,
    next_seat,
    numbered,
    staying,
)

NAME = "dice"
SEATS = range(2, 5)
CELLS = board.cells_of(lambda: DICE_PIECES)
DICE_EACH = 2  # dice that each player grabs


class DiceOptions(Options, frozen=True, kw_only=True, gc=False):
    grab_s: Seconds = 20
    enter_s: Seconds = 90
    places: Literal["competition", "dense"] = "competition"
    areas: Literal[6, 5] = 6


OPTIONS = DiceOptions


def _options(table: Table) -> DiceOptions:
    assert isinstance(table.options, DiceOptions)
    return table.options


def pieces(_: Options) -> Mapping[str, Piece]:
    return DICE_PIECES


def opening(names: Sequence[str], options: Options) -> Table:
    assert isinstance(options, DiceOptions)
    # W18: five areas are for two players.
    if options.areas == 5 and len(names) != 2:
        raise BadOptions(f"areas is 5; with {len(names)} seats it is 6, five are for two", code="five_areas")
    options = replace(options, edition=chosen(DiceEdition, options.edition).id)
    limit = deadline(Instant(0), options.ready_s)
    seats = tuple(map(Seat, names))
    return Table(
        NAME, options, seats, phase="throw", area=1, roller=SeatNo(options.first_seat), limit=limit, until=limit
    )


@lru_cache(1024)
def sheet(edition: str, chance: Chance) -> int:
    """W2: all players of a table have the same sheet."""
    return chance.pick(range(len(chosen(DiceEdition, edition).sheets)), "sheet")


def deal(table: Table, chance: Chance) -> list[AnyEvent]:
    """W3, W16: everyone is on the same area. A sheet lies open; there is nothing to hide."""
    assert table.area is not None
    number = sheet(table.options.edition, chance)
    area = chosen(DiceEdition, table.options.edition).sheets[number].areas[table.area - 1]
    task = Task((), area.region, board=str(number + 1), number=str(table.area))
    return [Dealt(seat, task) for seat in staying(table)]


def answer(table: Table, seat: SeatNo, move: Move, now: Instant, chance: Chance) -> Events:  # noqa: PLR0911 - a case each
    match move:
        case Place(piece, turn, at):
            board.lay(CELLS, entering(table, seat, move, piece), move)
            return (Placed(seat, piece, turn, at),)
        case Lift(piece):
            board.refuse_unless_laid(entering(table, seat, move, piece), piece)
            return (Lifted(seat, piece),)
        case Grab(die):
            return grab(table, seat, die)
        case Pass():
            entering(table, seat, move)
            return (Passed(seat),)
        case Claim(None):
            # C7: the area is full, and there is nothing more to enter.
            entering(table, seat, move)
            return (Called(seat, now), Passed(seat))
        case TakeBack():
            if table.phase != "enter" or not in_area(table, seat).passed:
                raise Refused("not_claimed")
            return (TakenBack(seat),)
        case Throw():
            refuse_unless_thrower(table, seat)
            return count_in(table, now) or throw(table, now, chance)
        case Stop():
            if in_area(table, seat).stop:
                raise Refused("already_stopped")
            return (Stopped(seat),)
    raise Refused("not_here", move=name_of(move))


def in_area(table: Table, seat: SeatNo) -> Seat:
    """W13: a player who has filled the area waits."""
    me = table.seats[seat]
    assert table.area is not None
    if len(me.points) >= table.area:
        raise Refused("waiting")
    return me


def entering(table: Table, seat: SeatNo, move: Move, piece: int | None = None) -> Seat:
    """W9: this round's two shapes may be laid, moved and lifted until a player has passed; the rest is ink."""
    if table.phase != "enter":
        raise Refused("not_now", move=name_of(move), phase=table.phase)
    me = in_area(table, seat)
    if me.passed:
        raise Refused("has_passed")
    assert me.task is not None
    if piece is not None and piece < len(me.task.pieces) - DICE_EACH:
        # W10: what was not entered in its round is not there any more.
        entered = any(where.piece == piece for where in me.laid)
        raise Refused("ink" if entered else "lapsed")
    return me


def throw(table: Table, now: Instant, chance: Chance) -> Events:
    """W1, W6: one black and one white die a player, all thrown in every round."""
    players = len(table.seats)
    black = [chance.pick(BLACK, "black", table.round, die) for die in range(players)]
    white = [chance.pick(WHITE, "white", table.round, die) for die in range(players)]
    thrown = Thrown((*black, *white))
    if table.options.companion:
        # C7: people grab real dice, and the table does not see which.
        return (thrown, Opened("enter", deadline(now, _options(table).enter_s)))
    return (thrown, Opened("grab", deadline(now, _options(table).grab_s)))


def grab(table: Table, seat: SeatNo, number: int) -> Events:
    """W7: the first player to take a die has it; exactly one black and one white each, and none is put back."""
    if table.phase != "grab":
        raise Refused("not_now", move="grab", phase=table.phase)
    in_area(table, seat)
    die = table.dice[number]
    if any(other.taken == seat and other.colour == die.colour for other in table.dice):
        raise Refused("colour_taken", colour=die.colour)
    if die.taken is not None:
        raise Refused("die_taken", seat=die.taken, name=table.seats[die.taken].name)
    return (Grabbed(seat, number),)


def handed_out(table: Table) -> list[AnyEvent]:
    """W8: a player who was too slow gets the lowest-numbered die of the missing colour."""
    taken = {number: die.taken for number, die in enumerate(table.dice)}
    given: list[AnyEvent] = []
    for seat in contending(table):
        for colour in ("black", "white"):
            dice = [number for number, die in enumerate(table.dice) if die.colour == colour]
            if all(taken[number] != seat for number in dice):
                die = next(number for number in dice if taken[number] is None)
                taken[die] = seat
                given.append(Grabbed(seat, die))
    return given


def follow(table: Table, now: Instant, chance: Chance) -> Events:  # noqa: PLR0911 - a case each
    late = limit_reached(table, now)
    if undealt(table):
        return deal(table, chance)
    if len(contending(table)) < 2 or agreed(table, now):
        return close(table, now, chance, given_up=len(contending(table)) > 1)
    match table.phase:
        case "throw" if throws_by_itself(table, now):
            return count_in(table, now) or throw(table, now, chance)
        case "count" if late:
            return throw(table, now, chance)
        case "grab" if all(sum(die.taken == seat for die in table.dice) == DICE_EACH for seat in contending(table)):
            return (Opened("enter", deadline(now, _options(table).enter_s)),)
        case "grab" if late:
            return handed_out(table)
        case "enter" if late or not unpassed(table):
            return close(table, now, chance)
    return ()


def undealt(table: Table) -> bool:
    """Whether the area has just begun: the seats still have the previous area, or none."""
    tasks = [table.seats[seat].task for seat in staying(table)]
    return any(task is None or task.number != str(table.area) for task in tasks)


def scores(table: Table, given_up: bool) -> dict[SeatNo, int]:
    """The points that seats get now, for their areas as they are."""
    in_it = contending(table)
    if given_up:
        # W17: given up by everyone who is still in it.
        return dict.fromkeys(in_it, 0)
    done = [seat for seat in in_it if filled(table, table.seats[seat])]
    left = [seat for seat in in_it if seat not in done]
    points = dict.fromkeys(done, place_points(table))
    # W14: the last one gets a consolation point; W15: nobody is last when all the rest fill it together.
    return points | ({left[0]: 1} if len(left) == 1 else {})


def filled(table: Table, seat: Seat) -> bool:
    """Whether the area of a seat is full; C7: on paper, as the seat has claimed."""
    return seat.called is not None if table.options.companion else board.full(CELLS, seat)


def place_points(table: Table) -> int:
    """W11, W12: n for the first, and one less for everyone (`dense`: every round) that was earlier."""
    assert table.area is not None
    earlier = [seat.points[table.area - 1] for seat in table.seats if len(seat.points) >= table.area]
    return len(table.seats) - len(earlier if _options(table).places == "competition" else set(earlier))


def close(table: Table, now: Instant, chance: Chance, given_up: bool = False) -> Events:
    """W4, W5: full areas score, the round ends, and the next seat clockwise throws."""
    points = scores(table, given_up)
    over = len(points) == len(contending(table))
    assert table.area is not None
    if over:
        # T11: players who left get 0 for the areas they did not fill.
        points |= {n: 0 for n, seat in numbered(table.seats) if seat.gone and len(seat.points) < table.area}
    closed: list[AnyEvent] = [Scored(seat, points[seat]) for seat in sorted(points)]
    closed.append(RoundClosed(table.round))
    area = table.area + over
    if area > _options(table).areas:
        seats = tuple(
            replace(seat, points=(*seat.points, points[number])) if number in points else seat
            for number, seat in numbered(table.seats)
        )
        final = replace(table, seats=seats)
        return (*closed, MatchClosed(standing(final), totals(final), chance.seed))
    roller = next_seat(table, table.roller, staying(table))
    return (*closed, RoundOpened(table.round + 1, "throw", deadline(now, table.options.ready_s), roller, area))


def solution(_: Options, __: Task) -> None:
    """None: an area is filled with what a player grabs, so there is no printed solution."""


def totals(table: Table) -> tuple[int, ...]:
    return tuple(sum(seat.points) for seat in table.seats)


def standing(table: Table) -> Places:
    """W18: the highest sum wins; equal sums share the place."""
    return standing_by(table, totals(table))


verdict = board.verdict
