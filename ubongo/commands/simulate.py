"""`ubongo simulate`: bots against bots, as fast as possible, on all cores."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from functools import partial
from time import perf_counter
from typing import TYPE_CHECKING, Any

import msgspec

from ubongo.bots.trial import BotTrial, MatchOutcome, TrialTally
from ubongo.commands import Complaint, Flag
from ubongo.commands._support.bot_seats import trial_of
from ubongo.commands._support.crash_report import report_crashes
from ubongo.commands._support.workers import crew_of

if TYPE_CHECKING:
    from ubongo.workshop.crew import Crew

# Matches per job: enough to be worth sending to a worker, few enough to show progress.
AT_ONCE = 8


class SimulatedMatch(msgspec.Struct, frozen=True):
    """The line printed for a match."""

    match: int
    totals: tuple[int, ...]
    standing: tuple[tuple[int, ...], ...]
    rounds: int
    events: int


def simulate(
    game: str,
    /,
    *,
    seats: str,
    matches: int = 100,
    seed: str = "1",
    options: str = "{}",
    workers: int | None = None,
    json: Flag = False,
) -> int:
    """
    Parameters
    ----------
    game
        cards, dice, extreme or cubes.
    seats
        A level for each seat, separated by commas: beginner, easy, medium, hard or expert.
    matches
        How many matches.
    seed
        The same seed plays the same matches.
    options
        The table's options, as JSON: '{"side": 4}'.
    workers
        How many processes work on it; by default one per core.
    json
        JSON: a line per match, and a last line with the summary.
    """
    if matches < 1:
        raise Complaint(f"--matches is {matches}; it is at least 1")
    trial = trial_of(game, seats, options, seed)
    tally = TrialTally(trial.levels)
    began = perf_counter()
    with crew_of(workers) as crew:
        for outcome in outcomes(trial, matches, crew):
            tally.add(outcome)
            if json:
                written(SimulatedMatch(outcome.match, outcome.totals, outcome.standing, outcome.rounds, outcome.events))
    summary = summed(trial, tally, matches, matches / (perf_counter() - began))
    if json:
        written({"summary": summary})
    else:
        tell(summary)
    return report_crashes(trial.game, tally.crashes, tally.first_crash)


def outcomes(trial: BotTrial, matches: int, crew: Crew) -> Iterator[MatchOutcome]:
    """All outcomes in the order of the matches, whichever worker played them."""
    parts = [range(first, min(first + AT_ONCE, matches + 1)) for first in range(1, matches + 1, AT_ONCE)]
    done = 0
    for some in crew.stream(partial(_played, trial), iter(parts)):
        yield from some
        done += len(some)
        crew.tell("matches", done, matches)


def _played(trial: BotTrial, numbers: range) -> list[MatchOutcome]:
    return [trial.played(number) for number in numbers]


def summed(trial: BotTrial, tally: TrialTally, matches: int, a_second: float) -> dict[str, Any]:
    return {
        "game": trial.game,
        "levels": trial.levels,
        "matches": matches,
        "wins": tally.wins,
        "shared": tally.shared,
        "matches_per_second": round(a_second, 2),
        "solve_times": tally.solve_times(),
        "crashes": tally.crashes,
    }


def written(line: Any) -> None:
    sys.stdout.buffer.write(msgspec.json.encode(line) + b"\n")


def tell(summary: dict[str, Any]) -> None:
    from rich.console import Console  # loaded only for a terminal
    from rich.table import Table

    seats = Table("seat", "level", "wins", "of all", title=f"{summary['matches']} matches of {summary['game']}")
    for seat, (level, wins) in enumerate(zip(summary["levels"], summary["wins"], strict=True)):
        seats.add_row(str(seat), level, str(wins), f"{wins / summary['matches']:.0%}")
    times = Table(
        "level", "tasks", "solved", "a tenth within", "half", "nine tenths", title="Solve times, of those solved"
    )
    for level, found in summary["solve_times"].items():
        names = ("tenth_s", "median_s", "nine_tenths_s")
        within = ["-" if found[name] is None else f"{found[name]} s" for name in names]
        solved = "-" if found["solved"] is None else f"{found['solved']:.0%}"
        times.add_row(level, f"{found['tasks']:,}", solved, *within)
    console = Console()
    console.print(seats, times)
    console.print(f"{summary['shared']} shared first places; {summary['matches_per_second']} matches a second")
