"""Wrong clocks: no guest expires because a clock jumps ahead, and no run counts while a clock is behind."""

from __future__ import annotations

from pathlib import Path

import pytest
from litestar.testing import TestClient

from tests.postgres import shared
from tests.server.alone import SoloPlayer
from tests.server.fakes import FakeClock
from tests.server.guests import Client, Guest
from tests.server.records.runs import BOARD, COUNT, DAY, run_upkeep
from ubongo.events import ClockWrong
from ubongo.moves import Ready
from ubongo.server.app import build
from ubongo.server.clock import LONGEST_STAND, MachineClock
from ubongo.server.lobby.upkeep import archive_old_tables
from ubongo.server.settings import Settings
from ubongo.server.store.entities import events_of
from ubongo.table import Millis

HOUR = 3600 * 1000
MONTH = Millis(30 * DAY)


@pytest.fixture(params=["file", "postgres"])
def settings(request: pytest.FixtureRequest, tmp_path: Path) -> Settings:
    return Settings(db=tmp_path / "log.db" if request.param == "file" else shared().database())


def run_lobby_upkeep(client: Client) -> None:
    client.blocking_portal.call(archive_old_tables, client.app.state.lobby, MONTH)


def test_a_clock_that_is_ahead_at_startup_expires_no_guest(tmp_path: Path, settings: Settings) -> None:
    clock = FakeClock()
    with TestClient(build(tmp_path, settings, clock)) as client:
        guests = [Guest(client, f"Guest {number}") for number in range(20)]
        code = guests[0].post("/guests/me/codes")["code"]
        run_lobby_upkeep(client)
    clock.time += 40 * DAY
    for _ in range(2):
        # Also after a restart on that clock, when a new guest has come.
        with TestClient(build(tmp_path, settings, clock)) as client:
            run_lobby_upkeep(client)
            Guest(client, "Late")
            clock.time += HOUR
            run_lobby_upkeep(client)
    clock.time -= 40 * DAY
    with TestClient(build(tmp_path, settings, clock)) as client:
        run_lobby_upkeep(client)
        for guest in guests:
            guest.client = client
            assert guest.get("/guests/me")["player"] == guest.known["player"]
        assert client.post("/api/guests/redeem", json={"code": code}).status_code == 201


def test_a_guest_who_stays_away_expires_after_enough_days_of_server_uptime(tmp_path: Path, settings: Settings) -> None:
    clock = FakeClock()
    with TestClient(build(tmp_path, settings, clock)) as client:
        ann, bo = Guest(client, "Ann"), Guest(client, "Bo")
        run_lobby_upkeep(client)
        for _ in range(30):
            clock.time += DAY
            bo.get("/guests/me")
            run_lobby_upkeep(client)
        assert len(client.app.state.lobby.guests) == 2
        clock.time += DAY
        run_lobby_upkeep(client)
        assert ann.refused("GET", "/guests/me") == (401, "no_token")
        assert bo.get("/guests/me")["name"] == "Bo"


def begun(client: Client, clock: FakeClock) -> tuple[SoloPlayer, str]:
    ann = SoloPlayer(client, clock, "Ann")
    key = ann.open(**COUNT)
    room = ann.start(key)
    ann.move(room, Ready())
    ann.wait_for_start(room)
    return ann, key


def test_a_run_continued_on_a_clock_that_is_behind_does_not_count(tmp_path: Path, settings: Settings) -> None:
    clock = FakeClock()
    with TestClient(build(tmp_path, settings, clock)) as client:
        ann, key = begun(client, clock)
        ann.play(ann.room(key), tasks=1)
    clock.time -= HOUR
    with TestClient(build(tmp_path, settings, clock)) as client:
        ann.client = client
        room = ann.room(key)
        assert room.live_match.head.clock_wrong
        ann.play(room)
        run_upkeep(client)
        run = ann.get(f"/tables/{key}/result")["run"]
        assert (run["solved"], run["scored"], run["took"]) == (5, False, 5000), "time does not stand still"
        assert ann.get(BOARD)["best"] == []
        assert len(ann.get("/guests/me/profile")["solves"]) == 1, "as long as the clock was right"


def test_a_run_started_on_a_clock_that_is_behind_does_not_count_and_says_so(
    tmp_path: Path, settings: Settings, caplog: pytest.LogCaptureFixture
) -> None:
    clock = FakeClock()
    with TestClient(build(tmp_path, settings, clock)) as client:
        ann = SoloPlayer(client, clock, "Ann")
        ann.run(**COUNT)
    assert "clock" not in caplog.text
    clock.time -= HOUR
    with TestClient(build(tmp_path, settings, clock)) as client:
        ann.client = client
        assert caplog.text.count("behind what was recorded before: runs do not count until it is right") == 1
        key = ann.open(**COUNT)
        room = ann.start(key)
        assert room.shown.clock_wrong
        ann.play(room)
        day = ann.run(of="extreme", mode="day")
        clock.time += HOUR
        counted, today = ann.run(**COUNT), ann.run(of="extreme", mode="day")
        run_upkeep(client)
        found = [ann.get(f"/tables/{one}/result")["run"]["scored"] for one in (key, day, counted, today)]
        assert found == [False, False, True, True], "it is right again, and nobody has lost their try of the day"


def test_a_match_whose_log_is_ahead_of_this_servers_clock_is_marked_once(tmp_path: Path) -> None:
    """Two servers, one with a wrong clock: runs there do not count, and the shared time does not change."""
    settings = Settings(db=shared().database())
    ahead, behind = FakeClock(), FakeClock()
    behind.time -= HOUR
    with TestClient(build(tmp_path, settings, ahead)) as one:
        ann, key = begun(one, ahead)
        with TestClient(build(tmp_path, settings, behind)) as other:
            ann.client = other
            room = ann.room(key)
            assert not room.shown.clock_wrong
            ann.play(room)
            run_upkeep(other)
            run = ann.get(f"/tables/{key}/result")["run"]
            assert (run["solved"], run["scored"]) == (5, False)
            played = other.app.state.lobby.registry.lobby_tables[key].played
            history = other.blocking_portal.call(other.app.state.lobby.store.history, played)
            events = [event for row in history for event in events_of(row)]
            assert [event for event in events if isinstance(event, ClockWrong)] == [ClockWrong()]


@pytest.mark.parametrize(("back", "stands"), [(LONGEST_STAND - 1000, True), (HOUR, False)])
def test_a_database_clock_that_is_set_back_does_not_stop_time_for_long(
    monkeypatch: pytest.MonkeyPatch, back: int, stands: bool
) -> None:
    now = [10**15]
    monkeypatch.setattr("time.monotonic_ns", lambda: now[0])
    monkeypatch.setattr("time.time_ns", lambda: now[0])
    clock = MachineClock()
    before = clock.now()
    clock.agree(now[0] - back * 1_000_000, now[0])
    now[0] += 500_000_000
    assert (clock.now() - before, clock.set_back) == ((0, 0) if stands else (500, back))
    clock.agree(now[0] + 1_000_000, now[0])
    assert (clock.now() - before, clock.set_back) == (501, 0)
