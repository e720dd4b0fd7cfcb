"""One readable transcript a game, re-run line by line."""

from pathlib import Path

import pytest

from tests.transcript import rerun
from ubongo.games import GAMES

FOLDER = Path(__file__).parent / "playthroughs"
FILES = sorted(FOLDER.glob("*.txt"))


def test_every_game_has_one() -> None:
    assert {file.stem for file in FILES} >= set(GAMES)


@pytest.mark.parametrize("file", FILES, ids=[file.stem for file in FILES])
def test_playthroughs_replay_unchanged(file: Path) -> None:
    text = file.read_text(encoding="utf-8")
    assert rerun(text) == text
