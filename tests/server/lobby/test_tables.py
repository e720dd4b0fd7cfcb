"""Tables: opening, joining and starting them, who may see them, and rematches."""

from __future__ import annotations

from typing import Any

import pytest

from tests.server.guests import Client, Guest, over
from ubongo.bots.characters import CHARACTERS
from ubongo.bots.pace import LEVELS
from ubongo.games import GAMES
from ubongo.server.lobby.table_keys import is_sayable


def test_games_list_their_options(client: Client) -> None:
    games = {entry["game"]: entry for entry in client.get("/api/games").json()}
    assert list(games) == list(GAMES)
    extreme = games["extreme"]
    assert extreme["seats"] == [2, 3, 4]
    assert extreme["levels"] == list(LEVELS)
    assert extreme["bots"] == CHARACTERS
    paces = [extreme["board_s"][level] for level in LEVELS]
    assert paces == sorted(paces, reverse=True)
    assert 5 < paces[-1] < paces[0] < 90
    assert games["cards"]["board_s"] == games["dice"]["board_s"] == {}
    assert extreme["grades"] == [2, 3, 5]
    assert games["dice"]["grades"] == [1, 2, 3, 4, 5]
    assert extreme["options"]["properties"]["hourglass_s"]["default"] == 60
    assert extreme["options"]["properties"]["side"]["enum"] == [3, 4]
    assert "$ref" not in str(extreme["options"])
    assert [edition.startswith("extreme-") for edition in extreme["editions"]] == [True]
    pieces = client.get("/api/games/extreme/pieces").json()
    assert {"name", "shapes", "after"} <= set(pieces[0])
    assert client.get("/api/games/chess/pieces").status_code == 404
    assert client.get("/api/games/extreme/pieces?edition=extreme-no").status_code == 400


def test_a_sheet_of_the_dice_game_is_public(client: Client) -> None:
    areas = client.get("/api/games/dice/sheets/60").json()
    assert [(area["sheet"], area["area"]) for area in areas] == [(60, number) for number in range(1, 7)]
    assert all(14 <= len(area["region"]) <= 21 for area in areas)
    assert [client.get(f"/api/games/dice/sheets/{number}").status_code for number in (0, 61, "x")] == [404] * 3
    assert client.get("/api/games/dice/sheets/1?edition=dice-no").status_code == 400
    assert client.get("/api/games/extreme/sheets/1").status_code == 404
    assert len(client.get("/api/games/dice/pieces").json()) == 12


def test_a_table_is_opened_with_its_host_and_its_bots(ann: Guest) -> None:
    answer = ann.post("/tables", {"game": "extreme", "seats": 4, "bots": ["easy"], "options": {"side": 4}})
    assert answer == {"table": answer["table"], "link": f"http://testserver.local/t/{answer['table']}", "seat": 0}
    assert is_sayable(answer["table"])
    shown = ann.get(f"/tables/{answer['table']}")
    assert [(seat["name"], seat["bot"]) for seat in shown["seats"]] == [
        ("Ann", None), ("", None), ("", None), ("Pip", "easy"),
    ]  # fmt: skip
    assert (shown["phase"], shown["game"], shown["host"], shown["seat"]) == ("gather", "extreme", 0, 0)
    assert shown["options"]["side"] == 4
    assert shown["options"]["edition"].startswith("extreme-")


def test_a_host_may_watch(ann: Guest) -> None:
    answer = ann.post("/tables", {"game": "extreme", "seats": 2, "bots": ["easy", "hard"], "sit": False})
    assert answer["seat"] is None
    ann.post(f"/tables/{answer['table']}/start")
    assert ann.get(f"/tables/{answer['table']}")["phase"] in ("ready", "play")


@pytest.mark.parametrize(
    ("wanted", "code"),
    [
        ({"game": "chess"}, "no_such_game"),
        ({"game": "extreme", "seats": 5}, "bad_options"),
        ({"game": "extreme", "seats": 1}, "bad_options"),
        ({"game": "extreme", "seats": "two"}, "unreadable"),
        ({"game": "extreme", "seats": 99}, "unreadable"),
        ({"game": "extreme", "bots": ["genius"]}, "no_such_level"),
        ({"game": "extreme", "seats": 2, "bots": ["easy", "easy"]}, "too_many_bots"),
        ({"game": "extreme", "options": {"side": 5}}, "bad_options"),
        ({"game": "extreme", "options": {"grab_s": 5}}, "bad_options"),
        ({"game": "extreme", "options": {"count_in_s": 11}}, "bad_options"),
        ({"game": "extreme", "options": {"edition": "extreme-no"}}, "bad_options"),
        ({"game": "extreme", "seats": 2, "options": {"first_seat": 3}}, "bad_options"),
        ({"game": "cubes", "options": {"side": 4, "die": "off"}}, "die_needed"),
        ({"game": "dice", "seats": 3, "options": {"areas": 5}}, "five_areas"),
        ({"game": 5}, "unreadable"),
        ({}, "unreadable"),
    ],
)
def test_an_invalid_table_is_refused(anyone: Client, wanted: dict[str, Any], code: str) -> None:
    assert Guest(anyone, "Ann").refused("POST", "/tables", wanted) == (400, code)


