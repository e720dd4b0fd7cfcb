"""Disk usage is bounded: by the length of a match, and by the size of the log."""

from __future__ import annotations

from pathlib import Path

import pytest
from litestar.testing import TestClient

from tests.postgres import shared
from tests.program import ubongo
from tests.server.fakes import FakeClock, FakeMember
from tests.server.guests import Guest, over
from tests.server.room_harness import RoomHarness
from ubongo.server.app import build
from ubongo.server.clock import Timestamp
from ubongo.server.settings import Settings
from ubongo.server.store.disk_usage import HOUR, DiskUsage
from ubongo.server.tables import room
from ubongo.table import SeatNo

MINUTE = 60_000


@pytest.mark.anyio
async def test_the_moves_of_a_match_are_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    harness = RoomHarness()
    await harness.playing()
    ann, bo = harness.members
    monkeypatch.setattr(room, "MOST_EVENTS", harness.room.live_match.version + 10)
    lay = harness.solution(SeatNo(0))[0]
    for _ in range(5):
        ann.ask(**lay)
        ann.ask(type="lift", piece=lay["piece"])
    harness.log.commit()
    assert ann.last()["type"] == "update"
    n = ann.ask(**lay)
    assert (ann.last()["n"], ann.last()["code"]) == (n, "too_many_moves")
    bo.ask(type="stop")
    assert bo.last()["code"] == "too_many_moves"
    harness.room.exit(ann)
    harness.log.commit()
    assert not harness.room.shown.seats[0].present, "what the server itself has to say is written down"
    bo.ask(type="leave")
    harness.log.commit()
    assert harness.room.shown.seats[1].gone


@pytest.mark.parametrize("kind", ["sqlite", "postgres"])
def test_running_matches_continue_when_the_log_reaches_its_limit(tmp_path: Path, kind: str) -> None:
    db = tmp_path / "log.db" if kind == "sqlite" else shared().database()
    with TestClient(build(tmp_path, Settings(db=db, max_disk=10**12), FakeClock())) as client:
        ann, bo = Guest(client, "Ann"), Guest(client, "Bo")
        harness, portal = client.app.state.services, client.blocking_portal
        done, running, waiting = over(ann, bo), ann.open(seats=2, bots=["easy"]), bo.open(seats=2, bots=["easy"])
        ann.post(f"/tables/{running}/start")
        told = dict(line.rsplit(" ", 1) for line in client.get("/metrics").text.splitlines())
        used = float(told["ubongo_disk_bytes"])
        assert used > 10_000
        assert (float(told["ubongo_disk_limit_bytes"]), float(told["ubongo_disk_growth_bytes"])) == (1e12, 0)
        harness.disk.limit = int(used)
        portal.call(harness.note_disk)
        assert ann.refused("POST", "/tables", {"game": "extreme"}) == (503, "out_of_space")
        assert bo.refused("POST", f"/tables/{done}/rematch") == (503, "out_of_space")
        assert bo.post(f"/tables/{waiting}/start") == {}
        room = portal.call(harness.lobby.rooms.open, running)
        member = FakeMember(room, ann.known["player"])
        portal.call(room.enter, member)
        portal.call(lambda: member.ask(type="ready"))
        portal.call(harness.log.write)
        assert room.shown.seats[0].ready
        assert Guest(client, "Cy").get("/guests/me")["name"] == "Cy"
        harness.disk.limit *= 10
        portal.call(harness.note_disk)
        assert ann.open()


def test_growth_is_measured_over_the_last_hour() -> None:
    disk = DiskUsage(0)
    assert (disk.growth, disk.full) == (0, False)
    for minute in range(120):
        disk.note(1000 * minute, Timestamp(minute * MINUTE))
    assert disk.growth == 1000 * HOUR // MINUTE
    assert not disk.full, "without a limit it never is"


def test_a_size_that_cannot_be_read_is_logged() -> None:
    ran = ubongo("serve", "--max-disk", "much")
    assert ran.returncode == 2
    assert "--max-disk is a size, such as 500MB or 20GB" in ran.stderr
