"""The puzzle of the day, rule by rule (S3, docs/rules/solo.md)."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.games.alone import OF, fill, task_of
from tests.play import Match
from ubongo.game import BadOptions
from ubongo.games.solo.options import options_of
from ubongo.games.solo.tasks import choices, harder, of_day
from ubongo.material import shipped
from ubongo.moves import SetAside

DAYS = st.dates().filter(lambda date: date.year >= 1970).map(str)


def puzzle(of: str, day: str, seed: str = "abc") -> Match:
    match = Match("solo", 1, seed, of=of, mode="day", day=day)
    match.begin()
    return match


@OF
def test_S3_the_puzzle_of_the_day_is_the_same_for_everyone_and_changes_daily(of: str) -> None:
    one, other = puzzle(of, "2026-11-16"), puzzle(of, "2026-11-16", "another seed")
    tomorrow = puzzle(of, "2026-11-17")
    assert task_of(one) == task_of(other) != task_of(tomorrow)
    assert one.table.dice == other.table.dice, "and so do the dice"
    assert bool(one.table.dice) == (of == "dice"), "the die of 3-D is not used here"


@OF
def test_S3_a_day_has_one_task_and_no_limit(of: str) -> None:
    match = puzzle(of, "2026-11-16")
    assert match.table.until is None
    assert match.refused(0, SetAside()) == "one_a_day"
    if of == "dice":
        fill(match)
    else:
        match.solve(0, after=7_000)
        assert match.table.took == 7_000
    assert match.table.phase == "over"
    assert match.table.totals == (1,)


@given(day=DAYS, of=st.sampled_from(["cubes", "extreme", "cards", "dice"]))
@settings(max_examples=60, deadline=None)
def test_S3_no_day_is_unfair(day: str, of: str) -> None:
    one = of_day(of, shipped(of).id, day)
    late = harder(day)
    if of == "cards":
        assert one.board == (5 if late else 3)
        return
    kind = [c for c in choices(of, shipped(of).id) if (c.number > 3 if of == "dice" else c.side == 4) == late]
    easier = sum(c.difficulty < one.difficulty for c in kind)
    assert easier <= 0.75 * len(kind)
    assert len(kind) - sum(c.difficulty > one.difficulty for c in kind) > 0.25 * len(kind)


def test_S3_it_is_harder_from_Friday_to_Sunday() -> None:
    week = [f"2026-11-{date}" for date in range(16, 23)]
    assert [harder(day) for day in week] == [False] * 4 + [True] * 3
    assert [options_of(puzzle("cubes", day).table).side for day in week] == [3] * 4 + [4] * 3
    assert {len(task_of(puzzle("extreme", day)).pieces) for day in week[4:]} == {4}


def test_S3_puzzles_of_the_day_do_not_repeat_for_a_long_time() -> None:
    tasks = {of_day("extreme", shipped("extreme").id, f"2026-{month:02}-05") for month in range(1, 13)}
    assert len(tasks) > 8


@pytest.mark.parametrize("day", ["", "2026-02-29", "2026-13-01", "0000-01-01", "2026-00-10"])
def test_S3_a_day_is_a_date(day: str) -> None:
    with pytest.raises(BadOptions, match="needs a date"):
        Match("solo", 1, mode="day", day=day)
