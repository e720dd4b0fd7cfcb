"""The log in a real SQLite file: durable, in groups, refused when it cannot be, and readable for ever."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import AsyncIterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from tests.server.fakes import full
from ubongo.server.log import Entry, Row, Unrecorded
from ubongo.server.log.register import Guest, Register
from ubongo.server.log.schema import APPLICATION, MIGRATIONS, BadLog, migrate, refuse_unless_ours
from ubongo.server.log.sqlite import SqliteLog

pytestmark = pytest.mark.anyio


class Written:
    """An entry of a match in which every row has one event."""

    def __init__(self, *rows: Row) -> None:
        self.match = rows[0].match
        self.since = rows[0].version - 1
        self.rows = rows


class Span(NamedTuple):
    match: int
    since: int
    upto: int | None = None


class Opened:
    """A log, and what it said."""

    def __init__(self, path: Path) -> None:
        self.log = SqliteLog(path)
        self.commits: list[int] = []
        self.recorded: list[Entry] = []
        self.lost: list[Entry] = []
        self.log.watch = lambda rows, _: self.commits.append(rows)

    async def start(self) -> Opened:
        await self.log.start(self.recorded.extend, self._lose)
        return self

    def _lose(self, entries: Sequence[Entry], _: Unrecorded) -> None:
        self.lost.extend(entries)

    async def settled(self) -> None:
        """All that was appended before has been answered."""
        await self.log.write()


@pytest.fixture
async def opened(tmp_path: Path) -> AsyncIterator[Opened]:
    one = await Opened(tmp_path / "log.db").start()
    yield one
    await one.log.close()


def rows_in(path: Path) -> list[Any]:
    connection = sqlite3.connect(path)
    found = connection.execute("select match, version, at, events from log order by id").fetchall()
    connection.close()
    return found


async def test_what_is_recorded_is_in_the_file(opened: Opened) -> None:
    entry = Written(Row(1, 2, 30, b"[]"), Row(1, 3, 40, b"[1]"))
    opened.log.append(entry)
    await opened.settled()
    assert opened.recorded == [entry]
    # Another connection sees it, as after a crash.
    assert rows_in(opened.log.path) == [(1, 2, 30, b"[]"), (1, 3, 40, b"[1]")]
    assert await opened.log.histories([Span(1, 1), Span(2, 1)]) == {1: [Row(1, 3, 40, b"[1]")], 2: []}


async def test_the_writer_is_woken_once_for_all_that_has_gathered(opened: Opened) -> None:
    for version in range(100):
        opened.log.append(Written(Row(1, version, 0, b"[]")))
    await opened.settled()
    assert opened.commits == [100]


async def test_it_survives_every_death_of_the_process(opened: Opened) -> None:
    [[mode]] = await opened.log.read("pragma journal_mode")
    [[synchronous]] = await opened.log.read("pragma synchronous")
    assert (mode, synchronous) == ("wal", 2)


async def test_what_stands_on_a_lost_write_is_lost_too_and_nothing_else(opened: Opened) -> None:
    opened.log.append(Written(Row(1, 1, 0, b"[]")))
    await opened.settled()
    full(opened.log, True)
    first = [Written(Row(1, 2, 0, b"x" * 100_000)), Written(Row(1, 3, 0, b"x"))]
    opened.log.append(first[0])
    # The first group is handed over; the second gathers on top of it.
    await asyncio.sleep(0)
    opened.log.append(first[1])
    with pytest.raises(Unrecorded, match="disk is full"):
        await opened.log.write(("insert into guests values ('p', 'Ann', 0, 0)", ()))
    assert opened.lost == first
    problems = [opened.log.problem]
    full(opened.log, False)
    after = Written(Row(1, 2, 5, b"[]"))
    opened.log.append(after)
    await opened.settled()
    assert [*problems, opened.log.problem] == ["database or disk is full", None]
    assert [row[:2] for row in rows_in(opened.log.path)] == [(1, 1), (1, 2)]


async def test_one_file_is_for_one_server(opened: Opened) -> None:
    with pytest.raises(BadLog, match=r"is in use by another server\. Choose another file with --db\."):
        SqliteLog(opened.log.path)


async def test_the_register_remembers(tmp_path: Path) -> None:
    one = await Opened(tmp_path / "log.db").start()
    register = Register(one.log)
    await register.add_guest(Guest("p1", "Ann", 5), b"hash")
    await register.keep_table("t1", "gather", b"{}", 6)
    await register.keep_table("t1", "running", b"{1}", 7)
    await register.add_code(b"code", "p1", 100)
    await one.log.close()
    again = await Opened(tmp_path / "log.db").start()
    register = Register(again.log)
    assert await register.guest_with(b"hash") == Guest("p1", "Ann", 5)
    assert await register.guest_with(b"code") is None
    assert await register.tables() == [("t1", "running", b"{1}", 7)]
    assert await register.guest_by_code(b"code", 99) == Guest("p1", "Ann", 5)
    assert await register.guest_by_code(b"code", 100) is None, "it has run out"
    await register.redeem(b"code", b"more", "p1", 8)
    await register.rename("p1", "Anna")
    assert await register.guest_with(b"hash") == await register.guest_with(b"more") == Guest("p1", "Anna", 5)
    assert await register.guest_by_code(b"code", 99) is None
    await register.add_code(b"old", "p1", 100)
    await register.add_code(b"new", "p1", 300)
    await register.drop_codes(200)
    assert await again.log.read("select hash from codes") == [(b"new",)]
    await register.forget("p1")
    assert await register.guest_with(b"hash") is None
    assert await register.number_of_guests() == 0
    assert await again.log.read("select * from tokens union all select * from codes") == []
    await again.log.close()


def test_a_new_file_has_todays_form(tmp_path: Path) -> None:
    connection = sqlite3.connect(tmp_path / "new.db", isolation_level=None)
    migrate(connection)
    assert connection.execute("pragma user_version").fetchone() == (len(MIGRATIONS),)
    assert connection.execute("pragma application_id").fetchone() == (APPLICATION,)
    connection.close()


def test_who_played_long_ago_is_found_in_a_file_of_an_older_form(tmp_path: Path) -> None:
    connection = sqlite3.connect(tmp_path / "old.db", isolation_level=None)
    migrate(connection, MIGRATIONS[:2])
    for match, players in ((1, '["p1",null]'), (2, '["p2","p1"]'), (3, "[null]")):
        connection.execute("insert into archive values (?, '{}', ?, 9, '')", (match, players))
    migrate(connection)
    assert connection.execute("select * from archived").fetchall() == [("p1", 1), ("p1", 2), ("p2", 2)]
    connection.close()


def test_a_migration_is_whole_or_not_at_all(tmp_path: Path) -> None:
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
def test_a_file_that_is_not_for_us_is_refused_untouched(tmp_path: Path, script: str, why: str) -> None:
    path = tmp_path / "theirs.db"
    connection = sqlite3.connect(path)
    connection.executescript(script)
    connection.close()
    before = path.read_bytes()
    with pytest.raises(BadLog, match=why):
        SqliteLog(path)
    assert path.read_bytes() == before
    assert [other.name for other in tmp_path.iterdir()] == [path.name]


def test_a_file_that_is_no_database_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "letter.txt"
    path.write_text("Dear Ann, " * 100)
    with pytest.raises(BadLog, match="is no database"):
        refuse_unless_ours(path)
