"""A damaged file: intact data is served, the rest is reported in one sentence, and `repair` saves what is intact."""

from __future__ import annotations

import random
import sqlite3
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path
from typing import NamedTuple

import pytest
from litestar.testing import TestClient

from tests.program import ubongo
from tests.server.alone import SoloPlayer
from tests.server.fakes import START, FakeClock
from tests.server.guests import Guest, over
from tests.server.records.runs import COUNT, run_upkeep
from ubongo.server.app import build
from ubongo.server.clock import Timestamp
from ubongo.server.lobby.upkeep import archive_old_tables, end_finished_tables
from ubongo.server.repair import TABLES, repair
from ubongo.server.settings import Settings
from ubongo.server.store.damage import is_damage
from ubongo.server.store.schema import BadLog
from ubongo.server.tables.stored_match import Damaged, undamaged
from ubongo.table import Millis

PAGE = 4096


def noise(page: int) -> bytes:
    return random.Random(page).randbytes(PAGE)


class Kept(NamedTuple):
    """A server's file and its contents."""

    content: bytes
    guests: list[Guest]
    over: list[str]
    running: list[str]
    gather: list[str]
    owners: dict[int, str]

    def with_pages(self, file: Path, *pages: int, junk: Callable[[int], bytes] = noise) -> Path:
        """A copy with these pages overwritten; the first page is 1."""
        content = bytearray(self.content)
        for page in pages:
            content[(page - 1) * PAGE : page * PAGE] = junk(page)
        file.write_bytes(content)
        return file

    def pages_of(self, table: str) -> list[int]:
        return [page for page, owner in self.owners.items() if owner == table]


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Kept:
    folder, clock = tmp_path_factory.mktemp("kept"), FakeClock()
    file = folder / "log.db"
    with TestClient(build(folder, Settings(db=file), clock)) as client:
        lobby, portal = client.app.state.lobby, client.blocking_portal
        guests = [Guest(client, f"Guest {number}") for number in range(120)]
        for _ in range(3):
            over(guests[0], guests[1])
        SoloPlayer(client, clock, "Ann").run(**COUNT)
        run_upkeep(client)
        clock.time += 2000
        for guest in guests:
            guest.get("/guests/me")
        portal.call(archive_old_tables, lobby, Millis(1000))
        done = [over(guests[number], guests[number + 1]) for number in range(8)]
        run_upkeep(client)
        running = [guest.open(seats=2, bots=["easy"]) for guest in guests[10:18]]
        for guest, key in zip(guests[10:18], running, strict=True):
            guest.post(f"/tables/{key}/start")
        gather = [guest.open(seats=3) for guest in guests[20:40]]
    with closing(sqlite3.connect(file)) as connection:
        owners = dict(connection.execute("select pageno, name from dbstat"))
    return Kept(file.read_bytes(), guests, done, running, gather, owners)


def clock() -> FakeClock:
    now = FakeClock()
    now.time = START + 10_000
    return now


def answers(file: Path, keys: list[str]) -> list[int]:
    with TestClient(build(file.parent, Settings(db=file), clock())) as client:
        return [client.get(f"/api/tables/{key}").status_code for key in keys]


def test_with_any_page_overwritten_the_server_starts_or_says_why_not(
    tmp_path: Path, kept: Kept, long: bool, caplog: pytest.LogCaptureFixture
) -> None:
    """Some pages, or all of them in the slow tests."""
    number = len(kept.content) // PAGE
    pages = set(range(1, number + 1)) if long else {*random.Random(8).sample(range(1, number + 1), 12), 1}
    refused = 0
    for page in sorted(pages):
        caplog.clear()
        file = kept.with_pages(tmp_path / f"{page}.db", page)
        try:
            with TestClient(build(tmp_path, Settings(db=file), clock())) as client:
                found = [client.get(f"/api/tables/{key}") for key in (*kept.over, *kept.running, *kept.gather)]
                assert {(one.status_code, one.json().get("code")) for one in found} <= {(200, None), (409, "damaged")}
                assert client.get("/api/tables").status_code == 200
                lobby = client.app.state.lobby
                for tidying in (end_finished_tables, lambda lobby: archive_old_tables(lobby, Millis(1000))):
                    with suppress(Exception):
                        client.blocking_portal.call(tidying, lobby)
                told = client.get("/healthz").json()["damage"]
        except BadLog as problem:
            refused += 1
            told = str(problem)
            assert kept.owners.get(page) == "sqlite_schema", told
            assert f"{file} is " in told
        assert told == "ok" or "backup" in told
        assert "\n" not in told
        assert caplog.text.count("ubongo repair") <= 1, "it is said once"
        assert not [one for one in caplog.records if one.exc_info], "nothing of it is a fault of ours"
    assert refused <= len(kept.pages_of("sqlite_schema"))


