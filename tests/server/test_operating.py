"""What operators rely on: documented flags, and backups of a running server."""

from __future__ import annotations

import ast
import json
import re
import sqlite3
from contextlib import closing
from inspect import signature
from pathlib import Path
from typing import NamedTuple, get_args, get_type_hints

import pytest
from cyclopts import Parameter
from litestar.testing import TestClient
from msgspec.structs import replace

from tests.conftest import Running, start
from tests.program import ubongo
from tests.server.asgi_socket import build_with_socket
from tests.server.guests import against_bots
from tests.server.people import Person, table_for
from ubongo.commands.serve import serve
from ubongo.material import encode, identify, shipped
from ubongo.material.dice import DiceEdition
from ubongo.server.app import build
from ubongo.server.lobby.upkeep import archive_old_tables, end_finished_tables
from ubongo.server.settings import Settings
from ubongo.table import Millis

ROOT = Path(__file__).parent.parent.parent


class DocumentedFlag(NamedTuple):
    """A row of the documented table of flags."""

    flag: str
    variable: str
    default: str


def documented_flags() -> list[DocumentedFlag]:
    document = (ROOT / "docs" / "operating.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `(--[\w-]+)` \| (.*?) ?\| (.*?) ?\|", document, re.MULTILINE)
    return [DocumentedFlag(flag, variable.strip("`"), default) for flag, variable, default in rows]


def test_every_flag_is_documented() -> None:
    flags = set(re.findall(r"--[a-z-]+", ubongo("serve", "--help").stdout)) - {"--help", "--version"}
    assert sorted(one.flag for one in documented_flags()) == sorted(flags)


def test_flags_variables_and_defaults_are_as_documented() -> None:
    rows = {one.flag: one for one in documented_flags()}
    hints = get_type_hints(serve, include_extras=True)
    for name, parameter in signature(serve).parameters.items():
        [found] = [one for one in get_args(hints[name]) if isinstance(one, Parameter)]
        [flag] = found.name or (f"--{name.replace('_', '-')}",)
        assert rows[flag].variable == "".join(found.env_var or ()), flag
        if parameter.default not in (None, (), False):
            assert rows[flag].default == str(parameter.default), flag


def test_every_setting_has_a_flag() -> None:
    """A rate is set together with its burst; the buffer for slow readers and the rates of newcomers are internal."""
    source = ast.parse((ROOT / "ubongo" / "commands" / "serve.py").read_text(encoding="utf-8"))
    [made] = [node for node in ast.walk(source) if isinstance(node, ast.Call) and ast.unparse(node.func) == "Settings"]
    ours = {"slow", "guests_rate", "guests_burst", "openings_rate", "openings_burst"}
    assert {keyword.arg for keyword in made.keywords} == set(Settings.__struct_fields__) - ours


@pytest.mark.parametrize("file", ["Dockerfile", "ubongo.service"])
def test_deployment_files_match_the_documentation(file: str) -> None:
    text = (ROOT / "deploy" / file).read_text(encoding="utf-8")
    rows = documented_flags()
    started = re.findall(r"/opt/ubongo/bin/ubongo\W+serve(.*)", text)
    assert started
    assert set(re.findall(r"--[a-z-]+", " ".join(started))) <= {one.flag for one in rows}
    assert set(re.findall(r"UBONGO_\w+", text)) <= {one.variable for one in rows}
    assert all((ROOT / name).is_file() for name in re.findall(r"/src/([\w.-]+\.lock)", text))
    # A user without a home has no other cache directory, and Numba then refuses to compile.
    assert "NUMBA_CACHE_DIR=" in text


def test_a_backup_of_a_running_server_continues_from_there(server: Running, tmp_path: Path) -> None:
    ann, bo = Person(server.address, "Ann"), Person(server.address, "Bo")
    table = table_for(ann, bo)
    one = ann.sit_at(table)
    one.ask(type="ready")
    copy = tmp_path / "copy.db"
    made = ubongo("backup", str(copy), "--db", str(server.db))
    assert (made.returncode, made.stderr) == (0, "")
    assert copy.stat().st_mode & 0o077 == 0
    with closing(sqlite3.connect(copy)) as connection:
        assert connection.execute("pragma integrity_check").fetchone() == ("ok",)
    again = start(db=copy)
    with again:
        ann.address = again.address.rstrip("/")
        assert ann.sit_at(table).table["seats"][0]["ready"]
        again.process.terminate()
        again.process.communicate()


