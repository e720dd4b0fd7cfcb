"""The summary of a finished match: points by round, the fastest board, the closest finish, the duration.

It is read from the log, so everybody gets the same summary, players or not.
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
    """The task that was solved fastest, with its solution.

    `took` is the time since the start of the round. In the dice game it is None, and the `rounds` of an `area` count.
    """

    seat: SeatNo
    round: int
    area: int | None
    took: Millis | None
    rounds: int
    task: Task
    laid: tuple[Placement, ...]


class Closest(Struct, frozen=True, gc=False):
    """Two players who finished one after the other, `by` so little time."""

    seats: tuple[SeatNo, SeatNo]
    round: int
    by: Millis


class Summary(Struct, frozen=True):
    """`points`: for each seat 0, then the total after each round; in the dice game after each area.

    `took` is the duration of the match without time that was skipped.
    """

    points: tuple[tuple[int, ...], ...]
    fastest: Fastest | None
    closest: Closest | None
    took: Millis


def summary_of(game: Game, opening: Table, history: Sequence[tuple[Instant, AnyEvent]]) -> Summary:
    """Replays the match once."""
    table = opening
    sums = [tuple(0 for _ in opening.seats)]
    fastest: Fastest | None = None
    closest: Closest | None = None
    first_round = ended = 0
    for at, event in history:
        # A match can end in the middle of a round: gems have been won by then, but cards have not been checked.
        ends_round = isinstance(event, RoundClosed) or (
            isinstance(event, MatchClosed) and table.phase == "play" and game.totals(table) != sums[-1]
        )
        if ends_round and not table.options.companion:
            # C9: the server does not see what lies on paper.
            fastest = _fastest(game, table, table.round - first_round, fastest)
            closest = _closest(table, closest)
        if isinstance(event, RoundOpened) and (event.area is None or event.area != table.area):
            first_round = event.round - 1
        elif isinstance(event, RoundOpened):
            # The area is not finished: the last total is not its final one.
            sums.pop()
        table = evolve(table, event)
        ended = at
        # A player who left may have ended the match in the middle of a round.
        if isinstance(event, RoundClosed) or (isinstance(event, MatchClosed) and game.totals(table) != sums[-1]):
            sums.append(game.totals(table))
    skipped = sum(event.by for _, event in history if isinstance(event, TimeSkipped))
    took = ended - (table.began or 0) - skipped
    return Summary(tuple(zip(*sums, strict=True)), fastest, closest, Millis(took))


def _fastest(game: Game, table: Table, rounds: int, best: Fastest | None) -> Fastest | None:
    pieces = game.pieces(table.options)
    for number, seat in numbered(table.seats):
        took = _took(table, seat)
        # In the dice game nobody calls. A player who filled the area earlier is in `best` with fewer rounds.
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
    """Raises Damaged; BadOptions as `match_of`."""
    match = match_of(played)
    events = [(row.at, event) for row, found in contiguous_rows(history) for event in found]
    return summary_of(match.game, match.opening, events)
