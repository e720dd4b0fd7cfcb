"""Ghosts: a race against an earlier run, with its tasks, which does not count (S8)."""

from __future__ import annotations

import json
from typing import Any

from tests.server.alone import SoloPlayer
from tests.server.records.runs import BOARD, COUNT, with_bots


def test_S8_a_race_against_a_ghost_has_its_tasks_and_does_not_count(ann: SoloPlayer, bo: SoloPlayer) -> None:
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


def test_S8_T2a_the_count_in_of_a_race_is_its_players_choice_not_the_ghosts(ann: SoloPlayer, bo: SoloPlayer) -> None:
    key = ann.run(pace=4000, count_in_s=2, **COUNT)
    for seconds in (0, 5):
        race = bo.open(ghost=key, count_in_s=seconds)
        assert bo.get(f"/tables/{race}")["options"]["count_in_s"] == seconds
        bo.play(bo.start(race), pace=1000)
        assert bo.get(f"/tables/{race}/result")["run"]["took"] == 5000
        assert tasks_of(bo, race) == tasks_of(ann, key)


def tasks_of(loner: SoloPlayer, key: str) -> list[Any]:
    headers = {"authorization": f"Bearer {loner.known['token']}"}
    lines = loner.client.get(f"/api/tables/{key}/log", headers=headers).text.splitlines()
    return [json.loads(line)["event"]["task"] for line in lines[1:] if json.loads(line)["event"]["type"] == "dealt"]


def test_S8_the_ghost_is_read_from_its_log(ann: SoloPlayer) -> None:
    key = ann.run(pace=4000, **COUNT)
    headers = {"authorization": f"Bearer {ann.known['token']}"}
    lines = [
        json.loads(line) for line in ann.client.get(f"/api/tables/{key}/replay", headers=headers).text.splitlines()
    ]
    placed = [line["at"] for line in lines for event in line["events"] if event["type"] == "placed"]
    assert sorted(set(placed)) == [4000 * number for number in range(1, 6)]


def test_S8_a_race_on_todays_puzzle_is_the_try_of_the_day(ann: SoloPlayer, bo: SoloPlayer) -> None:
    key = ann.run(of="extreme", mode="day")
    bo.play(bo.start(bo.open(ghost=key)))
    after = bo.run(of="extreme", mode="day")
    assert bo.get(f"/tables/{after}/result")["run"]["scored"] is False


def test_S8_only_a_solo_run_can_be_a_ghost(ann: SoloPlayer) -> None:
    key = with_bots(ann)
    assert ann.refused("POST", "/tables", {"game": "solo", "options": {"ghost": key}}) == "no_ghost"
    assert ann.refused("POST", "/tables", {"game": "solo", "options": {"ghost": "nowhere"}}) == "no_such_table"
