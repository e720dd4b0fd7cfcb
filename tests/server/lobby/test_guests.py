"""Guests: a name is enough, any device will do, and a deleted guest is shown as "somebody"."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

import pytest
from litestar.testing import TestClient

from tests.server.fakes import FakeClock, FakeMember
from tests.server.guests import Client, Guest, over
from ubongo.server.app import build
from ubongo.server.clock import Timestamp
from ubongo.server.lobby.bans import Bans
from ubongo.server.lobby.identity import Guests
from ubongo.server.settings import Settings
from ubongo.server.store import Statement, StoreError
from ubongo.server.store.guest_store import GuestStore
from ubongo.server.store.sqlite import SqliteLog


def test_a_guest_needs_only_a_name(client: Client) -> None:
    answer = client.post("/api/guests", json={"name": "  Zoë  Ødegård "})
    assert answer.status_code == 201
    assert set(answer.json()) == {"player", "token"}
    cookie = answer.headers["set-cookie"].lower()
    assert "httponly" in cookie
    assert "samesite=strict" in cookie
    assert "path=/" in cookie
    # The cookie alone identifies the guest.
    assert client.get("/api/guests/me").json() == {"player": answer.json()["player"], "name": "Zoë Ødegård"}


def test_a_cookie_is_secure_for_guests_who_come_over_https(tmp_path: Path) -> None:
    settings = Settings(db=tmp_path / "log.db", public_url="https://play.example/ubongo/")
    with TestClient(build(tmp_path, settings)) as client:
        ann = Guest(client, "Ann")
        cookie = client.post("/api/guests", json={"name": "Ann"}).headers["set-cookie"]
        assert cookie.startswith("__Host-ubongo=")
        assert "; secure" in cookie.lower()
        table = ann.post("/tables", {"game": "extreme"})
        assert table["link"] == f"https://play.example/ubongo/t/{table['table']}"


@pytest.mark.parametrize("name", ["", "   ", "x" * 41, "a\x00b", "a\nb", "\u202eabc", "\u200d", "a\u2028b", "\ue000",
                                  "\u3164", "a\u2800b", "\ufe0f", "\u0301"])  # fmt: skip
def test_an_unreadable_name_is_refused(anyone: Client, name: str) -> None:
    answer = anyone.post("/api/guests", json={"name": name})
    assert (answer.status_code, answer.json()["code"]) == (400, "bad_name")


@pytest.mark.parametrize("name", ["李雷", "Ólafur", "مریم", "नेहा", "👩‍🚀", "❤️", "x" * 40, "O'Neil <b>"])
def test_a_name_can_be_in_any_script(anyone: Client, name: str) -> None:
    anyone.post("/api/guests", json={"name": name})
    assert anyone.get("/api/guests/me").json()["name"] == name


@pytest.mark.parametrize(
    "body",
    [b"", b"x", b"[]", b"null", b"{}", b'{"name": 5}', b'{"name": null}', b"\xff", b"[" * 10_000, b'{"name": "\xff"}'],
)
def test_a_malformed_body_is_refused(anyone: Client, body: bytes) -> None:
    answer = anyone.post("/api/guests", content=body, headers={"content-type": "application/json"})
    assert answer.status_code == 400
    assert set(answer.json()) == {"error", "code"}


def test_a_body_that_is_too_long_is_refused(client: Client) -> None:
    answer = client.post("/api/guests", json={"name": "x" * 100_000})
    assert (answer.status_code, answer.json()["code"]) == (413, "request_entity_too_large")


def test_a_guest_changes_their_name_and_moves_to_another_device(client: Client, ann: Guest) -> None:
    assert ann.ask("PATCH", "/guests/me", {"name": "Anna"})[1]["name"] == "Anna"
    code = ann.post("/guests/me/codes")["code"]
    phone = client.post("/api/guests/redeem", json={"code": code}).json()
    assert phone["player"] == ann.known["player"]
    assert phone["token"] != ann.known["token"]
    assert client.get("/api/guests/me", headers={"authorization": f"Bearer {phone['token']}"}).json()["name"] == "Anna"
    assert ann.get("/guests/me")["name"] == "Anna", "the first device stays"
    again = client.post("/api/guests/redeem", json={"code": code})
    assert (again.status_code, again.json()["code"]) == (404, "no_such_code")


def test_a_deleted_guest_becomes_somebody(ann: Guest, bo: Guest) -> None:
    done = over(ann, bo)
    waiting = ann.open(seats=2)
    bo.post(f"/tables/{waiting}/join")
    assert bo.ask("DELETE", "/guests/me") == (200, {})
    assert bo.refused("GET", "/guests/me") == (401, "no_token")
    assert [seat["name"] for seat in ann.get(f"/tables/{waiting}")["seats"]] == ["Ann", ""]
    log = ann.get(f"/tables/{done}/log")
    assert '"Somebody"' in log
    assert "Bo" not in log


def test_a_deleted_guest_becomes_somebody_at_once_at_a_running_table(client: Client, ann: Guest, bo: Guest) -> None:
    cy = Guest(client, "Cy")
    key = ann.open(seats=3)
    for other in (bo, cy):
        other.post(f"/tables/{key}/join")
    ann.post(f"/tables/{key}/start")
    room = client.blocking_portal.call(client.app.state.lobby.rooms.open, key)
    members = [FakeMember(room, one) for one in (ann.known["player"], bo.known["player"], None)]
    for member in members:
        client.blocking_portal.call(room.enter, member)
    assert bo.ask("DELETE", "/guests/me") == (200, {})
    for member in members:
        assert [seat["name"] for seat in member.table["seats"]] == ["Ann", "Somebody", "Cy"]
        assert member.table["seats"][1]["gone"] is True
    assert [member.seat for member in members] == [0, None, None], "who has gone only watches"
    # And so it stays after the next update, and for new clients.
    cy.post(f"/tables/{key}/leave")
    assert members[0].table["phase"] == "over"
    assert [seat["name"] for seat in members[0].table["seats"]] == ["Ann", "Somebody", "Cy"]
    assert [seat["name"] for seat in ann.get(f"/tables/{key}")["seats"]] == ["Ann", "Somebody", "Cy"]
    following = ann.post(f"/tables/{key}/rematch")["table"]
    assert [seat["name"] for seat in ann.get(f"/tables/{following}")["seats"]] == ["Ann", "", ""]


def test_a_host_without_a_seat_who_is_deleted_hands_over(ann: Guest, bo: Guest) -> None:
    joined, alone = ann.open(seats=2, sit=False), ann.open(seats=2, sit=False)
    bo.post(f"/tables/{joined}/join")
    ann.ask("DELETE", "/guests/me")
    assert bo.get(f"/tables/{joined}")["host"] == 0
    assert bo.refused("GET", f"/tables/{alone}") == (404, "no_such_table")


def test_absent_guests_use_no_memory(client: Client, ann: Guest) -> None:
    lobby = client.app.state.lobby
    before = sys.getsizeof(lobby.guests.__dict__) + sum(map(sys.getsizeof, lobby.guests.__dict__.values()))
    # Below the rate limit for new guests from one address, on any machine.
    for number in range(200):
        Guest(client, f"Guest {number}")
    after = sys.getsizeof(lobby.guests.__dict__) + sum(map(sys.getsizeof, lobby.guests.__dict__.values()))
    assert after == before
    assert len(lobby.guests) == 201
    assert ann.get("/guests/me")["name"] == "Ann"


@pytest.mark.anyio
async def test_of_two_guests_who_redeem_a_code_at_once_one_is_refused(tmp_path: Path) -> None:
    log = SqliteLog(tmp_path / "log.db")
    await log.start(lambda _: None, lambda _, __: None)
    guests = Guests(GuestStore(log), Bans(FakeClock()))
    ann, _ = await guests.add("Ann", Timestamp(5))
    code = await guests.new_code(ann, Timestamp(6))
    answers = await asyncio.gather(
        guests.redeem(code, Timestamp(7)), guests.redeem(code, Timestamp(7)), return_exceptions=True
    )
    assert sorted(type(answer).__name__ for answer in answers) == ["Denied", "tuple"]
    await log.close()


def test_a_failed_write_of_last_seen_is_retried(client: Client, ann: Guest) -> None:
    """Otherwise a guest who was there would expire because the disk was full for a moment."""
    lobby = client.app.state.lobby
    ann.get("/guests/me")
    later = lobby.clock.now() + 1000
    write = lobby.log.write

    async def full(*_: Statement, claim: Statement | None = None) -> None:  # noqa: ARG001 - the signature of the original
        raise StoreError("the disk is full")

    lobby.log.write = full
    with pytest.raises(StoreError):
        client.blocking_portal.call(lobby.guests.note_seen, later)
    lobby.log.write = write
    client.blocking_portal.call(lobby.guests.note_seen, later)
    assert client.blocking_portal.call(lobby.log.read, "select seen from guests") == [(later,)]
