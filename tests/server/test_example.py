"""The example bot, run as users run it: a separate program that knows only a link."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.server.people import Person

BOT = Path(__file__).parent.parent.parent / "examples" / "bot.py"


@pytest.mark.parametrize("game", ["extreme", "cubes"])
def test_two_example_bots_play_a_match(address: str, game: str) -> None:
    ann = Person(address, "Ann")
    table = ann.post("/tables", {"game": game, "seats": 2, "sit": False})
    watching = ann.sit_at(table["table"])
    bots = [
        subprocess.Popen(
            [sys.executable, BOT, table["link"], "--name", name],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for name in ("Robby", "Marvin")
    ]
    watching.see(lambda table: all(seat["present"] for seat in table["seats"]))
    ann.post(f"/tables/{table['table']}/start")
    said = [bot.communicate() for bot in bots]
    assert [bot.returncode for bot in bots] == [0, 0], said
    assert all("came in at" in out for out, _ in said), said
    shown = ann.get(f"/tables/{table['table']}")
    assert {seat["name"] for seat in shown["seats"]} == {"Robby", "Marvin"}
    assert shown["phase"] == "over"


@pytest.mark.parametrize(
    ("link", "code", "why"),
    [
        ("{address}t/0123456789abcdef0123456789abcdef", 1, "There is no such table."),
        ("http://127.0.0.1:9/t/0123", 1, "does not answer"),
        ("hello", 2, "not the link of a table"),
    ],
)
def test_a_dead_link_is_reported_in_a_sentence(address: str, link: str, code: int, why: str) -> None:
    asked = link.format(address=address)
    done = subprocess.run([sys.executable, BOT, asked], capture_output=True, text=True, check=False)
    assert done.returncode == code
    assert why in done.stderr
    assert "Traceback" not in done.stderr
