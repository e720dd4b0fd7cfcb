"""The log, in a real SQLite file and in a real PostgreSQL: durable, in batches, and failures are reported.

Common behaviour is tested with both; what concerns only SQLite is below, and only PostgreSQL in test_postgres.py.
"""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from tests.postgres import fetch, shared
from tests.server.fakes import full
from tests.server.logs import Opened, Written, started_log
from ubongo.server.clock import Timestamp
from ubongo.server.settings import Settings
from ubongo.server.store import Row, StoreBug, StoreError, VersionConflict, postgres_connection
from ubongo.server.store.entities import Guest, StoredTable
from ubongo.server.store.guest_store import GuestStore
from ubongo.server.store.lobby_store import LobbyStore
from ubongo.server.store.open_log import open_log
from ubongo.server.store.schema import APPLICATION, BadLog, migrate, refuse_unless_ours
from ubongo.server.store.sqlite import SqliteLog
from ubongo.server.store.sqlite_migrations import MIGRATIONS
from ubongo.table import Instant

pytestmark = pytest.mark.anyio


@pytest.fixture(params=["sqlite", "postgres"])
def kept(request: pytest.FixtureRequest, tmp_path: Path) -> Settings:
    return Settings(db=tmp_path / "log.db" if request.param == "sqlite" else shared().database())


@pytest.fixture
async def opened(kept: Settings) -> AsyncIterator[Opened]:
    one = await started_log(kept)
    yield one
    await one.log.close()


@pytest.fixture
async def filed(tmp_path: Path) -> AsyncIterator[tuple[Opened, SqliteLog]]:
    log = SqliteLog(tmp_path / "log.db")
    one = await Opened(log).start()
    yield one, log
    await log.close()


async def seen(kept: Settings) -> list[Any]:
    """The rows as another connection sees them, as after a crash."""
    wanted = "select match, version, at, events from log order by match, version"
    if kept.postgres is not None:
        return await fetch(kept.postgres, wanted)
    connection = sqlite3.connect(kept.file)
    found = connection.execute(wanted).fetchall()
    connection.close()
    return found


async def test_recorded_entries_can_be_read(opened: Opened, kept: Settings) -> None:
    one, other = await opened.match(), await opened.match()
    entry = Written(Row(one.match, 1, Instant(30), b"[]"), Row(one.match, 2, Instant(40), b"[1]"))
    opened.log.append(entry)
    await opened.settled()
    assert opened.recorded == [entry]
    assert await seen(kept) == [(one.match, 1, 30, b"[]"), (one.match, 2, 40, b"[1]")]
    assert await opened.log.histories([one, other]) == {one.match: list(entry.rows), other.match: []}


async def test_the_writer_is_woken_once_for_a_whole_batch(opened: Opened) -> None:
    one = await opened.match()
    for version in range(1, 101):
        opened.log.append(Written(Row(one.match, version, Instant(0), b"[]")))
    await opened.settled()
    assert opened.commits[-1] == 100