def test_only_a_guest_can_open_join_and_start(client: Client, ann: Guest) -> None:
    key = ann.open(seats=2)
    client.cookies.clear()
    for path in ("/api/tables", f"/api/tables/{key}/join", f"/api/tables/{key}/start", f"/api/tables/{key}/leave"):
        answer = client.post(path, json={"game": "extreme"})
        assert (answer.status_code, answer.json()["code"]) == (401, "no_token")
        forged = client.post(path, json={"game": "extreme"}, headers={"authorization": "Bearer nobody"})
        assert forged.status_code == 401
    assert client.get(f"/api/tables/{key}").status_code == 200, "to look is free"


def test_seats_are_taken_in_order_and_only_once(client: Client, ann: Guest, bo: Guest) -> None:
    key = ann.open(seats=3)
    assert bo.post(f"/tables/{key}/join") == {"seat": 1}
    assert bo.post(f"/tables/{key}/join") == {"seat": 1}
    assert ann.post(f"/tables/{key}/join") == {"seat": 0}
    cy, di = Guest(client, "Cy"), Guest(client, "Di")
    assert cy.post(f"/tables/{key}/join") == {"seat": 2}
    assert di.refused("POST", f"/tables/{key}/join") == (409, "full")
    bo.post(f"/tables/{key}/leave")
    assert di.post(f"/tables/{key}/join") == {"seat": 1}
    assert bo.refused("POST", f"/tables/{key}/leave") == (403, "not_seated")


def test_only_public_tables_are_listed(ann: Guest, bo: Guest) -> None:
    ann.open(seats=2)
    key = ann.open(seats=2, public=True)
    assert [entry["table"] for entry in bo.get("/tables")] == [key]
    bo.post(f"/tables/{key}/join")
    ann.post(f"/tables/{key}/start")
    assert [entry["phase"] for entry in bo.get("/tables")] == ["ready"], "it can still be watched"
    ann.ask("DELETE", f"/tables/{key}")
    assert bo.get("/tables") == []


def test_listing_tables_reads_only_unfinished_ones(client: Client, ann: Guest, bo: Guest) -> None:
    keys = [ann.open(seats=2, public=True) for _ in range(3)]
    for key in keys[:2]:
        bo.post(f"/tables/{key}/join")
        ann.post(f"/tables/{key}/start")
    for guest in (ann, bo):
        guest.post(f"/tables/{keys[0]}/leave")
    assert [entry["table"] for entry in bo.get("/tables")] == [keys[2], keys[1]], "what can be joined comes first"
    open_tables = client.app.state.lobby.registry.open_tables
    assert [key in open_tables for key in keys] == [False, True, True]
    assert ann.get(f"/tables/{keys[0]}")["phase"] == "over", "it is still there"


def test_the_host_starts_and_free_seats_are_removed(ann: Guest, bo: Guest) -> None:
    key = ann.open(seats=4, bots=["easy"])
    assert bo.refused("POST", f"/tables/{key}/start") == (403, "not_host")
    bo.post(f"/tables/{key}/join")
    assert ann.post(f"/tables/{key}/start") == {}
    shown = ann.get(f"/tables/{key}")
    assert [seat["name"] for seat in shown["seats"]] == ["Ann", "Bo", "Pip"]
    assert ann.refused("POST", f"/tables/{key}/start") == (409, "has_begun")
    assert bo.post(f"/tables/{key}/join") == {"seat": 1}, "who has a seat keeps it"


def test_too_few_players_cannot_start(ann: Guest) -> None:
    assert ann.refused("POST", f"/tables/{ann.open(seats=3)}/start") == (409, "cannot_start")


def test_a_latecomer_can_watch(client: Client, ann: Guest, bo: Guest) -> None:
    key = ann.open(seats=2)
    bo.post(f"/tables/{key}/join")
    ann.post(f"/tables/{key}/start")
    assert Guest(client, "Cy").refused("POST", f"/tables/{key}/join") == (409, "has_begun")


