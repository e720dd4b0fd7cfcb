"""Whole matches of bots against bots, and statistics of many."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from statistics import quantiles

from msgspec import Struct

from ubongo.bots.match import BotCrash, Bots
from ubongo.bots.pace import Level
from ubongo.events import Called, Dealt, Scored, Started
from ubongo.games import GAMES
from ubongo.match_file import EventLine
from ubongo.table import Instant, Millis, Options, Places, SeatNo, numbered
from ubongo.virtual import VirtualTable


class MatchOutcome(Struct, frozen=True):
    """The outcome of a match. `tasks`: how many each seat had; `solved`: by which seat, and in what time."""

    match: int
    totals: tuple[int, ...]
    standing: Places
    rounds: int
    events: int
    tasks: tuple[int, ...]
    solved: tuple[tuple[SeatNo, Millis], ...]
    crashes: tuple[BotCrash, ...] = ()


class BotTrial(Struct, frozen=True):
    """A game, its options and its bots. The same seed plays the same matches, identified by number, on any machine."""

    game: str
    levels: tuple[Level, ...]
    options: Options
    seed: str

    def bots(self, number: int) -> Bots:
        """The bots of a match that has just been opened. Their luck has nothing to do with the table's."""
        names = [f"{level} {seat}" for seat, level in enumerate(self.levels)]
        bots = dict(numbered(self.levels))
        match = VirtualTable(GAMES[self.game], names, self.options, f"{self.seed}/{number}", bots)
        return Bots(match, self.levels, f"{self.seed}/{number} bots")

    def played(self, number: int) -> MatchOutcome:
        bots = self.bots(number)
        bots.play()
        table, log = bots.match.table, bots.match.log
        assert table.totals is not None
        assert table.standing is not None
        dealt = [line.event.seat for line in log if isinstance(line.event, Dealt)]
        tasks = tuple(dealt.count(seat) for seat, _ in numbered(self.levels))
        solved = tuple(areas_filled(log) if self.game == "dice" else calls(log))
        crashes = tuple(bots.crashes)
        return MatchOutcome(number, table.totals, table.standing, table.round, len(log), tasks, solved, crashes)


def calls(log: Sequence[EventLine]) -> Iterator[tuple[SeatNo, Millis]]:
    """Every call, and how long after the start."""
    since = Instant(0)
    for line in log:
        match line.event:
            case Started(at):
                since = at
            case Called(seat, at):
                yield seat, Millis(at - since)


def areas_filled(log: Sequence[EventLine]) -> Iterator[tuple[SeatNo, Millis]]:
    """Every area of dice that was filled, and how long it took. One point is the consolation (W14)."""
    since = Instant(0)
    for line in log:
        match line.event:
            case Dealt():
                since = line.at
            case Scored(seat, points) if points > 1:
                yield seat, Millis(line.at - since)


class TrialTally:
    """Statistics of many matches, outcome by outcome."""

    def __init__(self, levels: Sequence[Level]) -> None:
        self.levels = levels
        self.wins = [0] * len(levels)
        self.shared = 0
        self.tasks: dict[Level, int] = dict.fromkeys(levels, 0)
        self.times: dict[Level, list[Millis]] = {level: [] for level in levels}
        self.crashes: Counter[Level] = Counter()
        self.first_crash: BotCrash | None = None

    def add(self, outcome: MatchOutcome) -> None:
        first = outcome.standing[0]
        if len(first) == 1:
            self.wins[first[0]] += 1
        else:
            self.shared += 1
        for level, tasks in zip(self.levels, outcome.tasks, strict=True):
            self.tasks[level] += tasks
        for seat, time in outcome.solved:
            self.times[self.levels[seat]].append(time)
        for crash in outcome.crashes:
            self.crashes[self.levels[crash.seat]] += 1
            self.first_crash = self.first_crash or crash

    def solve_times(self) -> dict[Level, dict[str, float | None]]:
        """By level: which part of its tasks it solved, and within what time a tenth, half, nine tenths of those."""
        found: dict[Level, dict[str, float | None]] = {}
        for level, times in self.times.items():
            tenths: Sequence[float | None] = quantiles(times, n=10) if len(times) > 1 else [*times * 9] or [None] * 9
            tasks = self.tasks[level]
            found[level] = {"tasks": tasks, "solved": round(len(times) / tasks, 4) if tasks else None}
            for name, tenth in (("tenth_s", 0), ("median_s", 4), ("nine_tenths_s", 8)):
                value = tenths[tenth]
                found[level][name] = None if value is None else round(value / 1000, 1)
        return found
