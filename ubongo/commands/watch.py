"""`ubongo watch`: shows a match of bots, with pictures in a terminal, as a story elsewhere."""

from __future__ import annotations

import sys
from collections import Counter, deque
from time import perf_counter, sleep
from typing import Annotated

from cyclopts import Parameter

from ubongo.bots.match import Bots
from ubongo.commands import Complaint
from ubongo.commands._support.bot_seats import trial_of
from ubongo.commands._support.crash_report import report_crashes
from ubongo.story import Story
from ubongo.table import Instant

# Seconds between two pictures.
TICK = 0.1


class Playback:
    """The match's time as it passes for the viewer."""

    def __init__(self, speed: float) -> None:
        self.speed = speed
        self.began = perf_counter()

    def now(self) -> Instant:
        return Instant(int((perf_counter() - self.began) * 1000 * self.speed))

    def wait(self, until: Instant, longest: float) -> bool:
        """Waits until the given time, but at most `longest` seconds; returns whether the time has come."""
        left = (until - self.now()) / 1000 / self.speed
        if left > 0:
            sleep(min(left, longest))
        return left <= longest


def watch(
    game: str,
    /,
    *,
    seats: str,
    speed: float = 1.0,
    seed: str = "1",
    options: Annotated[str, Parameter(show_default=False)] = "{}",
) -> int:
    """
    Parameters
    ----------
    game
        cards, dice, extreme or cubes.
    seats
        A level for each seat, separated by commas: beginner, easy, medium, hard or expert.
    speed
        How many times faster than real play.
    seed
        The same seed plays the same match.
    options
        The table's options, as JSON: '{"side": 4}'.
    """
    if not 0 < speed <= 100_000:
        raise Complaint(f"--speed is {speed:g}; it is more than 0 and at most 100000")
    bots = trial_of(game, seats, options, seed).bots(1)
    if sys.stdout.isatty():
        look_on(bots, Playback(speed))
    else:
        listen(bots, Playback(speed))
    crashes = Counter(bots.levels[crash.seat] for crash in bots.crashes)
    return report_crashes(game, crashes, next(iter(bots.crashes), None))


def listen(bots: Bots, clock: Playback) -> None:
    story = Story(bots.match.opening)
    print(*story.opening(), sep="\n")
    news = bots.match.log[:]
    while True:
        for line in news:
            for sentence in story.tell(line.at, line.event):
                print(sentence, flush=True)
        if bots.match.table.phase == "over":
            return
        upcoming = bots.upcoming()
        clock.wait(upcoming.at, float("inf"))
        news = bots.let_happen(upcoming)


def look_on(bots: Bots, clock: Playback) -> None:
    from rich.console import Console  # loaded only for a terminal
    from rich.live import Live

    from ubongo.commands._support.scene import SENTENCES, scene

    match = bots.match
    story = Story(match.opening)
    sentences = deque(story.opening(), SENTENCES)
    news = match.log[:]
    with Live(console=Console(), screen=True, auto_refresh=False) as live:
        while match.table.phase != "over":
            # The layouts of the story are on the screen already.
            sentences.extend(
                text
                for line in news
                for text in story.tell(line.at, line.event)
                if text and not text.startswith("        ")
            )
            upcoming = bots.upcoming()
            drawn = float("-inf")
            while True:
                if perf_counter() - drawn >= TICK:
                    now = max(match.now, min(clock.now(), upcoming.at))
                    live.update(scene(match.game, match.table, now, list(sentences)), refresh=True)
                    drawn = perf_counter()
                if clock.wait(upcoming.at, TICK):
                    break
            news = bots.let_happen(upcoming)
    for line in news:
        print(*story.tell(line.at, line.event), sep="\n")
