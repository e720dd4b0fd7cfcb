"""Logs of matches that were played once replay for ever: new fields get defaults, types never change.

A file is what a server gives away after a match: the opening line, then every event. Never change one; add others.
"""

from pathlib import Path

import msgspec
import pytest

from tests.play import replayed
from ubongo.commands.referee import opened_by
from ubongo.events import MatchClosed, Opened
from ubongo.games import GAMES
from ubongo.virtual import Happened

FILES = sorted((Path(__file__).parent / "stored").glob("*.jsonl"))


def test_every_game_has_one() -> None:
    assert {file.stem.split("-")[0] for file in FILES} >= set(GAMES)


@pytest.mark.parametrize("file", FILES, ids=[file.stem for file in FILES])
def test_it_replays(file: Path) -> None:
    opening, *lines = file.read_bytes().splitlines()
    log = [msgspec.json.decode(line, type=Happened) for line in lines]
    table = replayed(opened_by(opening).opening, log)
    assert table.phase == "over"
    closed = log[-1].event
    assert isinstance(closed, MatchClosed)
    assert (table.standing, table.totals) == (closed.standing, closed.totals)
    assert table.seed is not None


@pytest.mark.parametrize("file", FILES, ids=[file.stem for file in FILES])
def test_T2a_matches_from_before_the_count_in_existed_replay_without_it(file: Path) -> None:
    opening, *lines = file.read_bytes().splitlines()
    events = [msgspec.json.decode(line, type=Happened).event for line in lines]
    counted = any(isinstance(event, Opened) and event.phase == "count" for event in events)
    assert (opened_by(opening).opening.options.count_in_s > 0) == counted == file.stem.endswith("-counted-in")


LEFT = [file for file in FILES if file.stem.endswith("-left")]


@pytest.mark.parametrize("file", LEFT, ids=[file.stem for file in LEFT])
def test_T11_a_player_who_left_ahead_before_0_2_keeps_the_old_place(file: Path) -> None:
    """A standing is written down when a match closes, so no later rule changes it."""
    opening, *lines = file.read_bytes().splitlines()
    table = replayed(opened_by(opening).opening, [msgspec.json.decode(line, type=Happened) for line in lines])
    assert table.standing is not None
    assert table.seats[table.standing[0][0]].gone
    assert GAMES[table.game].standing(table) != table.standing, "as it would be today"
