"""Very many tables, as an attacker would open them: the limits, and whom they affect."""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from litestar.testing import TestClient

from tests.server.fakes import FakeClock, FakeMember
from tests.server.guests import Client, Guest, over
from ubongo.server.app import build
from ubongo.server.http.public_list import PAGE
from ubongo.server.lobby.open_tables import LISTED_FIRST
from ubongo.server.lobby.upkeep import ABANDONED, CLOSED_FOR, archive_old_tables, end_finished_tables
from ubongo.server.settings import Settings
from ubongo.table import Millis

PROXY = "testclient"


@contextmanager
def served(tmp_path: Path, clock: FakeClock | None = None, **chosen: object) -> Iterator[Client]:
    settings = Settings(db=tmp_path / "log.db", proxies=(PROXY,), **chosen)  # type: ignore[arg-type] # a fake clock
    with TestClient(build(tmp_path, settings, clock)) as client:
        yield client


def opened(client: Client, guest: Guest, address: str, **wanted: object) -> tuple[int, str]:
    """Opens a table from that address: returns its key, or the code of the refusal."""
    headers = {"authorization": f"Bearer {guest.known['token']}", "x-forwarded-for": address}
    answer = client.post("/api/tables", json={"game": "extreme", **wanted}, headers=headers)
    return answer.status_code, answer.json().get("table") or answer.json()["code"]


def listed(client: Client, page: int = 1) -> list[str]:
    return [entry["table"] for entry in client.get(f"/api/tables?page={page}").json()]


def test_tables_are_limited_by_address(tmp_path: Path) -> None:
    with served(tmp_path, tables_per_address=3) as client:
        guests = [Guest(client, name) for name in ("Ann", "Bo", "Cy", "Di")]
        answers = [opened(client, guest, "192.0.2.7") for guest in guests]
        assert [status for status, _ in answers] == [201, 201, 201, 429]
        assert answers[3][1] == "too_many_tables_here"
        assert opened(client, guests[3], "198.51.100.1")[0] == 201, "others are not held back"
        guests[0].ask("DELETE", f"/tables/{answers[0][1]}")
        assert opened(client, guests[3], "192.0.2.7")[0] == 201
        for _ in range(9):
            assert opened(client, guests[3], "127.0.0.1")[0] == 201, "this machine is its owner's"


def test_tables_are_limited_in_total_and_rematches_count(tmp_path: Path) -> None:
    with served(tmp_path, tables=2) as client:
        ann, bo = Guest(client, "Ann"), Guest(client, "Bo")
        done = over(ann, bo)
        keys = [ann.open(), bo.open()]
        assert ann.refused("POST", "/tables", {"game": "extreme"}) == (503, "server_full")
        assert bo.refused("POST", f"/tables/{done}/rematch") == (503, "server_full")
        ann.ask("DELETE", f"/tables/{keys[0]}")
        assert bo.post(f"/tables/{done}/rematch")["table"] not in keys


def test_opening_tables_is_rate_limited_to_the_pace_of_a_school(tmp_path: Path) -> None:
    clock = FakeClock()
    with served(tmp_path, clock, openings_rate=1, openings_burst=2) as client:
        ann = Guest(client, "Ann")
        assert [opened(client, ann, "192.0.2.7")[0] for _ in range(3)] == [201, 201, 429]
        clock.time += 1000
        assert opened(client, ann, "192.0.2.7")[0] == 201


def test_the_list_has_pages_and_is_cached_for_everybody(tmp_path: Path) -> None:
    clock = FakeClock()
    with served(tmp_path, clock) as client:
        ann, bo = Guest(client, "Ann"), Guest(client, "Bo")
        keys = [ann.open(public=True, seats=4) for _ in range(PAGE + 2)]
        newest = [*reversed(keys[:LISTED_FIRST]), *reversed(keys[LISTED_FIRST:])]
        first = client.get("/api/tables", headers={"accept-encoding": "gzip"})
        assert first.headers["link"] == '</api/tables?page=2>; rel="next"'
        assert first.headers["content-encoding"] == "gzip"
        assert [entry["table"] for entry in first.json()] == listed(client) == newest[:PAGE]
        made = client.app.state.services.public_list._pages["http://testserver.local", 1]
        assert gzip.decompress(made.packed) == made.plain
        assert len(made.packed) < 30_000
        again = client.get("/api/tables", headers={"accept-encoding": "identity"})
        assert again.content == made.plain, "nobody makes it again"
        assert listed(client, 2) == newest[PAGE:]
        assert "link" not in client.get("/api/tables?page=2").headers
        assert listed(client, 3) == []
        assert client.get("/api/tables?page=0").json()["code"] == "unreadable"
        assert [entry["seat"] for entry in ann.get("/tables")] == [0] * PAGE, "who sits there is told so"
        bo.post(f"/tables/{keys[0]}/join")
        assert [entry["seat"] for entry in bo.get("/tables")] == [1] + [None] * (PAGE - 1), "fewer seats are free"


def test_polling_the_list_returns_the_cached_one(tmp_path: Path) -> None:
    clock = FakeClock()
    with served(tmp_path, clock) as client:
        ann = Guest(client, "Ann")
        seen = []
        for number in range(30):
            ann.open(public=True)
            seen.append(len(listed(client)) == number + 1)
        assert seen == [True] * 20 + [False] * 10
        assert client.get("/api/tables?page=7").json()["code"] == "too_fast"
        by_another_name = client.get("/api/tables", headers={"host": "192.0.2.1"})
        assert by_another_name.json()["code"] == "too_fast"
        elsewhere = client.get("/api/tables?page=7", headers={"x-forwarded-for": "198.51.100.1"})
        assert elsewhere.status_code == 200, "others are not held back"
        clock.time += 1000
        assert len(listed(client)) == 30


