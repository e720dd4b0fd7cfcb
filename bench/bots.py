"""The strength, the cost and the speed of bots; all parts, or some of them:

python bench/bots.py levels cost speed plots

`plots` rewrites docs/pictures/bots-*.svg; the others print.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from heapq import heapify, heapreplace
from itertools import pairwise
from pathlib import Path
from time import perf_counter, process_time

from rich.table import Table

# Run as a script this file's own folder is where Python looks; the bench is found from the one above.
sys.path.insert(0, str(Path(__file__).parent.parent))

from bench.curves import charts
from bench.tables import judged, new_table, print_parts
from ubongo.bots.match import Upcoming
from ubongo.bots.pace import LEVELS, Level
from ubongo.bots.player import PLAYED, prepare
from ubongo.bots.trial import BotTrial, TrialTally
from ubongo.commands._support.workers import crew_of
from ubongo.commands.simulate import outcomes
from ubongo.games import GAMES
from ubongo.table import Instant

PICTURES = Path(__file__).parent.parent / "docs" / "pictures"
MATCHES, BEATS = 400, 0.65
TABLES, PLAYED_SECONDS, OF_A_CORE = 250, 300, 0.25
SPEED_GOALS: Mapping[str, float | None] = {"extreme": 20, "cards": 5, "cubes": None, "dice": None}
MIXED: tuple[Level, ...] = ("easy", "medium", "hard", "expert")


def trial(game: str, levels: tuple[Level, ...], seed: str = "bench") -> BotTrial:
    return BotTrial(game, levels, GAMES[game].OPTIONS(), seed)


def levels_table() -> Table:
    """Each level has the first seat in half of the matches."""
    title = f"Wins of a level over the one below, of decided matches; {MATCHES} matches each, goal {BEATS:.0%}"
    table = new_table(title, "game", *[f"{stronger} over {weaker}" for weaker, stronger in pairwise(LEVELS)])
    with crew_of(None) as crew:
        for game in PLAYED:
            row = []
            for weaker, stronger in pairwise(LEVELS):
                wins = {weaker: 0, stronger: 0}
                for seats in ((weaker, stronger), (stronger, weaker)):
                    tally = TrialTally(seats)
                    for outcome in outcomes(trial(game, seats), MATCHES // 2, crew):
                        tally.add(outcome)
                    for level, won in zip(seats, tally.wins, strict=True):
                        wins[level] += won
                share = wins[stronger] / sum(wins.values())
                row.append(_told(f"{share:.0%} of {sum(wins.values())}", share >= BEATS))
            table.add_row(game, *row)
    return table


def cost_table() -> Table:
    """All tables start together on one clock, with cold caches."""
    title = f"{4 * TABLES:,} bot seats, {PLAYED_SECONDS} s played: seconds of a core for each, goal {OF_A_CORE}"
    table = new_table(title, "game", "bots, planning included", "with the rules")
    for game in PLAYED:
        bots, everything = cost(game, MIXED)
        table.add_row(game, _told(f"{bots:.3f}", bots <= OF_A_CORE), f"{everything:.3f}")
    bots, everything = cost("dice", ("expert",) * 4)
    table.add_row("dice, experts only", _told(f"{bots:.3f}", bots <= OF_A_CORE), f"{everything:.3f}")
    return table


def cost(game: str, levels: tuple[Level, ...]) -> tuple[float, float]:
    """The cost of the bots alone, and of everything. When a match is over the next one begins."""
    whole = trial(game, levels, "cost")
    # Once per server process.
    prepare(game)
    rules, began = 0.0, process_time()
    tables = [whole.bots(number) for number in range(TABLES)]
    opened_at, opened = [0] * TABLES, TABLES
    waiting: list[tuple[int, int, Upcoming]] = [(0, number, Upcoming(Instant(0))) for number in range(TABLES)]
    heapify(waiting)
    while waiting[0][0] < 1000 * PLAYED_SECONDS:
        at, number, upcoming = waiting[0]
        before = process_time()
        tables[number].let_happen(upcoming)
        if tables[number].match.table.phase == "over":
            tables[number], opened_at[number], opened = whole.bots(opened), at, opened + 1
        rules += process_time() - before
        upcoming = tables[number].upcoming()
        heapreplace(waiting, (opened_at[number] + upcoming.at, number, upcoming))
    spent = process_time() - began
    return (spent - rules) / PLAYED_SECONDS, spent / PLAYED_SECONDS


def speed_table() -> Table:
    table = new_table("Whole matches of four seats, a second, on one core", "game", "matches a second")
    for game, goal in SPEED_GOALS.items():
        whole = trial(game, MIXED, "speed")
        whole.played(0)
        begun, played = perf_counter(), 0
        while perf_counter() - begun < 5:
            played += 1
            whole.played(played)
        rate = played / (perf_counter() - begun)
        table.add_row(game, f"{rate:.1f}" if goal is None else _told(f"{rate:.1f}", rate >= goal))
    return table


def plots() -> str:
    for name, chart in charts().items():
        (PICTURES / f"{name}.svg").write_text(chart.svg(), encoding="utf-8")
    return f"written: {', '.join(sorted(path.name for path in PICTURES.glob('bots-*.svg')))}"


PARTS: dict[str, Callable[[], object]] = {
    "levels": levels_table,
    "cost": cost_table,
    "speed": speed_table,
    "plots": plots,
}


def _told(figure: str, reached: bool) -> str:
    return f"{figure} {judged(reached)}"


if __name__ == "__main__":
    print_parts(__doc__, PARTS)
