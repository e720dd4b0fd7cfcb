"""`ubongo referee`, as another program drives it."""

import json
import subprocess
from typing import Any

import pytest

from tests.play import Match
from tests.program import PATIENCE_S, UBONGO, ubongo
from ubongo.moves import Leave

REFEREE = (*UBONGO, "referee")
OPENING = {"game": "extreme", "seats": ["Ann", "Bo"], "seed": "abc", "options": {"side": 3}}


def ask(*lines: object, opening: object = OPENING) -> tuple[list[dict[str, Any]], int]:
    text = "\n".join(line if isinstance(line, str) else json.dumps(line) for line in (opening, *lines))
    done = ubongo("referee", "-", stdin=text)
    assert done.stderr == ""
    return [json.loads(line) for line in done.stdout.splitlines()], done.returncode


def ready(at: int, *seats: int) -> list[dict[str, Any]]:
    return [{"at": at, "seat": seat, "move": {"type": "ready"}} for seat in seats]


def test_events_carry_their_time_and_version() -> None:
    way = Match("extreme")
    way.begin()
    first = way.solution(0)[0]
    place = {"type": "place", "piece": first.piece, "turn": first.turn, "at": list(first.at)}
    lines, status = ask(*ready(0, 0, 1), {"at": 900, "seat": 0, "move": place})
    assert status == 0
    assert [line["version"] for line in lines] == [1, 2, 3, 4, 5, 6, 7]
    assert [line["event"]["type"] for line in lines] == [
        "dealt", "dealt", "readied", "readied", "started", "glass_turned", "placed",
    ]  # fmt: skip
    assert lines[-1] == {"at": 900, "version": 7, "event": {**place, "type": "placed", "seat": 0}}


def test_a_refusal_has_a_sentence_and_a_code() -> None:
    lines, status = ask(*ready(0, 0, 1), {"at": 950, "seat": 1, "move": {"type": "call"}})
    assert lines[-1] == {
        "at": 950,
        "seat": 1,
        "refused": "Your area is not exactly filled. Cover every cell, then call.",
        "code": "not_filled",
        "values": {},
    }
    assert status == 0, "a refusal is not an error"


def test_timed_events_happen_at_their_own_time() -> None:
    lines, _ = ask({"at": 3_600_000})
    times = [line["at"] for line in lines if line["event"]["type"] == "glass_turned"]
    assert times[:4] == [30_000, 90_000, 180_000, 240_000]
    assert lines[-1]["at"] < 3_600_000


def test_show_prints_one_line_after_all_earlier_events() -> None:
    lines, _ = ask(*ready(0, 0, 1), {"at": 61_000, "show": "all"})
    assert lines[-2]["event"] == {"type": "glass_turned", "turned": 2, "ends": 120_000}
    table = lines[-1]["table"]
    assert (table["phase"], table["glass"], table["until"]) == ("play", {"turned": 2, "ends": 120_000}, 120_000)
    assert (table["roller"], table["area"], table["dice"], table["last"]) == (None, None, [], None)
    assert table["seats"][0]["task"]["region"] == sorted(table["seats"][0]["task"]["region"])


def test_show_hides_what_the_seat_may_not_see() -> None:
    lines, _ = ask({"at": 0, "show": "all"}, {"at": 0, "show": 1}, {"at": 0, "show": "spectator"})
    whole, mine, public = (line["table"] for line in lines[-3:])
    assert whole["seats"][0]["task"] is not None
    assert mine["seats"][1]["task"] is None
    assert public["seats"][0]["task"] is None
    assert whole["seed"] is None
    assert len(whole["seed_hash"]) == 64


def test_the_seed_and_the_standing_follow_the_end_of_the_match() -> None:
    lines, status = ask({"at": 5, "seat": 0, "move": {"type": "leave"}}, {"at": 6, "show": 0}, *ready(7, 1))
    match = Match("extreme")
    match.ask(0, Leave())
    assert lines[-3]["event"] == {
        "type": "match_closed",
        "standing": [[1], [0]],
        "totals": [0, 0],
        "seed": "abc",
        "took": None,
    }
    assert (lines[-2]["table"]["phase"], lines[-2]["table"]["seed"]) == ("over", "abc")
    assert lines[-1]["code"] == "over"
    assert status == 0


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ({"at": 0, "seat": 2, "move": {"type": "ready"}}, "no_such_seat"),
        ({"at": 0, "seat": -1, "move": {"type": "ready"}}, "no_such_seat"),
        ({"at": 0, "seat": "Ann", "move": {"type": "ready"}}, "no_such_seat"),
        ({"at": 0, "seat": True, "move": {"type": "ready"}}, "no_such_seat"),
        ({"at": 0, "move": {"type": "ready"}}, "no_such_seat"),
        ({"at": 0, "seat": 0, "move": {"type": "fly"}}, "unreadable_move"),
        ({"at": 0, "seat": 0, "move": {"type": "claim"}}, "not_on_paper"),
        ({"at": 0, "seat": 0, "move": {"type": "claim", "cards": "7"}}, "unreadable_move"),
        ({"at": 0, "seat": 0, "move": {}}, "unreadable_move"),
        ({"at": 0, "seat": 0, "move": None}, "unreadable_move"),
        ({"at": 0, "seat": 0, "move": {"type": "lift", "piece": True}}, "unreadable_move"),
        ({"at": 0, "seat": 0, "move": {"type": "place", "piece": 0, "turn": 0, "at": [0.5, 1]}}, "unreadable_move"),
        ({"at": 0, "seat": 0, "move": {"type": "place", "piece": 0, "turn": 0}}, "unreadable_move"),
        ({"at": 0, "seat": 0, "move": {"type": "place", "piece": 10**40, "turn": 0, "at": [0, 0]}}, "nothing_to_lay"),
    ],
)
def test_unreadable_moves_and_moves_without_a_valid_seat_are_refused(line: dict[str, object], code: str) -> None:
    lines, status = ask(line)
    assert (lines[-1]["code"], status) == (code, 0)
    assert lines[-1]["seat"] == line.get("seat")


