"""`ubongo ban`, `ubongo tables` and `ubongo records --remove` beside a real server, on a file and on PostgreSQL."""

from __future__ import annotations

import asyncio
import json
import sqlite3
from collections.abc import Iterator
from contextlib import ExitStack, closing
from functools import partial
from pathlib import Path
from typing import NamedTuple

import httpx
import pytest

from tests import postgres
from tests.conftest import Running, start
from tests.server.logs import started_log
from tests.server.moderation.program import Program
from tests.server.people import PATIENCE, Device, Person, table_for
from tests.server.two_servers import at_once, wait_for
from ubongo.server.clock import Timestamp
from ubongo.server.moderation.decisions import Moderation
from ubongo.server.settings import Settings
from ubongo.server.store.moderation import ModerationStore
from ubongo.server.store.schema import BadLog
from ubongo.server.store.side_connection import SqliteSideConnection
from ubongo.server.store.sqlite import SqliteLog
from ubongo.server.store.sqlite_migrations import MIGRATIONS

SCHOOL = {"x-forwarded-for": "203.0.113.7"}
CAFE = {"x-forwarded-for": "2001:db8:1::7"}


class Servers(NamedTuple):
    """Servers that share a database; with a file the first is the only one."""

    db: str
    running: tuple[Running, ...]

    def address(self, number: int) -> str:
        return self.running[number % len(self.running)].address


@pytest.fixture(scope="module", params=["file", "postgres"])
def servers(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Servers]:
    in_file = request.param == "file"
    db = str(tmp_path_factory.mktemp("kept") / "log.db") if in_file else postgres.shared().database()
    begin = partial(start, "--proxy", "127.0.0.1", db=Path(db) if in_file else db)
    with ExitStack() as stack:
        running = at_once(*[begin] * (1 if in_file else 2))
        for one in running:
            stack.enter_context(one)
        yield Servers(db, tuple(running))


def refused(device: Device) -> tuple[str, int]:
    """The code of the HTTP refusal, and the close code of the socket."""
    closed = device.closed()
    [why] = [said["code"] for said in device.heard if said["type"] == "error"]
    return why, closed


def guest_from(address: str, headers: dict[str, str]) -> tuple[int, str]:
    answer = httpx.post(f"{address}api/guests", json={"name": "New"}, headers=headers, timeout=PATIENCE)
    return answer.status_code, answer.json().get("code", "")


def wait_until_banned(servers: Servers, headers: dict[str, str], banned: bool = True) -> None:
    """By every server."""
    expected = (403, "banned") if banned else (201, "")
    for running in servers.running:
        wait_for(lambda running=running: guest_from(running.address, headers) == expected, "all have noticed")  # type: ignore[misc] # a default in a lambda is too much for mypy


def test_a_banned_guest_is_disconnected_and_stays_out(servers: Servers, ubongo: Program) -> None:
    db = ("--db", servers.db)
    ann, bo = Person(servers.address(0), "Ann"), Person(servers.address(1), "Bo")
    table = table_for(ann, bo)
    gathering = bo.post("/tables", {"game": "dice", "seats": 3})["table"]
    ann.post(f"/tables/{gathering}/join")
    [ann_plays, bo_plays] = [person.sit_at(table) for person in (ann, bo)]
    code = bo.post("/guests/me/codes")["code"]
    said = ubongo.done("ban", bo.player, "--for", "2d", "--reason", "insults", *db)
    assert said.startswith(f"guest {bo.player} (Bo) is banned until ")
    assert refused(bo_plays) == ("banned", 4404)
    ann_plays.see(lambda table: table["seats"][1]["gone"] is True)
    entry = ann.get(f"/tables/{gathering}")
    assert [seat["name"] for seat in entry["seats"]] == ["", "Ann", ""]
    assert (entry["host"], entry["seat"]) == (1, 1), "somebody else is the host"
    # Refused as this guest, as a new guest on this device, and as a spectator.
    device = {"cookie": f"ubongo={bo.token}"}
    wait_until_banned(servers, device)
    assert bo.ask("GET", "/guests/me").json()["code"] == "banned"
    assert refused(Device(servers.address(0), table, headers=device)) == ("banned", 4404)
    redeemed = httpx.post(f"{servers.address(0)}api/guests/redeem", json={"code": code}, timeout=PATIENCE)
    assert (redeemed.status_code, redeemed.json()["code"]) == (403, "banned")
    # Others are not affected, and the page still loads to show the reason.
    assert ann.get("/guests/me")["name"] == "Ann"
    assert httpx.get(f"{servers.address(0)}healthz", headers=device, timeout=PATIENCE).status_code == 200

    lines = map(json.loads, ubongo("ban", "--list", "--json", *db).out.splitlines())
    [line] = [one for one in lines if one["target"] == bo.player]
    assert (line["kind"], line["name"], line["reason"]) == ("guest", "Bo", "insults")
    assert line["until"] > line["at"]
    assert f"guest {bo.player} (Bo)" in ubongo("ban", "--list", *db).out
    ubongo.done("ban", bo.player, "--lift", *db)
    wait_until_banned(servers, device, banned=False)
    assert bo.get("/guests/me")["name"] == "Bo"
    assert bo.player not in ubongo("ban", "--list", *db).out
    # A player who has left a match cannot come back to it.
    assert bo.sit_at(table).table["seats"][1]["gone"] is True


