"""What concerns only a log in PostgreSQL: other writers, lost connections, an unavailable database."""

from __future__ import annotations

import asyncio
import contextlib
import random
import re
import time
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any, cast
from urllib.parse import urlsplit

import asyncpg
import msgspec
import pytest
from litestar.testing import TestClient

from tests.conftest import start
from tests.cuttable_proxy import CuttablePostgres
from tests.postgres import fetch, shared
from tests.program import ubongo
from tests.server.alone import SoloPlayer
from tests.server.fakes import FakeClock, WrongClock
from tests.server.logs import OPENING, Opened, Written, started_log
from tests.server.people import Person, playing
from ubongo.server.app import build
from ubongo.server.clock import MachineClock, Timestamp
from ubongo.server.cluster.background_tasks import BackgroundTasks
from ubongo.server.cluster.membership import Membership
from ubongo.server.cluster.table_refresh import TableRefresh
from ubongo.server.lobby.open_tables import TableLimits
from ubongo.server.lobby.registry import TableRegistry
from ubongo.server.lobby.upkeep import end_finished_tables
from ubongo.server.settings import Settings
from ubongo.server.store import Row, StoreError, postgres_pool
from ubongo.server.store.entities import Guest
from ubongo.server.store.guest_store import GuestStore
from ubongo.server.store.lobby_store import LobbyStore
from ubongo.server.store.postgres import PostgresLog
from ubongo.server.store.postgres_connection import connect, prepare
from ubongo.server.store.postgres_migrations import MIGRATIONS
from ubongo.server.store.postgres_schema import migrate
from ubongo.server.store.postgres_writer import PostgresWriter
from ubongo.server.store.schema import BadLog
from ubongo.server.tables.table_setup import TableSetup
from ubongo.table import Instant

ROWS = "select match, version from log order by match, version"
VERSIONS = "select match, version from versions order by match"
CUT = """
    select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory' and mode = 'ExclusiveLock'
    and database = (select oid from pg_database where datname = current_database())
"""


@pytest.fixture
def url() -> str:
    return shared().database()


@pytest.fixture
async def opened(url: str) -> AsyncIterator[Opened]:
    one = await started_log(Settings(db=url))
    yield one
    await one.log.close()


@pytest.mark.anyio
async def test_a_version_conflict_discards_only_the_entries_that_build_on_it(opened: Opened, url: str) -> None:
    first, second = (await opened.match()).match, (await opened.match()).match
    await fetch(url, f"update versions set version = 1 where match = {first}")
    stale = [Written(Row(first, 1, Instant(0), b"[]")), Written(Row(first, 2, Instant(0), b"[]"))]
    good = Written(Row(second, 1, Instant(0), b"[]"))
    for entry in (stale[0], good, stale[1]):
        opened.log.append(entry)
    await opened.settled()
    assert (opened.lost, opened.recorded) == (stale, [good])
    assert await fetch(url, ROWS) == [(second, 1)], "version 1 was lost, so 2 is too"
    assert opened.log.problem is None


@pytest.mark.anyio
async def test_entries_appended_during_a_version_conflict_are_discarded_with_it(opened: Opened, url: str) -> None:
    match = (await opened.match()).match
    await fetch(url, f"update versions set version = 9 where match = {match}")
    first, second = Written(Row(match, 1, Instant(0), b"[]")), Written(Row(match, 2, Instant(0), b"[]"))
    opened.log.append(first)
    # The first batch is being written; the second builds on it.
    await asyncio.sleep(0.001)
    opened.log.append(second)
    await opened.settled()
    assert opened.lost == [first, second]


