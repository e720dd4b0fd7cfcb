"""A guest's history: matches, runs and days, a page at a time (S7)."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from tests.postgres import shared
from tests.server.alone import SoloPlayer
from tests.server.fakes import FakeClock
from tests.server.guests import Client
from tests.server.records.runs import COUNT, DAY, run_upkeep, with_bots
from ubongo.match_file import read_events, read_opening
from ubongo.moves import Leave, Ready
from ubongo.server.clock import Timestamp
from ubongo.server.http.history import PAGE
from ubongo.server.lobby.upkeep import archive_old_tables
from ubongo.server.records.match_results import results_of
from ubongo.server.settings import Settings
from ubongo.server.store import Log
from ubongo.server.store.entities import StoredMatch
from ubongo.server.store.open_log import open_log
from ubongo.server.store.player_results import PlayerResults
from ubongo.server.store.results import MatchResult, ResultStore
from ubongo.table import Millis, SeatNo

STORED = Path(__file__).parents[2] / "stored"
GAMES = "/guests/me/games"


def test_the_history_of_a_new_guest_is_empty(ann: SoloPlayer, client: Client) -> None:
    assert ann.get(GAMES) == {"games": [], "next": None}
    assert client.get(f"/api{GAMES}").status_code == 401


def test_matches_runs_and_days_the_newest_first(
    ann: SoloPlayer, bo: SoloPlayer, client: Client, clock: FakeClock
) -> None:
    table = with_bots(ann)
    clock.time += 1000
    run = ann.run(pace=2000, **COUNT)
    clock.time += 1000
    day = ann.run(pace=9000, of="extreme", mode="day")
    bo.run(pace=1000, of="extreme", mode="day")
    clock.time += 1000
    left = ann.open(**COUNT)
    ann.move(ann.start(left), Ready())
    ann.move(ann.room(left), Leave())
    run_upkeep(client)
    found = ann.get(GAMES)
    assert [game["table"] for game in found["games"]] == [left, day, run, table]
    assert found["next"] is None
    given_up, puzzle, speed, match = found["games"]
    assert (match["run"], match["place"], match["people"], match["rounds"]) == (None, 1, 2, 0)
    [other] = match["others"]
    assert other["bot"] == "easy"
    assert match["lasted"] is not None
    assert (speed["run"]["took"], speed["best"], speed["place"], speed["people"]) == (10_000, True, 1, 1)
    assert (puzzle["run"]["took"], puzzle["place"], puzzle["people"]) == (9000, 2, 2)
    assert (given_up["run"]["took"], given_up["best"], given_up["place"]) == (None, False, None)
    shown = {which: len(ann.get(f"{GAMES}?which={which}")["games"]) for which in ("all", "matches", "runs", "days")}
    assert shown == {"all": 4, "matches": 1, "runs": 2, "days": 1}
    assert [len(bo.get(f"{GAMES}?which={which}")["games"]) for which in ("all", "days")] == [1, 1]


def test_archived_matches_are_still_listed(ann: SoloPlayer, client: Client, clock: FakeClock) -> None:
    table = with_bots(ann)
    run_upkeep(client)
    assert [game["table"] for game in ann.get(GAMES)["games"]] == [table]
    clock.time += 2 * DAY
    ann.run(**COUNT)
    client.blocking_portal.call(archive_old_tables, ann.lobby, Millis(DAY))
    run_upkeep(client)
    _, old = ann.get(GAMES)["games"]
    assert old["table"] is None
    assert [other["bot"] for other in old["others"]] == ["easy"]


def test_a_deleted_guest_is_somebody_in_others_history_and_has_none(
    ann: SoloPlayer, bo: SoloPlayer, client: Client
) -> None:
    key = ann.ask("POST", "/tables", {"game": "extreme", "seats": 2, "options": {"ready_s": 0}})[1]["table"]
    assert bo.ask("POST", f"/tables/{key}/join")[0] == 200
    room = ann.start(key)
    ann.move(room, Leave(), seat=1)
    run_upkeep(client)
    assert [game["others"] for game in bo.get(GAMES)["games"]] == [[{"name": "Ann", "bot": None}]]
    assert [game["others"] for game in ann.get(GAMES)["games"]] == [[{"name": "Bo", "bot": None}]]
    assert bo.ask("DELETE", "/guests/me")[0] == 200
    assert bo.refused("GET", GAMES) == "no_token"
    assert [game["others"] for game in ann.get(GAMES)["games"]] == [[{"name": "Somebody", "bot": None}]]
    kept = client.blocking_portal.call(
        ann.lobby.log.read, "select count(*) from results where player = ?", (bo.player,)
    )
    assert kept == [(0,)]


@pytest.mark.parametrize("before", ["x", "-", "1-", "1-2-3", "-1-1", "9" * 20 + "-1", "1-" + "9" * 20])
def test_an_invalid_cursor_is_refused(ann: SoloPlayer, before: str) -> None:
    assert ann.refused("GET", f"{GAMES}?before={before}") == "unreadable"


@pytest.fixture(params=["sqlite", "postgres"])
def empty(request: pytest.FixtureRequest, tmp_path: Path) -> Settings:
    return Settings(db=tmp_path / "log.db" if request.param == "sqlite" else shared().database())


def results(number: int) -> list[MatchResult]:
    """Several end at the same moment."""
    kinds: list[dict[str, Any]] = [
        {},
        {"kind": "k", "edition": "e", "scored": True},
        {"kind": "d", "edition": "e", "day": "2026-11-16", "scored": True},
    ]
    return [
        MatchResult(
            match,
            SeatNo(0),
            "ann" if match % 4 else "bo",
            "Ann",
            "extreme",
            Timestamp(match // 3),
            first=match,
            **kinds[match % 3],
        )
        for match in range(1, number + 1)
    ]


def test_every_page_continues_where_the_previous_one_ended(empty: Settings) -> None:
    kept = results(60)

    async def read(log: Log) -> None:
        await log.start(lambda _: None, lambda _, __: None)
        store, found = ResultStore(log), PlayerResults(log)
        for one in kept:
            await store.add(one.match, [one], [])
        for which, fits in (
            ("all", lambda _: True),
            ("matches", lambda one: one.kind == ""),
            ("runs", lambda one: one.kind == "k"),
            ("days", lambda one: one.day != ""),
        ):
            mine = sorted((one for one in kept if one.player == "ann" and fits(one)), key=lambda one: -one.match)
            seen: list[MatchResult] = []
            before = (Timestamp(2**53), 2**53)
            while page := await found.matches_of("ann", which, before, 7):
                seen += [one.result for one in page]
                before = (seen[-1].ended, seen[-1].match)
            assert seen == mine
        await log.close()

    asyncio.run(read(open_log(empty)))


def test_pages_over_http(ann: SoloPlayer, client: Client) -> None:
    log = client.app.state.lobby.log
    for one in results(60):
        mine = MatchResult(one.match + 1000, SeatNo(0), ann.player, "Ann", "extreme", one.ended)
        client.blocking_portal.call(ResultStore(log).add, mine.match, [mine], [])
    first = ann.get(GAMES)
    second = ann.get(f"{GAMES}?before={first['next']}")
    assert [len(first["games"]), len(second["games"]), second["next"]] == [PAGE, PAGE, None]
    ended = [game["ended"] for game in (*first["games"], *second["games"])]
    assert ended == sorted(ended, reverse=True)


def test_a_players_games_are_found_by_an_index(ann: SoloPlayer) -> None:
    """Not by a scan of everybody's games."""

    async def plan() -> list[Any]:
        return await ann.lobby.log.read(
            "explain query plan select * from results where player = ? and (ended, match) < (?, ?) "
            "order by ended desc, match desc limit 30",
            ("ann", 1, 1),
        )

    steps = [str(row[-1]) for row in ann.client.blocking_portal.call(plan)]
    assert len(steps) == 1
    assert "results_by_player" in steps[0]


@pytest.mark.parametrize(("stored", "rounds"), [("extreme", 9), ("cards", 6)])
def test_a_match_says_how_many_rounds_it_had(stored: str, rounds: int) -> None:
    first, lines = (STORED / f"{stored}.jsonl").read_bytes().split(b"\n", 1)
    opening = read_opening(first)
    history = [(line.at, line.event) for line in read_events(lines)]
    people = ["ann" if isinstance(seat, str) else None for seat in opening.seats]
    found = list(results_of(StoredMatch(1, "table", opening, Timestamp(0), 0), people, history))
    assert {one.rounds for one in found} == {rounds}
