"""Bots in whole matches: they follow the rules, levels differ, and they use only what they can see."""

from __future__ import annotations

from itertools import pairwise

import pytest
from msgspec.structs import replace

from tests.bots.trials import forget, trial
from tests.conformance import OPTIONS, Invariants
from ubongo.bots import match as driving
from ubongo.bots import plan
from ubongo.bots.match import Bots
from ubongo.bots.pace import LEVELS, Level
from ubongo.bots.player import PLAYED, next_move
from ubongo.bots.trial import TrialTally
from ubongo.events import AnyEvent, Called, Grabbed, Lifted, Opened, Passed, Placed, Started, Stopped, Thrown
from ubongo.games import GAMES
from ubongo.moves import Place, Refused
from ubongo.table import Instant, Millis, SeatNo, Table
from ubongo.veil import veil

# Too short for a bot to finish.
MORE: dict[str, list[dict[str, object]]] = {"dice": [{"grab_s": 1, "enter_s": 2}]}
CASES = [
    pytest.param(game, seats, options, id=f"{game}-{seats}-{number}")
    for game in PLAYED
    for seats in GAMES[game].SEATS
    for number, options in enumerate(OPTIONS[game] + MORE.get(game, []))
] + [pytest.param("dice", 2, {"areas": 5}, id="dice-2-five areas")]


@pytest.mark.parametrize(("game", "seats", "options"), CASES)
def test_whole_matches_end_and_follow_the_rules(game: str, seats: int, options: dict[str, object]) -> None:
    for number in range(2):
        mixed = tuple(LEVELS[(number + 2 * seat + seats) % len(LEVELS)] for seat in range(seats))
        bots = trial(game, mixed, **options).bots(number)
        invariants = Invariants(bots.match.opening)
        while bots.match.table.phase != "over":
            bots.let_happen(bots.upcoming())
            assert not bots.failed
            invariants.events(bots.match)
            invariants.quiet(bots.match)
        invariants.over(bots.match)


@pytest.mark.parametrize("game", PLAYED)
def test_T2a_bots_wait_for_the_start_and_then_play_as_without_a_count_in(game: str) -> None:
    counted, plain = (trial(game, ("easy", "hard"), count_in_s=seconds).bots(1) for seconds in (3, 0))
    counted.play()
    plain.play()
    assert paced(counted) == paced(plain)
    counts = [line for line in counted.match.log if isinstance(line.event, Opened) and line.event.phase == "count"]
    assert len(counts) == counted.match.table.round
    assert counted.match.now == plain.match.now + 3000 * len(counts)


def paced(bots: Bots) -> list[tuple[Millis, AnyEvent]]:
    """Each event, and how long after the start of its round it happened."""
    found: list[tuple[Millis, AnyEvent]] = []
    since = Instant(0)
    for line in bots.match.log:
        if isinstance(line.event, Started | Thrown):
            since = line.at
        elif isinstance(line.event, Placed | Lifted | Grabbed | Passed | Stopped):
            found.append((Millis(line.at - since), line.event))
    return found


@pytest.mark.no_cover
@pytest.mark.parametrize("game", PLAYED)
def test_every_level_beats_the_one_below(game: str) -> None:
    for weaker, stronger in pairwise(LEVELS):
        wins = {weaker: 0, stronger: 0}
        for levels in ((weaker, stronger), (stronger, weaker)):
            tally = TrialTally(levels)
            for number in range(15):
                tally.add(trial(game, levels).played(number))
            for level, won in zip(levels, tally.wins, strict=True):
                wins[level] += won
        assert wins[stronger] >= 0.65 * sum(wins.values()), f"{stronger} against {weaker}: {wins}"


@pytest.mark.no_cover
@pytest.mark.parametrize("game", PLAYED)
def test_no_seat_has_an_advantage(game: str) -> None:
    tally = TrialTally(("medium", "medium"))
    for number in range(60):
        tally.add(trial(game, ("medium", "medium")).played(number))
    first, second = tally.wins
    # Three standard deviations of a fair coin.
    assert abs(first - second) <= 3 * (first + second) ** 0.5


