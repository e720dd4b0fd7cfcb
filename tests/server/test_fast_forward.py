"""T7a: while only bots play, people can skip the wait. The events are the same as without skipping."""

from __future__ import annotations

import msgspec
import pytest

from tests.play import Match as Played
from tests.server.fakes import START, FakeLog, FakeMember
from tests.server.room_harness import RoomHarness
from tests.server.test_bot_seats import thought
from ubongo.bots.least import least
from ubongo.bots.player import next_move, prepare
from ubongo.events import AnyEvent, RoundClosed, RoundOpened, TimeSkipped
from ubongo.fast_forward import fast_forward_of, only_bots
from ubongo.game import opened
from ubongo.moves import GoAway, Leave, Pass, Skip, SpeedUp
from ubongo.server.lobby.bot_minds import BotMinds
from ubongo.server.lobby.bot_seats import SPEED_UP, BotSeats
from ubongo.server.tables.automatic_events import GRACE
from ubongo.server.tables.match import Match
from ubongo.server.tables.stored_match import Replayed
from ubongo.table import Instant, SeatNo, Table

BOTS = {SeatNo(1): "easy", SeatNo(2): "hard"}
PEOPLE = ("ann", None, None)


class WithBots(RoomHarness):
    """Ann and two bots, in a round that Ann has just finished."""

    def __init__(self, **options: object) -> None:
        super().__init__("extreme", 3, hourglass_s=90, **options)
        minds = BotMinds(next_move, least, prepare)  # type: ignore[arg-type]  # levels are passed as strings, which are all of Level
        self.bot_seats = BotSeats(minds)
        self.listener.look = self.bot_seats.look
        self.room = self.make_room(self.log, self.room.shown, PEOPLE)
        self.ann = FakeMember(self.room, "ann")
        self.room.enter(self.ann)

    def make_match(self) -> Match:
        names = ("Ann", "Pip", "Runa")
        opening = opened(self.game, names, self.options, "abc", BOTS)
        return Match(7, self.game, opening, "abc", self.clock.now())

    async def finished(self) -> None:
        self.room.begin(self.match, PEOPLE)
        self.log.commit()
        self.ann.ask(type="ready")
        self.log.commit()
        for where in self.solution(SeatNo(0)):
            self.ann.ask(**where)
        self.log.commit()
        assert self.room.shown.seats[0].called is not None
        assert only_bots(self.room.shown)
        assert self.room.broadcast.facts.only_bots

    async def step(self) -> None:
        """Finishes all thinking and writing, then advances the clock to the next alarm."""
        await self.thought_of()
        nearest = min(alarm.at for alarm in self.clock.open_alarms())
        self.clock.pass_time(max(0, nearest - self.clock.now()))
        self.clock.alarms = self.clock.open_alarms()
        self.log.commit()

    async def thought_of(self) -> None:
        while any(bot.thinking for bot in self.bot_seats.bots.values()):
            await thought(self.bot_seats)

    async def to_the_result(self) -> None:
        for _ in range(2000):
            if self.room.shown.round > 1:
                return
            await self.step()
        raise AssertionError("it never ends")

    def happened(self) -> list[tuple[Instant, AnyEvent]]:
        found = [
            (row.at, event) for row in self.log.rows for event in msgspec.json.decode(row.events, type=list[AnyEvent])
        ]
        return [(at, event) for at, event in found if type(event).__name__ not in ("TimeSkipped", "FastForwardAsked")]


async def played(fast_forward: str | None) -> WithBots:
    harness = WithBots()
    await harness.finished()
    if fast_forward is not None:
        harness.ann.ask(type=fast_forward)
        harness.log.commit()
    assert harness.room.broadcast.facts.speed == (SPEED_UP if fast_forward == "speed_up" else 1)
    await harness.to_the_result()
    harness.bot_seats.close()
    return harness


@pytest.mark.anyio
async def test_T7a_bots_do_the_same_at_the_same_instants_with_or_without_skipping() -> None:
    slow, fast, skipped = [await played(fast_forward) for fast_forward in (None, "speed_up", "skip")]
    assert slow.happened() == fast.happened() == skipped.happened()
    assert not [event for event in slow.log.events() if isinstance(event, TimeSkipped)]
    took = [harness.clock.now() - START for harness in (slow, fast, skipped)]
    assert took[2] == 0
    assert took[0] > 10_000
    assert 0 < took[1] <= took[0] / SPEED_UP
    for harness in (slow, fast, skipped):
        # Clients get the match's time, and the next phase has its full length.
        [closed] = [at for at, event in harness.happened() if isinstance(event, RoundClosed)]
        assert harness.room.live_match.now() == closed
        assert harness.room.shown == harness.replayed()
        [opening] = [event for _, event in harness.happened() if isinstance(event, RoundOpened)]
        assert opening.limit == closed + 30_000
        assert harness.room.shown.seats[0].fast_forward is None
        assert not only_bots(harness.room.shown)
        assert harness.room.broadcast.facts.speed == 1


