"""What is kept: over a restart, until a table is over, and long after."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from zlib import decompress

from litestar.testing import TestClient

from tests.server.fakes import FakeClock, FakeMember
from tests.server.guests import Client, Guest, over
from ubongo.server.app import build
from ubongo.server.log.schema import MIGRATIONS
from ubongo.server.settings import Settings
from ubongo.server.tidying import ABANDONED, end_what_is_over, put_away


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


def test_a_log_of_the_first_form_goes_on(tmp_path: Path) -> None:
    stored = Path(__file__).parent.parent / "stored" / "form-1.sql"
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