@pytest.mark.parametrize("what", ["a file that is there", "no server's file"])
def test_a_backup_overwrites_nothing_and_copies_only_our_files(tmp_path: Path, what: str) -> None:
    source, target = tmp_path / "log.db", tmp_path / "copy.db"
    if what == "a file that is there":
        source.touch()
        target.write_text("precious")
    made = ubongo("backup", str(target), "--db", str(source))
    assert (made.returncode, made.stderr.count("\n")) == (2, 1)
    assert target.exists() == (what == "a file that is there")


def test_a_file_that_cannot_be_the_log_exits_with_an_error(tmp_path: Path) -> None:
    file = tmp_path / "letter.txt"
    file.write_text("Dear Ann, " * 100)
    ran = ubongo("serve", "--port", "0", "--db", str(file))
    assert (ran.returncode, ran.stdout) == (2, "")
    assert ran.stderr.startswith(f"ubongo serve: {file} is no database")
    assert ran.stderr.count("\n") == 1


def test_custom_editions_can_be_chosen(tmp_path: Path) -> None:
    # The shipped sheets in another order are another edition.
    shipped_dice = shipped("dice")
    assert isinstance(shipped_dice, DiceEdition)
    own = identify(replace(shipped_dice, id="", sheets=shipped_dice.sheets[::-1]))
    (tmp_path / "mine.json").write_bytes(encode(own))
    running = start("--editions", str(tmp_path))
    with running:
        ann = Person(running.address, "Ann")
        [first, mine] = next(game["editions"] for game in ann.get("/games") if game["game"] == "dice")
        assert (first, mine) == (shipped_dice.id, own.id)
        table = ann.post("/tables", {"game": "dice", "options": {"edition": mine}})["table"]
        assert ann.get(f"/tables/{table}")["options"]["edition"] == mine
        running.process.terminate()
        running.process.communicate()


