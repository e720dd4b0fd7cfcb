"""The lobby over HTTP: who may do what, and what becomes of it."""

from __future__ import annotations

import asyncio
import itertools
import sqlite3
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any
from zlib import decompress

import pytest
from litestar import Litestar
from litestar.testing import TestClient

from tests.server.fakes import FakeClock, FakeMember, full
from ubongo.bots.pace import LEVELS
from ubongo.games import GAMES
from ubongo.server.app import build
from ubongo.server.identity import Guests
from ubongo.server.log.register import Register
from ubongo.server.log.schema import MIGRATIONS
from ubongo.server.log.sqlite import SqliteLog
from ubongo.server.settings import Settings
from ubongo.server.tidying import ABANDONED, end_what_is_over, put_away

Client = TestClient[Litestar]


@pytest.fixture
def client(tmp_path: Path) -> Iterator[Client]:
    with TestClient(build(tmp_path, Settings(db=tmp_path / "log.db"))) as client:
        yield client


class Guest:
    def __init__(self, client: Client, name: str) -> None:
        self.client = client
        self.known = client.post("/api/guests", json={"name": name}).json()
        client.cookies.clear()

    def ask(self, method: str, path: str, body: Any = None) -> tuple[int, Any]:
        headers = {"authorization": f"Bearer {self.known['token']}"}
        answer = self.client.request(method, f"/api{path}", json=body, headers=headers)
        return answer.status_code, answer.json() if answer.headers[
            "content-type"
        ] == "application/json" else answer.text

    def post(self, path: str, body: Any = None) -> Any:
        status, answer = self.ask("POST", path, body)
        assert status in (200, 201), answer
        return answer

    def get(self, path: str) -> Any:
        status, answer = self.ask("GET", path)
        assert status == 200, answer
        return answer

    def refused(self, method: str, path: str, body: Any = None) -> tuple[int, str]:
        status, answer = self.ask(method, path, body)
        assert answer["error"].endswith("."), answer
        assert set(answer) == {"error", "code"}
        return status, answer["code"]

    def open(self, **wanted: Any) -> str:
        key: str = self.post("/tables", {"game": "extreme", **wanted})["table"]
        return key


@pytest.fixture
def ann(client: Client) -> Guest:
    return Guest(client, "Ann")


@pytest.fixture
def bo(client: Client) -> Guest:
    return Guest(client, "Bo")


def test_a_guest_needs_only_a_name(client: Client) -> None:
    answer = client.post("/api/guests", json={"name": "  Zoë  Ødegård "})
    assert answer.status_code == 201
    assert set(answer.json()) == {"player", "token"}
    cookie = answer.headers["set-cookie"].lower()
    assert "httponly" in cookie
    assert "samesite=strict" in cookie
    assert "path=/" in cookie
    # The cookie alone says who it is.
    assert client.get("/api/guests/me").json() == {"player": answer.json()["player"], "name": "Zoë Ødegård"}


def test_a_cookie_is_for_https_where_people_come_by_it(tmp_path: Path) -> None:
    settings = Settings(db=tmp_path / "log.db", public_url="https://play.example/ubongo/")
    with TestClient(build(tmp_path, settings)) as client:
        ann = Guest(client, "Ann")
        assert "secure" in client.post("/api/guests", json={"name": "Ann"}).headers["set-cookie"].lower()
        table = ann.post("/tables", {"game": "extreme"})
        assert table["link"] == f"https://play.example/ubongo/t/{table['table']}"


@pytest.mark.parametrize("name", ["", "   ", "x" * 41, "a\x00b", "a\nb", "\u202eabc", "\u200d", "a\u2028b", "\ue000"])
def test_a_name_can_be_read(client: Client, name: str) -> None:
    answer = client.post("/api/guests", json={"name": name})
    assert (answer.status_code, answer.json()["code"]) == (400, "bad_name")


@pytest.mark.parametrize("name", ["李雷", "Ólafur", "مریم", "नेहा", "👩‍🚀", "x" * 40, "O'Neil <b>"])
def test_a_name_is_of_any_script(client: Client, name: str) -> None:
    client.post("/api/guests", json={"name": name})
    assert client.get("/api/guests/me").json()["name"] == name


