"""What a host may change before the start, and who hosts when the host leaves."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec import Raw

from tests.server.fakes import FakeMember
from tests.server.guests import Client, Guest
from ubongo.server.clock import Timestamp
from ubongo.server.tables.table_setup import MOST_REMOVED, TableSetup


def test_the_host_frees_a_seat_seats_a_bot_and_closes(ann: Guest, bo: Guest) -> None:
    key = ann.open(seats=3)
    bo.post(f"/tables/{key}/join")
    assert bo.refused("DELETE", f"/tables/{key}/seats/0") == (403, "not_host")
    assert ann.refused("PUT", f"/tables/{key}/seats/1", {"bot": "easy"}) == (409, "seat_taken")
    assert ann.ask("DELETE", f"/tables/{key}/seats/1") == (200, {})
    assert ann.ask("PUT", f"/tables/{key}/seats/1", {"bot": "hard"}) == (200, {})
    assert [seat["bot"] for seat in ann.get(f"/tables/{key}")["seats"]] == [None, "hard", None]
    assert ann.refused("PUT", f"/tables/{key}/seats/9", {"bot": "hard"}) == (404, "not_found")
    assert ann.refused("PUT", f"/tables/{key}/seats/2", {"bot": "genius"}) == (400, "no_such_level")
    assert ann.ask("DELETE", f"/tables/{key}") == (200, {})
    assert ann.refused("GET", f"/tables/{key}") == (404, "no_such_table")


def test_a_removed_player_takes_no_seat_until_the_host_allows_it(client: Client, ann: Guest, bo: Guest) -> None:
    key = ann.open(seats=3, public=True)
    bo.post(f"/tables/{key}/join")
    assert ann.get(f"/tables/{key}/removed") == []
    ann.ask("DELETE", f"/tables/{key}/seats/1")
    for _ in range(2):
        assert bo.refused("POST", f"/tables/{key}/join") == (403, "removed")
    assert bo.get(f"/tables/{key}")["seat"] is None, "watching is for everybody"
    Guest(client, "Cy").post(f"/tables/{key}/join")
    assert ann.get(f"/tables/{key}/removed") == [{"player": bo.known["player"], "name": "Bo"}]
    assert bo.refused("GET", f"/tables/{key}/removed") == (403, "not_host")
    lift = f"/tables/{key}/removed/{bo.known['player']}"
    assert bo.refused("DELETE", lift) == (403, "not_host")
    assert ann.ask("DELETE", lift) == (200, {})
    assert ann.refused("DELETE", lift) == (404, "not_found")
    assert bo.post(f"/tables/{key}/join") == {"seat": 2}


def test_a_player_who_leaves_or_frees_their_own_seat_is_not_removed(ann: Guest, bo: Guest) -> None:
    key = ann.open(seats=2)
    bo.post(f"/tables/{key}/join")
    bo.post(f"/tables/{key}/leave")
    assert bo.post(f"/tables/{key}/join") == {"seat": 1}
    ann.ask("DELETE", f"/tables/{key}/seats/0")
    assert bo.get(f"/tables/{key}")["host"] == 1
    assert ann.post(f"/tables/{key}/join") == {"seat": 0}


def test_a_deleted_guest_is_not_listed_as_removed(ann: Guest, bo: Guest) -> None:
    key = ann.open(seats=2)
    bo.post(f"/tables/{key}/join")
    ann.ask("DELETE", f"/tables/{key}/seats/1")
    bo.ask("DELETE", "/guests/me")
    assert ann.get(f"/tables/{key}/removed") == []


def test_the_list_of_removed_players_is_bounded() -> None:
    plan = TableSetup("extreme", Raw(b"{}"), (), "host", public=False, made=Timestamp(0))
    for number in [*range(MOST_REMOVED + 5), 6]:
        plan = plan.without(str(number))
    assert len(plan.removed) == MOST_REMOVED
    assert (plan.removed[0], plan.removed[-2:]) == ("5", (str(MOST_REMOVED + 4), "6"))


def test_the_host_changes_how_it_is_played(client: Client, ann: Guest, bo: Guest) -> None:
    key = ann.open(seats=3, bots=["easy"], options={"side": 4})
    bo.post(f"/tables/{key}/join")
    room = client.blocking_portal.call(client.app.state.lobby.rooms.open, key)
    onlooker, seated = FakeMember(room, None), FakeMember(room, bo.known["player"])
    for member in (onlooker, seated):
        room.enter(member)
    status, shown = ann.ask("PATCH", f"/tables/{key}", {"options": {"hourglass_s": 90}, "public": True})
    assert status == 200
    assert (shown["options"]["hourglass_s"], shown["options"]["side"]) == (90, 4), "what is not named stays"
    assert [entry["table"] for entry in bo.get("/tables")] == [key]
    for member in (onlooker, seated):
        assert member.last()["type"] == "update"
        assert (member.table["options"]["hourglass_s"], member.facts["public"]) == (90, True)
    assert ann.ask("PATCH", f"/tables/{key}", {"public": False})[1]["public"] is False
    assert bo.get("/tables") == []
    ann.post(f"/tables/{key}/start")
    assert ann.refused("PATCH", f"/tables/{key}", {"public": True}) == (409, "has_begun")
    assert room.shown.options.hourglass_s == 90


def test_the_host_changes_the_number_of_seats(client: Client, ann: Guest, bo: Guest) -> None:
    key = ann.open(seats=3, bots=["easy"])
    room = client.blocking_portal.call(client.app.state.lobby.rooms.open, key)
    member = FakeMember(room, ann.known["player"])
    room.enter(member)

    def names(seats: int) -> list[str]:
        status, shown = ann.ask("PATCH", f"/tables/{key}", {"seats": seats})
        assert status == 200, shown
        found = [seat["name"] for seat in shown["seats"]]
        assert [seat["name"] for seat in member.table["seats"]] == found
        return found

    assert names(4) == ["Ann", "", "Pip", ""]
    assert names(3) == ["Ann", "", "Pip"]
    assert names(2) == ["Ann", "Pip"]
    assert names(3) == ["Ann", "Pip", ""]
    assert bo.post(f"/tables/{key}/join") == {"seat": 2}
    assert ann.refused("PATCH", f"/tables/{key}", {"seats": 2}) == (400, "too_few_seats")
    assert ann.refused("PATCH", f"/tables/{key}", {"seats": 1}) == (400, "too_few_seats")
    assert ann.refused("PATCH", f"/tables/{ann.open(seats=3)}", {"seats": 1}) == (400, "bad_options")
    assert member.table["seats"][0]["present"] is True


@pytest.mark.parametrize(
    ("changes", "refusal"),
    [
        ({"options": {"side": 5}}, (400, "bad_options")),
        ({"options": {"grab_s": 5}}, (400, "bad_options")),
        ({"options": {"edition": "extreme-no"}}, (400, "bad_options")),
        ({"options": {"first_seat": 3}}, (400, "bad_options")),
        ({"options": []}, (400, "unreadable")),
        ({"public": "yes"}, (400, "unreadable")),
        ({"seats": 9}, (400, "unreadable")),
    ],
)
def test_invalid_changes_change_nothing(anyone: Client, changes: dict[str, Any], refusal: tuple[int, str]) -> None:
    ann, bo = Guest(anyone, "Ann"), Guest(anyone, "Bo")
    key = ann.open(seats=3)
    bo.post(f"/tables/{key}/join")
    before = ann.get(f"/tables/{key}")
    assert ann.refused("PATCH", f"/tables/{key}", {"public": True, **changes}) == refusal
    assert bo.refused("PATCH", f"/tables/{key}", {"public": True}) == (403, "not_host")
    assert ann.get(f"/tables/{key}") == before


def test_T8_the_chosen_player_throws_first_however_seats_change(client: Client, ann: Guest, bo: Guest) -> None:
    key = ann.open(game="dice", seats=4)

    def first() -> str:
        shown = ann.get(f"/tables/{key}")
        return str(shown["seats"][shown["options"]["first_seat"]]["name"])

    def choose(seat: int) -> None:
        assert ann.ask("PATCH", f"/tables/{key}", {"options": {"first_seat": seat}})[0] == 200

    assert first() == "Ann", "the host, unless chosen otherwise"
    cy, di = Guest(client, "Cy"), Guest(client, "Di")
    for guest in (bo, cy, di):
        guest.post(f"/tables/{key}/join")
    choose(1)
    assert first() == "Bo"
    bo.post(f"/tables/{key}/leave")
    assert first() == "Cy", "the next clockwise"
    choose(3)
    ann.ask("PATCH", f"/tables/{key}", {"seats": 3})
    assert first() == "Di", "on the third of three seats now"
    ann.ask("PATCH", f"/tables/{key}", {"seats": 4})
    ann.ask("DELETE", f"/tables/{key}/seats/1")
    ann.post(f"/tables/{key}/start")
    assert [seat["name"] for seat in ann.get(f"/tables/{key}")["seats"]] == ["Ann", "Di"]
    assert client.blocking_portal.call(client.app.state.lobby.rooms.open, key).shown.roller == 1
    assert first() == "Di"
    for guest in (ann, di):
        guest.post(f"/tables/{key}/leave")
    following = [guest.post(f"/tables/{key}/rematch")["table"] for guest in (ann, di)]
    key = following[1]
    assert first() == "Di", "and again"


def test_T8_an_empty_first_seat_passes_the_throw_clockwise(client: Client, ann: Guest, bo: Guest) -> None:
    key = ann.open(game="dice", seats=4, options={"first_seat": 2})
    bo.post(f"/tables/{key}/join")
    ann.post(f"/tables/{key}/start")
    assert client.blocking_portal.call(client.app.state.lobby.rooms.open, key).shown.roller == 0


def test_a_host_who_leaves_hands_over_and_the_last_one_closes(ann: Guest, bo: Guest) -> None:
    key = ann.open(seats=2)
    bo.post(f"/tables/{key}/join")
    ann.post(f"/tables/{key}/leave")
    assert bo.get(f"/tables/{key}")["host"] == 1
    ann.post(f"/tables/{key}/join")
    assert ann.refused("POST", f"/tables/{key}/start") == (403, "not_host")
    ann.post(f"/tables/{key}/leave")
    bo.post(f"/tables/{key}/leave")
    assert bo.refused("GET", f"/tables/{key}") == (404, "no_such_table")


def test_bots_of_the_same_level_have_different_names(ann: Guest) -> None:
    """A bot is named after its level; a second bot of that level, or a person with that name, adds a number."""
    key = ann.open(seats=4, bots=["hard", "hard", "medium"])
    assert [seat["name"] for seat in ann.get(f"/tables/{key}")["seats"]] == ["Ann", "Runa", "Runa 2", "Otto"]
    ann.ask("PUT", f"/tables/{key}/seats/1", {"bot": "medium"})
    ann.ask("PUT", f"/tables/{key}/seats/2", {"bot": "hard"})
    assert [seat["name"] for seat in ann.get(f"/tables/{key}")["seats"]] == ["Ann", "Otto 2", "Runa", "Otto"]
