"""Records can be deleted: they are rebuilt from the logs (S7)."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import msgspec
import pytest
from litestar.testing import TestClient
from msgspec.structs import replace

from tests.program import ubongo
from tests.server.alone import SoloPlayer
from tests.server.fakes import FakeClock
from tests.server.guests import Client
from tests.server.records.runs import BOARD, COUNT, run_upkeep, with_bots
from ubongo.events import Event
from ubongo.server.app import build
from ubongo.server.lobby.upkeep import archive_old_tables
from ubongo.server.records import match_results
from ubongo.server.records.records import Records
from ubongo.server.settings import Settings
from ubongo.server.store import Row, Span
from ubongo.server.store.results import ResultStore
from ubongo.table import Millis, Table


def kept(client: Client) -> list[Any]:
    """The stored data of records and profiles."""
    read = client.app.state.lobby.log.read
    wanted = (
        "select * from results order by match, seat",
        "select * from solves order by match, seat, ended, took",
        "select match from tallied order by match",
    )
    return [client.blocking_portal.call(read, statement) for statement in wanted]


def test_S7_records_rebuilt_from_the_logs_are_equal(tmp_path: Path, clock: FakeClock) -> None:
    settings = Settings(db=tmp_path / "log.db")
    with TestClient(build(tmp_path, settings, clock)) as client:
        ann, bo = SoloPlayer(client, clock, "Ann"), SoloPlayer(client, clock, "Bo")
        for loner in (ann, bo):
            loner.run(**COUNT)
            loner.run(of="cards", mode="day")
            loner.run(of="dice", mode="count", pace=5)
            loner.run(of="cubes", pace=70_000)
        with_bots(ann)
        run_upkeep(client)
        # Some matches are archived, and a guest is deleted.
        clock.time += 1000
        client.blocking_portal.call(archive_old_tables, client.app.state.lobby, Millis(1000))
        assert bo.ask("DELETE", "/guests/me")[0] == 200
        ann.run(**COUNT)
        run_upkeep(client)
        before = kept(client)
        [results, solves, tallied] = before
        assert (len(results), len(tallied)) == (10, 10)
        assert {row[3] for row in results} == {"Ann", "Somebody"}
        assert solves
        client.blocking_portal.call(client.app.state.services.records.rebuild)
        assert kept(client) == before
        client.blocking_portal.call(client.app.state.lobby.results.clear)
        assert kept(client) == [[], [], []]
    with TestClient(build(tmp_path, settings, clock)) as client:
        assert kept(client) == before, "and what is missing is made when the server wakes up"


def test_S7_the_command_rebuilds_them(tmp_path: Path, clock: FakeClock) -> None:
    file = tmp_path / "log.db"
    with TestClient(build(tmp_path, Settings(db=file), clock)) as client:
        ann = SoloPlayer(client, clock, "Ann")
        ann.run(**COUNT)
        run_upkeep(client)
        before = kept(client)
        busy = ubongo("records", "--rebuild", "--db", str(file))
        assert (busy.returncode, "in use by another server" in busy.stderr) == (2, True)
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("update results set first = 1, took = 1")
        connection.commit()
    done = ubongo("records", "--rebuild", "--db", str(file))
    assert (done.returncode, done.stdout) == (0, f"{file}: results rebuilt from the logs: 1\n")
    with TestClient(build(tmp_path, Settings(db=file), clock)) as client:
        assert kept(client) == before
    assert ubongo("records").returncode == 2
    assert "is not there" in ubongo("records", "--rebuild", "--db", str(tmp_path / "none.db")).stderr


def test_matches_are_counted_with_one_of_them_in_memory_at_a_time(
    client: Client, ann: SoloPlayer, monkeypatch: pytest.MonkeyPatch
) -> None:
    for _ in range(3):
        ann.run(**COUNT)
    run_upkeep(client)
    lobby = client.app.state.lobby
    client.blocking_portal.call(lobby.results.clear)
    log, reads = lobby.log, list[int]()
    read = log.histories

    async def counted(spans: Sequence[Span]) -> dict[int, list[Row]]:
        reads.append(len(spans))
        found: dict[int, list[Row]] = await read(spans)
        return found

    monkeypatch.setattr(log, "histories", counted)
    client.blocking_portal.call(Records(log).catch_up)
    assert reads == [1, 1, 1]
    assert len(kept(client)[2]) == 3


def test_a_match_with_a_missing_edition_is_left_for_later(client: Client, ann: SoloPlayer) -> None:
    key = ann.run(**COUNT)
    lobby = client.app.state.lobby
    played = lobby.registry.get(key).played
    options = msgspec.json.decode(played.opening.options) | {"edition": "extreme-gone"}
    lost = replace(played.opening, options=msgspec.Raw(msgspec.json.encode(options)))
    client.blocking_portal.call(lobby.log.write, lobby.store.replace_opening_statement(played.match, lost))
    run_upkeep(client)
    assert ann.get(BOARD)["best"] == []
    results: ResultStore = lobby.results
    assert not client.blocking_portal.call(results.is_tallied, played.match)
    client.blocking_portal.call(lobby.log.write, lobby.store.replace_opening_statement(played.match, played.opening))
    client.blocking_portal.call(Records(lobby.log).catch_up)
    assert len(ann.get(BOARD)["best"]) == 1


def test_a_bug_while_tallying_is_reported_as_ours_and_no_result_is_lost(
    client: Client, ann: SoloPlayer, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    ann.run(**COUNT)
    run_upkeep(client)
    before = kept(client)
    records = client.app.state.services.records
    with monkeypatch.context() as patch:
        patch.setattr(match_results, "evolve", planted_bug)
        client.blocking_portal.call(records.rebuild)
        assert ann.get(BOARD)["best"] == []
    [logged] = [record for record in caplog.records if record.exc_info]
    assert "because of a bug" in logged.message
    assert "TypeError: a planted bug" in caplog.text
    assert "amaged" not in caplog.text
    client.blocking_portal.call(Records(client.app.state.lobby.log).catch_up)
    assert kept(client) == before


def planted_bug(_table: Table, _event: Event) -> Table:
    raise TypeError("a planted bug")