@pytest.mark.parametrize(
    "body",
    [b"", b"x", b"[]", b"null", b"{}", b'{"name": 5}', b'{"name": null}', b"\xff", b"[" * 10_000, b'{"name": "\xff"}'],
)
def test_a_body_that_says_nothing_is_refused(client: Client, body: bytes) -> None:
    answer = client.post("/api/guests", content=body, headers={"content-type": "application/json"})
    assert answer.status_code == 400
    assert set(answer.json()) == {"error", "code"}


def test_a_body_that_is_too_long_is_refused(client: Client) -> None:
    answer = client.post("/api/guests", json={"name": "x" * 100_000})
    assert (answer.status_code, answer.json()["code"]) == (413, "request_entity_too_large")


def test_a_guest_changes_the_name_and_goes_to_another_device(client: Client, ann: Guest) -> None:
    assert ann.ask("PATCH", "/guests/me", {"name": "Anna"})[1]["name"] == "Anna"
    code = ann.post("/guests/me/codes")["code"]
    phone = client.post("/api/guests/redeem", json={"code": code}).json()
    assert phone["player"] == ann.known["player"]
    assert phone["token"] != ann.known["token"]
    assert client.get("/api/guests/me", headers={"authorization": f"Bearer {phone['token']}"}).json()["name"] == "Anna"
    assert ann.get("/guests/me")["name"] == "Anna", "the first device stays"
    again = client.post("/api/guests/redeem", json={"code": code})
    assert (again.status_code, again.json()["code"]) == (404, "no_such_code")


def test_games_say_how_they_can_be_played(client: Client) -> None:
    games = {entry["game"]: entry for entry in client.get("/api/games").json()}
    assert list(games) == list(GAMES)
    extreme = games["extreme"]
    assert extreme["seats"] == [2, 3, 4]
    assert extreme["levels"] == list(LEVELS)
    assert extreme["options"]["properties"]["hourglass_s"]["default"] == 60
    assert extreme["options"]["properties"]["side"]["enum"] == [3, 4]
    assert "$ref" not in str(extreme["options"])
    assert [edition.startswith("extreme-") for edition in extreme["editions"]] == [True]
    pieces = client.get("/api/games/extreme/pieces").json()
    assert {"name", "shapes", "after"} <= set(pieces[0])
    assert client.get("/api/games/chess/pieces").status_code == 404
    assert client.get("/api/games/extreme/pieces?edition=extreme-no").status_code == 400


def test_a_sheet_of_the_dice_game_lies_open(client: Client) -> None:
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
    assert len(answer["table"]) >= 22, "not to be guessed"
    shown = ann.get(f"/tables/{answer['table']}")
    assert [(seat["name"], seat["bot"]) for seat in shown["seats"]] == [
        ("Ann", None), ("", None), ("", None), ("Easy bot", "easy"),
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
        ({"game": "extreme", "options": {"edition": "extreme-no"}}, "bad_options"),
        ({"game": "extreme", "seats": 2, "options": {"first_seat": 3}}, "bad_options"),
        ({"game": "cubes", "options": {"side": 4, "die": "off"}}, "die_needed"),
        ({"game": "dice", "seats": 3, "options": {"areas": 5}}, "five_areas"),
        ({"game": 5}, "unreadable"),
        ({}, "unreadable"),
    ],
)
def test_a_table_that_cannot_be_is_refused(ann: Guest, wanted: dict[str, Any], code: str) -> None:
    assert ann.refused("POST", "/tables", wanted) == (400, code)


def test_only_who_is_known_opens_joins_and_starts(client: Client, ann: Guest) -> None:
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


def test_the_host_starts_and_free_seats_go(ann: Guest, bo: Guest) -> None:
    key = ann.open(seats=4, bots=["easy"])
    assert bo.refused("POST", f"/tables/{key}/start") == (403, "not_host")
    bo.post(f"/tables/{key}/join")
    assert ann.post(f"/tables/{key}/start") == {}
    shown = ann.get(f"/tables/{key}")
    assert [seat["name"] for seat in shown["seats"]] == ["Ann", "Bo", "Easy bot"]
    assert ann.refused("POST", f"/tables/{key}/start") == (409, "has_begun")
    assert bo.post(f"/tables/{key}/join") == {"seat": 1}, "who has a seat keeps it"


def test_too_few_cannot_start(ann: Guest) -> None:
    assert ann.refused("POST", f"/tables/{ann.open(seats=3)}/start") == (409, "cannot_start")


