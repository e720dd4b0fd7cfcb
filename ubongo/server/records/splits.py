"""How a solo run went, read from its log: the time of each board, and a timeline of the daily puzzle."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal

from msgspec import Struct

from ubongo.events import Lifted, Placed, Scored, Started
from ubongo.evolve import evolve
from ubongo.pieces import Placement
from ubongo.server.records.match_results import History
from ubongo.server.store.entities import StoredMatch
from ubongo.server.tables.stored_match import match_of
from ubongo.table import Instant, Millis, Task

# A longer run is cut off after so many boards.
MOST_SPLITS = 100
MOST_STEPS = 24
STEPS_S = (5, 10, 15, 30, 60, 120, 300, 600, 1800, 3600)

# A piece was laid and stayed there; a piece was taken back; neither.
Step = Literal["stayed", "back", "thought"]


class Split(Struct, frozen=True):
    """One board of a run: how long it took, whether it was solved, and how it lay then."""

    took: Millis
    solved: bool
    task: Task
    laid: Sequence[Placement]


class Timeline(Struct, frozen=True):
    """A board in steps of `step_s` seconds. It reveals nothing of the solution, so that it can be shared."""

    step_s: int
    steps: Sequence[Step]
    taken_back: int


def splits_of(played: StoredMatch, history: History) -> Iterator[Split]:
    table = match_of(played).opening
    since: Instant = Instant(0)
    for at, event in history:
        table = evolve(table, event)
        match event:
            case Started():
                since = event.at
            case Scored():
                me = table.seats[event.seat]
                assert me.task is not None
                yield Split(Millis(at - since), event.points > 0, me.task, me.laid)
                since = at


def timeline_of(history: History) -> Timeline:
    """The timeline of a run of one board. A piece that is moved counts as taken back."""
    since: Instant = Instant(0)
    until: Instant = Instant(0)
    lying: dict[int, Instant] = {}
    backs: list[Instant] = []
    for at, event in history:
        match event:
            case Started():
                since = event.at
            case Placed() | Lifted():
                if lying.pop(event.piece, None) is not None:
                    backs.append(at)
                if isinstance(event, Placed):
                    lying[event.piece] = at
            case Scored():
                until = at
    step_s = next((one for one in STEPS_S if until - since < MOST_STEPS * one * 1000), STEPS_S[-1])
    last = min((until - since) // (step_s * 1000), MOST_STEPS - 1)
    steps: list[Step] = ["thought"] * (last + 1)
    for at in backs:
        steps[min((at - since) // (step_s * 1000), last)] = "back"
    # Last: if both happened in a step, `stayed` is shown.
    for at in lying.values():
        steps[min((at - since) // (step_s * 1000), last)] = "stayed"
    return Timeline(step_s, steps, len(backs))