@pytest.mark.parametrize("table", ["log", "matches", "tables"])
def test_undamaged_matches_continue(tmp_path: Path, kept: Kept, table: str) -> None:
    keys = [*kept.over, *kept.running, *kept.gather]
    page = kept.pages_of(table)[-1]
    found = answers(kept.with_pages(tmp_path / "log.db", page), keys)
    assert set(found) == {200, 409}
    assert found.count(200) > len(keys) // 4


def test_only_a_guest_whose_page_is_damaged_gets_an_error(tmp_path: Path, kept: Kept) -> None:
    file = kept.with_pages(tmp_path / "log.db", kept.pages_of("tokens")[-1])
    with TestClient(build(tmp_path, Settings(db=file), clock())) as client:
        for guest in kept.guests:
            guest.client = client
        found = [guest.ask("GET", "/guests/me") for guest in kept.guests]
        assert {status for status, _ in found} == {200, 503}
        assert {answer.get("code") for status, answer in found if status == 503} == {"damaged_file"}


@pytest.mark.parametrize("size", [0.5, 0.97])
def test_a_truncated_file_is_served_as_far_as_it_goes_or_refused(tmp_path: Path, kept: Kept, size: float) -> None:
    file = tmp_path / "log.db"
    file.write_bytes(kept.content[: int(len(kept.content) * size) // PAGE * PAGE])
    found: list[int] = []
    with suppress(BadLog):
        found = answers(file, kept.over)
    assert set(found) <= {200, 409, 404}


def test_a_bug_of_ours_is_not_called_damage(tmp_path: Path, kept: Kept, monkeypatch: pytest.MonkeyPatch) -> None:
    for problem in (LookupError("x"), AssertionError(), TypeError("x"), sqlite3.OperationalError("no such column: x")):
        assert not is_damage(problem)
        with pytest.raises(type(problem)), undamaged():
            raise problem
    file = tmp_path / "log.db"
    file.write_bytes(kept.content)
    monkeypatch.setattr("ubongo.server.tables.stored_match.replay", lambda *_: int("a bug"))
    with TestClient(build(tmp_path, Settings(db=file), clock())) as client:
        answer = client.get(f"/api/tables/{kept.running[0]}")
        assert (answer.status_code, answer.json()["code"]) == (500, "broken")
        assert {client.get(f"/api/tables/{key}").status_code for key in kept.gather} == {200}


def test_undecodable_data_is_damage() -> None:
    with pytest.raises(Damaged), undamaged():
        b"\xff".decode()


# Repair


def saved(file: Path) -> tuple[Path, list[str]]:
    new = file.with_name("new.db")
    before = {one.name: one.read_bytes() for one in file.parent.iterdir()}
    found = repair(file, new, Timestamp(START + 10_000))
    assert {one.name: one.read_bytes() for one in file.parent.iterdir() if one != new} == before, "it is not touched"
    with closing(sqlite3.connect(new)) as connection:
        assert connection.execute("pragma integrity_check").fetchone() == ("ok",)
    return new, found.lost


def test_repair_covers_every_table(tmp_path: Path, kept: Kept) -> None:
    """Every database table is saved, or rebuilt from those that are."""
    with closing(sqlite3.connect(kept.with_pages(tmp_path / "log.db"))) as file:
        there = {name for (name,) in file.execute("select name from sqlite_schema where type = 'table'")}
    assert there - {"seated", "archived", "places"} == set(TABLES)


def test_repair_saves_everything_from_an_intact_file(tmp_path: Path, kept: Kept) -> None:
    file = kept.with_pages(tmp_path / "log.db")
    new, lost = saved(file)
    assert lost == []
    with closing(sqlite3.connect(file)) as old, closing(sqlite3.connect(new)) as fresh:
        for (table,) in old.execute("select name from sqlite_master where type = 'table'").fetchall():
            if table != "places":
                # A row of an archived match may have stayed behind.
                which = "where match in (select match from matches)" if table == "log" else ""
                rows = [sorted(one.execute(f"select * from {table} {which}"), key=repr) for one in (old, fresh)]
                assert rows[0] == rows[1], table


@pytest.mark.parametrize("table", ["log", "matches", "tables", "guests", "tokens", "archive", "places", "results"])
def test_repair_saves_what_is_intact_and_names_the_rest(tmp_path: Path, kept: Kept, table: str) -> None:
    """With one leaf page damaged: all readable data is served after the repair, and nothing is damaged any more."""
    keys = [*kept.over, *kept.running, *kept.gather]
    file = kept.with_pages(tmp_path / "log.db", kept.pages_of(table)[-1])
    new, lost = saved(file)
    assert bool(lost) == (table not in ("places", "results"))
    with TestClient(build(tmp_path, Settings(db=new), clock())) as client:
        after = {key: client.get(f"/api/tables/{key}").status_code for key in keys}
        assert client.get("/healthz").json()["damage"] == "ok"
    gone = [key for key, status in after.items() if status != 200]
    assert all(any(key in line for line in lost) or key in kept.gather for key in gone)
    assert len(gone) < len(keys)


def test_repair_saves_rows_that_are_only_in_the_write_ahead_log(tmp_path: Path, kept: Kept) -> None:
    file = kept.with_pages(tmp_path / "live.db")
    (tmp_path / "copy").mkdir()
    copy = tmp_path / "copy" / "log.db"
    with closing(sqlite3.connect(file, isolation_level=None)) as connection:
        connection.execute("pragma journal_mode = wal")
        connection.execute("insert into guests values ('late', 'Late', 1, 1)")
        # As a crash would leave it.
        for suffix in ("", "-wal"):
            Path(f"{copy}{suffix}").write_bytes(Path(f"{file}{suffix}").read_bytes())
    new, _ = saved(copy)
    with closing(sqlite3.connect(new)) as connection:
        assert connection.execute("select name from guests where player = 'late'").fetchall() == [("Late",)]


def test_repair_sets_future_times_back(tmp_path: Path, kept: Kept) -> None:
    file = kept.with_pages(tmp_path / "log.db")
    found = repair(file, tmp_path / "new.db", Timestamp(START - 3_600_000))
    assert found.notes
    with closing(sqlite3.connect(tmp_path / "new.db")) as connection:
        assert connection.execute("select max(seen) from guests").fetchone() == (START - 3_600_000,)


def test_repair_names_what_is_lost_and_overwrites_nothing(tmp_path: Path, kept: Kept) -> None:
    file, new = kept.with_pages(tmp_path / "log.db", kept.pages_of("guests")[-1]), tmp_path / "new.db"
    ran = ubongo("repair", str(file), "--out", str(new))
    assert (ran.returncode, ran.stderr) == (1, "")
    assert "lost: guests: part of it cannot be read" in ran.stdout
    assert new.stat().st_mode & 0o077 == 0
    again = ubongo("repair", str(file), "--out", str(new))
    assert (again.returncode, again.stderr) == (2, f"ubongo: {new} already exists; name a new file\n")
    broken = kept.with_pages(tmp_path / "broken.db", 1)
    none = ubongo("repair", str(broken), "--out", str(tmp_path / "none.db"))
    assert (none.returncode, none.stderr.count("\n")) == (2, 1)
    assert not (tmp_path / "none.db").exists()


def test_a_file_in_use_is_not_repaired(tmp_path: Path, kept: Kept) -> None:
    file = kept.with_pages(tmp_path / "log.db")
    with TestClient(build(tmp_path, Settings(db=file), clock())), pytest.raises(BadLog, match="in use by a server"):
        repair(file, tmp_path / "new.db", Timestamp(START))


@pytest.mark.parametrize("command", [("backup", "COPY", "--db", "FILE"), ("records", "--rebuild", "--db", "FILE")])
def test_every_command_says_what_to_do_about_damage(tmp_path: Path, kept: Kept, command: tuple[str, ...]) -> None:
    file = kept.with_pages(tmp_path / "log.db", kept.pages_of("sqlite_schema")[-1])
    ran = ubongo(*[{"FILE": str(file), "COPY": str(tmp_path / "copy.db")}.get(word, word) for word in command])
    assert (ran.returncode, ran.stderr.count("\n")) == (2, 1)
    assert "ubongo repair" in ran.stderr
