"""Records: only what the server measured, the same from the logs again, and nobody can forge one (S6 to S8)."""

from __future__ import annotations

import asyncio
import json
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from litestar.testing import TestClient
from msgspec.structs import replace

from tests.play import Match
from tests.postgres import shared
from tests.server.alone import Client, Loner
from tests.server.fakes import START, FakeClock
from tests.server.people import Person, table_for
from ubongo.games.editions import bring
from ubongo.material import shipped
from ubongo.moves import Leave, Ready, SetAside
from ubongo.server.app import build
from ubongo.server.log import Log
from ubongo.server.log.chosen import chosen
from ubongo.server.log.results import Board, Result, Results
from ubongo.server.records import WEEK, Records, order, streak
from ubongo.server.results import date_of
from ubongo.server.settings import Settings
from ubongo.server.tidying import end_what_is_over, put_away

DAY = 24 * 3600 * 1000
COUNT: dict[str, Any] = {"of": "extreme", "mode": "count"}
BOARD = "/records?of=extreme&mode=count"


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()


@pytest.fixture
def client(tmp_path: Path, clock: FakeClock) -> Iterator[Client]:
    with TestClient(build(tmp_path, Settings(db=tmp_path / "log.db"), clock)) as client:
        yield client


@pytest.fixture
def ann(client: Client, clock: FakeClock) -> Loner:
    return Loner(client, clock, "Ann")


@pytest.fixture
def bo(client: Client, clock: FakeClock) -> Loner:
    return Loner(client, clock, "Bo")


def tidied(client: Client) -> None:
    client.blocking_portal.call(end_what_is_over, client.app.state.lobby)
    client.blocking_portal.call(client.app.state.house.records.catch_up)


def kept(client: Client) -> list[Any]:
    """All that records and profiles are made of."""
    read = client.app.state.lobby.log.read
    wanted = (
        "select * from results order by match, seat",
        "select * from solves order by match, seat, ended, took",
        "select match from tallied order by match",
    )
    return [client.blocking_portal.call(read, statement) for statement in wanted]


def test_S7_a_new_best_is_told_at_once(ann: Loner) -> None:
    told = ann.get(f"/tables/{ann.run(pace=2000, **COUNT)}/result")
    assert (told["run"]["solved"], told["run"]["took"], told["run"]["scored"]) == (5, 10_000, True)
    assert (told["before"], told["record"], told["place"], told["place_of_week"]) == (None, True, 1, 1)
    slower = ann.get(f"/tables/{ann.run(pace=3000, **COUNT)}/result")
    assert (slower["before"]["took"], slower["record"], slower["place"]) == (10_000, False, 1), "among others'"
    faster = ann.get(f"/tables/{ann.run(pace=1000, **COUNT)}/result")
    assert (faster["before"]["took"], faster["record"], faster["run"]["took"]) == (10_000, True, 5_000)


def test_S7_the_best_ten_everybody_once_and_ones_own_place(client: Client, clock: FakeClock, ann: Loner) -> None:
    for number in range(11):
        other = Loner(client, clock, f"Guest {number}")
        other.get(f"/tables/{other.run(pace=1000 + number, **COUNT)}/result")
    for pace in (9000, 5000):
        ann.get(f"/tables/{ann.run(pace=pace, **COUNT)}/result")
    ranking = ann.get(BOARD)
    assert [line["place"] for line in ranking["best"]] == list(range(1, 11))
    assert [line["took"] for line in ranking["best"]] == [5 * (1000 + number) for number in range(10)]
    assert {line["table"] for line in ranking["best"]} == {None}, "others' tables are their own"
    assert (ranking["mine"]["place"], ranking["mine"]["took"], ranking["mine"]["mine"]) == (12, 25_000, True)
    assert ranking["mine"]["table"] is not None
    own = ann.get("/guests/me" + BOARD)
    assert [line["took"] for line in own["runs"]] == [25_000, 45_000]
    nobody = client.get("/api" + BOARD).json()
    assert nobody["mine"] is None
    assert len(nobody["best"]) == 10