async def test_exclusive_access_to_a_log_in_use_is_refused(
    opened: Opened, kept: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(postgres_connection, "TAKE_OVER_S", 0.1)
    with pytest.raises(BadLog, match=r"is in use by (another server|a server\. Stop it).* with --db\."):
        await asyncio.to_thread(open_log, kept, exclusive=True)
    one = await opened.match()
    opened.log.append(Written(Row(one.match, 1, Instant(0), b"[]")))
    await opened.settled()
    assert opened.lost == []


async def test_of_two_conflicting_claims_one_wins_with_all_its_statements(opened: Opened) -> None:
    await opened.log.write(("insert into guests values (?, ?, ?, ?)", ("p1", "Ann", 0, 0)))

    async def rename(name: str) -> bool:
        claim = ("update guests set name = ? where player = ? and name = ?", (name, "p1", "Ann"))
        try:
            await opened.log.write(("insert into codes values (?, ?, ?)", (name.encode(), "p1", 0)), claim=claim)
        except VersionConflict:
            return False
        return True

    names = ["Bo", "Cy", "Di"]
    won = [name for name, done in zip(names, await asyncio.gather(*map(rename, names)), strict=True) if done]
    assert len(won) == 1
    assert await opened.log.read("select name from guests") == [(won[0],)]
    assert await opened.log.read("select hash from codes") == [(won[0].encode(),)]


async def test_statements_are_written_atomically(opened: Opened) -> None:
    known = ("insert into guests values (?, ?, ?, ?)", ("p1", "Ann", 0, 0))
    with pytest.raises(StoreError):
        await opened.log.write(known, ("insert into nowhere values (1)", ()))
    assert await opened.log.read("select * from guests") == []
    await opened.log.write(known)
    with pytest.raises(StoreError):
        await opened.log.write(("insert into codes values (?, ?, ?)", (b"code", "p1", 0)), known)
    assert await opened.log.read("select * from codes") == []


async def test_guests_and_tables_are_stored(kept: Settings) -> None:
    one = await started_log(kept)
    guests, tables = GuestStore(one.log), LobbyStore(one.log)
    await guests.add_guest(Guest("p1", "Ann", Timestamp(5)), b"hash")
    await tables.add_table("t1", "gather", b"{}", Timestamp(6))
    await tables.update_table("t1", "running", b"[1]", Timestamp(7), since=Timestamp(6))
    with pytest.raises(VersionConflict):
        await tables.update_table("t1", "closed", b"[2]", Timestamp(8), since=Timestamp(6))
    await guests.add_code(b"code", "p1", Timestamp(100))
    await one.log.close()
    again = await started_log(kept)
    guests, tables = GuestStore(again.log), LobbyStore(again.log)
    assert await guests.guest_with(b"hash") == Guest("p1", "Ann", Timestamp(5))
    assert await guests.guest_with(b"code") is None
    assert await tables.table("t1") == StoredTable("t1", "running", b"[1]", Timestamp(7), 0, None)
    assert await tables.table("t2") is None
    assert await guests.guest_by_code(b"code", Timestamp(99)) == Guest("p1", "Ann", Timestamp(5))
    assert await guests.guest_by_code(b"code", Timestamp(100)) is None, "it has run out"
    await guests.redeem(b"code", b"more", "p1", Timestamp(8))
    await guests.rename("p1", "Anna")
    assert await guests.guest_with(b"hash") == await guests.guest_with(b"more") == Guest("p1", "Anna", Timestamp(5))
    assert await guests.guest_by_code(b"code", Timestamp(99)) is None
    await guests.add_code(b"old", "p1", Timestamp(100))
    await guests.add_code(b"new", "p1", Timestamp(300))
    await guests.drop_codes(Timestamp(200))
    assert await again.log.read("select hash from codes") == [(b"new",)]
    await guests.forget("p1")
    assert await guests.guest_with(b"hash") is None
    assert await guests.number_of_guests() == 0
    assert await again.log.read("select hash from tokens union all select hash from codes") == []
    await again.log.close()


async def test_a_match_is_opened_ended_and_archived(kept: Settings) -> None:
    one = await started_log(kept)
    register = LobbyStore(one.log)
    first, second = await one.match(), await one.match()
    for played in (first, second):
        one.log.append(Written(Row(played.match, 1, Instant(30), b"[]"), Row(played.match, 2, Instant(40), b"[1]")))
    await one.settled()
    await one.log.write(*register.end_match_statements(first.match, Timestamp(9)))
    over = await register.match(first.match)
    assert (over.match, over.upto is None) == (first.match, False)
    await register.archive(over, ["p1", None], b"lines", Timestamp(10))
    assert [row[0] for row in await seen(kept)] == [second.match] * 2
    with pytest.raises(VersionConflict):
        await register.match(first.match)
    await register.forget_archived("p1", "Somebody")
    [[opening, players]] = await one.log.read("select opening, players from archive")
    assert (b'"seats":["Somebody","Bo"]' in opening, players) == (True, "[null,null]")
    await one.log.close()
    again = await started_log(kept)
    assert (await again.match()).match > second.match, "no number comes twice"
    await again.log.close()


async def test_the_log_is_append_only(opened: Opened, kept: Settings) -> None:
    one = await opened.match()
    opened.log.append(Written(Row(one.match, 1, Instant(30), b"[]"), Row(one.match, 2, Instant(40), b"[1]")))
    await opened.settled()
    written = await seen(kept)
    for change in ("update log set at = 0", "update log set events = events", "delete from log where version = 2"):
        with pytest.raises(StoreError, match="only appended to"):
            await opened.log.write((change, ()))
    assert await seen(kept) == written


async def test_a_key_that_is_not_valid_text_is_not_found(opened: Opened) -> None:
    assert await opened.log.read("select name from guests where player = ?", ("\0",)) == []


# A file


async def test_a_file_survives_every_crash_of_the_process(filed: tuple[Opened, SqliteLog]) -> None:
    _, log = filed
    [[mode]] = await log.read("pragma journal_mode")
    [[synchronous]] = await log.read("pragma synchronous")
    [[really]] = await log.read("pragma fullfsync")
    assert (mode, synchronous, really) == ("wal", 2, 1)


async def test_only_an_entry_that_cannot_be_stored_is_refused(filed: tuple[Opened, SqliteLog]) -> None:
    _, log = filed
    with pytest.raises(StoreError):
        await asyncio.wait_for(log.write(("insert into guests values ('p', ?, 0, 0)", ("\ud800",))), 20)
    await asyncio.wait_for(log.write(("insert into guests values ('p', 'Ann', 0, 0)", ())), 20)
    assert await log.read("select name from guests") == [("Ann",)]


async def test_only_entries_that_build_on_a_lost_write_are_lost_with_it(filed: tuple[Opened, SqliteLog]) -> None:
    opened, log = filed
    log.append(Written(Row(1, 1, Instant(0), b"[]")))
    await opened.settled()
    full(log, True)
    first = [Written(Row(1, 2, Instant(0), b"x" * 100_000)), Written(Row(1, 3, Instant(0), b"x"))]
    log.append(first[0])
    # The first batch is being written; the second builds on it.
    await asyncio.sleep(0)
    log.append(first[1])
    with pytest.raises(StoreError, match="disk is full"):
        await log.write(("insert into guests values ('p', 'Ann', 0, 0)", ()))
    assert opened.lost == first
    problems = [log.problem]
    full(log, False)
    after = Written(Row(1, 2, Instant(5), b"[]"))
    log.append(after)
    await opened.settled()
    assert [*problems, log.problem] == ["database or disk is full", None]
    assert [row[:2] for row in await seen(Settings(db=log.path))] == [(1, 1), (1, 2)]


def test_a_new_file_has_the_current_schema(tmp_path: Path) -> None:
    connection = sqlite3.connect(tmp_path / "new.db", isolation_level=None)
    migrate(connection)
    assert connection.execute("pragma user_version").fetchone() == (len(MIGRATIONS),)
    assert connection.execute("pragma application_id").fetchone() == (APPLICATION,)
    connection.close()


def test_players_of_old_matches_are_found_in_a_file_of_an_older_schema(tmp_path: Path) -> None:
    connection = sqlite3.connect(tmp_path / "old.db", isolation_level=None)
    migrate(connection, MIGRATIONS[:2])
    for match, players in ((1, '["p1",null]'), (2, '["p2","p1"]'), (3, "[null]")):
        connection.execute("insert into archive values (?, '{}', ?, 9, '')", (match, players))
    migrate(connection)
    assert connection.execute("select * from archived").fetchall() == [("p1", 1), ("p1", 2), ("p2", 2)]
    connection.close()


def test_a_migration_is_atomic(tmp_path: Path) -> None:
    connection = sqlite3.connect(tmp_path / "old.db", isolation_level=None)
    migrate(connection)
    broken = (*MIGRATIONS, "alter table guests add column colour text; insert into nowhere values (1)")
    with pytest.raises(sqlite3.OperationalError, match="nowhere"):
        migrate(connection, broken)
    connection.execute("rollback")
    assert connection.execute("pragma user_version").fetchone() == (len(MIGRATIONS),)
    assert len(connection.execute("pragma table_info(guests)").fetchall()) == 4
    migrate(connection, (*MIGRATIONS, "alter table guests add column colour text"))
    assert len(connection.execute("pragma table_info(guests)").fetchall()) == 5
    connection.close()


@pytest.mark.parametrize(
    ("script", "why"),
    [
        (f"pragma application_id = {APPLICATION}; pragma user_version = 99; create table log (x)", "by a newer Ubongo"),
        ("create table photos (x)", "another program's database"),
    ],
)
def test_a_foreign_file_is_refused_untouched(tmp_path: Path, script: str, why: str) -> None:
    path = tmp_path / "theirs.db"
    connection = sqlite3.connect(path)
    connection.executescript(script)
    connection.close()
    before = path.read_bytes()
    with pytest.raises(BadLog, match=why):
        SqliteLog(path)
    assert path.read_bytes() == before
    assert [other.name for other in tmp_path.iterdir()] == [path.name]


def test_a_file_that_is_not_a_database_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "letter.txt"
    path.write_text("Dear Ann, " * 100)
    with pytest.raises(BadLog, match="is no database"):
        refuse_unless_ours(path)


def test_a_path_where_no_file_can_be_created_is_refused(tmp_path: Path) -> None:
    letter = tmp_path / "letter.txt"
    letter.write_text("Dear Ann")
    with pytest.raises(BadLog, match="is a folder"):
        SqliteLog(tmp_path)
    with pytest.raises(BadLog, match=r"cannot be used: .+ with --db\."):
        SqliteLog(letter / "log.db")
    assert list(tmp_path.iterdir()) == [letter]


class FaultyEntry:
    """An entry with a bug of ours."""

    match = 1
    since = 0

    @property
    def rows(self) -> list[Row]:
        raise NameError("a planted bug")


async def test_a_bug_while_writing_is_reported_as_ours_and_the_log_continues(
    opened: Opened, caplog: pytest.LogCaptureFixture
) -> None:
    match = (await opened.match()).match
    opened.log.append(FaultyEntry())
    await opened.settled_after_failure()
    assert [type(problem) for problem in opened.problems] == [StoreBug]
    assert "bug" in str(opened.log.problem)
    [logged] = [record for record in caplog.records if record.exc_info]
    assert "NameError: a planted bug" in caplog.text
    assert "because of a bug" in logged.message
    assert opened.log.damage is None
    entry = Written(Row(match, 1, Instant(0), b"[]"))
    opened.log.append(entry)
    await opened.settled()
    assert (opened.recorded, opened.log.problem) == ([entry], None)
