"""A guest's devices: listed with when they were last seen, and signed out at once."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from litestar.testing import TestClient

from tests.server.fakes import FakeClock
from tests.server.guests import Client, Guest
from ubongo.server.app import build
from ubongo.server.http.device_labels import label_of
from ubongo.server.lobby.identity import MOST_DEVICES
from ubongo.server.settings import Settings
from ubongo.server.store.schema import migrate
from ubongo.server.store.sqlite_migrations import MIGRATIONS

DEVICES = "/guests/me/devices"
PHONE = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 Version/18.5 Mobile Safari/604.1"


def another(guest: Guest, agent: str = PHONE) -> Guest:
    """The same guest on another device."""
    code = guest.post("/guests/me/codes")["code"]
    answer = guest.client.post("/api/guests/redeem", json={"code": code}, headers={"user-agent": agent})
    guest.client.cookies.clear()
    there = object.__new__(Guest)
    there.client, there.known = guest.client, answer.json()
    return there


def test_devices_are_listed_with_last_seen_and_the_current_one_first(tmp_path: Path) -> None:
    clock = FakeClock()
    with TestClient(build(tmp_path, Settings(db=tmp_path / "log.db"), clock)) as client:
        ann = Guest(client, "Ann")
        made = clock.time
        clock.time += 1000
        phone = another(ann)
        clock.time += 5000
        found = ann.get(DEVICES)
        assert [(one["label"], one["made"], one["seen"], one["here"]) for one in found] == [
            ("", made, clock.time, True),
            ("Safari · iPhone", made + 1000, made + 1000, False),
        ]
        clock.time += 60_000
        phone.get("/guests/me")
        seen = clock.time
        # In the database or not yet, and after a restart.
        assert ann.get(DEVICES)[1]["seen"] == seen
        client.blocking_portal.call(client.app.state.lobby.guests.note_seen, clock.time + 5)
    with TestClient(build(tmp_path, Settings(db=tmp_path / "log.db"), clock)) as client:
        ann.client = client
        assert [one["seen"] for one in ann.get(DEVICES)] == [clock.time, seen]


def test_a_device_is_signed_out_at_once(ann: Guest, bo: Guest) -> None:
    phone = another(ann)
    [here, there] = ann.get(DEVICES)
    code = ann.post("/guests/me/codes")["code"]
    assert bo.refused("DELETE", f"{DEVICES}/{there['device']}") == (404, "not_found"), "each their own"
    assert ann.refused("DELETE", f"{DEVICES}/{'0' * 16}") == (404, "not_found")
    assert ann.ask("DELETE", f"{DEVICES}/{there['device']}") == (200, {})
    assert phone.refused("GET", "/guests/me") == (401, "no_token")
    assert [one["device"] for one in ann.get(DEVICES)] == [here["device"]]
    # The signed-out device may have made a code to come back with.
    assert ann.refused("POST", "/guests/redeem", {"code": code}) == (404, "no_such_code")


def test_all_others_are_signed_out_together(ann: Guest) -> None:
    others = [another(ann), another(ann)]
    assert ann.ask("DELETE", DEVICES) == (200, {})
    assert {other.refused("GET", "/guests/me") for other in others} == {(401, "no_token")}
    assert [one["here"] for one in ann.get(DEVICES)] == [True]


def test_signing_out_this_device_deletes_the_cookie_and_a_code_restores_it(client: Client) -> None:
    client.post("/api/guests", json={"name": "Ann"})
    code = client.post("/api/guests/me/codes").json()["code"]
    [here] = client.get(f"/api{DEVICES}").json()
    answer = client.delete(f"/api{DEVICES}/{here['device']}")
    assert (answer.status_code, answer.json()) == (200, {})
    assert not dict(client.cookies)
    assert client.get("/api/guests/me").status_code == 401
    assert client.post("/api/guests/redeem", json={"code": code}).status_code == 201
    assert client.get("/api/guests/me").json()["name"] == "Ann"


def test_the_devices_of_a_guest_are_limited(ann: Guest) -> None:
    for _ in range(MOST_DEVICES - 1):
        another(ann)
    code = ann.post("/guests/me/codes")["code"]
    assert ann.refused("POST", "/guests/redeem", {"code": code}) == (409, "too_many_devices")
    ann.ask("DELETE", f"{DEVICES}/{ann.get(DEVICES)[-1]['device']}")
    another(ann)


@pytest.mark.parametrize(
    ("agent", "label"),
    [
        (PHONE, "Safari · iPhone"),
        ("Mozilla/5.0 (Windows NT 10.0; Win64; x64) Chrome/143.0 Safari/537.36 Edg/143.0", "Edge · Windows"),
        (
            "Mozilla/5.0 (Linux; Android 15) SamsungBrowser/28.0 Chrome/130.0 Mobile Safari",
            "Samsung Internet · Android",
        ),
        ("Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) Chrome/143.0 Safari/537.36", "Chrome · ChromeOS"),
        ("Mozilla/5.0 (iPad; CPU OS 18_5 like Mac OS X) FxiOS/140.0 Mobile Safari/605.1.15", "Firefox · iPad"),
        ("Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) Version/18.5 Safari/605.1.15", "Safari · macOS"),
        ("python-httpx/0.28", ""),
        ("<script>Linux", ""),
        ("", ""),
    ],
)
def test_a_device_is_named_after_its_browser_and_system(agent: str, label: str) -> None:
    assert label_of(agent) == label


def test_devices_of_an_older_schema_are_listed_too(tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "log.db", isolation_level=None)) as connection:
        before = next(number for number, script in enumerate(MIGRATIONS) if "tokens add column seen" in script)
        migrate(connection, MIGRATIONS[:before])
        connection.execute("insert into guests values ('p1', 'Otto', 5, 5)")
        rows: list[tuple[Any, ...]] = [(bytes([number]) * 32, "p1", 5 + number) for number in range(2)]
        connection.executemany("insert into tokens values (?, ?, ?)", rows)
    with TestClient(build(tmp_path, Settings(db=tmp_path / "log.db"))) as client:
        guests = client.app.state.lobby.guests
        found = client.blocking_portal.call(guests._store.devices, "p1")
        assert [(one.label, one.made, one.seen) for one in found] == [("", 5, 5), ("", 6, 6)]