def test_S7_each_kind_has_its_own_table(ann: Loner, clock: FakeClock) -> None:
    for options in (
        COUNT,
        {**COUNT, "side": 4},
        {**COUNT, "tasks": 10},
        {"of": "cubes", "mode": "count", "die": "off"},
    ):
        ann.get(f"/tables/{ann.run(**options)}/result")
    for query, solved in (("", 5), ("&side=4", 5), ("&tasks=10", 10)):
        assert [line["solved"] for line in ann.get(BOARD + query)["best"]] == [solved]
    assert ann.get("/records?of=cubes&mode=count")["best"] == []
    assert len(ann.get("/records?of=cubes&mode=count&die=off")["best"]) == 1
    assert ann.get(BOARD)["kind"] == {
        "of": "extreme", "mode": "count", "minutes": None, "tasks": 5, "side": 3, "die": None,
    }  # fmt: skip
    clock.time += WEEK
    assert len(ann.get(BOARD + "&since=ever")["best"]) == 1
    clock.time += 1
    assert ann.get(BOARD + "&since=week")["best"] == []


def test_S7_against_the_clock_more_is_better_then_sooner(ann: Loner, bo: Loner) -> None:
    clock_run = {"of": "extreme", "mode": "clock", "minutes": 5}
    for loner, pace in ((ann, 60_000), (bo, 59_000), (ann, 100_000)):
        told = loner.get(f"/tables/{loner.run(pace=pace, **clock_run)}/result")
        assert told["run"]["took"] == 300_000
    best = ann.get("/records?of=extreme&mode=clock")["best"]
    assert [(line["name"], line["solved"]) for line in best] == [("Bo", 5), ("Ann", 4)]


def test_S7_with_dice_rounds_count(ann: Loner) -> None:
    key = ann.run(pace=10, of="dice", mode="count")
    told = ann.get(f"/tables/{key}/result")
    assert told["run"]["rounds"] == ann.room(key).told.round > 5
    assert ann.get("/records?of=dice&mode=count")["best"][0]["rounds"] == told["run"]["rounds"]


def test_S7_who_leaves_or_is_abandoned_has_no_record(client: Client, clock: FakeClock, ann: Loner) -> None:
    left = ann.open(**COUNT)
    room = ann.start(left)
    ann.play(room, tasks=3)
    ann.move(room, Leave())
    told = ann.get(f"/tables/{left}/result")
    assert (told["run"]["scored"], told["record"], told["place"]) == (False, False, None)
    alone = ann.open(**COUNT)
    ann.play(ann.start(alone), tasks=3)
    clock.time += 11 * 60_000
    tidied(client)
    assert ann.refused("GET", f"/tables/{alone}/result") == "not_over"
    assert ann.get(BOARD)["best"] == []


def test_S7_records_made_again_from_the_logs_are_equal(tmp_path: Path, clock: FakeClock) -> None:
    settings = Settings(db=tmp_path / "log.db")
    with TestClient(build(tmp_path, settings, clock)) as client:
        ann, bo = Loner(client, clock, "Ann"), Loner(client, clock, "Bo")
        for loner in (ann, bo):
            loner.run(**COUNT)
            loner.run(of="cards", mode="day")
            loner.run(of="dice", mode="count", pace=5)
            loner.run(of="cubes", pace=70_000)
        with_bots(ann)
        tidied(client)
        # Some are put away, and somebody is forgotten.
        clock.time += 1000
        client.blocking_portal.call(put_away, client.app.state.lobby, 1000)
        assert bo.ask("DELETE", "/guests/me")[0] == 200
        ann.run(**COUNT)
        tidied(client)
        before = kept(client)
        [results, solves, tallied] = before
        assert (len(results), len(tallied)) == (10, 10)
        assert {row[3] for row in results} == {"Ann", "Somebody"}
        assert solves
        client.blocking_portal.call(client.app.state.house.records.rebuild)
        assert kept(client) == before
        client.blocking_portal.call(client.app.state.lobby.results.clear)
        assert kept(client) == [[], [], []]
    with TestClient(build(tmp_path, settings, clock)) as client:
        assert kept(client) == before, "and what is missing is made when the server wakes up"