def test_who_comes_late_can_watch(client: Client, ann: Guest, bo: Guest) -> None:
    key = ann.open(seats=2)
    bo.post(f"/tables/{key}/join")
    ann.post(f"/tables/{key}/start")
    assert Guest(client, "Cy").refused("POST", f"/tables/{key}/join") == (409, "has_begun")


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


def test_the_host_changes_how_it_is_played(client: Client, ann: Guest, bo: Guest) -> None:
    key = ann.open(seats=3, bots=["easy"], options={"side": 4})
    bo.post(f"/tables/{key}/join")
    room = client.blocking_portal.call(client.app.state.lobby.room, key)
    onlooker, seated = FakeMember(room, None), FakeMember(room, bo.known["player"])
    for member in (onlooker, seated):
        room.enter(member)
    status, shown = ann.ask("PATCH", f"/tables/{key}", {"options": {"hourglass_s": 90}, "public": True})
    assert status == 200
    assert (shown["options"]["hourglass_s"], shown["options"]["side"]) == (90, 4), "what is not named stays"
    assert [entry["table"] for entry in bo.get("/tables")] == [key]
    for member in (onlooker, seated):
        assert member.last()["type"] == "update"
        assert (member.table["options"]["hourglass_s"], member.table["public"]) == (90, True)
    assert ann.ask("PATCH", f"/tables/{key}", {"public": False})[1]["public"] is False
    assert bo.get("/tables") == []
    ann.post(f"/tables/{key}/start")
    assert ann.refused("PATCH", f"/tables/{key}", {"public": True}) == (409, "has_begun")
    assert room.told.options.hourglass_s == 90


def test_the_host_changes_the_number_of_seats(client: Client, ann: Guest, bo: Guest) -> None:
    key = ann.open(seats=3, bots=["easy"])
    room = client.blocking_portal.call(client.app.state.lobby.room, key)
    member = FakeMember(room, ann.known["player"])
    room.enter(member)

    def names(seats: int) -> list[str]:
        status, shown = ann.ask("PATCH", f"/tables/{key}", {"seats": seats})
        assert status == 200, shown
        found = [seat["name"] for seat in shown["seats"]]
        assert [seat["name"] for seat in member.table["seats"]] == found
        return found

    assert names(4) == ["Ann", "", "Easy bot", ""]
    assert names(3) == ["Ann", "", "Easy bot"]
    assert names(2) == ["Ann", "Easy bot"]
    assert names(3) == ["Ann", "Easy bot", ""]
    assert bo.post(f"/tables/{key}/join") == {"seat": 2}
    assert ann.refused("PATCH", f"/tables/{key}", {"seats": 2}) == (400, "too_few_seats")
    assert ann.refused("PATCH", f"/tables/{key}", {"seats": 1}) == (400, "bad_options")
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
def test_changes_that_cannot_be_change_nothing(
    ann: Guest, bo: Guest, changes: dict[str, Any], refusal: tuple[int, str]
) -> None:
    key = ann.open(seats=3)
    bo.post(f"/tables/{key}/join")
    before = ann.get(f"/tables/{key}")
    assert ann.refused("PATCH", f"/tables/{key}", {"public": True, **changes}) == refusal
    assert bo.refused("PATCH", f"/tables/{key}", {"public": True}) == (403, "not_host")
    assert ann.get(f"/tables/{key}") == before


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


def over(ann: Guest, bo: Guest) -> str:
    key = ann.open(seats=2)
    bo.post(f"/tables/{key}/join")
    ann.post(f"/tables/{key}/start")
    bo.post(f"/tables/{key}/leave")
    return key


def test_the_log_is_for_afterwards(ann: Guest, bo: Guest) -> None:
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
    ann.post(f"/tables/{following['table']}/start")


def test_who_goes_is_somebody(ann: Guest, bo: Guest) -> None:
    done = over(ann, bo)
    waiting = ann.open(seats=2)
    bo.post(f"/tables/{waiting}/join")
    assert bo.ask("DELETE", "/guests/me") == (200, {})
    assert bo.refused("GET", "/guests/me") == (401, "no_token")
    assert [seat["name"] for seat in ann.get(f"/tables/{waiting}")["seats"]] == ["Ann", ""]
    log = ann.get(f"/tables/{done}/log")
    assert '"Somebody"' in log
    assert "Bo" not in log