@pytest.mark.anyio
async def test_concurrent_writers_to_the_same_matches_leave_no_gap(opened: Opened, url: str) -> None:
    """Each writer appends to the version it last saw, as processes do. No deadlock, duplicate or lost append."""
    matches = [(await opened.match()).match for _ in range(20)]
    claims: list[tuple[int, int]] = []
    complaints: list[str] = []

    async def hammer(seed: int) -> None:
        luck, known = random.Random(seed), dict.fromkeys(matches, 0)
        writer = PostgresWriter(lambda: connect(url), complaints.append)
        for _ in range(40):
            some = luck.sample(matches, 10)
            asked_for = {one: (known[one], known[one] + luck.randint(1, 3)) for one in some}
            rows = [
                Row(one, at, Instant(0), b"[]")
                for one, (since, upto) in asked_for.items()
                for at in range(since + 1, upto + 1)
            ]
            won = await writer.append(asked_for, rows)
            claims.extend((row.match, row.version) for row in rows if row.match in won)
            known = {int(str(one)): int(str(version)) for one, version in await fetch(url, VERSIONS)}
        writer.close()

    await asyncio.gather(*map(hammer, range(4)))
    found = await fetch(url, ROWS)
    assert (sorted(claims), complaints) == (found, [])
    versions = await fetch(url, VERSIONS)
    assert found == [(match, version) for match, last in versions for version in range(1, int(str(last)) + 1)]


@pytest.mark.anyio
async def test_an_append_whose_acknowledgement_was_lost_is_written_once(url: str, tmp_path: Path) -> None:
    await prepare(url)
    async with CuttablePostgres(tmp_path, shared().folder) as line:
        one = await Opened(PostgresLog(line.url(urlsplit(url).path[1:]))).start()
        match = (await one.match()).match
        line.at = b"cut here"
        entry = Written(Row(match, 1, Instant(0), b'["cut here"]'))
        one.log.append(entry)
        await one.settled()
        assert (line.cuts, one.recorded, one.lost) == (1, [entry], [])
        after = Written(Row(match, 2, Instant(0), b"[]"))
        one.log.append(after)
        line.at = b"COMMIT"
        guests = GuestStore(one.log)
        await guests.add_guest(Guest("p1", "Ann", Timestamp(5)), b"hash")
        await one.settled()
        assert (line.cuts, one.recorded) == (2, [entry, after])
        assert await guests.guest_with(b"hash") == Guest("p1", "Ann", Timestamp(5))
        await one.log.close()
    assert await fetch(url, ROWS) == [(match, 1), (match, 2)]
    assert await fetch(url, "select count(*) from guests") == [(1,)]