def test_tables_with_players_waiting_come_first_and_one_host_cannot_flood_the_list(tmp_path: Path) -> None:
    with served(tmp_path) as client:
        ann, bo, eve = (Guest(client, name) for name in ("Ann", "Bo", "Eve"))
        _, lonely = opened(client, ann, "198.51.100.1", public=True)
        _, waiting = opened(client, bo, "198.51.100.2", public=True)
        flood = [opened(client, eve, "192.0.2.7", public=True)[1] for _ in range(LISTED_FIRST + 3)]
        lobby = client.app.state.lobby
        room = client.blocking_portal.call(lobby.rooms.open, waiting)
        member = FakeMember(room, bo.known["player"])
        client.blocking_portal.call(room.enter, member)
        shown = listed(client)
        assert shown[0] == waiting
        assert shown.index(lonely) == LISTED_FIRST + 1
        assert set(shown[-3:]) == set(flood[-3:]), "an address' eleventh table comes after everybody's"
        client.blocking_portal.call(room.exit, member)
        assert listed(client)[0] != flood[-1]


def test_a_table_that_nobody_joins_is_closed(tmp_path: Path) -> None:
    clock = FakeClock()
    with served(tmp_path, clock) as client:
        ann, bo = Guest(client, "Ann"), Guest(client, "Bo")
        lobby, portal = client.app.state.lobby, client.blocking_portal
        deserted, visited = ann.open(public=True), bo.open(public=True)
        room = portal.call(lobby.rooms.open, visited)
        member = FakeMember(room, bo.known["player"])
        portal.call(room.enter, member)
        clock.time += ABANDONED - 1
        portal.call(end_finished_tables, lobby)
        assert set(listed(client)) == {deserted, visited}
        clock.time += 1
        portal.call(end_finished_tables, lobby)
        assert ann.refused("GET", f"/tables/{deserted}") == (404, "no_such_table")
        assert listed(client) == [visited]
        portal.call(room.exit, member)
        clock.time += ABANDONED - 1
        for _ in range(2):
            portal.call(end_finished_tables, lobby)
        assert listed(client) == [visited], "somebody may come back"
        clock.time += 1
        portal.call(end_finished_tables, lobby)
        assert listed(client) == []
        assert len(lobby.registry.open_tables) == 0


def test_after_a_restart_people_have_time_to_reconnect(tmp_path: Path) -> None:
    clock = FakeClock()
    with served(tmp_path, clock) as client:
        ann = Guest(client, "Ann")
        key = ann.open()
    clock.time += 2 * ABANDONED
    with served(tmp_path, clock) as client:
        ann.client = client
        lobby = client.app.state.lobby
        client.blocking_portal.call(end_finished_tables, lobby)
        assert ann.get(f"/tables/{key}")["phase"] == "gather"
        clock.time += ABANDONED
        client.blocking_portal.call(end_finished_tables, lobby)
        assert ann.refused("GET", f"/tables/{key}") == (404, "no_such_table")


@pytest.mark.parametrize("restarted", [False, True])
def test_finished_tables_are_not_in_memory(tmp_path: Path, restarted: bool) -> None:
    clock = FakeClock()
    with served(tmp_path, clock) as client:
        ann, bo = Guest(client, "Ann"), Guest(client, "Bo")
        lobby, portal = client.app.state.lobby, client.blocking_portal
        keys = [over(ann, bo) for _ in range(5)]
        ann.ask("DELETE", f"/tables/{ann.open()}")
        for _ in range(3):
            portal.call(end_finished_tables, lobby)
        assert not lobby.registry.lobby_tables
        # Every change of a table is later than the one before, if only by a millisecond.
        clock.time += CLOSED_FOR + 10
        portal.call(end_finished_tables, lobby)
        assert not lobby.registry.closed
    with served(tmp_path, clock) as client:
        ann.client = bo.client = client
        lobby, portal = client.app.state.lobby, client.blocking_portal
        if restarted:
            assert not lobby.registry.lobby_tables
        assert bo.get(f"/tables/{keys[0]}")["phase"] == "over"
        assert ann.get(f"/tables/{keys[1]}/log")
        following = ann.post(f"/tables/{keys[2]}/rematch")["table"]
        assert set(lobby.registry.lobby_tables) == {*keys[:3], following}
        for _ in range(3):
            portal.call(end_finished_tables, lobby)
        assert set(lobby.registry.lobby_tables) == {following}
        page = client.get("/metrics").text
        assert 'ubongo_tables{state="over"} 5.0' in page
        assert 'ubongo_tables{state="gather"} 1.0' in page
        # A deleted guest becomes somebody in all of them, and old ones are archived, though none is in memory.
        bo.ask("DELETE", "/guests/me")
        assert [seat["name"] for seat in ann.get(f"/tables/{keys[4]}")["seats"]] == ["Ann", "Somebody"]
        clock.time += 1000
        portal.call(archive_old_tables, lobby, Millis(500))
        assert ann.refused("GET", f"/tables/{keys[3]}") == (404, "no_such_table")
        assert portal.call(lobby.log.read, "select count(*) from archive") == [(5,)]