@pytest.mark.parametrize(
    ("line", "error"),
    [
        ("not json", "JSON is malformed"),
        ("[]", "Expected `object`"),
        ('{"a":' * 100_000, "nested too deep"),
        ({"seat": 0, "move": {"type": "ready"}}, "`at`"),
        ({"at": -1}, ">= 0"),
        ({"at": 1.5}, "Expected `int`"),
        ({"at": 10**30}, "`$.at`"),
        ({"at": 0, "seat": 0}, "a seat without a move"),
        ({"at": 0, "show": "me"}, "show is 'me'"),
        ({"at": 0, "seat": 0, "move": {"type": "ready"}, "show": 0}, "make two of it"),
        ({"at": 31 * 24 * 3_600_000}, "`$.at`"),
        ({"at": 0, "show": 7}, "show is 7"),
    ],
)
def test_an_unreadable_line_is_an_error(line: object, error: str) -> None:
    lines, status = ask(line, {"at": 1, "show": 0})
    assert lines[2]["line"] == 2
    assert error in lines[2]["error"]
    assert lines[3]["table"]["phase"] == "ready", "and the match goes on"
    assert status == 1


def test_an_error_does_not_advance_the_clock_so_no_event_is_lost() -> None:
    lines, _ = ask({"at": 40_000, "seat": 0}, {"at": 30_000, "show": 0})
    assert "error" in lines[2]
    assert [line["version"] for line in lines[3:-1]] == [3, 4, 5, 6]


def test_bytes_that_are_not_text_are_an_error() -> None:
    text = json.dumps(OPENING).encode() + b'\n{"at": 0, "seat": "\xff", "move": {"type": "ready"}}\n'
    done = subprocess.run(REFEREE, input=text, capture_output=True, check=False, timeout=PATIENCE_S)
    assert b"it is not UTF-8" in done.stdout
    assert (done.stderr, done.returncode) == (b"", 1)


def test_time_never_goes_back() -> None:
    lines, status = ask({"at": 50}, {"at": 49, "seat": 0, "move": {"type": "ready"}}, *ready(50, 0))
    assert lines[2] == {"line": 3, "error": "at is 49, but it is 50 already; time never goes back"}
    assert lines[3]["event"]["type"] == "readied"
    assert status == 1


@pytest.mark.parametrize(
    ("changes", "error"),
    [
        ({"game": "chess"}, "game is 'chess'; it is one of cards, dice, extreme, cubes, solo"),
        ({"seats": ["Ann"]}, "2 to 4 seats"),
        ({"seats": []}, "2 to 4 seats"),
        ({"seats": ["A"] * 5}, "2 to 4 seats"),
        ({"seats": ["", "B"]}, "length >= 1"),
        ({"seed": 5}, "`$.seed`"),
        ({"options": {"side": 5}}, "$.side"),
        ({"options": {"sides": 5}}, "unknown field `sides`"),
        ({"options": {"first_seat": 3}}, "first_seat is 3; with 2 seats it is at most 1"),
        ({"options": {"edition": "extreme-0"}}, "edition is 'extreme-0'"),
        ({"options": []}, "options"),
        ({"game": "cubes", "options": {"die": "off", "side": 4}}, "side 3 only"),
    ],
)
def test_a_table_that_cannot_be_opened_is_an_error_in_one_line(changes: dict[str, object], error: str) -> None:
    lines, status = ask(opening=OPENING | changes)
    assert len(lines) == 1
    assert lines[0]["line"] == 1
    assert error in lines[0]["error"]
    assert "\n" not in lines[0]["error"]
    assert status == 1


def test_a_table_without_a_seed_is_an_error() -> None:
    lines, status = ask(opening={"game": "extreme", "seats": ["Ann", "Bo"]})
    assert "seed" in lines[0]["error"]
    assert status == 1


def test_a_table_may_have_bots() -> None:
    seats = [{"name": "Ann"}, {"name": "Robo", "bot": "easy"}]
    lines, _ = ask({"at": 0, "show": "all"}, opening=OPENING | {"seats": seats})
    assert [seat["bot"] for seat in lines[-1]["table"]["seats"]] == [None, "easy"]
    assert [seat["ready"] for seat in lines[-1]["table"]["seats"]] == [False, True]


def test_another_program_can_drive_it() -> None:
    with subprocess.Popen(REFEREE, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as driven:
        assert driven.stdin is not None
        assert driven.stdout is not None
        for line in (OPENING, {"at": 0, "show": 0}):
            driven.stdin.write(json.dumps(line) + "\n")
            driven.stdin.flush()
        answers = [json.loads(driven.stdout.readline()) for _ in range(3)]
        assert "table" in answers[-1]
        driven.stdin.close()
    assert driven.returncode == 0