def test_a_banned_network_is_disconnected_and_stays_out(servers: Servers, ubongo: Program) -> None:
    db = ("--db", servers.db)
    ann = Person(servers.address(0), "Ann")
    table = ann.post("/tables", {"game": "extreme", "seats": 2, "bots": ["easy"]})["table"]
    ann.post(f"/tables/{table}/start")
    at_school, at_cafe = Device(servers.address(0), table, headers=SCHOOL), ann.sit_at(table, headers=CAFE)
    ubongo.done("ban", "203.0.113.0/24", "--reason", "a script", *db)
    assert refused(at_school) == ("banned", 4404)
    wait_until_banned(servers, SCHOOL)
    assert refused(Device(servers.address(0), table, headers=SCHOOL)) == ("banned", 4404)
    assert at_cafe.ask(type="ready")["type"] == "update", "others play on"
    # One IPv6 address is a whole household; its players leave their table.
    ubongo.done("ban", "2001:db8:1::1", *db)
    assert refused(at_cafe) == ("banned", 4404)
    wait_until_banned(servers, CAFE)
    wait_for(lambda: ann.get(f"/tables/{table}")["seats"][0]["gone"] is True, "they have left")
    ubongo.done("ban", "203.0.113.0/24", "--lift", *db)
    wait_until_banned(servers, SCHOOL, banned=False)


def test_a_guest_is_banned_with_every_address_they_come_from(servers: Servers, ubongo: Program) -> None:
    home, phone = {"x-forwarded-for": "198.51.100.1"}, {"x-forwarded-for": "198.51.100.2"}
    ann, bo = Person(servers.address(0), "Ann"), Person(servers.address(1), "Bo")
    # Ann's table: one of Bo's own would be closed with the ban, and its other server might report that first.
    table = table_for(ann, bo, start=False)
    watching = bo.sit_at(table, headers=home)
    ubongo.done("ban", bo.player, "--with-address", "--for", "1h", "--db", servers.db)
    assert refused(watching) == ("banned", 4404)
    wait_until_banned(servers, home)
    # Later too, from any address.
    assert guest_from(servers.address(0), {**phone, "authorization": f"Bearer {bo.token}"}) == (403, "banned")
    wait_until_banned(servers, phone)
    lines = [json.loads(line) for line in ubongo("ban", "--list", "--json", "--db", servers.db).out.splitlines()]
    assert {one["target"] for one in lines} >= {bo.player, "198.51.100.1/32", "198.51.100.2/32"}


def test_a_table_is_closed_for_everybody(servers: Servers, ubongo: Program) -> None:
    db = ("--db", servers.db)
    ann, bo = Person(servers.address(0), "Ann"), Person(servers.address(1), "Bo")
    table = table_for(ann, bo)
    devices = [ann.sit_at(table), bo.sit_at(table), Device(servers.address(1), table)]
    [listed] = [one for one in map(json.loads, ubongo("tables", "--json", *db).out.splitlines()) if one["key"] == table]
    assert (listed["game"], listed["state"], listed["host"]["guest"]) == ("extreme", "running", ann.player)
    assert [one["name"] for one in listed["people"]] == ["Ann", "Bo"]
    assert f"{table}  extreme  running" in ubongo("tables", *db).out
    ubongo.done("tables", "--close", table.replace("-", " ").upper(), "--reason", "insults", *db)
    assert [device.closed() for device in devices] == [4404] * 3
    assert {device.heard[-1]["why"] for device in devices} == {"This table has been closed."}
    assert ann.ask("GET", f"/tables/{table}").json()["code"] == "no_such_table"
    again = ubongo("tables", "--close", table, *db)
    assert (again.status, again.out) == (2, "")
    assert table not in ubongo("tables", *db).out


