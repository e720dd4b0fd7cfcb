"""`ubongo migrate`: tables, guests and records are the same in PostgreSQL; interrupted, continued, verified."""

from __future__ import annotations

import asyncio
import sqlite3
from contextlib import closing, nullcontext
from pathlib import Path
from typing import Any

import pytest
from litestar.testing import TestClient

from tests.postgres import fetch, shared
from tests.program import ubongo
from tests.server.alone import SoloPlayer
from tests.server.fakes import FakeClock
from ubongo.server.app import build
from ubongo.server.lobby.lobby import Lobby
from ubongo.server.lobby.upkeep import archive_old_tables, end_finished_tables
from ubongo.server.moderation.decisions import Moderation
from ubongo.server.settings import Settings
from ubongo.server.store import migration
from ubongo.server.store.migration import COPIES, migrate_to_postgres
from ubongo.server.store.moderation import RecordFilter
from ubongo.server.store.schema import BadLog
from ubongo.server.store.sqlite_migrations import MIGRATIONS
from ubongo.table import Millis


@pytest.fixture
def url() -> str:
    return shared().database()


def populate_file(file: Path, clock: FakeClock) -> tuple[SoloPlayer, dict[str, str], list[Any]]:
    """A server's file with rows in every table; the players, their tables, and what is shown of them."""
    with TestClient(build(file.parent, Settings(db=file), clock)) as client:
        ann, bo = SoloPlayer(client, clock, "Ann"), SoloPlayer(client, clock, "Bo")
        ann.run(of="extreme", mode="count", tasks=5)
        bo.run(of="cubes", mode="day")
        client.blocking_portal.call(end_finished_tables, client.app.state.lobby)
        client.blocking_portal.call(client.app.state.services.records.catch_up)
        clock.time += 1000
        client.blocking_portal.call(archive_old_tables, client.app.state.lobby, Millis(1000))
        code = ann.ask("POST", "/guests/me/codes")[1]["code"]
        keys = {"over": ann.run(of="extreme", mode="count", tasks=5), "gather": ann.open(of="dice"), "code": code}
        client.blocking_portal.call(end_finished_tables, client.app.state.lobby)
        client.blocking_portal.call(client.app.state.services.records.catch_up)
        client.blocking_portal.call(moderated, client.app.state.lobby, bo.player)
        keys["running"] = ann.open(of="extreme", mode="count")
        ann.start(keys["running"])
        return ann, keys, shown_data(ann, keys)


async def moderated(lobby: Lobby, player: str) -> None:
    moderation = Moderation(lobby.log, "operator")
    await moderation.ban(await moderation.target(player), "", None, lobby.clock.now())
    await moderation.remove_records(await moderation.records(RecordFilter(guest=player)), "", lobby.clock.now())


def shown_data(ann: SoloPlayer, keys: dict[str, str]) -> list[Any]:
    tables = [ann.get(f"/tables/{keys[key]}") for key in ("over", "gather", "running")]
    board = ann.get("/records?of=extreme&mode=count&tasks=5")
    return [tables, board, ann.get("/guests/me/profile"), ann.get("/day")["games"]]


def counts(url: str) -> dict[str, int]:
    return {
        part.table: int(str(asyncio.run(fetch(url, f"select count(*) from {part.table}"))[0][0])) for part in COPIES
    }


def test_every_table_of_the_file_is_migrated(tmp_path: Path) -> None:
    with TestClient(build(tmp_path, Settings(db=tmp_path / "log.db"))):
        pass
    with closing(sqlite3.connect(tmp_path / "log.db")) as connection:
        found = connection.execute("select name from sqlite_master where type = 'table'").fetchall()
        for part in COPIES:
            has = {row[1] for row in connection.execute(f"pragma table_info({part.table})")}
            assert has - {"id"} == set(part.columns) - {"writer"}, part.table
    # PostgreSQL triggers fill in who sits where; the row index is specific to SQLite.
    assert {name for (name,) in found} - {"seated", "places"} == {part.table for part in COPIES}
    assert len(MIGRATIONS) == 11, "a new form of the file has to be moved too: look at COPIES and at postgres_schema"


