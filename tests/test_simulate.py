"""`ubongo simulate` and `ubongo watch`, run as a user would."""

from __future__ import annotations

import json
import os
import pty
import re
import select
import signal
import subprocess
from typing import Any

import pytest

from tests.program import PATIENCE_S, UBONGO, ubongo
from ubongo.bots.pace import Level
from ubongo.bots.plan import Intent
from ubongo.bots.player import next_move
from ubongo.cli import main
from ubongo.table import Instant, SeatNo, Table


def simulated(*arguments: str) -> list[dict[str, Any]]:
    done = ubongo("simulate", *arguments, "--json")
    assert (done.stderr, done.returncode) == ("", 0)
    return [json.loads(line) for line in done.stdout.splitlines()]


def test_json_has_a_line_per_match_and_a_summary() -> None:
    *matches, last = simulated("extreme", "--seats", "easy,expert", "--matches", "11", "--seed", "7")
    assert [line["match"] for line in matches] == list(range(1, 12))
    for line in matches:
        assert line.keys() == {"match", "totals", "standing", "rounds", "events"}
        assert sorted(seat for place in line["standing"] for seat in place) == [0, 1]
        assert line["rounds"] in (9, 10)
    summary = last["summary"]
    assert sum(summary["wins"]) + summary["shared"] == summary["matches"] == 11
    assert summary["wins"] == [sum(line["standing"][0] == [seat] for line in matches) for seat in (0, 1)]
    assert summary["matches_per_second"] > 0
    assert summary["crashes"] == {}
    times = summary["solve_times"]
    assert times["easy"]["tasks"] >= 99
    assert 0 < times["expert"]["median_s"] < times["easy"]["median_s"]


@pytest.mark.no_cover
@pytest.mark.parametrize("game", ["cards", "dice", "extreme", "cubes"])
def test_the_same_seed_plays_the_same_with_any_number_of_workers(game: str) -> None:
    arguments = (game, "--seats", "beginner,medium,hard", "--workers")
    alone, together = (simulated(*arguments, workers, "--matches", "9", "--seed", "a") for workers in ("1", "2"))
    assert alone[:-1] == together[:-1]
    assert simulated(*arguments, "1", "--matches", "1", "--seed", "b")[0] != alone[0]
    assert alone[-1]["summary"]["solve_times"] == together[-1]["summary"]["solve_times"]


def test_options_apply_to_the_table() -> None:
    [line, _] = simulated("dice", "--seats", "expert,expert", "--matches", "1", "--options", '{"areas": 5}')
    assert sum(line["totals"]) <= 5 * 4


@pytest.fixture
def crashing_experts(monkeypatch: pytest.MonkeyPatch) -> None:
    def crash(table: Table, seat: SeatNo, level: Level, luck: str, now: Instant) -> Intent | None:
        if level == "expert":
            raise ZeroDivisionError("a planted crash")
        return next_move(table, seat, level, luck, now)

    monkeypatch.setattr("ubongo.bots.match.next_move", crash)


def run_and_read_crashes(arguments: list[str], output: pytest.CaptureFixture[bytes]) -> tuple[str, int]:
    """Standard output, and how often the experts crashed by standard error."""
    with pytest.raises(SystemExit) as ended:
        main(arguments)
    assert ended.value.code == 1
    out, err = (text.decode() for text in output.readouterr())
    [(level, times)] = re.findall(r"^ubongo: (\w+) bots of extreme crashed (\d+) times$", err, re.MULTILINE)
    assert level == "expert"
    assert int(times) > 2, "the bot tries again whenever the table has changed"
    assert err.count("Traceback") == 1
    assert "ZeroDivisionError: a planted crash" in err
    return out, int(times)


