"""Matches told as stories, and `ubongo replay`."""

import json
import subprocess
from pathlib import Path
from string import Formatter
from typing import NoReturn

import msgspec
import pytest

from tests.play import Match
from tests.program import ubongo
from ubongo import words
from ubongo.cli import main
from ubongo.events import AnyEvent, Dealt, Grabbed, Judged, Lifted, MatchClosed, Placed, Readied, RoundOpened
from ubongo.evolve import EFFECTS
from ubongo.match_file import EventLine
from ubongo.moves import Call, Leave, Pass, Place, TurnBack
from ubongo.story import Story, clock, drawn
from ubongo.table import Instant, SeatNo, Task

STORED = sorted((Path(__file__).parent / "stored").glob("*.jsonl"))


def replay(text: str) -> subprocess.CompletedProcess[str]:
    return ubongo("replay", "-", stdin=text)


def story(match: Match, language: str = "en") -> str:
    narrator = Story(match.virtual.opening, language)
    lines = [*narrator.opening()]
    for line in match.log:
        lines += narrator.tell(line.at, line.event)
    assert narrator.table == match.table
    return "\n".join(lines)


def test_a_race_is_told_with_its_gems_and_pictures() -> None:
    match = Match("extreme", hourglass_s=30)
    match.begin()
    match.solve(1, after=12_000)
    match.sand()
    text = story(match)
    assert text.startswith("Extreme\nAt the table: Ann, Bo.\n\nRound 1\n")
    assert "  0:12  Bo: Ubongo!\n  0:12  Bo takes the sapphire from the display.\n" in text
    assert "  0:30  The amber goes from the display into the bag.\n        Ann: nothing laid.\n        Bo:\n" in text
    assert "\nRound 2\n" in text


@pytest.mark.parametrize(("language", "taken"), [("de", "aus der Auslage: Saphir."), ("pl", "z puli: szafir.")])
def test_gems_have_names_in_every_language(language: str, taken: str) -> None:
    match = Match("extreme")
    match.begin()
    match.solve(1)
    assert taken in story(match, language)


def test_T2a_a_story_tells_of_the_start_and_not_of_the_count_before_it() -> None:
    match, plain = (Match("cubes", count_in_s=seconds) for seconds in (3, 0))
    for one in (match, plain):
        one.begin()
    assert story(match) == story(plain).replace("0:00  Off they go.", "0:03  Off they go.").replace(
        "0:00  The hourglass is turned.", "0:03  The hourglass is turned."
    )


def test_a_second_chance_turned_by_mistake_is_told_as_a_mistake() -> None:
    match = Match("extreme", companion=True, end="pass", hourglass_s=30)
    match.begin()
    for seat in (0, 1):
        match.ask(seat, Pass(), after=15_000)
    match.ask(0, TurnBack())
    text = story(match)
    assert text.count("The hourglass is turned.") == text.count("The second chance is taken back.") == 1


def test_the_end_names_places_and_totals() -> None:
    match = Match("cubes", 3, scoring="ladder")
    for _ in match.rounds(9):
        match.solve(2)
        match.solve(0)
        match.sand()
    assert story(match).endswith("The match is over.\n1. Cy with 36\n2. Ann with 27\n3. Bo with 0")


def test_T11_the_standing_marks_players_who_have_left() -> None:
    match = Match("extreme", 3)
    match.begin()
    match.solve(2)
    match.ask(2, Leave())
    match.ask(0, Leave())
    assert story(match).endswith("1. Bo with 0\n2. Cy with 4, left early\n3. Ann with 0, left early")


def test_wrong_cards_are_named() -> None:
    match = Match("cards", tie_ms=0)
    match.begin()
    for piece in range(7):
        match.ask(0, Place(piece, 0, (piece * 5, 0)))
    match.ask(0, Call())
    assert "Not laid by the rules at Ann: " in story(match)


def test_cards_too_far_apart_to_draw_are_listed() -> None:
    match = Match("cards")
    match.begin()
    match.ask(0, Place(0, 0, (0, 0)))
    match.ask(0, Place(1, 0, (1_000_000, -1_000_000)))
    seat = match.seat(0)
    assert seat.task is not None
    lines = drawn("cards", match.table.options, seat.task, seat.laid)
    assert lines == ["A: (0, 0)", "B: (1000000, -1000000)"]


@pytest.mark.parametrize(("at", "text"), [(0, "0:00"), (59_999, "0:59"), (3_600_000, "60:00")])
def test_the_clock_is_shown_in_minutes_and_seconds(at: Instant, text: str) -> None:
    assert clock(at) == text


@pytest.mark.parametrize("file", STORED, ids=[file.stem for file in STORED])
def test_every_stored_match_can_be_told_as_a_story(file: Path) -> None:
    done = replay(file.read_text(encoding="utf-8"))
    assert (done.stderr, done.returncode) == ("", 0)
    assert "The match is over." in done.stdout


