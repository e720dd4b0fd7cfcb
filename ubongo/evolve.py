"""The effects of events on the table. Replaying a match is folding `evolve` over its events.

It refuses nothing: an event is checked before it is made.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import reduce
from typing import Any

from msgspec.structs import replace

from ubongo.events import (
    Away,
    Back,
    Called,
    ClockWrong,
    Counted,
    Dealt,
    Due,
    Event,
    FastForwardAsked,
    GemMoved,
    GlassTurned,
    Grabbed,
    Hinted,
    Judged,
    Left,
    Lifted,
    Limited,
    MatchClosed,
    Opened,
    Passed,
    Placed,
    Readied,
    Resumed,
    RoundClosed,
    RoundOpened,
    Scored,
    Started,
    Stopped,
    TakenBack,
    Thrown,
    TimeSkipped,
)
from ubongo.pieces import Placement
from ubongo.table import GEMS, Die, Gem, Glass, RoundResult, Seat, Spot, Table, with_seat


def evolve(table: Table, event: Event) -> Table:
    """The table after the event."""
    return EFFECTS[type(event)](table, event)


def replay(table: Table, events: Iterable[Event]) -> Table:
    return reduce(evolve, events, table)


def _placed(table: Table, event: Placed) -> Table:
    me = table.seats[event.seat]
    piece = event.piece
    kept = [where for where in me.laid if where.piece != piece]
    kept.append(Placement(piece, event.turn, event.at))
    return with_seat(table, event.seat, replace(me, laid=tuple(kept)))


def _lifted(table: Table, event: Lifted) -> Table:
    me = table.seats[event.seat]
    kept = tuple([where for where in me.laid if where.piece != event.piece])
    return with_seat(table, event.seat, replace(me, laid=kept))


def _dealt(table: Table, event: Dealt) -> Table:
    me = table.seats[event.seat]
    if table.area is not None and me.task is not None:
        # The area before it stays on the sheet.
        me = replace(me, sheet=(*me.sheet, _had(me, len(me.sheet) + 1)))
    return with_seat(
        table, event.seat, replace(me, task=event.task, laid=(), called=None, wrong=(), told=(), fast_forward=None)
    )


def _thrown(table: Table, event: Thrown) -> Table:
    black = (len(event.values) + 1) // 2
    dice = tuple([Die("black" if i < black else "white", face) for i, face in enumerate(event.values)])
    return replace(table, dice=dice)


def _opened(table: Table, event: Opened) -> Table:
    # A throw starts a round of dice: there is no `ready`, and with paper no `grab` either (C7).
    last = None if event.phase in ("grab", "enter") else table.last
    return replace(table, phase=event.phase, limit=event.limit, until=event.limit, last=last)


def _started(table: Table, event: Started) -> Table:
    began = event.at if table.began is None else table.began
    return replace(
        table,
        phase="play",
        seats=tuple([_shown(seat) for seat in table.seats]),
        limit=event.limit,
        until=event.limit,
        last=None,
        began=began,
        started=event.at,
        stood=0,
    )


def _shown(seat: Seat) -> Seat:
    """A board lies open to all from the start on, a hand is its owner's alone (T12)."""
    if seat.task is None:
        return seat
    hand = seat.task.region is None and seat.task.pieces
    return replace(seat, task=replace(seat.task, face="hand" if hand else "up"))


def _glass_turned(table: Table, event: GlassTurned) -> Table:
    seats = table.seats
    if any([seat.passed for seat in seats]):  # noqa: C419 - quicker than a generator
        # C5: what players said about the previous sand does not hold for this one.
        seats = tuple([replace(seat, passed=False) for seat in seats])
    return replace(table, seats=seats, glass=Glass(event.turned, event.ends), limit=event.ends, until=event.ends)


def _gem_moved(table: Table, event: GemMoved) -> Table:
    gems = _gems(table, event.source)
    at = gems.index(event.gem)
    table = _put(table, event.source, gems[:at] + gems[at + 1 :])
    if isinstance(event.source, int):
        # C3: only what was won in this round is ever given back.
        me = table.seats[event.source]
        at = me.won.index(event.gem)
        table = with_seat(table, event.source, replace(me, won=me.won[:at] + me.won[at + 1 :]))
    if isinstance(event.target, int):
        me = table.seats[event.target]
        table = with_seat(table, event.target, replace(me, won=_with(me.won, event.gem)))
    return _put(table, event.target, _with(_gems(table, event.target), event.gem))


def _with(gems: tuple[Gem, ...], gem: Gem) -> tuple[Gem, ...]:
    """They lie in order."""
    at = sum([gems.count(one) for one in GEMS[: GEMS.index(gem) + 1]])
    return (*gems[:at], gem, *gems[at:])


def _gems(table: Table, spot: Spot) -> tuple[Gem, ...]:
    if isinstance(spot, int):
        return table.seats[spot].gems
    return table.bag if spot == "bag" else table.display


def _put(table: Table, spot: Spot, gems: tuple[Gem, ...]) -> Table:
    if isinstance(spot, int):
        return with_seat(table, spot, replace(table.seats[spot], gems=gems))
    return replace(table, bag=gems) if spot == "bag" else replace(table, display=gems)