def test_who_goes_is_somebody_at_once_for_everybody_at_a_running_table(client: Client, ann: Guest, bo: Guest) -> None:
    cy = Guest(client, "Cy")
    key = ann.open(seats=3)
    for other in (bo, cy):
        other.post(f"/tables/{key}/join")
    ann.post(f"/tables/{key}/start")
    room = client.blocking_portal.call(client.app.state.lobby.room, key)
    members = [FakeMember(room, one) for one in (ann.known["player"], bo.known["player"], None)]
    for member in members:
        client.blocking_portal.call(room.enter, member)
    assert bo.ask("DELETE", "/guests/me") == (200, {})
    for member in members:
        assert [seat["name"] for seat in member.table["seats"]] == ["Ann", "Somebody", "Cy"]
        assert member.table["seats"][1]["gone"] is True
    assert [member.seat for member in members] == [0, None, None], "who has gone only watches"
    # And so it stays, whatever happens next, and for whoever comes.
    cy.post(f"/tables/{key}/leave")
    assert members[0].table["phase"] == "over"
    assert [seat["name"] for seat in members[0].table["seats"]] == ["Ann", "Somebody", "Cy"]
    assert [seat["name"] for seat in ann.get(f"/tables/{key}")["seats"]] == ["Ann", "Somebody", "Cy"]
    following = ann.post(f"/tables/{key}/rematch")["table"]
    assert [seat["name"] for seat in ann.get(f"/tables/{following}")["seats"]] == ["Ann", "", "Cy"]


def test_a_host_who_only_watches_and_goes_hands_over(ann: Guest, bo: Guest) -> None:
    joined, alone = ann.open(seats=2, sit=False), ann.open(seats=2, sit=False)
    bo.post(f"/tables/{joined}/join")
    ann.ask("DELETE", "/guests/me")
    assert bo.get(f"/tables/{joined}")["host"] == 0
    assert bo.refused("GET", f"/tables/{alone}") == (404, "no_such_table")


def test_guests_who_are_not_here_cost_no_memory(client: Client, ann: Guest) -> None:
    lobby = client.app.state.lobby
    before = sys.getsizeof(lobby.guests.__dict__) + sum(map(sys.getsizeof, lobby.guests.__dict__.values()))
    for number in range(300):
        Guest(client, f"Guest {number}")
    after = sys.getsizeof(lobby.guests.__dict__) + sum(map(sys.getsizeof, lobby.guests.__dict__.values()))
    assert after == before
    assert len(lobby.guests) == 301
    assert ann.get("/guests/me")["name"] == "Ann"


@pytest.mark.anyio
async def test_of_two_who_redeem_a_code_at_once_one_is_too_late(tmp_path: Path) -> None:
    log = SqliteLog(tmp_path / "log.db")
    await log.start(lambda _: None, lambda _, __: None)
    guests = Guests(Register(log))
    ann, _ = await guests.welcome("Ann", 5)
    code = await guests.new_code(ann, 6)
    answers = await asyncio.gather(guests.redeem(code, 7), guests.redeem(code, 7), return_exceptions=True)
    assert sorted(type(answer).__name__ for answer in answers) == ["Denied", "tuple"]
    await log.close()


def test_a_table_that_is_over_is_kept_in_the_file_alone(client: Client, ann: Guest, bo: Guest) -> None:
    key = over(ann, bo)
    lobby = client.app.state.lobby
    room = client.blocking_portal.call(lobby.room, key)
    member = FakeMember(room, None)
    client.blocking_portal.call(room.enter, member)
    for _ in range(2):
        client.blocking_portal.call(end_what_is_over, lobby)
    assert lobby.sitting(key).room is room, "somebody looks at it"
    client.blocking_portal.call(room.exit, member)
    client.blocking_portal.call(end_what_is_over, lobby)
    assert lobby.sitting(key).room is None
    assert ann.get(f"/tables/{key}")["phase"] == "over"


def test_another_sites_page_may_change_nothing(client: Client, ann: Guest) -> None:
    for origin in ("https://elsewhere.example", "null"):
        headers = {"authorization": f"Bearer {ann.known['token']}", "origin": origin}
        answer = client.post("/api/tables", json={"game": "extreme"}, headers=headers)
        assert (answer.status_code, answer.json()["code"]) == (403, "another_site")


