"""Attempts to forge a record all fail (S7)."""

from __future__ import annotations

from tests.server.alone import SoloPlayer
from tests.server.guests import Client
from tests.server.records.runs import BOARD, COUNT, run_upkeep
from ubongo.moves import Leave, Ready, SetAside


def test_S7_a_client_cannot_say_that_a_run_counts(ann: SoloPlayer) -> None:
    """Practice, a task seen before the clock runs, and a bot's moves never count, whatever the client requests."""
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


def test_S7_a_client_cannot_choose_the_luck(ann: SoloPlayer) -> None:
    for body in ({"seed": "abc"}, {"options": {**COUNT, "seed": "abc"}}, {"options": {**COUNT, "took": 1}}):
        status, answer = ann.ask("POST", "/tables", {"game": "solo", "options": COUNT, **body})
        if status == 201:
            ann.start(answer["table"])
            played = ann.lobby.registry.get(answer["table"]).played
            assert played is not None
            assert played.opening.seed != "abc"
        else:
            assert answer["code"] == "bad_options"


def test_S7_a_rematch_has_other_tasks(ann: SoloPlayer) -> None:
    key = ann.run(**COUNT)
    _, answer = ann.ask("POST", f"/tables/{key}/rematch")
    first, again = ann.room(key), ann.start(answer["table"])
    assert again.match is not None
    assert first.match is not None
    assert again.match.chance.seed != first.match.chance.seed


def test_S7_a_record_belongs_to_the_seated_player(ann: SoloPlayer, bo: SoloPlayer) -> None:
    key = ann.open(**COUNT)
    assert bo.refused("POST", f"/tables/{key}/join") == "full"
    assert bo.refused("POST", f"/tables/{key}/start") == "not_host"
    room = ann.start(key)
    ann.play(room)
    bo.get(f"/tables/{key}/result")
    assert [line["name"] for line in bo.get(BOARD)["best"]] == ["Ann"]
    assert bo.get(BOARD)["mine"] is None
    assert bo.get("/guests/me" + BOARD)["runs"] == []


def test_S7_nothing_can_be_written_to_records(ann: SoloPlayer) -> None:
    for path in ("/records", "/guests/me/records", "/guests/me/profile", "/day"):
        for method in ("POST", "PUT", "PATCH", "DELETE"):
            assert ann.ask(method, path, {"took": 1})[0] == 405
    assert ann.ask("GET", "/records?of=chess&mode=count")[0] == 400
    assert ann.ask("GET", "/records?of=cubes&mode=practice")[0] == 400
    assert ann.ask("GET", "/records?of=cubes&mode=count&tasks=1")[0] == 400


def test_S7_setting_every_task_aside_is_not_a_run(ann: SoloPlayer) -> None:
    key = ann.open(of="extreme", mode="clock")
    room = ann.start(key)
    ann.move(room, Ready(), SetAside(), SetAside())
    ann.pass_time(300_000)
    assert ann.get(f"/tables/{key}/result")["run"]["scored"] is False


def test_S7_closing_the_table_does_not_revoke_a_record(client: Client, ann: SoloPlayer) -> None:
    key = ann.run(**COUNT)
    assert ann.ask("DELETE", f"/tables/{key}")[0] == 200
    run_upkeep(client)
    assert len(ann.get(BOARD)["best"]) == 1