def test_S7_the_command_makes_them_again(tmp_path: Path, clock: FakeClock) -> None:
    file = tmp_path / "log.db"
    with TestClient(build(tmp_path, Settings(db=file), clock)) as client:
        ann = Loner(client, clock, "Ann")
        ann.run(**COUNT)
        tidied(client)
        before = kept(client)
        busy = ubongo("records", "--rebuild", "--db", str(file))
        assert (busy.returncode, "in use by another server" in busy.stderr) == (2, True)
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("update results set first = 1, took = 1")
        connection.commit()
    done = ubongo("records", "--rebuild", "--db", str(file))
    assert (done.returncode, done.stdout) == (0, f"{file}: results made again from the logs: 1\n")
    with TestClient(build(tmp_path, Settings(db=file), clock)) as client:
        assert kept(client) == before
    assert ubongo("records").returncode == 2
    assert "is not there" in ubongo("records", "--rebuild", "--db", str(tmp_path / "none.db")).stderr


def ubongo(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-m", "ubongo", *words], capture_output=True, text=True, check=False)


RUNS = st.lists(
    st.tuples(
        st.sampled_from(["a", "b", "c", None]), st.integers(0, 3), st.integers(0, 2), st.integers(0, 5), st.booleans()
    ),
    max_size=12,
)


@pytest.fixture(params=["sqlite", "postgres"])
def empty(request: pytest.FixtureRequest, tmp_path: Path) -> Settings:
    return Settings(db=tmp_path / "log.db" if request.param == "sqlite" else shared().database())


@given(runs=RUNS, since=st.integers(0, 5))
@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_S7_places_are_as_one_would_count_them(empty: Settings, runs: list[Any], since: int) -> None:
    """Against plain Python: everybody's best once, who is forgotten each time, who is equal shares a place."""
    found = [
        Result(number, 0, player, "Somebody", "extreme", ended, "k", "e", scored=scored, first=first, second=second)
        for number, (player, first, second, ended, scored) in enumerate(runs, 1)
    ]
    asked = Board("k", "e", since=since)
    counted = [one for one in found if one.scored and one.ended >= since]
    bests: dict[Any, Result] = {}
    for one in sorted(counted, key=lambda one: (order(one), one.match)):
        bests.setdefault(one.player or one.match, one)

    async def kept_and_read(log: Log) -> None:
        await log.start(lambda _: None, lambda _, __: None)
        results = Results(log)
        await results.clear()
        for one in found:
            await results.keep(one.match, [one], [])
        assert await results.best(asked, 10) == list(bests.values())[:10]
        for player in "abc":
            mine = bests.get(player)
            assert await results.best_of(asked, player) == mine
            if mine is not None:
                better = [one for one in bests.values() if order(one) < order(mine)]
                assert await results.place(asked, mine.first, mine.second, player) == 1 + len(better)
        await log.close()

    asyncio.run(kept_and_read(chosen(empty)))


def with_bots(ann: Loner) -> str:
    """A match against a bot, which ends as Ann leaves."""
    wanted = {"game": "extreme", "seats": 2, "bots": ["easy"], "options": {"ready_s": 0}}
    key: str = ann.ask("POST", "/tables", wanted)[1]["table"]
    room = ann.start(key)
    ann.move(room, Ready())
    ann.lay(room)
    ann.move(room, Leave())
    return key


def test_a_profile_has_matches_wins_records_and_solve_times(client: Client, clock: FakeClock, ann: Loner) -> None:
    clock.time += 5
    with_bots(ann)
    ann.run(pace=1500, **COUNT)
    tidied(client)
    profile = ann.get("/guests/me/profile")
    assert profile["matches"] == [{"game": "extreme", "matches": 1, "wins": 1}]
    assert (profile["name"], profile["runs"], profile["streak"]) == ("Ann", 1, 0)
    [best] = profile["records"]
    assert (best["place"], best["run"]["took"], best["run"]["kind"]["of"]) == (1, 7500, "extreme")
    assert best["table"] is not None
    took = [dot["took"] for dot in profile["solves"]]
    assert took.count(1500) == 5
    assert len(took) == 6, "with the bot at the table, too"
    assert all(dot["grade"] in range(1, 6) and dot["difficulty"] > 0 for dot in profile["solves"])


# Forging: each attempt, and what comes of it.


def test_S7_a_client_cannot_say_that_a_run_counts(ann: Loner) -> None:
    """Practice, a task seen before the clock runs, and a bot's work count for nothing, whatever is asked for."""
    seen = ann.get(f"/tables/{ann.run(reveal='deal', scored=True, **COUNT)}/result")
    assert (seen["run"]["scored"], seen["record"]) == (False, False)
    practice = ann.open(of="extreme", mode="practice", scored=True)
    room = ann.start(practice)
    ann.play(room, tasks=5)
    ann.move(room, Leave())
    assert ann.get(f"/tables/{practice}/result")["run"]["scored"] is False
    wanted = {"game": "solo", "options": COUNT, "bots": ["expert"], "sit": False}
    assert ann.refused("POST", "/tables", wanted) == "no_bots_alone"
    assert ann.refused("PUT", f"/tables/{ann.open(**COUNT)}/seats/0", {"bot": "expert"}) == "no_bots_alone"
    assert ann.get(BOARD)["best"] == []


def test_S7_a_client_cannot_choose_the_luck(ann: Loner) -> None:
    for body in ({"seed": "abc"}, {"options": {**COUNT, "seed": "abc"}}, {"options": {**COUNT, "took": 1}}):
        status, answer = ann.ask("POST", "/tables", {"game": "solo", "options": COUNT, **body})
        if status == 201:
            ann.start(answer["table"])
            assert ann.lobby.sitting(answer["table"]).played.opening.seed != "abc"  # type: ignore[union-attr]
        else:
            assert answer["code"] == "bad_options"


def test_S7_a_rematch_has_other_tasks(ann: Loner) -> None:
    key = ann.run(**COUNT)
    _, answer = ann.ask("POST", f"/tables/{key}/rematch")
    first, again = ann.room(key), ann.start(answer["table"])
    assert again.match is not None
    assert first.match is not None
    assert again.match.chance.seed != first.match.chance.seed


def test_S7_a_record_is_of_who_sits_there(ann: Loner, bo: Loner) -> None:
    key = ann.open(**COUNT)
    assert bo.refused("POST", f"/tables/{key}/join") == "full"
    assert bo.refused("POST", f"/tables/{key}/start") == "not_host"
    room = ann.start(key)
    ann.play(room)
    bo.get(f"/tables/{key}/result")
    assert [line["name"] for line in bo.get(BOARD)["best"]] == ["Ann"]
    assert bo.get(BOARD)["mine"] is None
    assert bo.get("/guests/me" + BOARD)["runs"] == []


def test_S7_nothing_can_be_written_to_records(ann: Loner) -> None:
    for path in ("/records", "/guests/me/records", "/guests/me/profile", "/day", "/day/share"):
        for method in ("POST", "PUT", "PATCH", "DELETE"):
            assert ann.ask(method, path, {"took": 1})[0] == 405
    assert ann.ask("GET", "/records?of=chess&mode=count")[0] == 400
    assert ann.ask("GET", "/records?of=cubes&mode=practice")[0] == 400
    assert ann.ask("GET", "/records?of=cubes&mode=count&tasks=1")[0] == 400


def test_S7_setting_everything_aside_is_no_run(ann: Loner) -> None:
    key = ann.open(of="extreme", mode="clock")
    room = ann.start(key)
    ann.move(room, Ready(), SetAside(), SetAside())
    ann.pass_time(300_000)
    assert ann.get(f"/tables/{key}/result")["run"]["scored"] is False


def test_S7_a_host_who_closes_the_table_takes_nothing_back(client: Client, ann: Loner) -> None:
    key = ann.run(**COUNT)
    assert ann.ask("DELETE", f"/tables/{key}")[0] == 200
    tidied(client)
    assert len(ann.get(BOARD)["best"]) == 1


# The puzzle of the day.


def task_at(loner: Loner, room: Any) -> Any:
    loner.move(room, Ready())
    return room.told.seats[0].task


def test_S3_the_day_is_the_servers_and_changes_at_midnight_in_Greenwich(
    ann: Loner, bo: Loner, clock: FakeClock
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
    assert task_at(ann, ann.start(tomorrow)) != ann.room(mine).told.seats[0].task


@pytest.mark.parametrize("day", ["2023-11-13", "2023-11-15", "2026-01-01"])
def test_S3_another_day_is_refused(ann: Loner, day: str) -> None:
    wanted = {"game": "solo", "options": {"of": "extreme", "mode": "day", "day": day}}
    assert ann.refused("POST", "/tables", wanted) == "not_today"
    key = ann.open(of="extreme", mode="day", day="2023-11-14")
    assert ann.refused("PATCH", f"/tables/{key}", {"options": {"day": day}}) == "not_today"
    assert ann.ask("PATCH", f"/tables/{key}", {"options": {"mode": "count"}})[1]["options"]["day"] == ""


def test_S3_it_is_of_the_shipped_edition(ann: Loner) -> None:
    edition = shipped("extreme")
    other = bring(replace(edition, seed=edition.seed + 1))
    wanted = {"game": "solo", "options": {"of": "extreme", "mode": "day", "edition": other}}
    assert ann.refused("POST", "/tables", wanted) == "bad_options"
    match = Match("solo", 1, of="extreme", mode="day", day="2023-11-14", edition=other)
    assert match.table.options.edition == other, "but a log that names another replays for ever"


def test_S6_one_try_a_day_counts_and_the_second_is_marked(ann: Loner, client: Client) -> None:
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
def test_S6_a_try_that_was_given_up_was_the_try(ann: Loner, client: Client, clock: FakeClock, way: str) -> None:
    key = ann.open(of="extreme", mode="day")
    room = ann.start(key)
    ann.move(room, Ready())
    if way == "left":
        ann.move(room, Leave())
    elif way == "closed":
        ann.ask("DELETE", f"/tables/{key}")
    else:
        clock.time += 11 * 60_000
    tidied(client)
    again = ann.run(of="extreme", mode="day")
    assert ann.get(f"/tables/{again}/result")["run"]["scored"] is False
    assert ann.get("/records?of=extreme&mode=day")["best"] == []


def test_S6_two_tables_opened_before_are_still_one_try(ann: Loner) -> None:
    keys = [ann.open(of="extreme", mode="day") for _ in range(3)]
    for key in reversed(keys):
        ann.play(ann.start(key))
    scored = [ann.get(f"/tables/{key}/result")["run"]["scored"] for key in keys]
    assert scored == [False, False, True]


def test_S6_after_midnight_it_no_longer_counts(ann: Loner, clock: FakeClock) -> None:
    clock.time = START // DAY * DAY + DAY - 5000
    key = ann.run(pace=5000, of="extreme", mode="day")
    assert ann.get(f"/tables/{key}/result")["run"]["scored"] is False
    assert ann.get("/day")["streak"] == 0


def test_S6_days_in_a_row(ann: Loner, clock: FakeClock) -> None:
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
def test_S6_how_days_are_counted(days: list[str], today: str, number: int) -> None:
    assert streak(days, today) == number


def test_S6_what_is_shared_gives_nothing_away(ann: Loner) -> None:
    for of in ("extreme", "dice"):
        ann.get(f"/tables/{ann.run(pace=61_000, of=of, mode='day')}/result")
    said = {language: ann.get(f"/day/share?language={language}")["text"] for language in ("en", "de", "pl")}
    lines = said["en"].splitlines()
    assert lines[0] == "Ubongo, puzzle of the day, 2023-11-14"
    assert "Extreme: 1:01" in lines
    assert "Days in a row: 1" in lines
    assert lines[-1] == "http://testserver.local"
    assert len(set(said.values())) == 3
    task = ann.room(next(iter(ann.lobby.sittings))).told.last
    assert task is not None
    assert not any(str(name) in text for text in said.values() for name in task[0].task.pieces)  # type: ignore[union-attr]
    assert ann.ask("GET", "/day/share?language=fr")[0] == 400


def test_S3_yesterdays_solutions_are_shown_and_no_others(ann: Loner, clock: FakeClock) -> None:
    key = ann.open(of="extreme", mode="day")
    task = task_at(ann, ann.start(key))
    today = ann.get("/day")["day"]
    for day in (today, "2023-11-15", "2099-01-01"):
        assert ann.refused("GET", f"/day/{day}") == "day_not_over"
    for day in ("yesterday", "2023-02-30", "20231113", "2023-1-1"):
        assert ann.refused("GET", f"/day/{day}") == "not_found"
    clock.time += DAY
    solved = {one["of"]: one for one in ann.get(f"/day/{today}")}
    assert list(solved) == ["cards", "dice", "extreme", "cubes"]
    assert solved["extreme"]["task"]["pieces"] == list(task.pieces)
    assert len(solved["extreme"]["solution"]) == len(task.pieces)
    assert len(solved["cards"]["solution"]) == 7
    assert solved["dice"]["solution"] is None


# Ghosts.


def test_S8_a_ghost_gives_its_tasks_and_nothing_counts(ann: Loner, bo: Loner) -> None:
    key = ann.open(side=4, **COUNT)
    assert bo.refused("POST", "/tables", {"game": "solo", "options": {"ghost": key}}) == "no_ghost"
    room = ann.start(key)
    assert bo.refused("POST", "/tables", {"game": "solo", "options": {"ghost": key}}) == "no_ghost"
    ann.play(room, pace=4000)
    race = bo.open(ghost=key, scored=True, side=3)
    options = bo.get(f"/tables/{race}")["options"]
    assert (options["side"], options["mode"], options["ghost"], options["scored"]) == (4, "count", key, False)
    mine = bo.start(race)
    bo.play(mine, pace=10)
    told = bo.get(f"/tables/{race}/result")
    assert (told["run"]["took"], told["run"]["scored"], told["record"]) == (50, False, False)
    assert tasks_of(bo, race) == tasks_of(ann, key)
    assert [line["name"] for line in bo.get(BOARD + "&side=4")["best"]] == []
    ann.get(f"/tables/{key}/result")
    assert [line["name"] for line in bo.get(BOARD + "&side=4")["best"]] == ["Ann"]


def tasks_of(loner: Loner, key: str) -> list[Any]:
    headers = {"authorization": f"Bearer {loner.known['token']}"}
    lines = loner.client.get(f"/api/tables/{key}/log", headers=headers).text.splitlines()
    return [json.loads(line)["event"]["task"] for line in lines[1:] if json.loads(line)["event"]["type"] == "dealt"]


def test_S8_the_ghost_is_told_from_its_log(ann: Loner) -> None:
    key = ann.run(pace=4000, **COUNT)
    headers = {"authorization": f"Bearer {ann.known['token']}"}
    lines = [
        json.loads(line) for line in ann.client.get(f"/api/tables/{key}/replay", headers=headers).text.splitlines()
    ]
    placed = [line["at"] for line in lines for event in line["events"] if event["type"] == "placed"]
    assert sorted(set(placed)) == [4000 * number for number in range(1, 6)]


def test_S8_a_race_on_todays_puzzle_is_the_try(ann: Loner, bo: Loner) -> None:
    key = ann.run(of="extreme", mode="day")
    bo.play(bo.start(bo.open(ghost=key)))
    after = bo.run(of="extreme", mode="day")
    assert bo.get(f"/tables/{after}/result")["run"]["scored"] is False


def test_S8_only_a_run_alone_is_a_ghost(ann: Loner) -> None:
    key = with_bots(ann)
    assert ann.refused("POST", "/tables", {"game": "solo", "options": {"ghost": key}}) == "no_ghost"
    assert ann.refused("POST", "/tables", {"game": "solo", "options": {"ghost": "nowhere"}}) == "no_such_table"


def test_an_edition_that_is_missing_waits(client: Client, ann: Loner) -> None:
    key = ann.run(**COUNT)
    lobby = client.app.state.lobby
    played = lobby.sitting(key).played
    options = msgspec.json.decode(played.opening.options) | {"edition": "extreme-gone"}
    lost = replace(played.opening, options=msgspec.Raw(msgspec.json.encode(options)))
    client.blocking_portal.call(lobby.log.write, lobby.register.rewriting(played.match, lost))
    tidied(client)
    assert ann.get(BOARD)["best"] == []
    results: Results = lobby.results
    assert not client.blocking_portal.call(results.tallied, played.match)
    client.blocking_portal.call(lobby.log.write, lobby.register.rewriting(played.match, played.opening))
    client.blocking_portal.call(Records(lobby.register, results).catch_up)
    assert len(ann.get(BOARD)["best"]) == 1


def test_the_date_in_Greenwich() -> None:
    assert [date_of(START // DAY * DAY + DAY + more) for more in (-1, 0)] == ["2023-11-14", "2023-11-15"]


@pytest.mark.parametrize("of", ["extreme", "cubes", "cards"])
def test_a_whole_run_over_a_real_socket(address: str, of: str) -> None:
    ann = Person(address, "Ann")
    table = table_for(ann, game="solo", options={"of": of, "mode": "count", "ready_s": 0})
    device = ann.sit_at(table)
    device.ask(type="ready")
    while device.table["phase"] != "over":
        device.solve()
    told = ann.get(f"/tables/{table}/result")
    assert (told["run"]["solved"], told["run"]["took"], told["record"]) == (5, device.table["took"], True)
    assert ann.get(f"/records?of={of}&mode=count")["mine"]["table"] == table
    assert len(ann.get("/guests/me/profile")["solves"]) == 5


def test_practice_over_a_real_socket(address: str) -> None:
    ann = Person(address, "Ann")
    options = {"of": "cubes", "mode": "practice", "board": "B7", "ready_s": 0}
    device = ann.sit_at(table_for(ann, game="solo", options=options))
    device.ask(type="ready")
    for number in range(4):
        said = device.ask(type="hint")
        assert [event["type"] for event in said["events"]][:2] == ["hinted", "placed"]
        assert said["table"]["seats"]["0"]["hints"] == number + 1
    assert device.table["round"] == 2


def test_the_list_of_the_booklet(ann: Loner) -> None:
    sizes = {of: len(ann.get(f"/games/{of}/tasks")) for of in ("extreme", "cubes", "dice", "cards")}
    assert sizes == {"extreme": 432, "cubes": 504, "dice": 360, "cards": 6}
    for one in ann.get("/games/cubes/tasks")[::100]:
        wanted = {"side": one["side"], "board": one["board"], "number": one["number"]}
        room = ann.start(ann.open(of="cubes", mode="practice", **wanted))
        ann.move(room, Ready())
        task = room.told.seats[0].task
        assert task is not None
        assert (task.board[1:], task.number) == (one["board"], one["number"])
    assert ann.refused("GET", "/games/solo/tasks") == "not_found"
    assert ann.refused("GET", "/games/cubes/tasks?edition=none") == "bad_options"