def test_a_disk_that_fails_refuses_and_says_so(client: Client, ann: Guest) -> None:
    log = client.app.state.house.log
    full(log, True)
    # Some of what is written still fits into the last page.
    answers = (ann.ask("POST", "/tables", {"game": "extreme"}) for _ in range(200))
    opened = list(itertools.takewhile(lambda answer: answer[0] == 201, answers))
    assert ann.refused("POST", "/tables", {"game": "extreme"}) == (503, "not_recorded")
    health = client.get("/healthz")
    assert (health.status_code, health.json()["status"]) == (503, "failing")
    assert health.json()["log"] == "database or disk is full"
    assert {ann.get(f"/tables/{answer['table']}")["phase"] for _, answer in opened} <= {"gather"}, "what was recorded"
    full(log, False)
    ann.open()
    assert client.get("/healthz").json()["status"] == "ok"


def test_no_answer_is_kept(client: Client) -> None:
    assert client.get("/api/tables").headers["cache-control"] == "no-store"


def test_too_many_requests_of_one_address_are_refused(tmp_path: Path) -> None:
    settings = Settings(db=tmp_path / "log.db", requests_rate=0.001, requests_burst=3)
    with TestClient(build(tmp_path, settings)) as client:
        statuses = [client.get("/api/games").status_code for _ in range(5)]
        assert statuses == [200, 200, 200, 429, 429]
        assert client.get("/api/games").json()["code"] == "too_fast"


def test_everything_is_there_after_a_restart(tmp_path: Path) -> None:
    settings = Settings(db=tmp_path / "log.db")
    with TestClient(build(tmp_path, settings)) as client:
        ann, bo = Guest(client, "Ann"), Guest(client, "Bo")
        done, waiting, running = over(ann, bo), ann.open(seats=3), ann.open(seats=2)
        for key in (waiting, running):
            bo.post(f"/tables/{key}/join")
        ann.post(f"/tables/{running}/start")
        code = ann.post("/guests/me/codes")["code"]
        before = [ann.get(f"/tables/{key}") for key in (done, waiting, running)]
    with TestClient(build(tmp_path, settings)) as client:
        ann.client = bo.client = client
        assert [ann.get(f"/tables/{key}") for key in (done, waiting, running)] == before
        assert bo.post(f"/tables/{waiting}/join") == {"seat": 1}
        assert ann.get(f"/tables/{done}/log")
        assert client.post("/api/guests/redeem", json={"code": code}).json()["player"] == ann.known["player"]


def test_a_match_is_not_ended_on_the_strength_of_what_others_have_changed(client: Client, ann: Guest) -> None:
    key = ann.open(seats=2, bots=["easy"])
    ann.post(f"/tables/{key}/start")
    lobby = client.app.state.lobby
    room = client.blocking_portal.call(lobby.room, key)
    room.alone_since = 0
    lobby.sittings[key].changed -= 1
    client.blocking_portal.call(end_what_is_over, lobby)
    assert (room.ended, ann.get(f"/tables/{key}")["phase"]) == (False, "ready")
    lobby.sittings[key].changed += 1
    client.blocking_portal.call(end_what_is_over, lobby)
    assert (room.ended, ann.get(f"/tables/{key}")["phase"]) == (True, "over")


def test_what_is_long_over_becomes_a_compact_log(tmp_path: Path) -> None:
    clock = FakeClock()
    settings = Settings(db=tmp_path / "log.db")
    with TestClient(build(tmp_path, settings, clock)) as client:
        ann, bo = Guest(client, "Ann"), Guest(client, "Bo")
        lobby = client.app.state.lobby
        done, waiting, running = over(ann, bo), ann.open(seats=2), ann.open(seats=2, bots=["easy"])
        ann.post(f"/tables/{running}/start")
        client.blocking_portal.call(end_what_is_over, lobby)
        lines = ann.get(f"/tables/{done}/log").splitlines()
        clock.time += 999
        client.blocking_portal.call(put_away, lobby, 1000)
        assert ann.get(f"/tables/{done}")["phase"] == "over"
        # Every change of a table is later than the one before, if only by a millisecond.
        clock.time += 10
        client.blocking_portal.call(put_away, lobby, 1000)
        for key in (done, waiting):
            assert ann.refused("GET", f"/tables/{key}") == (404, "no_such_table")
        assert ann.get(f"/tables/{running}")["phase"] == "ready"
        [[opening, packed]] = client.blocking_portal.call(lobby.log.read, "select opening, lines from archive")
        assert [opening.decode(), *decompress(packed).decode().splitlines()] == lines
        clock.time += 500
        assert bo.get("/guests/me")["name"] == "Bo"
        client.blocking_portal.call(put_away, lobby, 1000)
        clock.time += 999
        client.blocking_portal.call(put_away, lobby, 1000)
        assert bo.get("/guests/me")["name"] == "Bo", "seen just now"
        clock.time += 2000
        client.blocking_portal.call(put_away, lobby, 1000)
        clock.time += 2000
        client.blocking_portal.call(put_away, lobby, 1000)
        assert bo.refused("GET", "/guests/me") == (401, "no_token")
        [[opening]] = client.blocking_portal.call(lobby.log.read, "select opening from archive")
        assert b'"seats":["Ann","Somebody"]' in opening, "Ann still has a seat"
        before = client.blocking_portal.call(lobby.log.read, "select max(match) from matches")
    with TestClient(build(tmp_path, settings, clock)) as client:
        ann.client = client
        key = ann.open(seats=2, bots=["easy"])
        ann.post(f"/tables/{key}/start")
        after = client.blocking_portal.call(client.app.state.lobby.log.read, "select max(match) from matches")
        assert after > before, "no number comes twice"


