"""Logs of old matches replay for ever: new fields get defaults, types never change.

A file is what a server exports after a match: the opening line, then every event. Never change one; add new ones.
"""

from pathlib import Path

import msgspec
import pytest

from tests.play import replayed
from ubongo.events import MatchClosed, Opened
from ubongo.games import GAMES
from ubongo.match_file import EventLine, Opening, open_table, read_event, read_events, read_opening, write_match

FILES = sorted((Path(__file__).parent / "stored").glob("*.jsonl"))
EVERY_FILE = pytest.mark.parametrize("file", FILES, ids=[file.stem for file in FILES])


def read(file: Path) -> tuple[Opening, list[EventLine]]:
    opening, lines = file.read_bytes().split(b"\n", 1)
    return read_opening(opening), read_events(lines)


def test_every_game_has_one() -> None:
    assert {file.stem.split("-")[0] for file in FILES} >= set(GAMES)


@EVERY_FILE
def test_it_replays(file: Path) -> None:
    opening, log = read(file)
    table = replayed(open_table(opening), log)
    assert table.phase == "over"
    closed = log[-1].event
    assert isinstance(closed, MatchClosed)
    assert (table.standing, table.totals) == (closed.standing, closed.totals)
    assert table.seed is not None


# Written by hand, or before some fields existed.
OLD_FORMAT = {"cards", "cubes", "dice", "extreme", "solo", "solo-practice"}


@EVERY_FILE
def test_it_is_written_as_it_was_read(file: Path) -> None:
    stored, written = file.read_bytes(), write_match(*read(file))
    opening, lines = written.split(b"\n", 1)
    assert write_match(read_opening(opening), read_events(lines)) == written
    assert (stored == written) == (file.stem not in OLD_FORMAT)
    for before, after in zip(stored.splitlines(), written.splitlines(), strict=True):
        assert_contains(msgspec.json.decode(after), msgspec.json.decode(before))


def assert_contains(new: object, old: object) -> None:
    """The new value has all that the old one has; an object may have more fields."""
    if isinstance(new, dict) and isinstance(old, dict):
        for field, value in old.items():
            assert_contains(new[field], value)
    else:
        assert new == old


@EVERY_FILE
def test_a_reader_of_what_a_referee_prints_finds_the_same_events(file: Path) -> None:
    _, *lines = file.read_bytes().splitlines()
    assert [read_event(line, version) for version, line in enumerate(lines, 1)] == read(file)[1]


@EVERY_FILE
def test_T2a_matches_from_before_the_count_in_existed_replay_without_it(file: Path) -> None:
    opening, log = read(file)
    counted = any(isinstance(line.event, Opened) and line.event.phase == "count" for line in log)
    assert (open_table(opening).options.count_in_s > 0) == counted == file.stem.endswith("-counted-in")


LEFT = [file for file in FILES if file.stem.endswith("-left")]


@pytest.mark.parametrize("file", LEFT, ids=[file.stem for file in LEFT])
def test_T11_a_player_who_left_ahead_before_0_2_keeps_the_old_place(file: Path) -> None:
    """A standing is recorded when a match closes, so no later rule changes it."""
    opening, log = read(file)
    table = replayed(open_table(opening), log)
    assert table.standing is not None
    assert table.seats[table.standing[0][0]].gone
    assert GAMES[table.game].standing(table) != table.standing, "as it would be today"
