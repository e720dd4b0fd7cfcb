"""Records that an operator removes stay removed, also when all records are rebuilt from the logs."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from litestar.testing import TestClient

from tests import postgres
from tests.server.alone import SoloPlayer
from tests.server.fakes import FakeClock
from tests.server.guests import Client
from tests.server.moderation.program import Program
from tests.server.records.runs import BOARD, COUNT, run_upkeep
from ubongo.server.app import build
from ubongo.server.settings import Settings


@pytest.fixture(params=["file", "postgres"])
def db(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    return str(tmp_path / "log.db") if request.param == "file" else postgres.shared().database()


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()


@pytest.fixture
def client(db: str, tmp_path: Path, clock: FakeClock) -> Iterator[Client]:
    with TestClient(build(tmp_path, Settings(db=db), clock)) as client:
        yield client


def names(loner: SoloPlayer, board: str = BOARD) -> list[str]:
    return [line["name"] for line in loner.get(board)["best"]]


def test_a_removed_record_stays_removed(db: str, client: Client, clock: FakeClock, ubongo: Program) -> None:
    ann, bo = SoloPlayer(client, clock, "Ann"), SoloPlayer(client, clock, "Bo")
    [fast, _] = [ann.run(pace=1, **COUNT), bo.run(pace=5000, **COUNT)]
    run_upkeep(client)
    assert names(bo) == ["Ann", "Bo"]
    runs = {one["name"]: one for one in map(json.loads, ubongo("records", "--json", "--db", db).out.splitlines())}
    assert runs["Ann"]["guest"] == ann.player
    chosen = ("--run", str(runs["Ann"]["run"]), "--db", db)
    # A script has to confirm with a flag.
    asked = ubongo("records", "--remove", *chosen)
    assert (asked.status, "--yes" in asked.err) == (2, True)
    assert names(bo) == ["Ann", "Bo"]
    removed = ubongo("records", "--remove", "--reason", "too fast", "--yes", *chosen)
    assert (removed.status, removed.err) == (0, "removed: 1\n")
    assert names(bo) == ["Bo"]
    assert ann.get(BOARD)["mine"] is None
    told = ann.get(f"/tables/{fast}/result")
    assert (told["run"]["scored"], told["record"], told["place"]) == (False, False, None)
    client.blocking_portal.call(client.app.state.services.records.rebuild)
    assert names(bo) == ["Bo"], "also after a rebuild"
    assert "Ann" in ubongo("records", "--removed", "--db", db).out
    assert ubongo("records", "--removed", "--guest", "Bo", "--db", db).out == ""
    assert ubongo("records", "--restore", "--yes", *chosen).status == 0
    assert names(bo) == ["Ann", "Bo"]
    client.blocking_portal.call(client.app.state.services.records.rebuild)
    assert names(bo) == ["Ann", "Bo"]


def test_records_of_a_guest_on_a_day_are_removed(db: str, client: Client, clock: FakeClock, ubongo: Program) -> None:
    ann, bo = SoloPlayer(client, clock, "Ann"), SoloPlayer(client, clock, "Bo")
    for loner in (ann, bo):
        loner.run(of="cards", mode="day")
        loner.run(**COUNT)
    run_upkeep(client)
    of_day = "/records?of=cards&mode=day"
    day = ann.get(of_day)["day"]
    removed = ubongo("records", "--remove", "--guest", ann.player, "--day", day, "--yes", "--db", db)
    assert removed.err == "removed: 1\n"
    assert (names(bo, of_day), names(bo)) == (["Bo"], ["Ann", "Bo"])
    assert ann.get("/guests/me/profile")["streak"] == 0
    # Removal does not give the guest another try of the day.
    ann.run(of="cards", mode="day")
    run_upkeep(client)
    assert names(bo, of_day) == ["Bo"]
    assert ubongo("records", "--remove", "--guest", ann.player, "--yes", "--db", db).err == "removed: 1\n"
    assert names(bo) == ["Bo"]
    [first, second] = client.blocking_portal.call(
        client.app.state.lobby.log.read, "select action, reason, done is null from moderation order by decision"
    )
    assert tuple(first) == tuple(second) == ("remove_records", "", 0)
