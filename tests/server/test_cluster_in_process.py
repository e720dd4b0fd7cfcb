"""Several servers on one PostgreSQL, in this process: all must show the same state."""

from __future__ import annotations

import asyncio
from contextlib import ExitStack
from pathlib import Path
from typing import Any, cast

import pytest
from litestar.testing import TestClient

from tests import postgres
from tests.postgres import fetch
from tests.server.fakes import FakeClock, FakeMember, WrongClock
from tests.server.guests import against_bots
from tests.server.two_servers import TwoServers
from ubongo.moves import Move, Ready
from ubongo.server.app import build
from ubongo.server.clock import Timestamp
from ubongo.server.cluster import membership, peers
from ubongo.server.cluster.peers import PeerCluster
from ubongo.server.lobby.lobby import Lobby
from ubongo.server.lobby.upkeep import ABANDONED, end_finished_tables
from ubongo.server.settings import Settings
from ubongo.server.tables.room import Room
from ubongo.table import SeatNo


def test_a_wrong_clock_neither_shortens_an_hourglass_nor_turns_time_back(tmp_path: Path) -> None:
    """Two servers share a table; one clock is an hour ahead, the other an hour behind."""
    settings = Settings(db=postgres.shared().database())
    with ExitStack() as stack:
        servers = [
            stack.enter_context(TestClient(build(tmp_path, settings, WrongClock(off))))
            for off in (-3_600_000, 3_600_000)
        ]
        tokens = [one.post("/api/guests", json={"name": "Ann"}).json()["token"] for one in servers]
        known = [{"authorization": f"Bearer {token}"} for token in tokens]
        key = servers[0].post("/api/tables", json={"game": "extreme", "seats": 2}, headers=known[0]).json()["table"]
        assert servers[1].post(f"/api/tables/{key}/join", headers=known[1]).json() == {"seat": 1}
        assert servers[1].post(f"/api/tables/{key}/start", headers=known[0]).status_code == 200
        rooms: list[Room] = [one.blocking_portal.call(one.app.state.lobby.rooms.open, key) for one in servers]
        for seat, (server, room) in enumerate(zip(servers, rooms, strict=True)):
            server.blocking_portal.call(said, room, SeatNo(seat), Ready())
        for server in servers:
            server.blocking_portal.call(server.app.state.lobby.rooms.open, key)
        glasses = [room.shown.glass for room in rooms]
        assert glasses[0] == glasses[1] is not None
        for room, glass in zip(rooms, glasses, strict=True):
            assert glass is not None
            assert 0 <= glass.ends - room.live_match.now() <= 60_000
        two = TwoServers(str(settings.postgres), *cast("Any", servers))
        assert "glass_turned" in [event["type"] for event in two.log(key)]


@pytest.mark.parametrize("seen", [True, False], ids=["seen", "unseen"])
def test_a_match_abandoned_on_one_server_continues_on_no_other(seen: bool, tmp_path: Path) -> None:
    """The other server writes nothing more, whether it had the match open or learns of it only afterwards."""
    settings = Settings(db=postgres.shared().database())
    with ExitStack() as stack:
        one, other = (stack.enter_context(TestClient(build(tmp_path, settings))) for _ in range(2))
        here, there = (server.app.state.lobby for server in (one, other))
        token = one.post("/api/guests", json={"name": "Ann"}).json()["token"]
        known = {"authorization": f"Bearer {token}"}
        wanted = {"game": "extreme", "seats": 2, "bots": ["easy"]}
        key = one.post("/api/tables", json=wanted, headers=known).json()["table"]
        room = one.blocking_portal.call(watched, here, key)
        same = other.blocking_portal.call(watched, there, key)
        lock = there.registry.lobby_tables[key].lock
        # A table that a request is changing is skipped.
        other.blocking_portal.call(lock.acquire)
        assert one.post(f"/api/tables/{key}/start", headers=known).status_code == 200
        if seen:
            other.blocking_portal.call(lock.release)
            other.blocking_portal.call(there.rooms.current, key)
            assert same.live_match.playing
        assert seen == (same.match is not None)
        # Ann has been away for ten minutes.
        room.attendance.alone_since = Timestamp(0)
        one.blocking_portal.call(end_finished_tables, here)
        assert here.registry.lobby_tables[key].state == "abandoned"
        if not seen:
            other.blocking_portal.call(lock.release)
        other.blocking_portal.call(there.rooms.current, key)
        assert same.live_match.version > 0, "what was played is shown"
        assert not same.live_match.playing
        assert same.live_match.match_clock._alarm is None, "nobody waits for the sand any more"


