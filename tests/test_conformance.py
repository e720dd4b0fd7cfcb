"""The conformance kit with all games and options, and with the smallest possible game."""

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests import nullgame
from tests.conformance import OPTIONS, played
from ubongo.game import Game
from ubongo.games import GAMES
from ubongo.table import Options

EVERY = {game.NAME: game for game in (*GAMES.values(), nullgame)}
CASES = [
    pytest.param(game, seats, options, id=f"{game.NAME}-{seats}-{number}")
    for game in EVERY.values()
    for seats in game.SEATS
    for number, options in enumerate(OPTIONS[game.NAME])
]


def chosen(game: Game, options: dict[str, object]) -> Options:
    return msgspec.convert(options, game.OPTIONS)


@pytest.mark.parametrize(("game", "seats", "options"), CASES)
def test_the_rules_hold_for_any_players(game: Game, seats: int, options: dict[str, object]) -> None:
    for seed in range(6):
        played(game, seats, f"seed {seed}", chosen(game, options))


@pytest.mark.parametrize("game", EVERY.values(), ids=EVERY)
@settings(max_examples=12)
@given(data=st.data())
def test_T2a_the_rules_hold_during_the_count_in(game: Game, data: st.DataObject) -> None:
    seats = data.draw(st.sampled_from(game.SEATS))
    options = data.draw(st.sampled_from(OPTIONS[game.NAME])) | {"count_in_s": data.draw(st.integers(1, 10))}
    played(game, seats, f"seed {data.draw(st.integers(0, 10**6))}", chosen(game, options))


@pytest.mark.parametrize("game", EVERY.values(), ids=EVERY)
def test_T5_the_same_seed_and_moves_give_the_same_log_to_the_byte(game: Game) -> None:
    logs = [msgspec.json.encode(played(game, game.SEATS[-1], "again", game.OPTIONS()).log) for _ in range(2)]
    assert logs[0] == logs[1]
    other = msgspec.json.encode(played(game, game.SEATS[-1], "other", game.OPTIONS()).log)
    assert other != logs[0]
