"""Bots at tables of a real server on a clock that waits for it: whole matches, takeover and hand-back."""

from __future__ import annotations

import asyncio
import json
import queue
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from litestar.testing import TestClient

from tests.play import Match
from tests.server.asgi_socket import build_with_socket
from tests.server.fakes import FakeClock, patch
from tests.server.guests import Client
from tests.server.room_harness import RoomHarness
from ubongo.bots.least import least
from ubongo.bots.player import PLAYED, next_move, prepare
from ubongo.moves import GoAway, Place
from ubongo.server.lobby.bot_minds import BotMinds
from ubongo.server.lobby.bot_seats import ASLEEP_AFTER, BotSeats
from ubongo.server.lobby.takeover import bot_levels, takeovers
from ubongo.server.settings import Settings
from ubongo.server.tables.match_clock import RETRY
from ubongo.server.tables.replication import Replica
from ubongo.table import Instant, Millis, SeatNo

# Fake milliseconds that pass in one turn of the event loop, about a real millisecond.
TURN_S = 0.001
TURN = Millis(250)


class PatientClock(FakeClock):
    """A fast clock that stops while a bot thinks or a move is being written, so that busy machines do not matter."""

    async def run(self, bot_seats: BotSeats) -> None:
        while True:
            await asyncio.sleep(TURN_S)
            rooms = {room for room, _ in bot_seats.bots}
            thinking = any(bot.thinking for bot in bot_seats.bots.values())
            if not thinking and all(room.live_match.head_version == room.live_match.version for room in rooms):
                self.alarms = self.open_alarms()
                self.pass_time(TURN)


@pytest.fixture
def client(tmp_path: Path) -> Iterator[Client]:
    settings = Settings(db=tmp_path / "log.db", requests_rate=0)
    clock = PatientClock()
    app = build_with_socket(tmp_path, settings, clock)
    with TestClient(app) as client, client.portal() as portal:
        running = portal.start_task_soon(clock.run, app.state.services.bot_seats)
        client.post("/api/guests", json={"name": "Ann"})
        yield client
        running.cancel()


class Watching:
    """A socket of the test client, seated by its cookie."""

    def __init__(self, client: Client, table: str) -> None:
        self.client = client
        self.place = f"/ws/tables/{table}"
        self.table: dict[str, Any] = {}
        self.events: list[dict[str, Any]] = []

    def until(self, wanted: Callable[[dict[str, Any]], bool]) -> None:
        """Connects, waits until the table satisfies the condition, and disconnects."""
        with self.client.websocket_connect(self.place) as socket:
            socket.send_text('{"type": "hello"}')
            while not (self.table and wanted(self.table)):
                said = json.loads(socket.receive_text(timeout=60))
                if said["type"] == "welcome":
                    self.table = said["table"]
                elif said["type"] == "update":
                    patch(self.table, said["table"])
                    self.events += said["events"]


def start(client: Client, **wanted: Any) -> str:
    table: str = client.post("/api/tables", json=wanted).json()["table"]
    assert client.post(f"/api/tables/{table}/start").status_code == 200
    return table


@pytest.mark.parametrize("game", PLAYED)
def test_bots_play_a_whole_match(client: Client, game: str) -> None:
    table = start(client, game=game, seats=2, bots=["hard", "expert"], sit=False)
    client.cookies.clear()
    watching = Watching(client, table)
    watching.until(lambda table: table["phase"] == "over")
    assert len(watching.table["standing"]) >= 1
    log = client.get(f"/api/tables/{table}/log").text.splitlines()
    opening = json.loads(log[0])
    assert [seat["bot"] for seat in opening["seats"]] == ["hard", "expert"]
    # From the log, not the socket: the match may be over before a client connects.
    assert "placed" in {json.loads(line)["event"]["type"] for line in log[1:]}


def test_a_bot_takes_over_for_an_absent_player_and_hands_back(client: Client) -> None:
    options = {"takeover_s": 5, "ready_s": 1, "hourglass_s": 600}
    table = start(client, game="extreme", seats=2, bots=["beginner"], options=options)
    ann = dict(client.cookies)
    client.cookies.clear()
    watching = Watching(client, table)
    watching.until(lambda table: table.get("stand_ins") == [0] and bool(table["seats"][0]["laid"]))
    assert not watching.table["seats"][0]["present"]
    client.cookies.update(ann)
    back = Watching(client, table)
    back.until(lambda table: table["seats"][0]["present"] and table["stand_ins"] == [])


def test_no_bot_takes_over_when_takeover_is_disabled(client: Client) -> None:
    options = {"takeover_s": 0, "ready_s": 1, "hourglass_s": 5}
    table = start(client, game="extreme", seats=2, bots=["beginner"], options=options)
    client.cookies.clear()
    watching = Watching(client, table)
    watching.until(lambda table: table["round"] >= 3)
    assert not [event for event in watching.events if event["type"] == "placed" and event["seat"] == 0]
    assert watching.table["stand_ins"] == []


