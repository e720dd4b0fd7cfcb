"""The referee for real tables, over the network: who speaks for whom, and the codes on printed boards."""

from __future__ import annotations

import json

import httpx
import pytest
from msgspec import Raw

from tests.server.people import PATIENCE, Device, Message, Person, table_for
from ubongo.events import MatchClosed
from ubongo.match_file import Opening
from ubongo.material import shipped
from ubongo.server.clock import Timestamp
from ubongo.server.records.match_results import results_of, solves_of
from ubongo.server.store.entities import StoredMatch
from ubongo.table import Instant, SeatNo


def says(device: Device, seat: int, **move: object) -> Message:
    """Sends a move for a seat, and returns its one answer."""
    device.n += 1
    n = device.n
    device.say({"n": n, "seat": seat, "move": move})
    return device.until(lambda said: said.get("n") == n or (said["type"] == "update" and (said["acked"] or 0) >= n))


def test_C8_the_host_speaks_only_for_players_without_a_device(ann: Person, bo: Person) -> None:
    table = table_for(ann, bo, start=False, seats=4, options={"companion": True, "ready_s": 0})
    assert ann.ask("PUT", f"/tables/{table}/seats/2", {"name": " Cy "}).status_code == 200
    assert bo.ask("PUT", f"/tables/{table}/seats/3", {"name": "Di"}).json()["code"] == "not_host"
    assert ann.ask("PUT", f"/tables/{table}/seats/1", {"name": "Di"}).json()["code"] == "seat_taken"
    assert ann.ask("PUT", f"/tables/{table}/seats/3", {"name": ""}).json()["code"] == "bad_name"
    assert ann.ask("PUT", f"/tables/{table}/seats/3", {}).json()["code"] == "unreadable"
    assert ann.ask("PUT", f"/tables/{table}/seats/3", {"bot": "easy"}).json()["code"] == "no_bots_on_paper"
    seats = ann.get(f"/tables/{table}")["seats"]
    assert [(seat["name"], seat["present"]) for seat in seats] == [
        ("Ann", False),
        ("Bo", False),
        ("Cy", True),
        ("", False),
    ]
    assert ann.ask("PATCH", f"/tables/{table}", {"options": {"companion": False}}).json()["code"] == "needs_paper"
    ann.post(f"/tables/{table}/start")

    one, other, watcher = ann.sit_at(table), bo.sit_at(table), Device(ann.address, table)
    assert (len(one.table["seats"]), one.table["voiced"], one.table["host"]) == (3, [2], 0)
    one.ask(type="ready")
    for device, seat in ((one, 1), (other, 0), (other, 2), (watcher, 2), (watcher, 0), (one, 7), (one, -1)):
        answer = says(device, seat, type="ready")
        assert (answer["type"], answer.get("code")) == ("refused", "not_your_seat"), (seat, answer)
    assert says(one, 2, type="ready")["type"] == "update"
    assert says(other, 1, type="ready")["type"] == "update", "of oneself it may be said, too"
    one.see(lambda table: table["phase"] == "play")
    said = says(one, 2, type="claim")
    assert [event["type"] for event in said["events"]] == ["called", "gem_moved", "gem_moved"]
    assert one.table["seats"][2]["won"]
    one.hang_up()
    other.see(lambda table: not table["seats"][0]["present"])
    assert other.table["seats"][2]["present"], "who has no device cannot lose it"


def test_C8_while_a_device_is_disconnected_another_speaks_for_it(ann: Person, bo: Person) -> None:
    """Bo's phone dies while cards are counted, and then the host leaves: the match still continues."""
    options = {"companion": True, "ready_s": 0}
    table = table_for(ann, bo, start=False, game="cards", seats=3, options=options)
    assert ann.ask("PUT", f"/tables/{table}/seats/2", {"name": "Cy"}).status_code == 200
    ann.post(f"/tables/{table}/start")
    one, other, watcher = ann.sit_at(table), bo.sit_at(table), Device(ann.address, table)
    for device, seat in ((one, 0), (one, 2), (other, 1)):
        assert says(device, seat, type="ready")["type"] == "update"
    assert says(one, 2, type="claim")["type"] == "update"
    assert says(one, 1, type="claim", cards=5)["code"] == "not_your_seat", "Bo is there"
    other.hang_up()
    one.see(lambda table: not table["seats"][1]["present"])
    assert says(watcher, 1, type="claim", cards=5)["code"] == "not_your_seat"
    assert says(one, 1, type="leave")["code"] == "not_your_seat", "and stays at the table"
    for seat, cards in enumerate((3, 5, 7)):
        assert says(one, seat, type="claim", cards=cards)["type"] == "update"
    assert [seat["points"] for seat in one.table["seats"]] == [[3], [5], [10]]

    again = bo.sit_at(table)
    one.see(lambda table: table["seats"][1]["present"])
    assert says(again, 2, type="ready")["code"] == "not_your_seat", "the host is there"
    one.ask(type="leave")
    again.see(lambda table: table["seats"][0]["gone"])
    assert says(one, 2, type="ready")["code"] == "not_your_seat", "who has left speaks for nobody"
    for seat in (1, 2):
        assert says(again, seat, type="ready")["type"] == "update"
    assert again.table["phase"] == "play"


def test_C1_bots_are_refused_in_every_way(ann: Person) -> None:
    asked = {"game": "extreme", "seats": 2, "bots": ["easy"]}
    assert ann.ask("POST", "/tables", asked | {"options": {"companion": True}}).json()["code"] == "no_bots_on_paper"
    table = ann.post("/tables", asked)["table"]
    changed = ann.ask("PATCH", f"/tables/{table}", {"options": {"companion": True}})
    assert changed.json()["code"] == "no_bots_on_paper"
    assert ann.ask("PUT", f"/tables/{table}/seats/1", {"name": "Cy"}).json()["code"] == "needs_paper"


@pytest.mark.parametrize(("companion", "records"), [(False, 2), (True, 0)])
def test_C9_a_match_on_paper_makes_no_record(companion: bool, records: int) -> None:
    options = Raw(json.dumps({"edition": shipped("extreme").id, "companion": companion}).encode())
    played = StoredMatch(1, "table", Opening("extreme", ("Ann", "Bo"), "seed", options), Timestamp(0), 0)
    history = [(Instant(5), MatchClosed(((SeatNo(0),), (SeatNo(1),)), (7, 3), "seed"))]
    assert len([*results_of(played, ["a", "b"], history)]) == records
    assert not [*solves_of(played, ["a", "b"], history)]


def test_a_printed_board(address: str) -> None:
    edition = shipped("cubes").id
    with httpx.Client(base_url=address, timeout=PATIENCE) as phone:
        found = phone.get(f"/api/boards/{edition}/B7").json()
        assert (found["game"], found["board"], len(found["tasks"])) == ("cubes", "B7", 10)
        assert [task["number"] for task in found["tasks"]] == [str(number) for number in range(1, 11)]
        solved = phone.get(f"/api/boards/{edition}/B7/solution", params={"number": "4", "side": 4}).json()
        assert [one["piece"] for one in solved] == [0, 1, 2, 3]
        assert phone.get(f"/b/{edition}/B7").headers["content-type"].startswith("text/html")
        for path in (
            f"{edition}/A37",
            f"{edition}/7",
            "cubes-000000000000/A1",
            "dice-x/1",
            f"{edition}/B7/solution?number=x",
        ):
            assert phone.get(f"/api/boards/{path}").status_code == 404, path
        assert phone.get(f"/b/{edition}").status_code == 404
