"""Records: only times that the server measured, each player's best once (S7)."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.postgres import shared
from tests.server.alone import SoloPlayer
from tests.server.fakes import FakeClock
from tests.server.guests import Client
from tests.server.records.runs import BOARD, COUNT, run_upkeep, with_bots
from ubongo.moves import Leave
from ubongo.server.clock import Timestamp
from ubongo.server.lobby.erasure import erase_guest
from ubongo.server.records import records
from ubongo.server.records.match_results import History
from ubongo.server.records.records import WEEK, order
from ubongo.server.settings import Settings
from ubongo.server.store import Log
from ubongo.server.store.entities import Guest as Known
from ubongo.server.store.entities import StoredMatch
from ubongo.server.store.leaderboards import Leaderboard, Leaderboards
from ubongo.server.store.open_log import open_log
from ubongo.server.store.results import MatchResult, ResultStore
from ubongo.table import SeatNo


def test_S7_a_new_best_is_reported_at_once(ann: SoloPlayer) -> None:
    told = ann.get(f"/tables/{ann.run(pace=2000, **COUNT)}/result")
    assert (told["run"]["solved"], told["run"]["took"], told["run"]["scored"]) == (5, 10_000, True)
    assert (told["before"], told["record"], told["place"], told["place_of_week"]) == (None, True, 1, 1)
    slower = ann.get(f"/tables/{ann.run(pace=3000, **COUNT)}/result")
    assert (slower["before"]["took"], slower["record"], slower["place"]) == (10_000, False, 1), "among others'"
    faster = ann.get(f"/tables/{ann.run(pace=1000, **COUNT)}/result")
    assert (faster["before"]["took"], faster["record"], faster["run"]["took"]) == (10_000, True, 5_000)


@pytest.mark.parametrize(
    ("of", "mode"),
    # Except for the puzzle of the day, dice are random for each run, and so is the number of rounds.
    [*product(("extreme", "cubes", "cards"), ("clock", "count", "day")), ("dice", "day")],
)
def test_S7_T2a_a_run_with_a_count_in_is_timed_from_its_start(
    ann: SoloPlayer, bo: SoloPlayer, of: str, mode: str
) -> None:
    """So the choice makes nobody faster or slower."""
    plain = ann.run(pace=20_000, of=of, mode=mode)
    counted = bo.run(pace=20_000, of=of, mode=mode, count_in_s=10)
    results = [ann.get(f"/tables/{plain}/result")["run"], bo.get(f"/tables/{counted}/result")["run"]]
    assert [result["scored"] for result in results] == [True, True]
    first, second = ([result[name] for name in ("took", "solved", "rounds")] for result in results)
    assert first == second


def test_S7_the_top_ten_has_each_player_once_and_the_viewers_own_place(
    client: Client, clock: FakeClock, ann: SoloPlayer
) -> None:
    for number in range(11):
        other = SoloPlayer(client, clock, f"Guest {number}")
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


def test_S7_each_kind_has_its_own_table(ann: SoloPlayer, clock: FakeClock) -> None:
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


def test_S7_against_the_clock_more_is_better_then_sooner(ann: SoloPlayer, bo: SoloPlayer) -> None:
    clock_run = {"of": "extreme", "mode": "clock", "minutes": 5}
    for loner, pace in ((ann, 60_000), (bo, 59_000), (ann, 100_000)):
        told = loner.get(f"/tables/{loner.run(pace=pace, **clock_run)}/result")
        assert told["run"]["took"] == 300_000
    best = ann.get("/records?of=extreme&mode=clock")["best"]
    assert [(line["name"], line["solved"]) for line in best] == [("Bo", 5), ("Ann", 4)]


def test_S7_with_dice_rounds_count(ann: SoloPlayer) -> None:
    key = ann.run(pace=10, of="dice", mode="count")
    told = ann.get(f"/tables/{key}/result")
    assert told["run"]["rounds"] == ann.room(key).shown.round > 5
    assert ann.get("/records?of=dice&mode=count")["best"][0]["rounds"] == told["run"]["rounds"]


def test_S7_a_player_who_leaves_or_abandons_has_no_record(client: Client, clock: FakeClock, ann: SoloPlayer) -> None:
    left = ann.open(**COUNT)
    room = ann.start(left)
    ann.play(room, tasks=3)
    ann.move(room, Leave())
    told = ann.get(f"/tables/{left}/result")
    assert (told["run"]["scored"], told["record"], told["place"]) == (False, False, None)
    alone = ann.open(**COUNT)
    ann.play(ann.start(alone), tasks=3)
    clock.time += 11 * 60_000
    run_upkeep(client)
    assert ann.refused("GET", f"/tables/{alone}/result") == "not_over"
    assert ann.get(BOARD)["best"] == []


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
def test_S7_places_match_a_plain_count(empty: Settings, runs: list[Any], since: int) -> None:
    """Compared with plain Python: each player's best once, deleted guests every time, equal results share a place."""
    found = [
        MatchResult(
            number, SeatNo(0), player, "Somebody", "extreme", ended, "k", "e", scored=scored, first=first, second=second
        )
        for number, (player, first, second, ended, scored) in enumerate(runs, 1)
    ]
    asked = Leaderboard("k", "e", since=Timestamp(since))
    counted = [one for one in found if one.scored and one.ended >= since]
    bests: dict[Any, MatchResult] = {}
    for one in sorted(counted, key=lambda one: (order(one), one.match)):
        bests.setdefault(one.player or one.match, one)

    async def kept_and_read(log: Log) -> None:
        await log.start(lambda _: None, lambda _, __: None)
        results, leaderboards = ResultStore(log), Leaderboards(log)
        await results.clear()
        for one in found:
            await results.add(one.match, [one], [])
        assert await leaderboards.best(asked, 10) == list(bests.values())[:10]
        for player in "abc":
            mine = bests.get(player)
            assert await leaderboards.best_of(asked, player) == mine
            if mine is not None:
                better = [one for one in bests.values() if order(one) < order(mine)]
                assert await leaderboards.place(asked, mine.first, mine.second, player) == 1 + len(better)
        await log.close()

    asyncio.run(kept_and_read(open_log(empty)))


def test_a_profile_has_matches_wins_records_and_solve_times(client: Client, clock: FakeClock, ann: SoloPlayer) -> None:
    clock.time += 5
    with_bots(ann)
    ann.run(pace=1500, **COUNT)
    run_upkeep(client)
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


def test_a_guest_deleted_while_a_match_is_tallied_becomes_somebody_in_it(
    client: Client, ann: SoloPlayer, monkeypatch: pytest.MonkeyPatch
) -> None:
    lobby = client.app.state.lobby
    with_bots(ann)
    count = records.count_match

    def meanwhile(played: StoredMatch, players: Sequence[str | None], history: History) -> records.MatchTally:
        found = count(played, players, history)
        monkeypatch.setattr(records, "count_match", count)
        client.blocking_portal.call(erase_guest, lobby, Known(ann.player, "Ann", Timestamp(0)))
        return found

    monkeypatch.setattr(records, "count_match", meanwhile)
    run_upkeep(client)
    kept = client.blocking_portal.call(lobby.log.read, "select player, name from results")
    assert kept == [(None, "Somebody")]
    assert client.blocking_portal.call(lobby.log.read, "select count(*) from solves") == [(0,)]
