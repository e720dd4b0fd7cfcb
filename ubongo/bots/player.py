"""A bot as a function: what its seat sees, its level and luck of its own give the next move and when.

It has no state except caches. The same question at the same instant gets the same answer in any process. So two
processes that play the same seat make the same moves, and the second of each is refused or changes nothing.
"""

from __future__ import annotations

from ubongo.bots import boards, cards, dice, pace, rests
from ubongo.bots.pace import Level
from ubongo.bots.plan import Intent, MovePlan, next_for_another, next_in, stands_in
from ubongo.game import SECOND
from ubongo.games import GAMES
from ubongo.games.gem_race import leaders
from ubongo.moves import Call, Ready, Stop, Throw
from ubongo.pieces import Piece
from ubongo.table import Instant, Seat, SeatNo, Table, Task

# The games that bots can play.
PLAYED = ("cards", "dice", "extreme", "cubes")
# Those of them whose bots count with compiled code.
COMPILED = ("dice",)


def prepare(game: str) -> None:
    """Loads in advance what the first move of a bot of this game needs; Numba takes a while."""
    if game in COMPILED:
        rests.leaves(1)
        rests.rounds(1)


def next_move(table: Table, seat: SeatNo, level: Level, luck: str, now: Instant) -> Intent | None:
    """The next move of a seat and when it is to be made, as things stand; None: nothing, until something changes.

    `table` is what the seat sees (`veil`), `luck` a seed of the bot's own. Ask again whenever the table has changed.
    """
    me = table.seats[seat]
    if me.gone:
        return None
    match table.phase:
        case "throw" if table.roller == seat:
            return now, Throw()
        case "ready" if not me.ready and (not table.playoff or seat in leaders(table)):
            return now, Ready()
        case "play" if me.task is not None and all(other.called is None for other in _stopping(table, me)):
            return _play(table, seat, level, luck, now)
        case "grab" | "enter":
            return dice.next_move(table, seat, level, luck, now)
    return None


def _stopping(table: Table, me: Seat) -> tuple[Seat, ...]:
    """The seats whose call ends the round for this one: in the card game everybody's (K12)."""
    return table.seats if table.game == "cards" else (me,)


def _play(table: Table, seat: SeatNo, level: Level, luck: str, now: Instant) -> Intent | None:
    me = table.seats[seat]
    since = begun(table, me)
    plan = _plan(table, seat, level, luck)
    if stands_in(me) and me.task is not None and me.task.region is None:
        plan = cards.for_another(plan, _hand(table, me.task), me.laid)
    intent = next_for_another(plan, me, since, now) if stands_in(me) else next_in(plan, me, since, now)
    if intent is not None and _already(table, me, intent):
        intent = None
    if table.playoff and not me.stop and not stands_in(me):
        gives_up = Instant(max(now, since + pace.GIVES_UP))
        if intent is None or gives_up < intent[0]:
            return gives_up, Stop()
    return intent


def begun(table: Table, me: Seat) -> Instant:
    """When the bot began with its task: with the round, or when it took over for someone away (T7)."""
    assert table.started is not None
    started = table.started + table.stood
    return Instant(max(started, taken_over(table, me)) if stands_in(me) else started)


def taken_over(table: Table, me: Seat) -> Instant:
    assert me.away is not None
    return Instant(me.away + table.options.takeover_s * SECOND)


def _plan(table: Table, seat: SeatNo, level: Level, luck: str) -> MovePlan:
    task = table.seats[seat].task
    assert task is not None
    pieces = _hand(table, task)
    label = (table.round, seat, task.board, task.number)
    if task.region is None:
        return cards.plan(pieces, level, luck, label, getattr(table.options, "checking", "") == "live")
    return boards.plan(table.game, pieces, task.region, level, luck, label)


def _hand(table: Table, task: Task) -> tuple[Piece, ...]:
    known = GAMES[table.game].pieces(table.options)
    return tuple([known[str(name)] for name in task.pieces])


def _already(table: Table, me: Seat, intent: Intent) -> bool:
    """Whether the move is not needed: the last piece was the call (T10), or the seat has agreed to stop."""
    match intent[1]:
        case Call():
            return table.game != "cards" and getattr(table.options, "auto_call", False)
        case Stop():
            return me.stop or stands_in(me)
    return False