def test_a_table_that_everybody_has_left_is_ended(tmp_path: Path) -> None:
    clock = FakeClock()
    with TestClient(build(tmp_path, Settings(db=tmp_path / "log.db"), clock)) as client:
        ann = Guest(client, "Ann")
        key = ann.open(seats=2, bots=["easy"])
        ann.post(f"/tables/{key}/start")
        lobby = client.app.state.lobby
        clock.time += ABANDONED - 1
        client.blocking_portal.call(end_what_is_over, lobby)
        assert ann.get(f"/tables/{key}")["phase"] == "ready"
        clock.time += 1
        client.blocking_portal.call(end_what_is_over, lobby)
        assert ann.get(f"/tables/{key}")["phase"] == "over"
        assert ann.get(f"/tables/{key}/log")
        assert ann.post(f"/tables/{key}/rematch")["seat"] == 0


def test_bots_among_themselves_are_not_alone_while_somebody_watches(tmp_path: Path) -> None:
    clock = FakeClock()
    with TestClient(build(tmp_path, Settings(db=tmp_path / "log.db"), clock)) as client:
        ann = Guest(client, "Ann")
        key = ann.open(seats=2, bots=["easy", "easy"], sit=False)
        ann.post(f"/tables/{key}/start")
        lobby = client.app.state.lobby
        watching = FakeMember(client.blocking_portal.call(lobby.room, key), None)
        client.blocking_portal.call(watching.room.enter, watching)
        clock.time += ABANDONED
        client.blocking_portal.call(end_what_is_over, lobby)
        assert ann.get(f"/tables/{key}")["phase"] != "over"
        client.blocking_portal.call(watching.room.exit, watching)
        clock.time += ABANDONED
        client.blocking_portal.call(end_what_is_over, lobby)
        assert ann.get(f"/tables/{key}")["phase"] == "over"


def test_metrics_name_nobody(client: Client, ann: Guest, bo: Guest) -> None:
    key = over(ann, bo)
    page = client.get("/metrics")
    assert page.headers["content-type"] == "text/plain; version=0.0.4; charset=utf-8"
    assert "ubongo_guests 2.0" in page.text
    assert 'ubongo_tables{state="over"} 1.0' in page.text
    assert "ubongo_commit_seconds_count" in page.text
    for secret in (key, ann.known["token"], ann.known["player"], "Ann", "Bo"):
        assert secret not in page.text


def test_a_log_of_the_first_form_goes_on(tmp_path: Path) -> None:
    stored = Path(__file__).parent / "stored" / "form-1.sql"
    with closing(sqlite3.connect(tmp_path / "log.db")) as connection:
        connection.executescript(stored.read_text(encoding="utf-8"))
    with TestClient(build(tmp_path, Settings(db=tmp_path / "log.db"))) as client:
        [[form]] = client.blocking_portal.call(client.app.state.lobby.log.read, "pragma user_version")
        assert form == len(MIGRATIONS) > 1
        headers = {"authorization": "Bearer token-Ann"}
        shown = client.get(f"/api/tables/{'0' * 32}", headers=headers).json()
        assert (shown["phase"], shown["seat"]) == ("play", 0)
        room = client.blocking_portal.call(client.app.state.lobby.room, "0" * 32)
        assert len(room.told.seats[0].laid) == 1