def test_a_match_whose_edition_is_missing_waits_for_it(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    settings = Settings(db=tmp_path / "log.db")
    with TestClient(build(tmp_path, settings)) as client:
        token = client.post("/api/guests", json={"name": "Ann"}).json()["token"]
        tables = [client.post("/api/tables", json={"game": "extreme", "bots": ["easy"]}).json()["table"] for _ in "ab"]
        for table in tables:
            client.post(f"/api/tables/{table}/start")
    with closing(sqlite3.connect(settings.file)) as connection, connection:
        connection.execute(
            """update matches set opening = replace(opening, '"extreme-', '"extreme-no-') where match = 1"""
        )
    with TestClient(build(tmp_path, settings)) as client:
        answers = [client.get(f"/api/tables/{table}") for table in tables]
        assert [answer.status_code for answer in answers] == [409, 200]
        assert answers[0].json()["code"] == "no_edition"
        assert answers[0].json()["edition"].startswith("extreme-no-")
        headers = {"authorization": f"Bearer {token}"}
        assert client.delete("/api/guests/me", headers=headers).status_code == 200
        openings = client.blocking_portal.call(client.app.state.lobby.log.read, "select opening from matches")
        assert not [opening for (opening,) in openings if b'"Ann"' in opening], "who goes does so from there, too"
    assert "match 1 cannot be resumed" in caplog.text


def test_a_damaged_match_does_not_stop_the_others(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    settings = Settings(db=tmp_path / "log.db")
    with TestClient(build(tmp_path, settings)) as client:
        tables = against_bots(client, 4)
    with closing(sqlite3.connect(settings.file)) as connection, connection:
        assert connection.execute("select count(*) from log where match = 2").fetchone()[0] > 1
        # A damaged disk bypasses triggers.
        for (trigger,) in connection.execute("select name from sqlite_master where type = 'trigger'").fetchall():
            connection.execute(f"drop trigger {trigger}")
        connection.execute("update log set events = x'5b7b' where match = 1")
        connection.execute(
            "delete from log where match = 2 and version = (select min(version) from log where match = 2)"
        )
        connection.execute("""update log set events = '[{"type":"started","at":1}]' where match = 3""")
    with TestClient(build_with_socket(tmp_path, settings)) as client:
        answers = [client.get(f"/api/tables/{table}") for table in tables]
        assert [answer.status_code for answer in answers] == [409, 409, 409, 200]
        assert {answer.json()["code"] for answer in answers[:3]} == {"damaged"}
        with client.websocket_connect(f"/ws/tables/{tables[0]}") as socket:
            socket.send_json({"type": "hello"})
            assert socket.receive_json()["code"] == "damaged"
    for match in (1, 2, 3):
        assert f"match {match} cannot be resumed" in caplog.text
    assert "match 4" not in caplog.text


def test_a_damaged_finished_match_is_not_shown_and_does_not_stop_archiving(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    settings = Settings(db=tmp_path / "log.db")
    with TestClient(build(tmp_path, settings)) as client:
        tables = against_bots(client, 2)
        for table in tables:
            client.post(f"/api/tables/{table}/leave")
            assert client.get(f"/api/tables/{table}").json()["phase"] == "over"
        client.blocking_portal.call(end_finished_tables, client.app.state.lobby)
    with closing(sqlite3.connect(settings.file)) as connection, connection:
        for (trigger,) in connection.execute("select name from sqlite_master where type = 'trigger'").fetchall():
            connection.execute(f"drop trigger {trigger}")
        connection.execute("delete from tallied")
        connection.execute("delete from results")
        connection.execute("update log set events = x'5b7b' where match = 1")
    with TestClient(build(tmp_path, settings)) as client:
        for what in ("", "/log", "/replay"):
            answers = [client.get(f"/api/tables/{table}{what}") for table in tables]
            assert [answer.status_code for answer in answers] == [409, 200], what
            assert answers[0].json()["code"] == "damaged"
        server = client.app.state.services
        client.blocking_portal.call(server.records.catch_up)
        read = server.log.read
        assert client.blocking_portal.call(read, "select distinct match from results") == [(2,)]
        client.blocking_portal.call(archive_old_tables, server.lobby, Millis(0))
        assert client.blocking_portal.call(read, "select match from archive") == [(2,)]
        assert client.blocking_portal.call(read, "select count(*) from log where match = 1")[0][0] > 0, "it stays"
    assert "match 1 cannot be archived" in caplog.text
    assert not any(table in caplog.text for table in tables), "a key is a secret"


def test_a_finished_match_whose_edition_is_missing_is_refused_with_a_reason(tmp_path: Path) -> None:
    settings = Settings(db=tmp_path / "log.db")
    with TestClient(build(tmp_path, settings)) as client:
        client.post("/api/guests", json={"name": "Ann"})
        table = client.post("/api/tables", json={"game": "extreme", "seats": 2, "bots": ["easy"]}).json()["table"]
        for what in ("start", "leave"):
            assert client.post(f"/api/tables/{table}/{what}").status_code == 200
        client.blocking_portal.call(end_finished_tables, client.app.state.lobby)
        cookies = dict(client.cookies)
    with closing(sqlite3.connect(settings.file)) as connection, connection:
        connection.execute("""update matches set opening = replace(opening, '"extreme-', '"extreme-no-')""")
    with TestClient(build_with_socket(tmp_path, settings)) as client:
        client.cookies.update(cookies)
        ways = [("GET", ""), ("GET", ""), ("GET", "/replay"), ("GET", "/solutions"), ("POST", "/rematch")]
        answers = [client.request(method, f"/api/tables/{table}{path}") for method, path in ways]
        assert {(answer.status_code, answer.json()["code"]) for answer in answers} == {(409, "no_edition")}
        with client.websocket_connect(f"/ws/tables/{table}") as socket:
            socket.send_text('{"type": "hello"}')
            said = json.loads(socket.receive_text())
            assert said["edition"].startswith("extreme-no-")
            assert f"the edition {said['edition']}" in said["why"]
        assert client.get(f"/api/tables/{table}/log").status_code == 200, "a log needs no edition to be read"
        assert client.get("/api/tables").json() == []


def test_an_untrusted_edition_exits_with_an_error(tmp_path: Path) -> None:
    (tmp_path / "bad.json").write_text("{}")
    ran = ubongo("serve", "--port", "0", "--db", str(tmp_path / "log.db"), "--editions", str(tmp_path))
    assert ran.returncode == 2
    assert "bad.json is refused" in ran.stderr


def test_the_log_output_has_one_line_per_event_and_no_names() -> None:
    running = start("--log-level", "info")
    with running:
        ann = Person(running.address, "Ann")
        table = table_for(ann, start=False, seats=2)
        ann.sit_at(table)
        running.process.terminate()
        _, output = running.process.communicate()
    lines = [json.loads(line) for line in output.splitlines()]
    assert {"event", "level", "logger", "timestamp"} <= set(lines[0])
    assert [line["tables"] for line in lines if line["event"] == "open"] == [0]
    assert not [secret for secret in ("Ann", ann.token, ann.player, table, "127.0.0.1") if secret in output]
