"""One readable transcript per game, re-run line by line."""

from pathlib import Path

import pytest

from tests.play import replayed
from tests.transcript import played, rerun
from ubongo.games import GAMES
from ubongo.match_file import open_table, read_events, read_opening, write_match

FOLDER = Path(__file__).parent / "playthroughs"
FILES = sorted(FOLDER.glob("*.txt"))


def test_every_game_has_one() -> None:
    assert {file.stem for file in FILES} >= set(GAMES)


@pytest.mark.parametrize("file", FILES, ids=[file.stem for file in FILES])
def test_playthroughs_replay_unchanged(file: Path) -> None:
    text = file.read_text(encoding="utf-8")
    assert rerun(text) == text


@pytest.mark.parametrize("file", FILES, ids=[file.stem for file in FILES])
def test_its_match_file_reads_and_writes_the_same_bytes(file: Path) -> None:
    _, transcript = played(file.read_text(encoding="utf-8"))
    written = write_match(transcript.match_opening, transcript.match.log)
    opening, lines = written.split(b"\n", 1)
    assert write_match(read_opening(opening), read_events(lines)) == written
    assert replayed(open_table(read_opening(opening)), read_events(lines)) == transcript.match.table
