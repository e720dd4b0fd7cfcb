"""How the tasks of the round just closed are solved, for whoever looks at it."""

from __future__ import annotations

from ubongo.games import GAMES
from ubongo.pieces import Placement
from ubongo.server.errors import Denied
from ubongo.table import Table, Task

SolutionLayout = tuple[Placement, ...]


def solutions(seen: Table) -> list[SolutionLayout | None]:
    """By seat, of the tasks that a viewer sees whole: another's hand is played again in the next round (K4)."""
    if seen.last is None:
        raise Denied("no_round_over")
    return [_solution(seen, had.task) for had in seen.last]


def _solution(seen: Table, task: Task | None) -> SolutionLayout | None:
    if task is None or None in task.pieces:
        return None
    return GAMES[seen.game].solution(seen.options, task)