@pytest.mark.anyio
async def test_T7a_the_next_phase_has_its_full_time() -> None:
    harness = await played("skip")
    limit = harness.room.shown.limit
    assert limit is not None
    before = harness.clock.now()
    harness.clock.pass_time(29_000)
    assert harness.room.shown.phase == "ready"
    harness.clock.pass_time(1000)
    harness.log.commit()
    assert (harness.clock.now() - before, harness.room.shown.phase) == (30_000, "play")
    assert harness.room.shown.started == limit
    assert harness.ann.last()["now"] == harness.room.live_match.now()


@pytest.mark.anyio
async def test_T7a_time_is_the_same_after_a_restart_and_on_another_server() -> None:
    harness = WithBots()
    await harness.finished()
    harness.ann.ask(type="skip")
    harness.log.commit()
    for _ in range(6):
        await harness.step()
    harness.log.commit()
    assert harness.room.shown.time_skipped > 0
    assert harness.room.shown.round == 1
    # Another server reads what was written.
    other = harness.make_room(FakeLog(), harness.match.opening, PEOPLE)
    other.resume(Replayed(harness.match, harness.match.opening, 0, Instant(0)), PEOPLE, interrupted=False)
    other.replication.rows_read(harness.log.rows)
    assert other.shown == harness.room.shown
    assert other.live_match.now() == harness.room.live_match.now()
    # And so does a server after a restart.
    now = harness.room.live_match.now()
    log = FakeLog()
    again = harness.make_room(log, harness.match.opening, PEOPLE)
    last = harness.log.rows[-1]
    again.resume(Replayed(harness.match, harness.replayed(), last.version, last.at), PEOPLE)
    log.commit()
    assert again.live_match.now() == now
    assert again.shown.limit is not None
    assert again.shown.limit >= now + GRACE
    harness.bot_seats.close()


@pytest.mark.anyio
async def test_T7a_a_skip_that_cannot_be_recorded_has_no_effect() -> None:
    harness = WithBots()
    await harness.finished()
    harness.ann.ask(type="skip")
    harness.log.commit()
    await harness.thought_of()
    harness.clock.pass_time(0)
    assert harness.room.live_match.head.time_skipped > 0
    harness.log.fail()
    assert harness.room.live_match.head.time_skipped == harness.room.shown.time_skipped == 0
    await harness.to_the_result()
    assert harness.room.shown == harness.replayed()
    harness.bot_seats.close()


def finished(*people: int, seats: int = 4) -> Played:
    match = Played("extreme", seats, bots={seat: "easy" for seat in range(seats) if seat not in people})
    match.begin()
    for seat in people:
        match.solve(seat, after=1000)
    return match


def test_T7a_nothing_is_skipped_while_a_person_plays() -> None:
    match = Played("extreme", 3, bots={2: "easy"})
    match.begin()
    match.solve(0)
    assert not only_bots(match.table)
    assert match.refused(0, Skip()) == "not_only_bots"
    match.ask(1, Leave())
    match.ask(0, Skip())
    assert fast_forward_of(match.table) == "skip"
    assert match.refused(0, Skip()) == "already_asked"


def test_T7a_everybody_present_has_to_agree_and_the_slower_wish_counts() -> None:
    match = finished(0, 1)
    match.ask(0, Skip())
    assert fast_forward_of(match.table) is None
    match.ask(1, SpeedUp())
    assert fast_forward_of(match.table) == "speed_up"
    match.ask(1, Skip())
    assert fast_forward_of(match.table) == "skip"


def test_T7a_players_who_are_away_need_not_agree() -> None:
    match = finished(0, 1)
    match.ask(0, Skip())
    match.ask(1, GoAway())
    assert fast_forward_of(match.table) == "skip"
    match.ask(0, GoAway())
    assert fast_forward_of(match.table) is None, "then nobody is there who would wait"


@pytest.mark.parametrize("game", ["cards", "dice", "extreme", "cubes"])
def test_T7a_before_a_round_there_is_nothing_to_skip(game: str) -> None:
    match = Played(game, 2, bots={1: "easy"})
    assert not only_bots(match.table)
    assert match.refused(0, SpeedUp()) == "not_only_bots"


def test_T7a_a_player_who_has_entered_can_skip_bots_in_the_dice_game_too() -> None:
    match = Played("dice", 2, bots={1: "easy"})
    match.begin()
    match.until()
    table: Table = match.table
    assert table.phase == "enter"
    assert not only_bots(table)
    match.ask(0, Pass())
    assert only_bots(match.table)
