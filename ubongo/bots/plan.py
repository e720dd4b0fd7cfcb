"""A plan: the moves of a bot and their times from the start of a round. It is made once, from the table at the start.

A bot has no state: its layout shows what it has done so far. If that differs from the plan (a restart, a late clock, a
person's half-finished layout), the bot corrects it move by move and goes on.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable

from msgspec import Struct

from ubongo.moves import Lift, Move, Place
from ubongo.pieces import Placement
from ubongo.table import Instant, Millis, Seat

PlannedLayout = tuple[Placement, ...]
Intent = tuple[Instant, Move]


class MovePlan(Struct, frozen=True):
    """`layouts[i]` lies after i moves; the times are in order, no two alike. `ending` is the last move."""

    times: tuple[Millis, ...]
    moves: tuple[Move, ...]
    layouts: tuple[PlannedLayout, ...]
    ending: Move | None = None
    ending_after: Millis = Millis(0)


def laid_after(layout: PlannedLayout, move: Move) -> PlannedLayout:
    """What lies after a move, in the order in which the table keeps it."""
    match move:
        case Place(piece, turn, at):
            return (*[where for where in layout if where.piece != piece], Placement(piece, turn, at))
        case Lift(piece):
            return tuple([where for where in layout if where.piece != piece])
    return layout


def plan_of(
    timed: Iterable[tuple[Millis, Move]],
    ending: Move | None = None,
    ending_after: Millis = Millis(0),
    layout: PlannedLayout = (),
) -> MovePlan:
    """A plan of these moves; a time that is not after the one before it is moved behind it."""
    times: list[Millis] = []
    moves: list[Move] = []
    layouts = [layout]
    for at, move in timed:
        times.append(Millis(max(at, times[-1] + 1) if times else max(at, 1)))
        moves.append(move)
        layouts.append(laid_after(layouts[-1], move))
    return MovePlan(tuple(times), tuple(moves), tuple(layouts), ending, ending_after)


def next_in(plan: MovePlan, seat: Seat, since: Instant, now: Instant) -> Intent | None:
    """The next move and when; one that should have been made by `now` is to be made now."""
    done = bisect_right(plan.times, now - since)
    laid = plan.layouts[done]
    if seat.laid != laid and (amiss := set_right(seat.laid, laid)) is not None:
        return now, amiss
    if done < len(plan.times):
        return Instant(since + plan.times[done]), plan.moves[done]
    return _ending(plan, since, now)


def _ending(plan: MovePlan, since: Instant, now: Instant) -> Intent | None:
    if plan.ending is None:
        return None
    last = plan.times[-1] if plan.times else 0
    return Instant(max(now, since + last + plan.ending_after)), plan.ending


def next_for_another(plan: MovePlan, seat: Seat, since: Instant, now: Instant) -> Intent | None:
    """For an absent player: pieces that lie as at the end of the plan stay; the others are changed one by one.

    No sooner than the plan has as many moves left as are still to be made.
    """
    have, want = set(seat.laid), set(plan.layouts[-1])
    amiss = set_right(seat.laid, plan.layouts[-1])
    if amiss is None:
        return _ending(plan, since, now)
    left = min(len(have ^ want), len(plan.times))
    return Instant(max(now, since + (plan.times[-left] if left else 0))), amiss


def stands_in(me: Seat) -> bool:
    """Whether a bot plays for an absent player here (T7).

    It never agrees to an end: an absent player agrees by being away, and only as long as that lasts (K17).
    """
    return me.bot is None and me.away is not None


def set_right(laid: PlannedLayout, wanted: PlannedLayout) -> Move | None:
    """The move that makes one layout more like the other; None: they are alike, whatever was laid first."""
    want, have = set(wanted), set(laid)
    for where in laid:
        if where not in want:
            return Lift(where.piece)
    return next((Place(where.piece, where.turn, where.at) for where in wanted if where not in have), None)