def hidden_changed(table: Table, viewer: SeatNo) -> Table:
    """Another table that looks the same to this seat: different hands and face-down boards."""
    seats = []
    for number, seat in enumerate(table.seats):
        task = seat.task
        if task is None or task.face == "up" or (task.face == "hand" and number == viewer):
            seats.append(seat)
            continue
        lying = {where.piece for where in seat.laid}
        names = tuple(name if i in lying else task.pieces[-1] for i, name in enumerate(task.pieces))
        region = None if task.region is None else task.region[:-1]
        seats.append(replace(seat, wrong=(0,), task=replace(task, pieces=names, region=region, board="1")))
    return replace(table, seats=tuple(seats))


@pytest.mark.parametrize("game", PLAYED)
def test_hidden_data_does_not_affect_a_bot(game: str) -> None:
    bots = trial(game, ("easy", "hard", "expert"), reveal="deal").bots(1)
    changed = 0
    while bots.match.table.phase != "over":
        table, now = bots.match.table, bots.match.now
        for seat, (level, luck) in enumerate(zip(bots.levels, bots.lucks, strict=True)):
            other = hidden_changed(table, SeatNo(seat))
            changed += other != table
            assert next_move(veil(other, SeatNo(seat)), SeatNo(seat), level, luck, now) == bots.intent(SeatNo(seat))
        bots.let_happen(bots.upcoming())
    # In the other games everything is visible from the start of a round, and bots are ready at once.
    assert (changed > 0) == (game == "cards")


@pytest.mark.parametrize("game", PLAYED)
def test_a_bot_keeps_no_state_that_a_restart_would_lose(game: str) -> None:
    straight, interrupted = (trial(game, ("medium", "beginner")).bots(1) for _ in range(2))
    straight.play()
    steps = 0
    while interrupted.match.table.phase != "over":
        interrupted.let_happen(interrupted.upcoming())
        steps += 1
        if steps % 7 == 0:
            forget()
            interrupted = rebuilt(interrupted)
    assert interrupted.match.log == straight.match.log


def rebuilt(bots: Bots) -> Bots:
    """The same bots, rebuilt as another process would."""
    other = Bots(bots.match, bots.levels, "")
    other.lucks = [str(luck) for luck in bots.lucks]
    return other


@pytest.mark.parametrize("game", PLAYED)
def test_two_processes_may_play_the_same_seat(game: str) -> None:
    alone, twice = (trial(game, ("medium", "hard")).bots(2) for _ in range(2))
    alone.play()
    while twice.match.table.phase != "over":
        upcoming = twice.upcoming()
        twice.let_happen(upcoming)
        before = twice.match.table
        if upcoming.seat is not None and upcoming.move is not None and before.standing is None:
            try:
                twice.match.ask(upcoming.seat, upcoming.move, upcoming.at)
            except Refused:
                assert twice.match.table is before
    assert twice.match.table == alone.match.table


@pytest.mark.parametrize("game", PLAYED)
@pytest.mark.parametrize("failing", [{0}, {0, 1}])
def test_a_crashed_bot_does_not_stop_the_table(
    game: str, failing: set[SeatNo], monkeypatch: pytest.MonkeyPatch
) -> None:
    def raises(table: Table, seat: SeatNo, level: Level, luck: str, now: Instant) -> plan.Intent | None:
        if seat in failing:
            raise ZeroDivisionError
        return next_move(table, seat, level, luck, now)

    monkeypatch.setattr(driving, "next_move", raises)
    outcome = trial(game, ("expert", "easy")).played(3)
    assert outcome.rounds > 0
    if failing == {0}:
        assert outcome.standing[0] == (1,)


def test_a_bot_whose_move_is_refused_makes_the_least_move(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(driving, "next_move", lambda *_: (0, Place(99, 0, (0, 0))))
    assert trial("cards", ("expert", "easy")).played(1).totals == (0, 0)


def test_X15_bots_end_a_playoff_that_does_not_end() -> None:
    bots = trial("extreme", ("beginner", "beginner"), hourglass_s=1, side=4).bots(1)
    bots.play()
    table = bots.match.table
    assert table.playoff
    stopped = {line.event.seat for line in bots.match.log if isinstance(line.event, Stopped)}
    called = [line for line in bots.match.log if isinstance(line.event, Called)]
    assert called or stopped == {0, 1}


def test_a_tally_without_solved_tasks_has_no_times() -> None:
    tally = TrialTally(("easy", "hard"))
    tally.add(trial("extreme", ("easy", "hard"), hourglass_s=1).played(1))
    times = tally.solve_times()["easy"]
    assert times["tasks"] == 10
    assert tally.shared + sum(tally.wins) == 1
    assert (times["median_s"] is None) == (times["solved"] == 0)