def test_a_server_continues_on_the_migrated_database(tmp_path: Path, url: str) -> None:
    clock, file = FakeClock(), tmp_path / "log.db"
    ann, keys, before = populate_file(file, clock)
    moved = ubongo("migrate", "--from", str(file), "--to", url)
    assert (moved.returncode, moved.stderr) == (0, "")
    assert "row by row the same." in moved.stdout
    assert all(counts(url).values()), "something of everything"
    with TestClient(build(tmp_path, Settings(db=url), clock)) as client:
        ann.client = client
        assert shown_data(ann, keys) == before
        assert client.post("/api/guests/redeem", json={"code": keys["code"]}).json()["player"] == ann.player
        ann.play(ann.room(keys["running"]))
        assert ann.get(f"/tables/{keys['running']}")["phase"] == "over"
        ann.run(of="extreme", mode="count", tasks=5)
    again = ubongo("move", "--from", str(file), "--to", url)
    assert (again.returncode, "is not empty" in again.stderr, again.stderr.count("\n")) == (2, True, 1)


def test_an_interrupted_migration_is_continued(tmp_path: Path, url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "log.db"
    populate_file(file, FakeClock())
    monkeypatch.setattr(migration, "BATCH_SIZE", 3)
    seen: list[str] = []

    def stop(table: str, rows: int) -> None:
        seen.append(table)
        if (table, rows) in stops:
            raise KeyboardInterrupt

    stops = {("tokens", 2), ("log", 6), ("log", 9)}
    for _ in stops:
        with pytest.raises(KeyboardInterrupt):
            asyncio.run(migrate_to_postgres(file, url, stop))
    with pytest.raises(BadLog, match="is not finished"):
        build(tmp_path, Settings(db=url))
    done = asyncio.run(migrate_to_postgres(file, url))
    assert done.resumed
    assert done.rows == counts(url)
    with TestClient(build(tmp_path, Settings(db=url))) as client:
        assert client.get("/healthz").status_code == 200


def test_a_difference_after_migration_is_detected(tmp_path: Path, url: str) -> None:
    file = tmp_path / "log.db"
    populate_file(file, FakeClock())

    def spoil(table: str, _: int) -> None:
        if table == "tries":
            with closing(sqlite3.connect(file)) as connection, connection:
                connection.execute("update guests set name = 'Eve' where name = 'Ann'")

    with pytest.raises(BadLog, match=r"guests: .* has 2 rows and .* has 2, and they are not the same"):
        asyncio.run(migrate_to_postgres(file, url, spoil))
    with pytest.raises(BadLog, match="is not finished"):
        build(tmp_path, Settings(db=url))


@pytest.mark.parametrize(
    ("source", "target", "why"),
    [
        ("none.db", "postgresql://127.0.0.1:1/x", "none.db is not there"),
        ("letter.txt", "postgresql://127.0.0.1:1/x", "is no database"),
        ("log.db", "other.db", "--to names a database"),
        ("log.db", "postgresql://ann:secret@127.0.0.1:1/x", "cannot be used"),
        ("in use", "postgresql://127.0.0.1:1/x", "is in use by another server"),
    ],
)
def test_what_cannot_be_migrated_is_reported(tmp_path: Path, source: str, target: str, why: str) -> None:
    (tmp_path / "letter.txt").write_text("Dear Ann, " * 100)
    file = tmp_path / ("log.db" if source == "in use" else source)
    (tmp_path / "log.db").touch()
    with TestClient(build(tmp_path, Settings(db=tmp_path / "log.db"))) if source == "in use" else nullcontext():
        moved = ubongo("migrate", "--from", str(file), "--to", target)
    assert (moved.returncode, moved.stdout, moved.stderr.count("\n")) == (2, "", 1)
    assert why in moved.stderr
    assert "secret" not in moved.stderr