def test_a_match_that_no_server_can_read_is_logged_once_by_each_and_left_alone(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    # On a fake clock: on a busy machine a late server would stop taking over tables for a while.
    monkeypatch.setattr(membership, "UNSURE_S", 0)
    monkeypatch.setattr(peers, "LOOK_EVERY_S", 3600)
    settings = Settings(db=postgres.shared().database())
    url = str(settings.postgres)
    with TestClient(build(tmp_path, settings)) as client:
        tables = against_bots(client, 3)
    gone = """convert_to(replace(convert_from(opening, 'utf8'), '"edition":"', '"edition":"no-'), 'utf8')"""
    for damage in (
        # A damaged disk bypasses triggers.
        "drop trigger log_stays on log",
        r"update log set events = '\x5b7b' where match = 1",
        f"update matches set opening = {gone} where match = 2",
    ):
        asyncio.run(fetch(url, damage))

    def complaints() -> list[int]:
        return [sum(f"match {match} cannot" in text for text in caplog.messages) for match in (1, 2, 3)]

    with ExitStack() as stack:
        servers = [stack.enter_context(TestClient(build(tmp_path, settings))) for _ in range(2)]

        def a_minute_passes() -> None:
            for _ in range(2):
                for server in servers:
                    known: PeerCluster = server.app.state.services.cluster
                    for deed in (known.look, known.tidy, known._opener.adopt):
                        server.blocking_portal.call(deed)

        a_minute_passes()
        assert complaints() == [2, 2, 0]
        for server in servers:
            answers = [server.get(f"/api/tables/{table}") for table in tables]
            assert [answer.json().get("code") for answer in answers] == ["damaged", "no_edition", None]
        a_minute_passes()
        assert complaints() == [2, 2, 0]
        serving = "select distinct table_key from serving"
        assert asyncio.run(fetch(url, serving)) == [(tables[2],)], "nobody takes in what cannot be had"
        # The setup changes there, so that this server has to read the table again.
        asyncio.run(fetch(url, f"update tables set changed = changed + 1 where key = '{tables[0]}'"))
        for server in servers:
            assert server.get(f"/api/tables/{tables[0]}").json()["code"] == "damaged"
        a_minute_passes()
        assert complaints() == [4, 2, 0]


def test_a_client_that_saw_a_newer_version_elsewhere_is_not_sent_an_older_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also while this server has a pending append, which will end in a version conflict."""
    monkeypatch.setattr(peers, "LOOK_EVERY_S", 3600)
    settings = Settings(db=postgres.shared().database())
    with ExitStack() as stack:
        one, other = (stack.enter_context(TestClient(build(tmp_path, settings))) for _ in range(2))
        here, there = (server.app.state.lobby for server in (one, other))
        one.post("/api/guests", json={"name": "Ann"})
        key = one.post("/api/tables", json={"game": "extreme", "seats": 2, "bots": ["easy"]}).json()["table"]
        assert one.post(f"/api/tables/{key}/start").status_code == 200
        room, same = one.blocking_portal.call(watched, here, key), other.blocking_portal.call(watched, there, key)
        on_its_way, let_go, append = asyncio.Event(), asyncio.Event(), there.log._writer.append

        async def later(*asked: Any) -> set[int]:
            on_its_way.set()
            await let_go.wait()
            won: set[int] = await append(*asked)
            return won

        there.log._writer.append = later
        late = other.blocking_portal.start_task_soon(said, same, SeatNo(0), Ready())
        other.blocking_portal.call(on_its_way.wait)
        one.blocking_portal.call(said, room, SeatNo(0), Ready())
        assert room.live_match.version > same.live_match.version
        coming = other.blocking_portal.start_task_soon(there.rooms.open, key)
        # Until this server has caught up, nobody is admitted.
        other.blocking_portal.call(there.log.read, "select 1")
        other.blocking_portal.call(asyncio.sleep, 0.1)
        waits = not coming.done()
        other.blocking_portal.call(let_go.set)
        assert waits
        assert coming.result(60).live_match.version >= room.live_match.version
        late.result(60)


def test_a_table_with_a_player_waiting_on_another_server_is_not_closed(tmp_path: Path) -> None:
    settings, clock = Settings(db=postgres.shared().database()), FakeClock()
    with ExitStack() as stack:
        one, other = (stack.enter_context(TestClient(build(tmp_path, settings, clock))) for _ in range(2))
        here, there = (server.app.state.lobby for server in (one, other))
        known = {"authorization": f"Bearer {one.post('/api/guests', json={'name': 'Ann'}).json()['token']}"}
        key = one.post("/api/tables", json={"game": "extreme"}, headers=known).json()["table"]
        room = one.blocking_portal.call(watched, here, key)
        one.blocking_portal.call(here.cluster.look)
        other.blocking_portal.call(there.cluster.refresh_all)
        assert key in there.registry.lobby_tables
        clock.time += 2 * ABANDONED
        other.blocking_portal.call(end_finished_tables, there)
        assert there.registry.lobby_tables[key].state == "gather"
        # They disconnect. The other server knows it too, and waits as long as this one.
        for member in list(room.members):
            one.blocking_portal.call(room.exit, member)
        one.blocking_portal.call(here.cluster.look)
        one.blocking_portal.call(end_finished_tables, here)
        other.blocking_portal.call(end_finished_tables, there)
        assert there.registry.lobby_tables[key].state == "gather"
        clock.time += ABANDONED
        other.blocking_portal.call(end_finished_tables, there)
        assert key not in there.registry.lobby_tables
        assert one.get(f"/api/tables/{key}").json()["code"] == "no_such_table"


async def watched(lobby: Lobby, key: str) -> Room:
    """A spectator keeps the room open."""
    room = await lobby.rooms.open(key)
    room.enter(FakeMember(room, None))
    return room


async def said(room: Room, seat: SeatNo, move: Move) -> None:
    done = room.live_match.play_for(seat, move)
    assert done is not None
    await done