@pytest.mark.anyio
async def test_play_waits_for_an_unavailable_database_and_continues(
    opened: Opened, url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Reads time out after some seconds, and a busy machine may take longer to start a database.
    monkeypatch.setattr(postgres_pool, "PATIENCE_S", 600)
    match = (await opened.match()).match
    await asyncio.to_thread(shared().stop)
    opened.log.append(Written(Row(match, 1, Instant(0), b"[]")))
    while opened.log.problem is None:  # noqa: ASYNC110 - there is no event to wait for
        await asyncio.sleep(0.01)
    opened.log.append(Written(Row(match, 2, Instant(0), b"[]")))
    assert (opened.recorded, opened.lost) == ([], [])
    asking = asyncio.create_task(opened.log.read("select 1"))
    await asyncio.to_thread(shared().start)
    await opened.settled()
    assert (len(opened.recorded), opened.lost) == (2, [])
    assert [opened.log.problem] == [None]
    assert await asking == [(1,)]
    assert await fetch(url, ROWS) == [(match, 1), (match, 2)]


@pytest.mark.anyio
async def test_concurrent_heartbeats_wait_for_each_other(opened: Opened, url: str) -> None:
    one = Membership(cast("PostgresLog", opened.log))
    await asyncio.gather(*(one.heartbeat() for _ in range(5)))
    assert await fetch(url, "select house from living") == [(one.server_id,)]
    await one.leave()


@pytest.mark.anyio
async def test_a_server_disconnected_together_with_its_peers_does_not_take_them_for_dead(
    opened: Opened, url: str
) -> None:
    """The ten seconds are for tables without a server, not for a server that reconnects a moment after ours."""
    log = cast("PostgresLog", opened.log)
    first, second = Membership(log), Membership(log)
    key = (await opened.match()).table
    for one in (first, second):
        await one.heartbeat()
    # On any machine, both have just sent a heartbeat.
    await fetch(url, "update houses set beat = beat + 600000")
    await second.serve([key])
    assert await first.adopt(10) == []
    # As when the database restarts: all connections at once, and with them the sessions that mark servers as alive.
    await fetch(url, CUT)
    while await fetch(url, "select house from living"):
        pass

    async def serving() -> set[int]:
        return {one.server_id for one in await first.serve([key])}

    assert await serving() == {first.server_id, second.server_id}, "we have not even noticed it ourselves"
    await first.release([key])
    with contextlib.suppress(StoreError):
        await first.heartbeat()
    await first.heartbeat()
    assert await first.adopt(10) == []
    assert await serving() == {first.server_id, second.server_id}
    await first.release([key])
    first._unsure_until = 0
    assert await first.adopt(10) == [key], "by now it would be back"
    for one in (first, second):
        await one.leave()


@pytest.mark.anyio
async def test_a_write_that_the_database_refuses_is_reported_as_lost(opened: Opened, url: str) -> None:
    match = (await opened.match()).match
    await fetch(url, "alter table log add check (at >= 0)")
    no = Written(Row(match, 1, Instant(-1), b"[]"))
    opened.log.append(no)
    await opened.settled()
    assert (opened.lost, "violates check" in str(opened.log.problem)) == ([no], True)
    opened.log.append(Written(Row(match, 1, Instant(1), b"[]")))
    await opened.settled()
    assert (len(opened.recorded), opened.log.problem) == (1, None)


@pytest.mark.anyio
async def test_acknowledged_appends_are_on_disk_even_if_the_database_defaults_to_async_commit(url: str) -> None:
    await fetch(url, f"alter database {urlsplit(url).path[1:]} set synchronous_commit = off")
    one = await started_log(Settings(db=url))
    # On the same connection, several times.
    for _ in range(3):
        assert await one.log.read("select current_setting('synchronous_commit')") == [("on",)]
    await one.log.close()


@pytest.mark.anyio
async def test_a_server_that_missed_a_sign_out_finds_out(url: str) -> None:
    """The database returns which of the connected devices have no token any more."""
    one = await started_log(Settings(db=url))
    assert isinstance(one.log, PostgresLog)
    others, guests = Membership(one.log), GuestStore(one.log)
    kept, gone = b"k" * 32, b"g" * 32
    for player, proof in (("p1", kept), ("p2", gone)):
        await guests.add_guest(Guest(player, player, Timestamp(5)), proof)
    assert await others.unknown_devices([kept, gone]) == []
    await guests.sign_out("p2", [gone], cancel_codes=True)
    assert await others.unknown_devices([kept, gone]) == [gone]
    assert await others.unknown_devices([]) == []
    await one.log.close()


@pytest.mark.anyio
async def test_a_migration_is_atomic_and_runs_once(url: str) -> None:
    line, other = await connect(url), await connect(url)
    await asyncio.gather(migrate(line, url), migrate(other, url))
    broken = (*MIGRATIONS, "alter table guests add column colour text; insert into nowhere values (1)")
    with pytest.raises(asyncpg.UndefinedTableError):
        await migrate(line, url, broken)
    assert await line.fetchval("select form from ubongo") == len(MIGRATIONS)
    await migrate(line, url, (*MIGRATIONS, "alter table guests add column colour text"))
    with pytest.raises(BadLog, match="was written by a newer Ubongo"):
        await migrate(other, url)
    await line.close()
    await other.close()


@pytest.mark.parametrize(
    ("how", "why"),
    [
        ("postgresql://ann:secret@127.0.0.1:1/ubongo", "serve: postgresql://127.0.0.1:1/ubongo cannot be used: "),
        ("postgresql://ann:secret@127.0.0.1:port/ubongo", "cannot be used: "),
        ("no such database", "does not exist"),
        ("another program's", "is another program's database"),
    ],
)  # fmt: skip
def test_a_database_that_cannot_be_the_log_exits_with_an_error(url: str, how: str, why: str) -> None:
    if how == "another program's":
        asyncio.run(fetch(url, "create table photos (x int)"))
    named = {"no such database": shared().url("nothing"), "another program's": url}.get(how, how)
    ran = ubongo("serve", "--port", "0", "--db", named)
    assert (ran.returncode, ran.stdout, ran.stderr.count("\n")) == (2, "", 1)
    assert re.search(why, ran.stderr), ran.stderr
    assert "secret" not in ran.stderr
    if how == "another program's":
        assert asyncio.run(fetch(url, "select tablename from pg_tables where schemaname = 'public'")) == [("photos",)]


def test_a_match_continues_after_its_server_was_killed(url: str) -> None:
    with start(db=url) as running:
        ann, bo = Person(running.address, "Ann"), Person(running.address, "Bo")
        table, one, _ = playing(ann, bo)
        assert one.ask(**one.solution()[0])["type"] == "update"
        laid = one.table["seats"][0]["laid"]
        running.process.kill()
        running.process.wait()
    with start(db=url) as running:
        for person in (ann, bo):
            person.address = running.address.rstrip("/")
        again = ann.sit_at(table)
        assert again.table["seats"][0]["laid"] == laid
        again.solve()
        bo.post(f"/tables/{table}/leave")
        again.see(lambda seen: seen["phase"] == "over")
        lines = ann.ask("GET", f"/tables/{table}/log").text.splitlines()
        assert "match_closed" in lines[-1]
        assert ann.get("/guests/me/profile")["name"] == "Ann"


def test_a_server_catches_up_after_a_version_conflict(url: str) -> None:
    """Its connection is cut while nobody plays, and another server writes to the same match and leaves."""
    with start(db=url) as first:
        ann, bo = Person(first.address, "Ann"), Person(first.address, "Bo")
        table, one, other = playing(ann, bo)
        moves = one.solution()
        one.ask(**moves[0])
        asyncio.run(fetch(url, "select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory'"))
        with start(db=url) as second:
            bo.address = second.address.rstrip("/")
            phone = bo.sit_at(table)
            assert len(phone.table["seats"][0]["laid"]) == 1
            assert phone.ask(**phone.solution()[0])["type"] == "update"
        said = one.ask(**moves[1])
        assert said["type"] == "update"
        one.see(lambda seen: all(seat["present"] for seat in seen["seats"]))
        assert [len(seat["laid"]) for seat in one.table["seats"]] == [2, 1]
        other.see(lambda seen: [len(seat["laid"]) for seat in seen["seats"]] == [2, 1])
    rows = asyncio.run(fetch(url, "select version, events from log order by version"))
    version = 0
    for row in rows:
        version += len(msgspec.json.decode(cast("bytes", row[1])))
        assert row[0] == version
    assert len({row[0] for row in asyncio.run(fetch(url, "select distinct writer from log"))}) == 2


def played(settings: Settings, tmp_path: Path) -> list[Any]:
    """An hour of solo play, and the resulting records and days."""
    clock = FakeClock()
    with TestClient(build(tmp_path, settings, clock)) as client:
        ann, bo = SoloPlayer(client, clock, "Ann"), SoloPlayer(client, clock, "Bo")
        keys = [ann.run(pace=2000, of="extreme", mode="count", tasks=5), bo.run(of="extreme", mode="count", tasks=5)]
        keys += [ann.run(of="cubes", mode="day"), ann.run(of="cubes", mode="day"), bo.run(of="cubes", mode="count")]
        client.blocking_portal.call(end_finished_tables, client.app.state.lobby)
        client.blocking_portal.call(client.app.state.services.records.catch_up)
        boards = [
            ann.get(f"/records?of={of}&mode={mode}&tasks=5") for of, mode in (("extreme", "count"), ("cubes", "day"))
        ]
        own = [ann.get("/guests/me/profile"), ann.get("/day"), bo.get("/day")]
        own += [ann.get(f"/guests/me/games?which={which}") for which in ("all", "matches", "runs", "days")]
        own.append(ann.get("/day/2023-11-14/result?of=cubes"))
        told = [ann.get(f"/tables/{key}/result") for key in keys]
        assert ann.ask("GET", "/records?of=dice&mode=count&edition=%00")[0] == 200
        bo.ask("DELETE", "/guests/me")
        return [boards, own, told, ann.get("/records?of=extreme&mode=count&tasks=5")]


def test_records_and_days_are_equal_in_sqlite_and_postgres(url: str, tmp_path: Path) -> None:
    def shape(value: Any) -> Any:
        """Removes what is random: keys, tasks and their difficulty."""
        if isinstance(value, dict):
            own = ("table", "player", "difficulty", "grade", "task", "laid")
            return {name: shape(one) for name, one in value.items() if name not in own}
        return [shape(one) for one in value] if isinstance(value, list) else value

    in_file = played(Settings(db=tmp_path / "log.db"), tmp_path)
    assert shape(played(Settings(db=url), tmp_path)) == shape(in_file)


def test_the_command_rebuilds_records(url: str, tmp_path: Path) -> None:
    played(Settings(db=url), tmp_path)
    before = asyncio.run(fetch(url, "select * from results order by match"))
    asyncio.run(fetch(url, "update results set first = 1, took = 1"))
    done = ubongo("records", "--rebuild", "--db", url)
    assert (done.returncode, done.stderr) == (0, "")
    assert "?" not in done.stdout, "how one gets in is nobody's business"
    assert asyncio.run(fetch(url, "select * from results order by match")) == before
    assert "pg_dump" in ubongo("backup", str(tmp_path / "copy.db"), "--db", url).stderr


@pytest.mark.parametrize("off", [-3_600_000, 3_600_000])
def test_time_is_taken_from_the_database(url: str, tmp_path: Path, off: int) -> None:
    """A round does not end early or late because another machine continues it."""
    with TestClient(build(tmp_path, Settings(db=url))) as client:
        ann = client.post("/api/guests", json={"name": "Ann"}).json()
        headers = {"authorization": f"Bearer {ann['token']}"}
        key = client.post("/api/tables", json={"game": "extreme", "bots": ["easy"]}, headers=headers).json()["table"]
        client.post(f"/api/tables/{key}/start", headers=headers)
    with TestClient(build(tmp_path, Settings(db=url), WrongClock(off))) as client:
        room = client.blocking_portal.call(client.app.state.lobby.rooms.open, key)
        assert 0 <= room.live_match.now() < 600_000
        day = client.get("/api/day").json()["now"]
        [[now]] = asyncio.run(fetch(url, "select cast(extract(epoch from clock_timestamp()) * 1000 as bigint)"))
        assert abs(int(str(now)) - day) < 60_000


def test_a_clock_that_is_set_back_stands_still() -> None:
    clock = MachineClock()
    before = clock.now()
    clock.agree((before - 5000) * 1_000_000, time.monotonic_ns())
    assert before <= clock.now() < before + 4000
    clock.agree((before + 5000) * 1_000_000, time.monotonic_ns())
    assert clock.now() >= before + 5000


@pytest.mark.anyio
async def test_a_table_that_cannot_be_decoded_does_not_hide_other_tables(opened: Opened, url: str) -> None:
    store, membership = LobbyStore(opened.log), Membership(cast("PostgresLog", opened.log))
    setup = msgspec.json.encode(TableSetup("extreme", msgspec.Raw(b"{}"), (), "p1", public=False, made=Timestamp(5)))
    for key in ("damaged", "intact"):
        await store.open_match(key, OPENING, setup, Timestamp(5))
    await fetch(url, "update matches set opening = 'nonsense' where table_key = 'damaged'")
    found = await membership.tables_changed(Timestamp(0))
    assert ([table.key for table in found.tables], found.damaged) == (["intact"], ["damaged"])
    assert (await membership.tables(["damaged"])).damaged == ["damaged"]
    registry, clock = TableRegistry(store, TableLimits(1, 1, 1)), FakeClock()
    clock.time = Timestamp(5)
    await TableRefresh(membership, registry, clock, BackgroundTasks()).refresh_all()
    assert (set(registry.lobby_tables), registry.quarantined) == ({"intact"}, {"damaged"})