def _grabbed(table: Table, event: Grabbed) -> Table:
    die = table.dice[event.die]
    dice = (*table.dice[: event.die], replace(die, taken=event.seat), *table.dice[event.die + 1 :])
    me = table.seats[event.seat]
    assert me.task is not None
    task = replace(me.task, pieces=(*me.task.pieces, str(die.face)))
    return with_seat(replace(table, dice=dice), event.seat, replace(me, task=task))


def _round_closed(table: Table, _: RoundClosed) -> Table:
    """Everyone's layout is visible to all now. A board or a hand is removed; a sheet's area stays until the next."""
    last = tuple([_had(seat, table.area or table.round) for seat in table.seats])
    seats = table.seats
    if table.area is None:
        seats = tuple(
            [
                replace(seat, task=None, laid=(), called=None, wrong=(), won=(), cards=None, fast_forward=None)
                for seat in seats
            ]
        )
    elif table.options.companion:
        seats = tuple([replace(seat, called=None) for seat in seats])
    return replace(table, seats=seats, glass=None, limit=None, until=None, last=last)


def _had(seat: Seat, scored: int) -> RoundResult:
    task = seat.task
    if task is not None and task.face != "up":
        task = replace(task, face="up")
    points = seat.points[scored - 1] if len(seat.points) >= scored else None
    return RoundResult(task, seat.laid, seat.wrong, seat.called, seat.won, points)


def _round_opened(table: Table, event: RoundOpened) -> Table:
    return replace(
        table,
        seats=tuple([replace(seat, ready=False, passed=False, stop=False) for seat in table.seats]),
        round=event.round,
        phase=event.phase,
        limit=event.limit,
        until=event.limit,
        roller=event.roller,
        area=event.area,
        playoff=event.playoff,
        among=event.among,
        dice=(),
    )


def _match_closed(table: Table, event: MatchClosed) -> Table:
    return replace(
        table,
        phase="over",
        limit=None,
        until=None,
        glass=None,
        seed=event.seed,
        standing=event.standing,
        totals=event.totals,
        took=event.took,
    )


def _hinted(table: Table, event: Hinted) -> Table:
    me = table.seats[event.seat]
    new = [where for where in me.laid if where.piece in event.wrong and where not in me.told]
    hints = me.hints + (not event.again)
    return with_seat(table, event.seat, replace(me, wrong=event.wrong, hints=hints, told=(*me.told, *new)))


def _of_seat(**changes: Any) -> Callable[[Table, Any], Table]:
    """Most events change one seat in a fixed way."""

    def changed(table: Table, event: Any) -> Table:
        return with_seat(table, event.seat, replace(table.seats[event.seat], **changes))

    return changed


def _of(field: str, to: str) -> Callable[[Table, Any], Table]:
    """Some set a field of their seat."""

    def changed(table: Table, event: Any) -> Table:
        return with_seat(table, event.seat, replace(table.seats[event.seat], **{to: getattr(event, field)}))

    return changed


def _scored(table: Table, event: Scored) -> Table:
    me = table.seats[event.seat]
    return with_seat(table, event.seat, replace(me, points=(*me.points, event.points)))


def _away(table: Table, event: Away) -> Table:
    return with_seat(table, event.seat, replace(table.seats[event.seat], present=False, away=event.at))


def _resumed(table: Table, event: Resumed) -> Table:
    glass, limit, until = table.glass, table.limit, table.until
    return replace(
        table,
        glass=None if glass is None else replace(glass, ends=max(glass.ends, event.until)),
        limit=None if limit is None else max(limit, event.until),
        until=None if until is None else max(until, event.until),
        stood=table.stood + event.stood,
    )


EFFECTS: dict[type[Event], Callable[[Table, Any], Table]] = {
    Readied: _of_seat(ready=True),
    Dealt: _dealt,
    Thrown: _thrown,
    Opened: _opened,
    Started: _started,
    GlassTurned: _glass_turned,
    Placed: _placed,
    Lifted: _lifted,
    Judged: _of("wrong", "wrong"),
    Hinted: _hinted,
    Called: _of("at", "called"),
    Counted: _of("cards", "cards"),
    TakenBack: _of_seat(called=None, passed=False, cards=None),
    Limited: lambda table, event: replace(table, limit=event.limit, until=event.limit),
    Due: lambda table, event: replace(table, until=event.until),
    GemMoved: _gem_moved,
    Grabbed: _grabbed,
    Passed: _of_seat(passed=True),
    Stopped: _of_seat(stop=True),
    Scored: _scored,
    RoundClosed: _round_closed,
    RoundOpened: _round_opened,
    MatchClosed: _match_closed,
    Left: _of_seat(gone=True, present=False, away=None),
    Away: _away,
    Back: _of_seat(present=True, away=None),
    FastForwardAsked: _of("fast_forward", "fast_forward"),
    TimeSkipped: lambda table, event: replace(table, time_skipped=table.time_skipped + event.by),
    ClockWrong: lambda table, event: replace(table, time_skipped=table.time_skipped + event.by, clock_wrong=True),
    Resumed: _resumed,
}
