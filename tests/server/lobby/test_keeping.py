"""What is stored: across a restart, until a table is over, and long after."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from zlib import decompress

import pytest
from litestar.testing import TestClient

from tests.server.fakes import FakeClock, FakeLog, FakeMember
from tests.server.guests import Client, Guest, over
from ubongo.server import services
from ubongo.server.app import build
from ubongo.server.clock import Timestamp
from ubongo.server.lobby.erasure import erase_guest
from ubongo.server.lobby.lobby import Lobby
from ubongo.server.lobby.upkeep import ABANDONED, archive_old_tables, end_finished_tables
from ubongo.server.services import Services
from ubongo.server.settings import Settings
from ubongo.server.store import Row, Statement, StoreError
from ubongo.server.store.entities import Guest as Known
from ubongo.server.store.entities import StoredMatch
from ubongo.server.store.sqlite_migrations import MIGRATIONS
from ubongo.server.tables.broadcast import Broadcast
from ubongo.server.tables.live_match import LiveMatch
from ubongo.server.tables.pending_append import PendingAppend
from ubongo.server.tables.replication import NoReplication
from ubongo.server.tables.room import Room
from ubongo.table import Millis, Options, Table


def test_a_finished_table_is_kept_only_in_the_file(client: Client, ann: Guest, bo: Guest) -> None:
    key = over(ann, bo)
    lobby = client.app.state.lobby
    room = client.blocking_portal.call(lobby.rooms.open, key)
    member = FakeMember(room, None)
    client.blocking_portal.call(room.enter, member)
    for _ in range(2):
        client.blocking_portal.call(end_finished_tables, lobby)
    assert lobby.registry.get(key).room is room, "somebody looks at it"
    client.blocking_portal.call(room.exit, member)
    client.blocking_portal.call(end_finished_tables, lobby)
    assert lobby.registry.get(key).room is None
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


def test_a_match_changed_by_another_server_is_not_ended_on_stale_state(client: Client, ann: Guest) -> None:
    key = ann.open(seats=2, bots=["easy"])
    ann.post(f"/tables/{key}/start")
    lobby = client.app.state.lobby
    room = client.blocking_portal.call(lobby.rooms.open, key)
    room.attendance.alone_since = 0
    lobby.registry.lobby_tables[key].changed -= 1
    client.blocking_portal.call(end_finished_tables, lobby)
    assert (room.live_match.ended, ann.get(f"/tables/{key}")["phase"]) == (False, "ready")
    lobby.registry.lobby_tables[key].changed += 1
    client.blocking_portal.call(end_finished_tables, lobby)
    assert (room.live_match.ended, ann.get(f"/tables/{key}")["phase"]) == (True, "over")


def test_old_matches_are_archived_as_a_compact_log(tmp_path: Path) -> None:
    clock = FakeClock()
    settings = Settings(db=tmp_path / "log.db")
    with TestClient(build(tmp_path, settings, clock)) as client:
        ann, bo = Guest(client, "Ann"), Guest(client, "Bo")
        lobby = client.app.state.lobby
        done, waiting, running = over(ann, bo), ann.open(seats=2), ann.open(seats=2, bots=["easy"])
        ann.post(f"/tables/{running}/start")
        client.blocking_portal.call(end_finished_tables, lobby)
        lines = ann.get(f"/tables/{done}/log").splitlines()
        clock.time += 999
        client.blocking_portal.call(archive_old_tables, lobby, Millis(1000))
        assert ann.get(f"/tables/{done}")["phase"] == "over"
        # Every change of a table is later than the one before, if only by a millisecond.
        clock.time += 10
        client.blocking_portal.call(archive_old_tables, lobby, Millis(1000))
        for key in (done, waiting):
            assert ann.refused("GET", f"/tables/{key}") == (404, "no_such_table")
        assert ann.get(f"/tables/{running}")["phase"] == "ready"
        [[opening, packed]] = client.blocking_portal.call(lobby.log.read, "select opening, lines from archive")
        assert [opening.decode(), *decompress(packed).decode().splitlines()] == lines
        clock.time += 500
        assert bo.get("/guests/me")["name"] == "Bo"
        client.blocking_portal.call(archive_old_tables, lobby, Millis(1000))
        clock.time += 999
        client.blocking_portal.call(archive_old_tables, lobby, Millis(1000))
        assert bo.get("/guests/me")["name"] == "Bo", "seen just now"
        clock.time += 2000
        client.blocking_portal.call(archive_old_tables, lobby, Millis(1000))
        clock.time += 2000
        client.blocking_portal.call(archive_old_tables, lobby, Millis(1000))
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


def test_a_table_that_everybody_left_is_ended(tmp_path: Path) -> None:
    clock = FakeClock()
    with TestClient(build(tmp_path, Settings(db=tmp_path / "log.db"), clock)) as client:
        ann = Guest(client, "Ann")
        key = ann.open(seats=2, bots=["easy"])
        ann.post(f"/tables/{key}/start")
        lobby = client.app.state.lobby
        clock.time += ABANDONED - 1
        client.blocking_portal.call(end_finished_tables, lobby)
        assert ann.get(f"/tables/{key}")["phase"] == "ready"
        clock.time += 1
        client.blocking_portal.call(end_finished_tables, lobby)
        assert ann.get(f"/tables/{key}")["phase"] == "over"
        assert ann.get(f"/tables/{key}/log")
        assert ann.post(f"/tables/{key}/rematch")["seat"] == 0


def test_a_removed_player_stays_removed_after_a_restart(tmp_path: Path) -> None:
    settings = Settings(db=tmp_path / "log.db")
    with TestClient(build(tmp_path, settings)) as client:
        ann, bo = Guest(client, "Ann"), Guest(client, "Bo")
        key = ann.open(seats=2)
        bo.post(f"/tables/{key}/join")
        ann.ask("DELETE", f"/tables/{key}/seats/1")
    with TestClient(build(tmp_path, settings)) as client:
        ann.client = bo.client = client
        assert bo.refused("POST", f"/tables/{key}/join") == (403, "removed")
        assert [one["name"] for one in ann.get(f"/tables/{key}/removed")] == ["Bo"]


def test_a_match_of_bots_is_not_ended_while_somebody_watches(tmp_path: Path) -> None:
    clock = FakeClock()
    with TestClient(build(tmp_path, Settings(db=tmp_path / "log.db"), clock)) as client:
        ann = Guest(client, "Ann")
        key = ann.open(seats=2, bots=["easy", "easy"], sit=False)
        ann.post(f"/tables/{key}/start")
        lobby = client.app.state.lobby
        watching = FakeMember(client.blocking_portal.call(lobby.rooms.open, key), None)
        client.blocking_portal.call(watching.room.enter, watching)
        clock.time += ABANDONED
        client.blocking_portal.call(end_finished_tables, lobby)
        assert ann.get(f"/tables/{key}")["phase"] != "over"
        client.blocking_portal.call(watching.room.exit, watching)
        clock.time += ABANDONED
        client.blocking_portal.call(end_finished_tables, lobby)
        assert ann.get(f"/tables/{key}")["phase"] == "over"


def test_a_log_of_the_first_schema_continues(tmp_path: Path) -> None:
    stored = Path(__file__).parent.parent / "stored" / "form-1.sql"
    with closing(sqlite3.connect(tmp_path / "log.db")) as connection:
        connection.executescript(stored.read_text(encoding="utf-8"))
    with TestClient(build(tmp_path, Settings(db=tmp_path / "log.db"))) as client:
        [[form]] = client.blocking_portal.call(client.app.state.lobby.log.read, "pragma user_version")
        assert form == len(MIGRATIONS) > 1
        headers = {"authorization": "Bearer token-Ann"}
        shown = client.get(f"/api/tables/{'0' * 32}", headers=headers).json()
        assert (shown["phase"], shown["seat"]) == ("play", 0)
        room = client.blocking_portal.call(client.app.state.lobby.rooms.open, "0" * 32)
        assert len(room.shown.seats[0].laid) == 1


def test_a_full_disk_ends_no_table_and_loses_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def full(*_: Statement, claim: Statement | None = None) -> None:  # noqa: ARG001 - the signature of the original
        raise StoreError("the disk is full")

    clock = FakeClock()
    with TestClient(build(tmp_path, Settings(db=tmp_path / "log.db"), clock)) as client:
        ann, bo = Guest(client, "Ann"), Guest(client, "Bo")
        done, running = over(ann, bo), ann.open(seats=2, bots=["easy"])
        ann.post(f"/tables/{running}/start")
        lobby = client.app.state.lobby
        client.blocking_portal.call(end_finished_tables, lobby)
        room = client.blocking_portal.call(lobby.rooms.open, running)
        clock.time += ABANDONED + 10
        monkeypatch.setattr(lobby.log, "write", full)
        with pytest.raises(StoreError):
            client.blocking_portal.call(end_finished_tables, lobby)
        assert not room.live_match.ended, "whoever comes back can play on"
        with pytest.raises(StoreError):
            client.blocking_portal.call(archive_old_tables, lobby, ABANDONED)
        assert ann.get(f"/tables/{done}")["phase"] == "over"
        monkeypatch.undo()
        client.blocking_portal.call(end_finished_tables, lobby)
        client.blocking_portal.call(archive_old_tables, lobby, ABANDONED)
        assert (room.live_match.ended, ann.refused("GET", f"/tables/{done}")) == (True, (404, "no_such_table"))


def test_upkeep_continues_after_any_failure(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    again, failures = threading.Event(), iter([ValueError("odd"), StoreError("full")])

    async def tidied(_: Lobby) -> None:
        if (problem := next(failures, None)) is not None:
            raise problem
        again.set()

    monkeypatch.setattr(services, "TIDY_EVERY_S", 0.01)
    monkeypatch.setattr(services, "end_finished_tables", tidied)
    monkeypatch.setattr(services, "ARCHIVE_EVERY_S", 1)
    with TestClient(build(tmp_path, Settings(db=tmp_path / "log.db"))):
        assert again.wait(60)


def test_a_table_whose_broadcast_fails_does_not_stop_the_others(client: Client) -> None:
    told: list[str] = []

    class Failing(LiveMatch):
        def committed(self, _: Sequence[PendingAppend]) -> None:
            told.append(self.key)
            if self.key == "odd":
                raise ValueError(self.key)

    table = Table("extreme", Options(), ())
    services: Services = client.app.state.services
    rooms = [Room(FakeClock(), FakeLog(), table, (), name) for name in ("odd", "fine")]
    failing = [Failing(room.key, room.clock, FakeLog(), Broadcast(table, ()), room, NoReplication) for room in rooms]
    services.commit_listener.recorded([PendingAppend(one, 1, 0, [], table, 1, [], Timestamp(0)) for one in failing])
    assert told == ["odd", "fine"]


def test_a_room_opened_while_its_match_is_read_is_kept(client: Client, ann: Guest) -> None:
    key = ann.open(seats=2, bots=["easy"])
    ann.post(f"/tables/{key}/start")
    lobby: Lobby = client.app.state.lobby
    lobby_table = lobby.registry.get(key)
    room, read = lobby_table.room, lobby.store.histories

    async def slowly(played: Sequence[StoredMatch]) -> dict[int, list[Row]]:
        lobby_table.room = room
        return await read(played)

    async def adopted() -> None:
        lobby_table.room = None
        lobby.store.histories = slowly  # type: ignore[method-assign] # a client connects during the read
        await lobby.rooms.resume([key])

    client.blocking_portal.call(adopted)
    assert lobby_table.room is room


@pytest.mark.parametrize("what", ["forgotten", "closed"])
def test_a_change_while_a_match_is_read_is_noticed(client: Client, ann: Guest, bo: Guest, what: str) -> None:
    key = over(ann, bo)
    lobby: Lobby = client.app.state.lobby
    client.blocking_portal.call(end_finished_tables, lobby)
    client.blocking_portal.call(end_finished_tables, lobby)
    lobby_table, read = lobby.registry.get(key), lobby.store.history
    assert lobby_table.room is None
    bos = Known(bo.known["player"], "Bo", Timestamp(0))

    async def meanwhile(played: StoredMatch) -> list[Row]:
        found = await read(played)
        lobby.store.history = read  # type: ignore[method-assign] # restores the original after one call
        await (erase_guest(lobby, bos) if what == "forgotten" else lobby.close(lobby_table))
        return found

    lobby.store.history = meanwhile  # type: ignore[method-assign] # an event happens during the read
    status, shown = ann.ask("GET", f"/tables/{key}")
    if what == "closed":
        assert (status, shown["code"], lobby_table.room) == (404, "no_such_table", None)
    else:
        assert [seat["name"] for seat in shown["seats"]] == ["Ann", "Somebody"]
