"""The kit over all games and options, and over the smallest game there is."""

import msgspec
import pytest

from tests import nullgame
from tests.conformance import played
from ubongo.game import Game
from ubongo.games import GAMES
from ubongo.table import Options

EVERY = {game.NAME: game for game in (*GAMES.values(), nullgame)}
OPTIONS: dict[str, list[dict[str, object]]] = {
    "null": [{}, {"ready_s": 0}],
    "cards": [
        {},
        {"auto_call": True, "reveal": "deal", "ready_s": 0},
        {"checking": "live", "tie_ms": 0, "round_s": 40},
    ],
    "dice": [
        {},
        {"places": "dense", "ready_s": 0, "first_seat": 1},
        {"grab_s": 0, "enter_s": 0},
    ],
    "extreme": [
        {},
        {"side": 4, "reveal": "deal", "ready_s": 0},
        {"auto_call": False, "hourglass_s": 7},
    ],
    "solo": [
        {},
        {"mode": "count", "tasks": 5, "ready_s": 0},
        {"of": "extreme", "side": 4, "mode": "count", "reveal": "deal"},
        {"of": "cubes", "die": "off", "minutes": 5},
        {"of": "cards", "mode": "count", "reveal": "deal"},
        {"of": "cards"},
        {"of": "dice", "ready_s": 0},
        {"of": "dice", "mode": "count", "tasks": 6},
        {"of": "extreme", "mode": "day", "day": "2026-11-15"},
        {"of": "cards", "mode": "day", "day": "2026-11-16"},
        {"of": "dice", "mode": "day", "day": "2026-11-16", "ready_s": 0},
        {"of": "cubes", "mode": "practice", "grade": 4},
        {"of": "cards", "mode": "practice"},
        {"of": "dice", "mode": "practice", "board": "7"},
    ],
    "cubes": [
        {},
        {"side": 4, "reveal": "deal", "ready_s": 0, "first_seat": 1},
        {"auto_call": False, "hourglass_s": 7, "scoring": "ladder"},
        {"die": "off"},
    ],
}
CASES = [
    pytest.param(game, seats, options, id=f"{game.NAME}-{seats}-{number}")
    for game in EVERY.values()
    for seats in game.SEATS
    for number, options in enumerate(OPTIONS[game.NAME])
]


def chosen(game: Game, options: dict[str, object]) -> Options:
    return msgspec.convert(options, game.OPTIONS)


@pytest.mark.parametrize(("game", "seats", "options"), CASES)
def test_whoever_plays_the_rules_hold(game: Game, seats: int, options: dict[str, object]) -> None:
    for seed in range(6):
        played(game, seats, f"seed {seed}", chosen(game, options))


@pytest.mark.parametrize("game", EVERY.values(), ids=EVERY)
def test_T5_the_same_seed_and_moves_give_the_same_log_to_the_byte(game: Game) -> None:
    logs = [msgspec.json.encode(played(game, game.SEATS[-1], "again", game.OPTIONS()).log) for _ in range(2)]
    assert logs[0] == logs[1]
    other = msgspec.json.encode(played(game, game.SEATS[-1], "other", game.OPTIONS()).log)
    assert other != logs[0]
