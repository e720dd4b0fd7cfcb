"""Solutions of the tasks of the last round, for players and spectators."""

from __future__ import annotations

from ubongo.games import GAMES
from ubongo.pieces import Placement
from ubongo.server.errors import Denied
from ubongo.table import Table, Task

SolutionLayout = tuple[Placement, ...]


def solutions(seen: Table) -> list[SolutionLayout | None]:
    """By seat; None for a task that the viewer may not see: hands of cards are played again (K4). Raises Denied."""
    if seen.last is None:
        raise Denied("no_round_over")
    return [_solution(seen, seat.task) for seat in seen.last]


def _solution(seen: Table, task: Task | None) -> SolutionLayout | None:
    if task is None or None in task.pieces:
        return None
    return GAMES[seen.game].solution(seen.options, task)