@pytest.mark.usefixtures("crashing_experts")
@pytest.mark.parametrize("json_lines", [True, False])
def test_simulate_counts_and_names_bots_that_crash(json_lines: bool, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    arguments = ["simulate", "extreme", "--seats", "easy,expert,easy", "--matches", "2", "--workers", "1"]
    out, times = run_and_read_crashes([*arguments, "--json"] if json_lines else arguments, capfdbinary)
    if json_lines:
        *matches, last = map(json.loads, out.splitlines())
        assert len(matches) == 2, "a crash does not stop a match"
        assert last["summary"]["crashes"] == {"expert": times}


@pytest.mark.usefixtures("crashing_experts")
def test_watch_counts_and_names_bots_that_crash(capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    arguments = ["watch", "extreme", "--seats", "easy,expert,easy", "--speed", "100000"]
    out, _ = run_and_read_crashes(arguments, capfdbinary)
    assert "The match is over." in out, "a crash does not stop a match"


def test_without_json_the_summary_is_a_table() -> None:
    done = ubongo("simulate", "cards", "--seats", "easy,hard", "--matches", "3")
    assert done.returncode == 0
    assert "3 matches of cards" in done.stdout
    assert "Solve times" in done.stdout


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("chess", "--seats", "easy,easy"), "there is no game 'chess'"),
        (("solo", "--seats", "easy"), "there is no game 'solo'"),
        (("extreme", "--seats", "easy,clever"), "'clever'; a level is one of beginner, easy, medium, hard, expert"),
        (("extreme", "--seats", "easy"), "extreme is for 2 to 4 seats, not for 1"),
        (("cards", "--seats", "easy,easy,easy,easy,easy"), "cards is for 2 to 4 seats"),
        (("extreme", "--seats", "easy,easy", "--options", '{"sid": 3}'), "sid"),
        (("extreme", "--seats", "easy,easy", "--options", "{"), "--options"),
        (("extreme", "--seats", "easy,easy", "--options", '{"edition": "x"}'), "edition is 'x'"),
        (("cubes", "--seats", "easy,easy", "--options", '{"die": "off", "side": 4}'), "die is 'off'"),
    ],
)
@pytest.mark.parametrize("command", ["simulate", "watch"])
def test_bad_input_gets_one_line(command: str, arguments: tuple[str, ...], message: str) -> None:
    done = ubongo(command, *arguments)
    assert done.returncode == 2
    assert done.stdout == ""
    [line] = done.stderr.splitlines()
    assert message in line


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("simulate", "--matches", "0"), "--matches is 0; it is at least 1"),
        (("simulate", "--workers", "0"), "--workers is 0; it is at least 1"),
        (("watch", "--speed", "0"), "--speed is 0; it is more than 0"),
        (("watch", "--speed", "nan"), "--speed is nan; it is more than 0"),
    ],
)
def test_numbers_out_of_range_get_one_line(arguments: tuple[str, ...], message: str) -> None:
    command, *rest = arguments
    done = ubongo(command, "dice", "--seats", "easy,easy", *rest)
    assert (done.returncode, done.stdout) == (2, "")
    assert message in done.stderr


@pytest.mark.parametrize("game", ["cards", "dice", "extreme", "cubes"])
def test_watch_prints_a_story_on_a_pipe(game: str) -> None:
    done = ubongo("watch", game, "--seats", "easy,expert", "--speed", "100000")
    assert (done.stderr, done.returncode) == ("", 0)
    assert "The match is over." in done.stdout
    assert "expert 1" in done.stdout.splitlines()[-2]


def on_a_terminal(*arguments: str) -> tuple[subprocess.Popen[bytes], int]:
    ours, theirs = pty.openpty()
    environment = {**os.environ, "TERM": "xterm-256color", "COLUMNS": "120", "LINES": "40"}
    running = subprocess.Popen([*UBONGO, *arguments], stdout=theirs, stderr=theirs, stdin=theirs, env=environment)
    os.close(theirs)
    return running, ours


def read_until(terminal: int, text: str) -> str:
    """The output of the terminal up to this text, or until it is closed."""
    seen = b""
    while text.encode() not in seen:
        assert select.select([terminal], [], [], PATIENCE_S)[0], "nothing is shown"
        try:
            more = os.read(terminal, 65536)
        except OSError:  # Linux raises it when the other side is closed
            break
        if not more:
            break
        seen += more
    return seen.decode(errors="replace")


@pytest.mark.parametrize("game", ["cards", "dice", "extreme", "cubes"])
def test_watch_draws_the_table_in_a_terminal(game: str) -> None:
    running, terminal = on_a_terminal("watch", game, "--seats", "medium,expert", "--speed", "5000")
    with running:
        shown = read_until(terminal, "The match is over.")
        shown += read_until(terminal, "no more of it")
    os.close(terminal)
    assert running.returncode == 0
    assert "medium 0" in shown
    assert "Traceback" not in shown
    # A piece or a card's symbol in colour.
    assert "\x1b[1;37;48;" in shown


def test_ctrl_c_ends_watch_cleanly() -> None:
    running, terminal = on_a_terminal("watch", "extreme", "--seats", "medium,expert")
    with running:
        read_until(terminal, "medium 0")
        running.send_signal(signal.SIGINT)
        shown = read_until(terminal, "no more of it")
    os.close(terminal)
    assert running.returncode == 130
    assert "Traceback" not in shown
