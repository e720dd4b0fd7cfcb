"""The speed of the rules: a move, a call, the close of a round, a replay; and the size of a log.

    python bench/rules.py

Medians on this machine; nothing is stored. The last column is the project's goal.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from random import Random
from statistics import median
from time import perf_counter, perf_counter_ns
from typing import Any

import msgspec

sys.path.insert(0, str(Path(__file__).parent.parent))

from tests.conformance import People
from tests.play import Match
from ubongo.evolve import replay
from ubongo.game import play, settle
from ubongo.games import GAMES
from ubongo.match_file import EventLine
from ubongo.moves import Call, Grab, Move, Place, Refused, Throw
from ubongo.pieces import fits
from ubongo.table import Instant, SeatNo, Table
from ubongo.virtual import VirtualTable

REPEATS = 20_000
_log: msgspec.json.Decoder[list[EventLine]] = msgspec.json.Decoder(list[EventLine])


def microseconds(work: Callable[[], Any], repeats: int = REPEATS) -> float:
    times = []
    for _ in range(repeats):
        start = perf_counter_ns()
        work()
        times.append(perf_counter_ns() - start)
    return median(times) / 1000


def say(what: str, figure: str, wanted: str) -> None:
    print(f"{what:<52}{figure:>18}   {wanted}")


def asking(match: Match, table: Table, seat: SeatNo, move: Move) -> Callable[[], Any]:
    game, now, chance = match.game, match.now, match.virtual.chance
    return lambda: play(game, table, seat, move, now, chance)


def race(name: str) -> None:
    """A place in a running match, a call with its verdict, and the last call of a round with what follows."""
    match = Match(name, 4, side=4)
    match.begin()
    *most, last = match.solution(0)
    for where in most[:-1]:
        match.ask(0, where)
    say(f"{name}: place", f"{microseconds(asking(match, match.table, SeatNo(0), most[-1])):.1f} µs", "<= 10 µs")
    match.ask(0, most[-1])
    say(
        f"{name}: call with its verdict",
        f"{microseconds(asking(match, match.table, SeatNo(0), last)):.1f} µs",
        "<= 60 µs",
    )
    match.ask(0, last)
    for seat in (1, 2):
        match.solve(seat)
    *most, last = match.solution(3)
    for where in most:
        match.ask(3, where)
    closing = microseconds(asking(match, match.table, SeatNo(3), last))
    match.ask(3, last)
    if match.table.phase == "throw":
        assert match.table.roller is not None
        closing += microseconds(asking(match, match.table, match.table.roller, Throw()))
    say(f"{name}: call that closes the round, and the next deal", f"{closing:.1f} µs", "<= 150 µs")


def cards() -> None:
    for checking in ("at_call", "live"):
        match = Match("cards", 4, checking=checking, auto_call=True)
        match.begin()
        *most, last = match.solution(0)
        for where in most[:-1]:
            match.ask(0, where)
        figure = microseconds(asking(match, match.table, SeatNo(0), most[-1]))
        say(f"cards ({checking}): place", f"{figure:.1f} µs", "<= 60 µs")
        match.ask(0, most[-1])
        figure = microseconds(asking(match, match.table, SeatNo(0), last))
        say(f"cards ({checking}): the seventh, a call with its verdict", f"{figure:.1f} µs", "<= 300 µs")
    match = Match("cards", 4)
    match.begin()
    for seat in range(4):
        for where in match.solution(seat):
            match.ask(seat, where)
    match.ask(0, Call())
    table, chance = match.table, match.virtual.chance
    figure = microseconds(lambda: settle(match.game, table, Instant(match.now + 150), chance, []), 5_000)
    say("cards: four layouts checked, the round closed, dealt", f"{figure:.1f} µs", "<= 300 µs")


def dice() -> None:
    match = Match("dice", 4)
    match.ask(0, Throw())
    say("dice: grab", f"{microseconds(asking(match, match.table, SeatNo(0), Grab(0))):.1f} µs", "")
    match.until()
    seat = match.seat(0)
    assert seat.task is not None
    assert seat.task.region is not None
    turn, at = next(fits(match.pieces(0)[0].shapes, seat.task.region))
    say("dice: place", f"{microseconds(asking(match, match.table, SeatNo(0), Place(0, turn, at))):.1f} µs", "")


def logs(name: str) -> tuple[int, int, float]:
    """Bytes and events of a match of four, and events replayed per second, including decoding."""
    match = VirtualTable(GAMES[name], ("Ann", "Bo", "Cy", "Di"), GAMES[name].OPTIONS(), "bench")
    people = People(match, Random("bench"))
    people.traits = ["solver"] * 4
    while match.table.phase != "over":
        seat, move, pause = people.next()
        with suppress(Refused):
            match.ask(seat, move, Instant(match.now + pause))
    body = msgspec.json.encode(match.log)
    start = perf_counter()
    runs = 0
    while perf_counter() - start < 1:
        replay(match.opening, [line.event for line in _log.decode(body)])
        runs += 1
    return len(body), len(match.log), runs * len(match.log) / (perf_counter() - start)


def main() -> None:
    for name in ("extreme", "cubes"):
        race(name)
    cards()
    dice()
    for name in ("cards", "dice", "extreme", "cubes"):
        size, events, speed = logs(name)
        say(f"{name}: log of a match of four", f"{size:,} bytes", f"{events} events")
        say(f"{name}: replay", f"{speed:,.0f} events/s", ">= 300,000 events/s")


if __name__ == "__main__":
    main()
