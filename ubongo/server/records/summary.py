"""What is worth telling of a finished match: points by round, the fastest board, the closest finish, how long it took.

All of it is read from the log, so who comes late is told the same as who was there.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from msgspec import Struct

from ubongo.events import AnyEvent, MatchClosed, RoundClosed, RoundOpened, TimeSkipped
from ubongo.evolve import evolve
from ubongo.game import Game
from ubongo.pieces import Placement
from ubongo.server.store import Row
from ubongo.server.store.entities import StoredMatch
from ubongo.server.tables.stored_match import contiguous_rows, match_of
from ubongo.table import Instant, Millis, Seat, SeatNo, Table, Task, numbered


class Fastest(Struct, frozen=True, gc=False):
    """Who solved a task quickest, and how it lay.

    `took`: since the round started; None in the dice game, where an area's `rounds` are counted. `area` is its own.
    """

    seat: SeatNo
    round: int
    area: int | None
    took: Millis | None
    rounds: int
    task: Task
    laid: tuple[Placement, ...]


class Closest(Struct, frozen=True, gc=False):
    """Two who finished one after the other, the first one first, `by` so little."""

    seats: tuple[SeatNo, SeatNo]
    round: int
    by: Millis


class Summary(Struct, frozen=True):
    """`points`: by seat, 0 and then the sum after each round, in the dice game after each area.

    `took`: all of it, without what nobody wanted to wait for.
    """

    points: tuple[tuple[int, ...], ...]
    fastest: Fastest | None
    closest: Closest | None
    took: Millis


def summary_of(game: Game, opening: Table, history: Sequence[tuple[Instant, AnyEvent]]) -> Summary:
    """Folds the match once, as every replay does."""
    table = opening
    sums = [tuple(0 for _ in opening.seats)]
    fastest: Fastest | None = None
    closest: Closest | None = None
    first_round = ended = 0
    for at, event in history:
        ends_round = isinstance(event, RoundClosed) or (isinstance(event, MatchClosed) and table.phase == "play")
        if ends_round and not table.options.companion:
            # C9: of what lies on paper the table has seen nothing.
            fastest = _fastest(game, table, table.round - first_round, fastest)
            closest = _closest(table, closest)
        if isinstance(event, RoundOpened) and (event.area is None or event.area != table.area):
            first_round = event.round - 1
        elif isinstance(event, RoundOpened):
            # The area goes on: what was counted is not its end.
            sums.pop()
        table = evolve(table, event)
        ended = at
        # Who has left may have ended it in the middle of a round.
        if isinstance(event, RoundClosed) or (isinstance(event, MatchClosed) and game.totals(table) != sums[-1]):
            sums.append(game.totals(table))
    skipped = sum(event.by for _, event in history if isinstance(event, TimeSkipped))
    took = ended - (table.began or 0) - skipped
    return Summary(tuple(zip(*sums, strict=True)), fastest, closest, Millis(took))


def _fastest(game: Game, table: Table, rounds: int, best: Fastest | None) -> Fastest | None:
    pieces = game.pieces(table.options)
    for number, seat in numbered(table.seats):
        took = _took(table, seat)
        # In the dice game nobody calls; who waits, having filled the area before, has had a better line already.
        if seat.task is None or (took is None) != (table.area is not None):
            continue
        new = Fastest(number, table.round, table.area, took, rounds, seat.task, seat.laid)
        if (best is None or _key(new) < _key(best)) and game.verdict(pieces, seat.task, seat.laid).state == "solved":
            best = new
    return best


def _took(table: Table, seat: Seat) -> Millis | None:
    return None if seat.called is None or table.started is None else Millis(seat.called - table.started)


def _key(one: Fastest) -> int:
    return one.rounds if one.took is None else one.took


def _closest(table: Table, best: Closest | None) -> Closest | None:
    calls = sorted((seat.called, number) for number, seat in numbered(table.seats) if seat.called is not None)
    for (before, first), (after, second) in pairwise(calls):
        if best is None or after - before < best.by:
            best = Closest((first, second), table.round, Millis(after - before))
    return best


def summarize(played: StoredMatch, history: Sequence[Row]) -> Summary:
    """What is worth telling of it; or Damaged, or BadOptions as `match_of`."""
    match = match_of(played)
    happened = [(row.at, event) for row, events in contiguous_rows(history) for event in events]
    return summary_of(match.game, match.opening, happened)