async def left_to(bot_seats: BotSeats, harness: RoomHarness) -> None:
    """T7: a player is away long enough that a bot of a known level takes over."""
    harness.listener.look = bot_seats.look
    harness.room.exit(harness.members[0])
    harness.log.commit()
    harness.clock.pass_time(20_000)
    await thought(bot_seats)


async def thought(bot_seats: BotSeats) -> None:
    """Waits for the thinking thread: work submitted afterwards finishes afterwards."""
    await asyncio.get_running_loop().run_in_executor(bot_seats.minds.pool, lambda: None)
    await asyncio.sleep(0)


async def in_company() -> tuple[RoomHarness, BotSeats]:
    """A match, and bot seats that place a correct piece for an absent player after a second."""
    harness = RoomHarness(takeover_s=20, hourglass_s=600)
    await harness.playing()
    move = msgspec.convert(harness.solution(SeatNo(0))[0], Place)
    return harness, BotSeats(
        BotMinds(lambda _table, _seat, _level, _luck, now: (Instant(now + 1000), move), least, prepare)
    )


@pytest.mark.anyio
@pytest.mark.parametrize("returns", [True, False])
async def test_a_bot_does_not_move_for_a_player_whose_return_is_still_being_written(returns: bool) -> None:
    harness, bot_seats = await in_company()
    harness.listener.look = bot_seats.look
    ann = harness.members[0]
    harness.room.exit(ann)
    harness.log.commit()
    harness.clock.pass_time(20_000)
    await thought(bot_seats)
    if returns:
        harness.room.enter(ann)
        assert harness.log.waiting, "that she is back is on its way to the disk"
    heads = harness.room.live_match.head_version
    harness.clock.pass_time(1000)
    assert (harness.room.live_match.head_version > heads) == (not returns)
    harness.log.commit()
    assert harness.room.broadcast.facts.stand_ins == (() if returns else (0,))
    assert bool(bot_seats.bots) == (not returns)
    bot_seats.close()


@pytest.mark.anyio
async def test_bots_sleep_while_nobody_is_connected() -> None:
    harness, bot_seats = await in_company()
    await left_to(bot_seats, harness)
    assert bot_seats.bots, "the others are still there"
    for member in (harness.members[1], harness.spectator):
        harness.room.exit(member)
    harness.clock.pass_time(ASLEEP_AFTER)
    harness.log.commit()
    bot_seats.look(harness.room)
    assert not bot_seats.bots
    versions = harness.room.live_match.head_version
    harness.clock.pass_time(100_000)
    assert harness.room.live_match.head_version == versions
    harness.room.enter(harness.spectator)
    assert [seat for _, seat in bot_seats.bots] == [0, 1], "both are away"
    await thought(bot_seats)
    harness.clock.pass_time(1000)
    harness.log.commit()
    assert harness.room.shown.seats[0].laid
    bot_seats.close()


def test_T7_a_player_away_long_enough_before_a_round_is_played_for_from_its_start() -> None:
    match = Match("extreme", 3, takeover_s=20)
    match.ask(1, GoAway())
    match.ask(2, GoAway(), after=15_000)
    assert takeovers(match.table) == {}, "nothing runs yet"
    match.until()
    assert (match.now, match.table.phase) == (30_000, "play")
    assert takeovers(match.table) == {1: 20_000, 2: 35_000}
    assert [*bot_levels(match.table, match.now)] == [1]
    intent = next_move(match.table, SeatNo(1), "medium", "luck", match.now)
    assert intent is not None
    assert intent[0] > match.now, "and as slowly as anybody"


def test_T2a_T7_nobody_is_played_for_while_a_round_is_counted_in() -> None:
    match = Match("extreme", 3, takeover_s=20, count_in_s=10, bots={2: "easy"})
    match.ask(1, GoAway())
    match.until()
    assert (match.now, match.table.phase) == (30_000, "count")
    assert takeovers(match.table) == {}
    for seat in range(3):
        assert next_move(match.table, SeatNo(seat), "medium", "luck", match.now) is None
        assert least(match.table, SeatNo(seat), match.now) is None
    match.until()
    assert (match.now, match.table.phase) == (40_000, "play")
    assert [*bot_levels(match.table, match.now)] == [2, 1], "long enough before the start"


def test_bot_code_is_loaded_while_people_gather(client: Client) -> None:
    loaded: queue.SimpleQueue[str] = queue.SimpleQueue()
    client.app.state.services.bot_seats.minds.prepare = loaded.put
    for game in ("dice", "dice", "cards"):
        client.post("/api/tables", json={"game": game})
    assert {loaded.get(timeout=60) for _ in range(2)} == {"dice", "cards"}
    assert loaded.empty(), "once"


@pytest.mark.anyio
async def test_a_bot_waits_for_its_code_to_load_without_blocking_others() -> None:
    harness, bot_seats = await in_company()
    compiled = asyncio.Event()

    async def precompile(_game: str) -> None:
        await compiled.wait()

    bot_seats.minds.precompile = precompile
    bot_seats.expect("extreme")
    await left_to(bot_seats, harness)
    assert bot_seats.bots[harness.room, SeatNo(0)]._alarm is None
    assert bot_seats.minds.pool._work_queue.empty(), "those who think do not wait with it"
    compiled.set()
    await bot_seats.minds.loading["extreme"]
    await asyncio.sleep(0)
    await thought(bot_seats)
    harness.clock.pass_time(1000)
    harness.log.commit()
    assert harness.room.shown.seats[0].laid
    bot_seats.close()


