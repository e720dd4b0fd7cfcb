"""The bot for the dice game: looks at the throw, grabs, and enters both shapes, one or neither, whichever is best."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

from msgspec import Struct

from ubongo.bots import pace
from ubongo.bots.luck import BotLuck
from ubongo.bots.pace import DICING, Level
from ubongo.bots.plan import Intent, MovePlan, next_in, plan_of, stands_in
from ubongo.bots.rests import ShapeFit, bits, looks, plain_rest, rounds, thought_through, ways
from ubongo.chance import Label
from ubongo.game import SECOND
from ubongo.games.dice import DICE_EACH
from ubongo.lattice import Shape, plus
from ubongo.material.shapes import BLACK, DICE_PIECES
from ubongo.moves import Grab, Move, Pass, Place, Stop
from ubongo.pieces import Placement
from ubongo.table import Die, Instant, Millis, Seat, SeatNo, Table, contending


class OpenArea(Struct, frozen=True):
    """The area before a seat: what is free of it, and what was entered in earlier rounds."""

    region: Shape
    left: int
    ink: tuple[Placement, ...]


def sheet_of(me: Seat, entered: int) -> OpenArea:
    """`entered`: how many of the pieces are of earlier rounds."""
    assert me.task is not None
    assert me.task.region is not None
    ink = tuple([where for where in me.laid if where.piece < entered])
    left = bits(me.task.region)
    for where in ink:
        shape = DICE_PIECES[str(me.task.pieces[where.piece])].shapes[where.turn]
        left &= ~bits(tuple([plus(cell, where.at) for cell in shape]))
    return OpenArea(me.task.region, left, ink)


def next_move(table: Table, seat: SeatNo, level: Level, seed: str, now: Instant) -> Intent | None:
    """The next move in `grab` and `enter`, the phases that only dice have."""
    me = table.seats[seat]
    if seat not in contending(table) or me.task is None:
        return None
    weary = len(me.task.pieces) > DICE_EACH * pace.WEARY_OF_AREA and not stands_in(me)
    if weary and not me.stop and any(other.stop for other in table.seats):
        return now, Stop()
    label = (table.round, seat)
    if table.phase == "grab":
        return grabs(table, seat, level, BotLuck(seed, "grab", *label), now)
    return None if me.passed else enters(table, me, level, seed, label, now)


def grabs(table: Table, seat: SeatNo, level: Level, luck: BotLuck, now: Instant) -> Intent | None:
    me = table.seats[seat]
    mine = {die.colour: number for number, die in enumerate(table.dice) if die.taken == seat}
    if len(mine) == DICE_EACH:
        return None
    assert me.task is not None
    sheet = sheet_of(me, len(me.task.pieces) - len(mine))
    minds = luck.happens(pace.MINDS_THE_REST[level])
    form = pace.spread_of(luck.normal(), pace.ONE_PERSONS_GRABS)
    first, second = best_pair(sheet, table.dice, seat, level, minds)
    at = round(pace.head_time(level, DICING.eye) * form)
    if any(die.taken not in (None, seat) for die in table.dice):
        wanted = best_pair(sheet, [Die(die.colour, die.face) for die in table.dice], seat, level, minds)
        at += pace.hand_time(level, DICING.again) * sum(table.dice[die].taken not in (None, seat) for die in wanted)
    if mine:
        at += pace.hand_time(level, DICING.second)
    since = now if table.limit is None else table.limit - getattr(table.options, "grab_s", 0) * SECOND
    return Instant(max(now, since + at)), Grab(second if first in mine.values() else first)


def best_pair(sheet: OpenArea, dice: Sequence[Die], seat: SeatNo, level: Level, minds: bool) -> tuple[int, int]:
    """The black and the white die to have, of those that are free or already this seat's; the rarer one first."""
    pairs = [(black, white) for black in _open(dice, "black", seat) for white in _open(dice, "white", seat)]

    def worth(pair: tuple[int, int]) -> tuple[int, int, int]:
        black, white = str(dice[pair[0]].face), str(dice[pair[1]].face)
        if not minds:
            return -size(black) - size(white), *pair
        rest = plain_rest(sheet.left, black, white)
        return (rounds(rest) if pace.LOOKS_AHEAD[level] else looks(rest)), *pair

    black, white = min(pairs, key=worth)
    free = [str(die.face) for die in dice if die.taken is None]
    rarer = free.count(str(dice[white].face)) < free.count(str(dice[black].face))
    return (white, black) if rarer else (black, white)