@pytest.mark.parametrize(
    ("words", "why"),
    [
        ("ban", "name a guest"),
        ("ban Nobody", "no guest has the id or the name 'Nobody'"),
        ("ban 203.0.113.7 --for soon", "'soon' is not a duration"),
        ("ban 0.0.0.0/0", "too wide"),
        ("ban 127.0.0.1", "this machine"),
        ("ban --lift 203.0.113.99", "is not banned"),
        ("ban Ann --list", "--list shows all bans"),
        ("ban 203.0.113.7 --lift --for 2d", "--for and --with-address with a new ban"),
        (f"ban 203.0.113.7 --reason {'x' * 501}", "at most 500"),
        ("ban 203.0.113.7 --with-address", "only a guest can be banned together with their address"),
        ("tables --close nowhere", "there is no table 'nowhere'"),
        ("tables --reason x", "--reason goes with --close"),
        ("records --remove", "choose which"),
        ("records --remove --run 77777 --yes", "no such records"),
        ("records --remove --rebuild", "choose one"),
        ("records --rebuild --run 1", "--rebuild rebuilds all"),
        ("records --yes", "--yes go with"),
        ("records --guest Nobody", "no guest"),
    ],
)
def test_bad_input_is_refused_with_a_sentence(words: str, why: str, empty: Path, ubongo: Program) -> None:
    status, out, err = ubongo(*words.split(), "--db", empty)
    assert (status, out, len(err.splitlines())) == (2, "", 1)
    assert why in err


@pytest.fixture(scope="module")
def empty(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A server's file in which nobody has played."""
    file = tmp_path_factory.mktemp("empty") / "log.db"
    SqliteLog(file).release()
    return file


def test_guests_with_the_same_name_are_distinguished(servers: Servers, ubongo: Program) -> None:
    twins = [Person(servers.address(0), "Twin") for _ in range(2)]
    found = ubongo("ban", "Twin", "--db", servers.db)
    assert found.status == 2
    assert all(twin.player in found.err for twin in twins)


def test_a_decision_made_while_no_server_ran_applies_from_startup(tmp_path: Path) -> None:
    file = tmp_path / "log.db"
    with start(db=file) as running:
        ann, bo = Person(running.address, "Ann"), Person(running.address, "Bo")
        table = table_for(ann, bo)
    asyncio.run(_decide(file, bo.player))
    with start(db=file) as running:
        bo.address = ann.address = running.address.rstrip("/")
        assert bo.ask("GET", "/guests/me").json()["code"] == "banned"
        assert [seat["gone"] for seat in ann.get(f"/tables/{table}")["seats"]] == [False, True]
    with closing(sqlite3.connect(file)) as connection:
        assert connection.execute("select count(*) from moderation where done is null").fetchall() == [(0,)]


async def _decide(file: Path, player: str) -> None:
    store = SqliteSideConnection(file)
    moderation = Moderation(store, "operator")
    await moderation.ban(await moderation.target(player), "", None, Timestamp(5))
    store.close()


@pytest.fixture
def url() -> str:
    return postgres.shared().database()


@pytest.mark.anyio
async def test_concurrent_decisions_of_operators_all_apply(url: str) -> None:
    """Numbers go up without a gap, so a server that has seen the newest has missed none."""
    opened = await started_log(Settings(db=url))
    stores = [ModerationStore(opened.log) for _ in range(5)]
    numbers = await asyncio.gather(*[one.add("lift", "x", "", "operator", Timestamp(5), done=True) for one in stores])
    assert sorted(numbers) == [1, 2, 3, 4, 5]
    await opened.log.close()


def test_a_file_of_an_older_schema_is_left_untouched(tmp_path: Path, empty: Path) -> None:
    old = tmp_path / "old.db"
    old.write_bytes(empty.read_bytes())
    with closing(sqlite3.connect(old)) as connection:
        connection.execute(f"pragma user_version = {len(MIGRATIONS) - 1}")
    with pytest.raises(BadLog, match="older Ubongo"):
        SqliteSideConnection(old)
    with closing(sqlite3.connect(old)) as connection:
        assert connection.execute("pragma user_version").fetchall() == [(len(MIGRATIONS) - 1,)]