def test_replay_skips_the_lines_of_a_referee_that_are_not_events() -> None:
    match = Match("extreme")
    opening = {"game": "extreme", "seats": ["Ann", "Bo"], "seed": "abc"}
    besides = {"at": 0, "seat": 1, "refused": "no", "code": "over", "values": {}}
    lines = [json.dumps(opening), *(msgspec.json.encode(line).decode() for line in match.log), json.dumps(besides)]
    done = replay("\n".join(lines))
    assert done.returncode == 0
    assert done.stdout.count(" plays ") == 2


STOLEN = '{"at": 0, "version": 1, "event": {"type": "gem_moved", "gem": "ruby", "source": "display", "target": 0}}'
OPENING = '{"game": "extreme", "seats": ["Ann", "Bo"], "seed": "abc"}'


def line_of(version: int, event: AnyEvent) -> str:
    return msgspec.json.encode(EventLine(Instant(0), version, event)).decode()


DEALT = [msgspec.json.encode(line).decode() for line in Match("extreme").log[:2]]


@pytest.mark.parametrize(
    ("lines", "complaint"),
    [
        (["nonsense"], "line 1: JSON is malformed"),
        (['{"game": "chess", "seats": ["A", "B"], "seed": "x"}'], "line 1: game is 'chess'"),
        ([OPENING, '{"at": 0, "version": 2, "event": {"type": "readied", "seat": 0}}'], "line 2: version is 2"),
        ([OPENING, '{"at": 0, "version": 1, "event": {"type": "readied", "seat": 9}}'], "cannot have happened"),
        ([OPENING, '{"at": 0, "version": 1, "event": {"type": "flown"}}'], "line 2: Invalid value 'flown'"),
        ([OPENING, STOLEN], "cannot have happened"),
        ([OPENING, *DEALT, line_of(3, Placed(SeatNo(0), 9, 0, (0, 0)))], "line 4: this cannot have happened"),
        ([OPENING, *DEALT, line_of(3, Placed(SeatNo(0), 0, 99, (0, 0)))], "line 4: this cannot have happened"),
        ([OPENING, *DEALT, line_of(3, Placed(SeatNo(0), 0, 0, (50, 50)))], "line 4: this cannot have happened"),
        ([OPENING, *DEALT, line_of(3, Lifted(SeatNo(0), -1))], "line 4: this cannot have happened"),
        ([OPENING, *DEALT, line_of(3, Judged(SeatNo(1), (7,)))], "line 4: this cannot have happened"),
        ([OPENING, line_of(1, Grabbed(SeatNo(0), 0))], "line 2: this cannot have happened"),
        ([OPENING, line_of(1, Dealt(SeatNo(0), Task(("gold-1",), ((0, 0),))))], "line 2: this cannot have happened"),
        ([OPENING, line_of(1, MatchClosed(((SeatNo(2),),), (0, 0), "abc"))], "line 2: this cannot have happened"),
        ([OPENING, line_of(1, MatchClosed(((SeatNo(0),),), (0,), "abc"))], "line 2: this cannot have happened"),
        ([OPENING, line_of(1, RoundOpened(2, "ready", among=(SeatNo(5),)))], "line 2: this cannot have happened"),
    ],
)
def test_a_broken_log_is_reported_in_one_line(lines: list[str], complaint: str) -> None:
    done = replay("\n".join(lines))
    assert done.returncode == 1
    assert complaint in done.stderr
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize("where", ["evolve", "ubongo.story.Story._sentences"])
def test_a_bug_of_ours_is_not_reported_as_a_broken_log(
    where: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def bug(*_: object) -> NoReturn:
        raise KeyError("a planted bug")

    if where == "evolve":
        monkeypatch.setattr("ubongo.evolve.EFFECTS", dict.fromkeys(EFFECTS, bug))
    else:
        monkeypatch.setattr(where, bug)
    log = tmp_path / "match.jsonl"
    log.write_text("\n".join([OPENING, *DEALT, line_of(3, Readied(SeatNo(0)))]))
    with pytest.raises(SystemExit) as ended:
        main(["replay", str(log)])
    assert ended.value.code == 70
    error = capsys.readouterr().err
    assert "this should not have happened: KeyError('a planted bug')" in error
    assert "cannot have happened at this table" not in error


@pytest.mark.parametrize("text", ["", "\n \n"])
def test_an_empty_log_is_refused(text: str, tmp_path: Path) -> None:
    file = tmp_path / "none.jsonl"
    file.write_text(text)
    for done, name in ((replay(text), "standard input"), (ubongo("replay", file), file)):
        assert (done.returncode, done.stdout) == (2, "")
        assert done.stderr == f"ubongo: {name} is empty; a match begins with its opening line\n"


@pytest.mark.parametrize("language", words.LANGUAGES)
def test_every_language_tells_the_same_story(language: str) -> None:
    english, other = words.catalogue("en")["story"], words.catalogue(language)["story"]
    assert set(english) == set(other)
    for code, sentence in english.items():
        assert fields(other[code]) == fields(sentence), code


def fields(sentence: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(sentence) if name}