def _open(dice: Sequence[Die], colour: str, seat: SeatNo) -> list[int]:
    """The dice of a colour that a seat can have; one that it has taken is its only choice."""
    own = [number for number, die in enumerate(dice) if die.colour == colour and die.taken == seat]
    return own or [number for number, die in enumerate(dice) if die.colour == colour and die.taken is None]


def size(name: str) -> int:
    return len(DICE_PIECES[name].shapes[0])


def enters(table: Table, me: Seat, level: Level, seed: str, label: tuple[Label, ...], now: Instant) -> Intent | None:
    assert me.task is not None
    names = tuple(map(str, me.task.pieces))
    sheet = sheet_of(me, len(names) - DICE_EACH)
    limit = getattr(table.options, "enter_s", 0) * SECOND or None
    planned = plan(sheet, names[-DICE_EACH:], len(names) - DICE_EACH, level, seed, label, limit)
    if table.limit is not None and limit is not None:
        return next_in(planned, me, Instant(table.limit - limit), now)
    # The table does not say when the phase began; what has been entered says how far the bot is.
    done = planned.layouts.index(me.laid) if me.laid in planned.layouts else 0
    return next_in(planned, me, Instant(now - (planned.times[done - 1] if done else 0)), now)


@lru_cache(4096)
def plan(
    sheet: OpenArea,
    names: tuple[str, ...],
    first: int,
    level: Level,
    seed: str,
    label: tuple[Label, ...],
    limit: Millis | None,
) -> MovePlan:
    luck = BotLuck(seed, "enter", *label)
    places = entered(sheet, names, first, level, luck)
    think = round(pace.head_time(level, DICING.think) * pace.spread_of(luck.normal(), pace.ONE_PERSONS_GRABS))
    enter, done = pace.hand_time(level, DICING.enter), pace.hand_time(level, DICING.done)
    shorter = pace.hurried(Millis(think + enter * len(places) + done), limit)
    timed: list[tuple[Millis, Move]] = [
        (Millis(round(shorter * (think + enter * step))), place) for step, place in enumerate(places)
    ]
    return plan_of(timed, Pass(), Millis(round(shorter * (done if timed else think))), sheet.ink)


def entered(sheet: OpenArea, names: tuple[str, ...], first: int, level: Level, luck: BotLuck) -> list[Place]:
    """The shapes that are entered; `first` is the number of the first of the two."""
    black_first = names[0] in BLACK
    black, white = names if black_first else names[::-1]
    numbers = (first, first + 1) if black_first else (first + 1, first)
    blacks, whites = ways(sheet.region, black), ways(sheet.region, white)
    if not luck.happens(pace.MINDS_THE_REST[level]):
        return list(_covering(sheet.left, zip(numbers, (blacks, whites), strict=True), luck))
    if pace.LOOKS_AHEAD[level]:
        rest = thought_through(sheet.left, sheet.region, black, white)
    else:
        rest = plain_rest(sheet.left, black, white)
    return _leaving(sheet.left, rest, numbers, blacks, whites)


def _covering(left: int, shapes: Iterable[tuple[int, Sequence[ShapeFit]]], luck: BotLuck) -> Iterator[Place]:
    """One after the other, anywhere."""
    for piece, those in shapes:
        fitting = [way for way in those if not way.bits & ~left]
        if fitting:
            way = luck.pick(fitting)
            left &= ~way.bits
            yield Place(piece, way.turn, way.at)


def _leaving(
    left: int, rest: int, numbers: tuple[int, int], blacks: Sequence[ShapeFit], whites: Sequence[ShapeFit]
) -> list[Place]:
    """How to enter the shapes so that this is left."""
    nothing = ShapeFit(0, 0, ())
    for black in (nothing, *blacks):
        for white in (nothing, *whites):
            if black.bits | white.bits == left & ~rest and not black.bits & white.bits:
                both = zip(numbers, (black, white), strict=True)
                return [Place(piece, way.turn, way.at) for piece, way in both if way.bits]
    raise AssertionError("nothing that can be entered leaves this")
