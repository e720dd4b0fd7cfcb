"""The plots of docs/bots.md: how long each level takes, computed from the plans that bots follow."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from statistics import quantiles

from msgspec.structs import replace

from bench.plot import Chart, Line
from ubongo.bots import boards, cards, pace
from ubongo.bots.pace import LEVELS, Level
from ubongo.bots.trial import BotTrial
from ubongo.events import Dealt, RoundClosed, Scored
from ubongo.games import GAMES
from ubongo.games import cards as card_game
from ubongo.table import Task

TASKS, DICE_MATCHES = 2000, 60


def charts() -> dict[str, Chart]:
    """By the name of their file."""
    sand = "the sand is out"
    return {
        "bots-extreme": _cumulative("extreme", "Extreme, three pieces: solved within", 90, 15, [(60, sand)]),
        "bots-cubes": _cumulative("cubes", "3-D, three pieces: solved within", 135, 15, [(90, sand)]),
        "bots-cards": _cumulative("cards", "Cards, all six rounds: seven laid within", 240, 30, []),
        "bots-difficulty": _by_difficulty(),
        "bots-dice": _rounds_of_areas(),
    }


def trial(game: str, levels: tuple[Level, ...]) -> BotTrial:
    return BotTrial(game, levels, GAMES[game].OPTIONS(), "plots")


def _tasks(game: str) -> Iterator[Task]:
    """Yields dealt tasks, match after match for ever; in the card game those of all six rounds."""
    number = 0
    while True:
        match = trial(game, ("medium",) * 4).bots(number).match
        events = [line.event for line in match.log]
        if game == "cards":
            rounds = range(1, card_game.ROUNDS + 1)
            events = [event for of in rounds for event in card_game.deal(replace(match.table, round=of), match.chance)]
        yield from (event.task for event in events if isinstance(event, Dealt) and event.task is not None)
        number += 1


def _seconds(game: str, level: Level) -> Iterator[float]:
    """How long this level takes for each task, without hourglass and opponents."""
    known = GAMES[game].pieces(GAMES[game].OPTIONS())
    for number, task in enumerate(islice(_tasks(game), TASKS)):
        pieces = tuple(known[str(name)] for name in task.pieces)
        if task.region is None:
            plan = cards.plan(pieces, level, "plots", (number,), live=False)
        else:
            plan = boards.plan(game, pieces, task.region, level, "plots", (number,))
        yield plan.times[-1] / 1000


def _cumulative(game: str, title: str, widest: float, step: float, marks: Sequence[tuple[float, str]]) -> Chart:
    lines = [Line(level, _shares(list(_seconds(game, level)))) for level in LEVELS]
    return Chart(title, "seconds", "% of tasks", lines, widest, 100, (step, 25), marks)


def _shares(values: Sequence[float]) -> list[tuple[float, float]]:
    """The cumulative distribution of the values."""
    return [(0, 0), *zip(quantiles(values, n=100), range(1, 100), strict=True)]


def _by_difficulty() -> Chart:
    tries = [3 + step / 2 for step in range(67)]
    lines = [
        Line(level, [(hard, pace.filling_time("extreme", level, hard, 3, 0) / 1000) for hard in tries])
        for level in LEVELS
    ]
    across = "difficulty, in tries (three pieces: 6 to 9, four: 24 to 36)"
    return Chart("Extreme: median time by difficulty", across, "seconds", lines, 36, 150, (6, 30))


def _rounds_of_areas() -> Chart:
    lines = [Line(level, _shares(list(_rounds(level)))) for level in LEVELS]
    title = "Dice, two seats of one level: an area is filled within"
    return Chart(title, "rounds", "% of areas", lines, 20, 100, (2, 25))


def _rounds(level: Level) -> Iterator[float]:
    """The rounds of each area; with two seats it ends when one has filled it (W14)."""
    for number in range(DICE_MATCHES):
        bots = trial("dice", (level, level)).bots(number)
        bots.play()
        rounds, filled = 0, False
        for line in bots.match.log:
            match line.event:
                case Scored():
                    filled = True
                case RoundClosed():
                    rounds += 1
                    if filled:
                        yield rounds
                        rounds, filled = 0, False
