"""The puzzle of the day: when a day begins, one try that counts, streaks (S3, S6)."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from tests.play import Match
from tests.server.alone import SoloPlayer
from tests.server.fakes import START, FakeClock
from tests.server.guests import Client
from tests.server.records.runs import DAY, run_upkeep
from ubongo.games.editions import bring
from ubongo.material import shipped
from ubongo.moves import Leave, Ready
from ubongo.server.clock import Timestamp
from ubongo.server.records.match_results import date_of
from ubongo.server.records.streaks import longest, streak


def task_at(loner: SoloPlayer, room: Any) -> Any:
    loner.move(room, Ready())
    return room.shown.seats[0].task


def test_S3_the_day_is_the_servers_and_changes_at_midnight_in_Greenwich(
    ann: SoloPlayer, bo: SoloPlayer, clock: FakeClock
) -> None:
    clock.time = START // DAY * DAY + DAY - 1000
    today = ann.get("/day")
    assert (today["day"], today["ends"] - today["now"]) == ("2023-11-14", 1000)
    mine, other = ann.open(of="extreme", mode="day"), bo.open(of="extreme", mode="day")
    assert ann.get(f"/tables/{mine}")["options"]["day"] == "2023-11-14"
    assert task_at(ann, ann.start(mine)) == task_at(bo, bo.start(other))
    waiting = ann.open(of="cubes", mode="day")
    clock.time += 1000
    assert ann.get("/day")["day"] == "2023-11-15"
    assert ann.refused("POST", f"/tables/{waiting}/start") == "not_today"
    tomorrow = ann.open(of="extreme", mode="day")
    assert task_at(ann, ann.start(tomorrow)) != ann.room(mine).shown.seats[0].task


@pytest.mark.parametrize("day", ["2023-11-13", "2023-11-15", "2026-01-01"])
def test_S3_another_day_is_refused(ann: SoloPlayer, day: str) -> None:
    wanted = {"game": "solo", "options": {"of": "extreme", "mode": "day", "day": day}}
    assert ann.refused("POST", "/tables", wanted) == "not_today"
    key = ann.open(of="extreme", mode="day", day="2023-11-14")
    assert ann.refused("PATCH", f"/tables/{key}", {"options": {"day": day}}) == "not_today"
    assert ann.ask("PATCH", f"/tables/{key}", {"options": {"mode": "count"}})[1]["options"]["day"] == ""


def test_S3_the_day_uses_the_shipped_edition(ann: SoloPlayer) -> None:
    edition = shipped("extreme")
    other = bring(replace(edition, seed=edition.seed + 1))
    wanted = {"game": "solo", "options": {"of": "extreme", "mode": "day", "edition": other}}
    assert ann.refused("POST", "/tables", wanted) == "bad_options"
    match = Match("solo", 1, of="extreme", mode="day", day="2023-11-14", edition=other)
    assert match.table.options.edition == other, "but a log that names another replays for ever"


def test_S6_one_try_a_day_counts_and_the_second_is_marked(ann: SoloPlayer, client: Client) -> None:
    first = ann.run(pace=9000, of="extreme", mode="day")
    told = ann.get(f"/tables/{first}/result")
    assert (told["run"]["scored"], told["place"]) == (True, 1)
    second = ann.run(pace=10, of="extreme", mode="day", scored=True)
    assert ann.get(f"/tables/{second}")["options"]["scored"] is False, "marked"
    assert ann.get(f"/tables/{second}/result")["run"]["scored"] is False
    other_game = ann.run(pace=10, of="cards", mode="day")
    assert ann.get(f"/tables/{other_game}/result")["run"]["scored"] is True
    ranking = ann.get("/records?of=extreme&mode=day")
    assert [line["took"] for line in ranking["best"]] == [9000]
    today = {game["of"]: game for game in ann.get("/day")["games"]}
    assert {of: game["tried"] for of, game in today.items()} == {
        "cards": True, "dice": False, "extreme": True, "cubes": False,
    }  # fmt: skip
    assert today["extreme"]["run"]["took"] == 9000
    assert client.get("/api/day").json()["streak"] == 0, "of nobody"


@pytest.mark.parametrize("way", ["left", "closed", "abandoned"])
def test_S6_an_abandoned_try_was_the_try_of_the_day(
    ann: SoloPlayer, client: Client, clock: FakeClock, way: str
) -> None:
    key = ann.open(of="extreme", mode="day")
    room = ann.start(key)
    ann.move(room, Ready())
    if way == "left":
        ann.move(room, Leave())
    elif way == "closed":
        ann.ask("DELETE", f"/tables/{key}")
    else:
        clock.time += 11 * 60_000
    run_upkeep(client)
    again = ann.run(of="extreme", mode="day")
    assert ann.get(f"/tables/{again}/result")["run"]["scored"] is False
    assert ann.get("/records?of=extreme&mode=day")["best"] == []


def test_S6_two_tables_opened_beforehand_are_still_one_try(ann: SoloPlayer) -> None:
    keys = [ann.open(of="extreme", mode="day") for _ in range(3)]
    for key in reversed(keys):
        ann.play(ann.start(key))
    scored = [ann.get(f"/tables/{key}/result")["run"]["scored"] for key in keys]
    assert scored == [False, False, True]


def test_S6_after_midnight_it_no_longer_counts(ann: SoloPlayer, clock: FakeClock) -> None:
    clock.time = START // DAY * DAY + DAY - 5000
    key = ann.run(pace=5000, of="extreme", mode="day")
    assert ann.get(f"/tables/{key}/result")["run"]["scored"] is False
    assert ann.get("/day")["streak"] == 0


def test_S6_days_in_a_row(ann: SoloPlayer, clock: FakeClock) -> None:
    for number in range(3):
        ann.get(f"/tables/{ann.run(of='extreme', mode='day')}/result")
        assert ann.get("/day")["streak"] == number + 1
        clock.time += DAY
    assert ann.get("/day")["streak"] == 3, "today may still come"
    clock.time += DAY
    assert ann.get("/day")["streak"] == 0
    assert ann.get("/guests/me/profile")["records"] == [], "a day's table is its own"


@pytest.mark.parametrize(
    ("days", "today", "number"),
    [
        ([], "2026-03-01", 0),
        (["2026-03-01", "2026-02-28"], "2026-03-01", 2),
        (["2026-02-28"], "2026-03-02", 0),
        (["2026-03-01", "2026-02-27"], "2026-03-01", 1),
        (["2026-01-01", "2025-12-31"], "2026-01-02", 2),
    ],
)
def test_S6_streaks_are_counted_in_days(days: list[str], today: str, number: int) -> None:
    assert streak(days, today) == number


@pytest.mark.parametrize(
    ("days", "number"),
    [
        ([], 0),
        (["2026-03-01"], 1),
        (["2026-03-01", "2026-02-28", "2026-02-20", "2026-02-19", "2026-02-18"], 3),
        (["2026-01-01", "2026-01-01", "2025-12-31"], 2),
    ],
)
def test_S6_the_longest_streak(days: list[str], number: int) -> None:
    assert longest(days) == number


def test_S6_a_result_is_placed_among_all_results(ann: SoloPlayer, client: Client, clock: FakeClock) -> None:
    """Each player gets a place, and sees how long the others took."""
    paces = [20_000, 31_000, 34_000, 48_000, 48_000, 52_000, 400_000]
    for number, pace in enumerate(paces):
        other = ann if pace == 34_000 else SoloPlayer(client, clock, f"Guest {number}")
        other.get(f"/tables/{other.run(pace=pace, of='extreme', mode='day')}/result")
    result = ann.get("/day/2023-11-14/result?of=extreme")
    assert (result["place"], result["people"], result["slower"], result["median"]) == (3, 7, 4, 48_000)
    histogram = result["histogram"]
    assert (histogram["start"], histogram["width"]) == (20_000, 5000)
    assert histogram["counts"] == [1, 0, 2, 0, 0, 2, 1, 0, 0, 0, 0, 1], "who took for ever is in the last column"
    assert histogram["mine"] == 2
    today = {one["of"]: one for one in ann.get("/day")["games"]}
    assert (today["extreme"]["people"], today["extreme"]["place"], today["cards"]["people"]) == (7, 3, 0)
    assert ann.get(f"/tables/{today['extreme']['table']}/result")["people"] == 7
    assert today["cards"]["table"] is None


@pytest.mark.parametrize("of", ["extreme", "cards", "dice", "cubes"])
def test_S6_the_only_player_of_a_day_is_first(ann: SoloPlayer, of: str) -> None:
    ann.get(f"/tables/{ann.run(pace=7000, of=of, mode='day')}/result")
    result = ann.get(f"/day/2023-11-14/result?of={of}")
    assert (result["place"], result["people"], result["slower"]) == (1, 1, 0)
    assert (result["histogram"]["counts"], result["histogram"]["mine"]) == ([1], 0)
    assert result["median"] == (result["run"]["rounds"] if of == "dice" else 7000)
    assert result["calendar"] == {
        "today": "2023-11-14", "streak": 1, "longest": 1, "days": [{"day": "2023-11-14", "solved": 1}],
    }  # fmt: skip


def test_S6_a_try_that_does_not_count_has_no_result(
    ann: SoloPlayer, bo: SoloPlayer, client: Client, clock: FakeClock
) -> None:
    for path in ("2023-11-14/result?of=extreme", "yesterday/result?of=extreme"):
        assert ann.refused("GET", f"/day/{path}") == "not_found"
    assert ann.ask("GET", "/day/2023-11-14/result?of=chess")[0] == 400
    assert client.get("/api/day/2023-11-14/result?of=extreme").status_code == 401
    ann.get(f"/tables/{ann.run(of='extreme', mode='day')}/result")
    assert bo.refused("GET", "/day/2023-11-14/result?of=extreme") == "not_found"
    clock.time += DAY
    assert ann.get("/day/2023-11-14/result?of=extreme")["calendar"]["today"] == "2023-11-15"


def test_S3_yesterdays_solutions_are_shown_and_no_others(ann: SoloPlayer, clock: FakeClock) -> None:
    key = ann.open(of="extreme", mode="day")
    task = task_at(ann, ann.start(key))
    today = ann.get("/day")["day"]
    for day in (today, "2023-11-15", "2099-01-01"):
        assert ann.refused("GET", f"/day/{day}") == "day_not_over"
    for day in ("yesterday", "2023-02-30", "20231113", "2023-1-1", "1969-12-31"):
        assert ann.refused("GET", f"/day/{day}") == "not_found"
    clock.time += DAY
    solved = {one["of"]: one for one in ann.get(f"/day/{today}")}
    assert list(solved) == ["cards", "dice", "extreme", "cubes"]
    assert solved["extreme"]["task"]["pieces"] == list(task.pieces)
    assert len(solved["extreme"]["solution"]) == len(task.pieces)
    assert len(solved["cards"]["solution"]) == 7
    assert solved["dice"]["solution"] is None


def test_the_date_in_Greenwich() -> None:
    assert [date_of(Timestamp(START // DAY * DAY + DAY + more)) for more in (-1, 0)] == ["2023-11-14", "2023-11-15"]