def test_the_log_is_available_after_the_match(ann: Guest, bo: Guest) -> None:
    key = ann.open(seats=2)
    assert ann.refused("GET", f"/tables/{key}/log") == (409, "not_over")
    bo.post(f"/tables/{key}/join")
    ann.post(f"/tables/{key}/start")
    assert ann.refused("GET", f"/tables/{key}/log") == (409, "not_over")
    assert ann.refused("POST", f"/tables/{key}/rematch") == (409, "not_over")
    bo.post(f"/tables/{key}/leave")
    assert ann.get(f"/tables/{key}")["phase"] == "over"
    assert "match_closed" in ann.get(f"/tables/{key}/log").splitlines()[-1]


def test_a_rematch_is_one_table_for_all(client: Client, ann: Guest, bo: Guest) -> None:
    key = over(ann, bo)
    following = bo.post(f"/tables/{key}/rematch")
    assert following["seat"] == 1
    assert ann.post(f"/tables/{key}/rematch") == following | {"seat": 0}
    assert ann.get(f"/tables/{key}")["next"] == following["table"]
    assert Guest(client, "Cy").refused("POST", f"/tables/{key}/rematch") == (403, "not_seated")
    shown = ann.get(f"/tables/{following['table']}")
    assert [seat["name"] for seat in shown["seats"]] == ["Ann", "Bo"]
    assert (shown["host"], shown["rematch_of"]) == (1, key)
    bo.post(f"/tables/{following['table']}/start")


def test_nobody_is_seated_in_a_rematch_they_did_not_join(ann: Guest, bo: Guest) -> None:
    key = over(ann, bo)
    following = ann.post(f"/tables/{key}/rematch")
    for _ in range(2):
        assert ann.post(f"/tables/{key}/rematch") == following
        assert [seat["name"] for seat in ann.get(f"/tables/{following['table']}")["seats"]] == ["Ann", ""]
        assert ann.refused("POST", f"/tables/{following['table']}/start") == (409, "cannot_start")
    assert bo.get("/guests/me/profile")["matches"] == [], "and nothing is counted for them"
    # With a bot it is played without them.
    ann.ask("PUT", f"/tables/{following['table']}/seats/1", {"bot": "easy"})
    ann.post(f"/tables/{following['table']}/start")
    assert bo.post(f"/tables/{key}/rematch") == following | {"seat": None}


def test_bots_stay_for_a_rematch_and_removed_players_stay_out(client: Client, ann: Guest, bo: Guest) -> None:
    key, cy = ann.open(seats=4, bots=["easy"]), Guest(client, "Cy")
    for guest in (bo, cy):
        guest.post(f"/tables/{key}/join")
    ann.post(f"/tables/{key}/start")
    for guest in (ann, bo, cy):
        guest.post(f"/tables/{key}/leave")
    following = ann.post(f"/tables/{key}/rematch")["table"]
    assert [seat["name"] for seat in ann.get(f"/tables/{following}")["seats"]] == ["Ann", "", "", "Pip"]
    assert cy.post(f"/tables/{key}/rematch")["seat"] == 2, "where they sat"
    ann.ask("DELETE", f"/tables/{following}/seats/2")
    assert cy.refused("POST", f"/tables/{key}/rematch") == (403, "removed")
    assert bo.post(f"/tables/{following}/join") == {"seat": 1}


def test_players_without_a_device_stay_for_a_rematch_with_the_player_who_speaks_for_them(ann: Guest, bo: Guest) -> None:
    key = ann.open(seats=3, options={"companion": True})
    bo.post(f"/tables/{key}/join")
    ann.ask("PUT", f"/tables/{key}/seats/2", {"name": "Di"})
    ann.post(f"/tables/{key}/start")
    for guest in (ann, bo):
        guest.post(f"/tables/{key}/leave")
    first = bo.post(f"/tables/{key}/rematch")["table"]
    assert [seat["name"] for seat in bo.get(f"/tables/{first}")["seats"]] == ["", "Bo", ""]
    bo.ask("DELETE", f"/tables/{first}")
    second = ann.post(f"/tables/{key}/rematch")["table"]
    assert [seat["name"] for seat in ann.get(f"/tables/{second}")["seats"]] == ["Ann", "", "Di"]


def test_pieces_are_compressed_for_clients_that_accept_it(client: Client) -> None:
    for encoding in ("gzip", "identity"):
        answer = client.get("/api/games/cards/pieces", headers={"accept-encoding": encoding})
        assert answer.headers.get("content-encoding", "identity") == encoding
        assert len(answer.json()) == 216
