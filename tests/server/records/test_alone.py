"""Whole solo runs and practice over a real socket, and the booklet that practice chooses from."""

from __future__ import annotations

import pytest

from tests.server.alone import SoloPlayer
from tests.server.people import Person, table_for
from ubongo.moves import Ready


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


def test_the_list_of_the_booklet(ann: SoloPlayer) -> None:
    sizes = {of: len(ann.get(f"/games/{of}/tasks")) for of in ("extreme", "cubes", "dice", "cards")}
    assert sizes == {"extreme": 432, "cubes": 504, "dice": 360, "cards": 6}
    for one in ann.get("/games/cubes/tasks")[::100]:
        wanted = {"side": one["side"], "board": one["board"], "number": one["number"]}
        room = ann.start(ann.open(of="cubes", mode="practice", **wanted))
        ann.move(room, Ready())
        task = room.shown.seats[0].task
        assert task is not None
        assert (task.board[1:], task.number) == (one["board"], one["number"])
    assert ann.refused("GET", "/games/solo/tasks") == "not_found"
    assert ann.refused("GET", "/games/cubes/tasks?edition=none") == "bad_options"
