"""The summary of a finished match: points by round, the fastest board, the closest finish, the duration."""

from __future__ import annotations

from pathlib import Path

import httpx
import pytest

from tests.play import Match
from tests.server.document import messages
from tests.server.people import PATIENCE, Person, table_for
from ubongo.events import AnyEvent
from ubongo.games import GAMES
from ubongo.games.dice import DiceOptions
from ubongo.match_file import open_table, read_events, read_opening
from ubongo.moves import Leave
from ubongo.server.records.summary import Summary, summary_of
from ubongo.table import Instant, Table

STORED = sorted((Path(__file__).parent.parent / "stored").glob("*.jsonl"))


def read(file: Path) -> tuple[Table, list[tuple[Instant, AnyEvent]]]:
    opening, lines = file.read_bytes().split(b"\n", 1)
    return open_table(read_opening(opening)), [(line.at, line.event) for line in read_events(lines)]


def summed_up(match: Match) -> Summary:
    return summary_of(match.game, match.virtual.opening, [(line.at, line.event) for line in match.log])


@pytest.mark.parametrize("file", STORED, ids=[file.stem for file in STORED])
def test_the_points_of_every_stored_match_end_at_its_totals(file: Path) -> None:
    opening, history = read(file)
    found = summary_of(GAMES[opening.game], opening, history)
    end = history[-1][1]
    assert tuple(row[-1] for row in found.points) == getattr(end, "totals", None)
    assert {len(row) for row in found.points} == {len(found.points[0])}
    assert found.took >= 0
    if opening.options.companion:
        assert (found.fastest, found.closest) == (None, None)


@pytest.mark.parametrize("game", ["extreme", "cubes"])
def test_the_fastest_board_and_the_closest_finish_of_all_rounds(game: str) -> None:
    match = Match(game, seats=3)
    for number, (first, second, third) in enumerate([(9000, 5000, 800), (4000, 700, 600), (6000, 40, 9000)], 1):
        match.begin()
        started = match.table.started or 0
        match.solve(number % 3, after=first)
        match.solve((number + 1) % 3, after=second)
        match.solve((number + 2) % 3, after=third)
        assert match.table.round == number + 1
        assert match.now - started == first + second + third
    match.ask(1, Leave())
    match.ask(2, Leave())
    found = summed_up(match)
    assert found.fastest is not None
    assert (found.fastest.seat, found.fastest.round, found.fastest.took, found.fastest.rounds) == (2, 2, 4000, 1)
    assert len(found.fastest.laid) == len(found.fastest.task.pieces)
    assert found.closest is not None
    assert (found.closest.seats, found.closest.round, found.closest.by) == ((0, 1), 3, 40)
    assert [len(row) for row in found.points] == [4, 4, 4]
    assert found.took == match.now - (match.table.began or 0)


def test_only_a_correct_call_counts() -> None:
    match = Match("cards")
    match.begin()
    match.solve(0, after=30_000)
    match.until()
    match.begin()
    match.solve(1, after=60_000)
    match.until()
    match.ask(1, Leave())
    found = summed_up(match)
    assert found.fastest is not None
    assert (found.fastest.seat, found.fastest.took) == (0, 30_000)
    assert found.closest is None
    assert found.points[0][1] == 10


def test_a_call_without_points_is_no_fastest_call() -> None:
    match = Match("cards")
    match.begin()
    match.solve(0, after=30_000)
    # K15: others might still call, so the layouts have not been checked.
    match.ask(1, Leave())
    assert match.table.phase == "over"
    found = summed_up(match)
    assert (found.fastest, found.closest, found.points) == (None, None, ((0,), (0,)))


def test_a_board_that_won_gems_counts_though_its_round_was_not_finished() -> None:
    match = Match("extreme", seats=3)
    match.begin()
    match.solve(0, after=9000)
    match.ask(1, Leave())
    match.ask(2, Leave())
    found = summed_up(match)
    assert found.fastest is not None
    assert (found.fastest.seat, found.fastest.took) == (0, 9000)
    assert found.points[0][-1] > 0


def test_an_area_is_counted_in_rounds() -> None:
    opening, history = read(next(file for file in STORED if file.stem == "dice"))
    found = summary_of(GAMES["dice"], opening, history)
    assert found.fastest is not None
    assert found.fastest.took is None
    assert found.fastest.rounds >= 1
    assert found.fastest.area is not None
    assert found.closest is None
    assert isinstance(opening.options, DiceOptions)
    assert {len(row) for row in found.points} == {1 + opening.options.areas}


def test_a_match_that_nobody_finished_has_no_highlights() -> None:
    match = Match("extreme")
    match.ask(1, Leave())
    found = summed_up(match)
    assert (found.fastest, found.closest, found.points) == (None, None, ((0,), (0,)))


def test_the_summary_is_served_as_documented_and_only_after_the_match(address: str) -> None:
    ann, bo = Person(address, "Ann"), Person(address, "Bo")
    key = table_for(ann, bo)
    one, other = (person.sit_at(key) for person in (ann, bo))
    for device in (one, other):
        device.ask(type="ready")
    for device in (one, other):
        device.see(lambda table: table["phase"] == "play")
        device.solve()
    path = f"{ann.address}/api/tables/{key}/summary"
    refused = httpx.get(path, timeout=PATIENCE)
    assert (refused.status_code, refused.json()["code"]) == (409, "not_over")
    bo.post(f"/tables/{key}/leave")
    one.see(lambda table: table["phase"] == "over")
    # Also to a guest who was never at the table.
    found = httpx.get(path, timeout=PATIENCE).json()
    [shown] = messages("summary")
    assert set(found) == set(shown)
    for part in ("fastest", "closest"):
        assert set(found[part]) == set(shown[part])
    assert found["closest"]["seats"] == [0, 1]