@pytest.mark.anyio
async def test_a_load_failure_is_logged_and_bots_continue(caplog: pytest.LogCaptureFixture) -> None:
    harness, bot_seats = await in_company()

    def fail(_game: str) -> None:
        raise OSError("no room")

    bot_seats.minds.prepare = fail
    bot_seats.expect("extreme")
    await bot_seats.minds.loading["extreme"]
    assert "the code for bots of extreme cannot be loaded" in caplog.text
    await left_to(bot_seats, harness)
    harness.clock.pass_time(1000)
    harness.log.commit()
    assert harness.room.shown.seats[0].laid
    bot_seats.close()


def test_a_bot_that_fails_stops_no_table(client: Client, caplog: pytest.LogCaptureFixture) -> None:
    def fail(*_: object) -> None:
        raise RuntimeError("no idea")

    client.app.state.services.bot_seats.minds.mind = fail
    table = start(client, game="dice", seats=2, bots=["easy", "hard"], sit=False)
    Watching(client, table).until(lambda table: table["phase"] == "over")
    assert "a bot of dice has failed" in caplog.text


@pytest.mark.anyio
async def test_only_the_primary_server_thinks_and_the_next_takes_over() -> None:
    """T7 too: the primary plays for players who are away, though every server shows it."""
    harness, bot_seats = await in_company()
    harness.listener.look = bot_seats.look
    harness.room.attend(frozenset({"*"}), primary=False)
    harness.room.exit(harness.members[0])
    harness.log.commit()
    harness.clock.pass_time(20_000)
    assert (harness.room.broadcast.facts.stand_ins, bot_seats.bots) == ((0,), {})
    harness.room.attend(frozenset(), primary=True)
    assert list(bot_seats.bots) == [(harness.room, 0)]
    await thought(bot_seats)
    harness.clock.pass_time(1000)
    harness.log.commit()
    assert harness.room.shown.seats[0].laid
    harness.room.attend(frozenset({"*"}), primary=False)
    assert bot_seats.bots == {}, "another harness has been there for longer"
    bot_seats.close()


@pytest.mark.anyio
async def test_a_bot_that_waits_for_a_read_does_nothing_else_meanwhile() -> None:
    """It must not be refused: it would then make its minimal move, and agree to an end that it does not want."""
    harness = RoomHarness(takeover_s=20, hourglass_s=600)
    await harness.playing()
    wanted, other = [msgspec.convert(one, Place) for one in harness.solution(SeatNo(0))[:2]]
    minds = BotMinds(
        lambda _table, _seat, _level, _luck, now: (Instant(now + 1000), wanted),
        lambda _table, _seat, now: (now, other),
        prepare,
    )
    bot_seats = BotSeats(minds)
    await left_to(bot_seats, harness)
    harness.room.replication.fall_behind()
    harness.clock.pass_time(2000)
    assert isinstance(harness.room.replication, Replica)
    assert [request.move for request in harness.room.replication._postponed or ()] == [wanted]
    bot_seats.close()


@pytest.mark.anyio
async def test_a_bot_retries_a_move_that_could_not_be_recorded() -> None:
    harness, bot_seats = await in_company()
    await left_to(bot_seats, harness)
    harness.clock.pass_time(1000)
    harness.log.fail()
    harness.clock.pass_time(RETRY)
    await thought(bot_seats)
    harness.clock.pass_time(1000)
    harness.log.commit()
    assert harness.room.shown.seats[0].laid
    bot_seats.close()


@pytest.mark.anyio
async def test_a_broadcast_after_the_bots_shut_down_starts_no_thinking() -> None:
    """During shutdown a server still records and broadcasts pending moves, when it has no thinking thread any more."""
    harness, bot_seats = await in_company()
    await left_to(bot_seats, harness)
    harness.clock.pass_time(1000)
    bot_seats.close()
    harness.log.commit()
    assert harness.room.shown.seats[0].laid
    assert bot_seats.bots == {}


@pytest.mark.anyio
async def test_T7_a_player_whose_time_is_up_during_the_check_is_played_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """A timer may fire a millisecond early, and that millisecond may pass while absent players are looked up."""
    harness, bot_seats = await in_company()
    harness.listener.look = bot_seats.look
    harness.room.exit(harness.members[0])
    harness.log.commit()
    harness.clock.pass_time(19_999, wake=False)
    ticks = iter([harness.clock.time])
    monkeypatch.setattr(harness.clock, "now", lambda: next(ticks, harness.clock.time + 1))
    bot_seats.look(harness.room)
    harness.clock.pass_time(1)
    assert harness.room.broadcast.facts.stand_ins == (0,)
    bot_seats.close()
