"""Bots: whole matches by the rules, levels that differ, and nothing known that cannot be seen."""

from __future__ import annotations

from itertools import pairwise
from statistics import median

import msgspec
import pytest
from msgspec.structs import replace

from tests.conformance import Kept
from tests.play import Match
from ubongo import layout, moves
from ubongo.bots import boards, cards, dice, pace, plan, player, rests
from ubongo.bots import match as driving
from ubongo.bots.least import least
from ubongo.bots.match import Bots
from ubongo.bots.pace import LEVELS, Level
from ubongo.bots.player import PLAYED, next_move
from ubongo.bots.trial import Tally, Trial
from ubongo.difficulty import difficulty
from ubongo.events import Called, Lifted, Placed, RoundClosed, Scored, Stopped
from ubongo.games import GAMES
from ubongo.lattice import HEX
from ubongo.material import shipped
from ubongo.material.dice import DiceEdition
from ubongo.material.extreme import pieces as hexagonal_pieces
from ubongo.material.shapes import BLACK, WHITE
from ubongo.moves import Call, Grab, Lift, Move, Pass, Place, Ready, Refused, Stop, Throw
from ubongo.pieces import Piece, Placement
from ubongo.table import Instant, Seat, SeatNo, Table, Task
from ubongo.tiling import Puzzle
from ubongo.veil import veil
from ubongo.workshop import plain_player

# Together they have every value of every option that changes what a bot meets.
OPTIONS: dict[str, list[dict[str, object]]] = {
    "cards": [
        {},
        {"auto_call": True, "reveal": "deal", "ready_s": 0},
        {"checking": "live", "tie_ms": 0, "round_s": 40},
    ],
    "dice": [
        {},
        {"places": "dense", "ready_s": 0, "first_seat": 1},
        {"grab_s": 0, "enter_s": 0},
        {"grab_s": 1, "enter_s": 2},
    ],
    "extreme": [
        {},
        {"side": 4, "reveal": "deal", "ready_s": 0},
        {"auto_call": False, "hourglass_s": 7},
    ],
    "cubes": [
        {},
        {"side": 4, "reveal": "deal", "ready_s": 0, "first_seat": 1},
        {"auto_call": False, "hourglass_s": 7, "scoring": "ladder"},
        {"die": "off"},
    ],
}
CASES = [
    pytest.param(game, seats, options, id=f"{game}-{seats}-{number}")
    for game in PLAYED
    for seats in GAMES[game].SEATS
    for number, options in enumerate(OPTIONS[game])
] + [pytest.param("dice", 2, {"areas": 5}, id="dice-2-five areas")]


def trial(game: str, levels: tuple[Level, ...], **options: object) -> Trial:
    return Trial(game, levels, msgspec.convert(options, GAMES[game].OPTIONS), "tests")


def wrong_callers(bots: Bots) -> int:
    """Plays the match to its end; in how many rounds of cards whoever called was wrong (K13)."""
    bots.play()
    callers: set[SeatNo] = set()
    wrong = 0
    for line in bots.match.log:
        match line.event:
            case Called(seat):
                callers.add(seat)
            case Scored(seat, 0):
                wrong += seat in callers
            case RoundClosed():
                callers.clear()
    return wrong


def forget() -> None:
    """As after a restart: whatever a bot has worked out is gone."""
    for worked_out in (boards.plan, boards.ground_of, cards.plan, dice.plan, rests.leaves, rests.thought_through):
        worked_out.cache_clear()


@pytest.mark.parametrize(("game", "seats", "options"), CASES)
def test_whole_matches_end_and_keep_the_rules(game: str, seats: int, options: dict[str, object]) -> None:
    for number in range(2):
        mixed = tuple(LEVELS[(number + 2 * seat + seats) % len(LEVELS)] for seat in range(seats))
        bots = trial(game, mixed, **options).bots(number)
        kept = Kept(bots.match.opening)
        while bots.match.table.phase != "over":
            bots.let_happen(bots.upcoming())
            assert not bots.failed
            kept.events(bots.match)
            kept.quiet(bots.match)
        kept.over(bots.match)


@pytest.mark.no_cover
@pytest.mark.parametrize("game", PLAYED)
def test_every_level_beats_the_one_below(game: str) -> None:
    for weaker, stronger in pairwise(LEVELS):
        wins = {weaker: 0, stronger: 0}
        for levels in ((weaker, stronger), (stronger, weaker)):
            tally = Tally(levels)
            for number in range(15):
                tally.add(trial(game, levels).played(number))
            for level, won in zip(levels, tally.wins, strict=True):
                wins[level] += won
        assert wins[stronger] >= 0.65 * sum(wins.values()), f"{stronger} against {weaker}: {wins}"


@pytest.mark.no_cover
@pytest.mark.parametrize("game", PLAYED)
def test_no_seat_is_the_better_one(game: str) -> None:
    tally = Tally(("medium", "medium"))
    for number in range(60):
        tally.add(trial(game, ("medium", "medium")).played(number))
    first, second = tally.wins
    # Three standard deviations of a fair coin.
    assert abs(first - second) <= 3 * (first + second) ** 0.5


def hidden_changed(table: Table, viewer: SeatNo) -> Table:
    """The table as it may be for all that this seat can see: other hands and other boards, face down."""
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
def test_what_is_hidden_changes_nothing(game: str) -> None:
    bots = trial(game, ("easy", "hard", "expert"), reveal="deal").bots(1)
    changed = 0
    while bots.match.table.phase != "over":
        table, now = bots.match.table, bots.match.now
        for seat, (level, luck) in enumerate(zip(bots.levels, bots.lucks, strict=True)):
            other = hidden_changed(table, seat)
            changed += other != table
            assert next_move(veil(other, seat), seat, level, luck, now) == bots.intent(seat)
        bots.let_happen(bots.upcoming())
    # In the other games everything lies open from the start of a round on, and bots are ready at once.
    assert (changed > 0) == (game == "cards")


@pytest.mark.parametrize("game", PLAYED)
def test_a_bot_keeps_nothing_that_a_restart_would_lose(game: str) -> None:
    straight, interrupted = (trial(game, ("medium", "beginner")).bots(1) for _ in range(2))
    straight.play()
    steps = 0
    while interrupted.match.table.phase != "over":
        interrupted.let_happen(interrupted.upcoming())
        steps += 1
        if steps % 7 == 0:
            forget()
            interrupted = again(interrupted)
    assert interrupted.match.log == straight.match.log


def again(bots: Bots) -> Bots:
    """The same bots, as another process would build them."""
    other = Bots(bots.match, bots.levels, "")
    other.lucks = [str(luck) for luck in bots.lucks]
    return other


@pytest.mark.parametrize("game", PLAYED)
def test_two_processes_that_play_the_same_seat_do_no_harm(game: str) -> None:
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
def test_a_bot_that_raises_stops_no_table(game: str, failing: set[SeatNo], monkeypatch: pytest.MonkeyPatch) -> None:
    def raises(table: Table, seat: SeatNo, level: Level, luck: str, now: Instant) -> plan.Intent | None:
        if seat in failing:
            raise ZeroDivisionError
        return next_move(table, seat, level, luck, now)

    monkeypatch.setattr(driving, "next_move", raises)
    outcome = trial(game, ("expert", "easy")).played(3)
    assert outcome.rounds > 0
    if failing == {0}:
        assert outcome.standing[0] == (1,)


def test_a_bot_that_asks_for_what_is_refused_is_passed_over(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(driving, "next_move", lambda *_: (0, Place(99, 0, (0, 0))))
    assert trial("cards", ("expert", "easy")).played(1).totals == (0, 0)


# The moves of a plan, and what the driver falls back on.


def filling_plan(level: Level = "medium", luck: str = "a") -> tuple[Task, tuple[Piece, ...], plan.Plan]:
    bots = trial("extreme", (level, level)).bots(1)
    task = bots.match.table.seats[0].task
    assert task is not None
    assert task.region is not None
    pieces = tuple(hexagonal_pieces()[str(name)] for name in task.pieces)
    return task, pieces, boards.plan("extreme", pieces, task.region, level, luck, (1,))


def test_boards_are_tried_before_they_are_filled() -> None:
    lifts = 0
    for luck in "abcdefgh":
        task, pieces, planned = filling_plan("beginner", luck)
        assert list(planned.times) == sorted(set(planned.times))
        lifts += sum(isinstance(move, Lift) for move in planned.moves)
        states = [GAMES["extreme"].verdict({p.name: p for p in pieces}, task, laid).state for laid in planned.layouts]
        assert states[-1] == "solved"
        assert set(states[:-1]) == {"open"}
    assert lifts > 0


def test_the_same_luck_plans_the_same_and_another_something_else() -> None:
    plans = []
    for luck in "aab":
        forget()
        plans.append(filling_plan(luck=luck)[2])
    assert plans[0] == plans[1] != plans[2]


def test_the_bulkiest_piece_is_mostly_tried_first() -> None:
    firsts = []
    for number in range(40):
        _, pieces, planned = filling_plan(luck=str(number))
        first = planned.moves[0]
        assert isinstance(first, Place)
        firsts.append(len(pieces[first.piece].shapes[0]) == max(len(piece.shapes[0]) for piece in pieces))
    assert sum(firsts) > len(firsts) / 2


def test_harder_tasks_and_weaker_levels_take_longer() -> None:
    times = [[pace.filling_time("extreme", level, hard, 3, 0) for hard in (4, 8, 30)] for level in LEVELS]
    assert all(of_level == sorted(of_level) for of_level in times)
    assert all(list(column) == sorted(column, reverse=True) for column in zip(*times, strict=True))


def test_a_bot_grades_a_task_as_the_workshop_does() -> None:
    task, pieces, _ = filling_plan()
    assert task.region is not None
    ground = boards.ground_of("extreme", pieces, task.region)
    assert ground.difficulty == difficulty(Puzzle(HEX.name, task.region, tuple(piece.shapes[0] for piece in pieces)))


def test_a_task_that_nothing_fills_is_tried_for_ever_but_not_called() -> None:
    _, pieces, _ = filling_plan()
    line = tuple((q, 0) for q in range(14))
    planned = boards.plan("extreme", pieces, line, "easy", "a", (1,))
    assert planned.ending is None


def test_medium_is_the_middle_of_people() -> None:
    assert pace.slowness("medium") == 1
    assert [pace.QUICKER[level] for level in LEVELS] == sorted(pace.QUICKER.values(), reverse=True)


def test_what_is_not_as_planned_is_set_right() -> None:
    task, _, planned = filling_plan()
    seat = Seat("Ann", task=task)
    step = len(planned.times) - 1
    now = planned.times[step - 1]
    asked = 0
    while (amiss := plan.next_in(planned, seat, 0, now)) is not None and amiss[0] == now:
        asked += 1
        seat = replace(seat, laid=plan.laid_after(seat.laid, amiss[1]))
    assert set(seat.laid) == set(planned.layouts[step])
    assert asked == len(planned.layouts[step])
    mine = Placement(0, 0, (9, 9))
    assert plan.next_in(planned, Seat("Ann", task=task, laid=(mine,)), 0, 0) == (0, Lift(0))


def test_a_bot_counts_no_time_in_which_the_server_was_down() -> None:
    match = Match("extreme")
    match.begin()
    before = next_move(veil(match.table, 0), 0, "medium", "luck", 1)
    after = next_move(replace(veil(match.table, 0), stood=300_000), 0, "medium", "luck", 300_001)
    assert before is not None
    assert after == (before[0] + 300_000, before[1])


def test_T7_what_lies_right_stays_when_a_bot_takes_over() -> None:
    task, _, planned = filling_plan()
    right, *rest = planned.layouts[-1]
    spare = rest[-1]
    wrong = Placement(spare.piece, 0, (9, 9))
    seat = Seat("Ann", task=task, laid=(right, wrong), away=0)
    times = []
    for _ in range(1 + len(rest)):
        intent = plan.next_for_another(planned, seat, 1000, 1000)
        assert intent is not None
        times.append(intent[0])
        assert intent[1] != Lift(right.piece)
        seat = replace(seat, laid=plan.laid_after(seat.laid, intent[1]))
    assert set(seat.laid) == set(planned.layouts[-1])
    assert times == sorted(set(times)), "one after the other, as people do"
    assert plan.next_for_another(planned, seat, 1000, 10**6) == plan.next_in(planned, seat, 1000, 10**6)


@pytest.mark.parametrize("cards_laid", [1, 4, 6])
def test_T7_right_cards_stay_when_a_bot_takes_over(cards_laid: int) -> None:
    match = Match("cards", takeover_s=20)
    match.begin()
    task = match.table.seats[0].task
    assert task is not None
    hand = tuple(GAMES["cards"].pieces(match.table.options)[str(name)] for name in task.pieces)
    # Anybody's own way: far from where a bot would begin.
    found = [replace(where, at=(where.at[0] + 40, where.at[1])) for where in layout.seven(hand) or ()]
    for where in found[:cards_laid]:
        match.ask(0, Place(where.piece, where.turn, where.at))
    stray = found[-1]
    match.ask(0, Place(stray.piece, stray.turn, (90, 90)))
    match.ask(0, moves.Away(), 5_000)
    now = 25_000
    for _ in range(2 + layout.GOAL - cards_laid):
        intent = next_move(veil(match.table, 0), 0, "medium", "luck", now)
        assert intent is not None
        now = max(now, intent[0])
        match.ask(0, intent[1], now)
        assert set(found[:cards_laid]) <= set(match.table.seats[0].laid)
    assert match.happened(Called)
    assert layout.verdict(hand, match.table.seats[0].laid).state == "solved"


def test_T7_right_cards_stay_also_where_nothing_goes_with_them() -> None:
    alphabet = iter("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ01")
    hand = hand_of(*["".join(next(alphabet) for _ in range(6)) for _ in range(9)])
    planned = cards.plan(hand, "expert", "luck", (1,), live=False)
    mine = (Placement(8, 1, (5, 5)),)
    changed = cards.for_another(planned, hand, mine)
    assert changed.layouts[-1] == mine
    assert isinstance(changed.ending, Stop)


def test_T7_a_bot_that_takes_over_begins_then() -> None:
    match = Match("extreme", takeover_s=20)
    assert next_move(veil(match.table, 0), 0, "medium", "luck", 0) == (0, Ready())
    match.begin()
    match.ask(0, moves.Away(), 5_000)
    intent = next_move(veil(match.table, 0), 0, "expert", "luck", 25_000)
    assert intent is not None
    assert intent[0] > 25_000
    assert isinstance(intent[1], Place)


def test_T2_a_bot_throws_for_someone_away() -> None:
    match = Match("dice")
    assert next_move(veil(match.table, 0), 0, "medium", "luck", 7) == (7, Throw())
    assert next_move(veil(match.table, 1), 1, "medium", "luck", 7) is None


def test_X15_a_playoff_without_end_is_given_up() -> None:
    bots = trial("extreme", ("beginner", "beginner"), hourglass_s=1, side=4).bots(1)
    bots.play()
    table = bots.match.table
    assert table.playoff
    stopped = {line.event.seat for line in bots.match.log if isinstance(line.event, Stopped)}
    called = [line for line in bots.match.log if isinstance(line.event, Called)]
    assert called or stopped == {0, 1}


# Cards.


def hand_of(*marks: str) -> tuple[Piece, ...]:
    return tuple(layout.card(f"card {i}", [six[:2], six[2:4], six[4:]]) for i, six in enumerate(marks))


def test_K17_who_finds_nothing_better_stops() -> None:
    alphabet = iter("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ01")
    hand = hand_of(*["".join(next(alphabet) for _ in range(6)) for _ in range(9)])
    planned = cards.plan(hand, "expert", "luck", (1,), live=False)
    assert isinstance(planned.ending, Stop)
    assert len(planned.layouts[-1]) == 1


@pytest.mark.no_cover
def test_K13_weak_bots_call_wrongly_now_and_then_and_strong_ones_hardly() -> None:
    wrong = {
        level: sum(wrong_callers(trial("cards", (level, level)).bots(number)) for number in range(30))
        for level in LEVELS
    }
    assert wrong["beginner"] > wrong["medium"] >= wrong["expert"]
    assert wrong["beginner"] > 5
    assert wrong["expert"] <= 1


def test_K12_with_live_checking_nobody_calls_wrongly() -> None:
    for number in range(10):
        assert wrong_callers(trial("cards", ("beginner", "beginner"), checking="live").bots(number)) == 0


def test_cards_are_taken_back_too() -> None:
    bots = trial("cards", ("medium", "medium")).bots(1)
    bots.play()
    kinds = [type(line.event) for line in bots.match.log]
    assert kinds.count(Lifted) > 0
    assert kinds.count(Placed) > kinds.count(Lifted)


# Dice.


def areas() -> list[tuple[tuple[int, int], ...]]:
    edition = shipped("dice")
    assert isinstance(edition, DiceEdition)
    return [edition.sheets[number].areas[number].region for number in (0, 3, 5)]


def test_the_sensible_player_is_the_plain_one() -> None:
    for region in areas():
        places = [[way.bits for way in rests.ways(region, name)] for name in BLACK + WHITE]
        left = rests.bits(region)
        found = [plain_player.leave(left, places[black], places[white]) for black, white in plain_player.THROWS]
        assert rests.leaves(left) == found


def test_who_looks_ahead_needs_no_more_rounds_than_the_sensible_player() -> None:
    better = 0
    for region in areas():
        left = rests.bits(region)
        for black, white in zip(BLACK, WHITE, strict=True):
            ahead, sensible = rests.thought_through(left, region, black, white), rests.sensible(left, black, white)
            assert rests.rounds(ahead) <= rests.rounds(sensible)
            better += rests.rounds(ahead) < rests.rounds(sensible)
    assert better > 0


def thrown(level: Level) -> tuple[Match, plan.Intent | None]:
    match = Match("dice", bots={0: level, 1: level})
    return match, next_move(veil(match.table, 0), 0, level, "luck", match.now)


def test_W7_a_bot_grabs_one_of_each_colour_and_then_enters() -> None:
    match, intent = thrown("medium")
    taken = []
    while intent is not None and isinstance(intent[1], Grab):
        match.ask(0, intent[1], intent[0] - match.now)
        taken.append(match.table.dice[intent[1].die].colour)
        intent = next_move(veil(match.table, 0), 0, "medium", "luck", match.now)
    assert sorted(taken) == ["black", "white"]
    assert intent is None
    for _ in range(2):
        grab = least(replace(match.table, seats=stopped(match.table.seats)), 1, match.now)
        assert grab is not None
        match.ask(1, grab[1])
    assert match.table.phase == "enter"
    moved: list[Move] = []
    while (intent := next_move(veil(match.table, 0), 0, "medium", "luck", match.now)) is not None:
        moved.append(intent[1])
        match.ask(0, intent[1], intent[0] - match.now)
    assert moved[-1] == Pass()


def stopped(seats: tuple[Seat, ...]) -> tuple[Seat, ...]:
    return tuple(replace(seat, stop=True) for seat in seats)


def test_quicker_levels_grab_sooner() -> None:
    def reaction(level: Level) -> float:
        table = thrown(level)[0].table
        intents = [next_move(table, 0, level, f"luck {number}", 0) for number in range(40)]
        return median(intent[0] for intent in intents if intent is not None)

    assert [reaction(level) for level in LEVELS] == sorted(map(reaction, LEVELS), reverse=True)


def test_W17_an_area_that_drags_on_is_given_up_when_another_asks() -> None:
    match, _ = thrown("hard")
    asked = replace(match.table.seats[1], stop=True)
    task = match.seat(0).task
    assert task is not None
    for rounds, agrees in ((1, False), (pace.WEARY_OF_AREA + 1, True)):
        me = replace(match.seat(0), task=replace(task, pieces=("I1",) * (2 * rounds)))
        intent = next_move(replace(match.table, seats=(me, asked)), 0, "hard", "luck", match.now)
        assert (intent is not None and intent[1] == Stop()) is agrees


def test_nothing_is_asked_of_a_seat_that_is_gone_or_has_called() -> None:
    match = Match("extreme", 3)
    match.begin()
    match.solve(1)
    assert next_move(match.table, 1, "easy", "luck", match.now) is None
    match.ask(2, moves.Leave())
    assert next_move(match.table, 2, "easy", "luck", match.now) is None
    assert not isinstance(player.next_move(match.table, 0, "easy", "luck", match.now), Call)


def test_the_least_is_ready_and_throws_for_people_too() -> None:
    match = Match("cubes")
    assert least(match.table, 0, 5) == (5, Throw())
    assert least(match.table, 1, 5) is None
    match.ask(0, Throw())
    assert least(match.table, 1, 6) == (6, Ready())


def test_what_is_loaded_beforehand_is_not_loaded_again() -> None:
    forget()
    for game in PLAYED:
        player.prepare(game)
    assert rests.leaves.cache_info().currsize == 1


def test_a_tally_of_nothing_solved_says_so() -> None:
    tally = Tally(("easy", "hard"))
    tally.add(trial("extreme", ("easy", "hard"), hourglass_s=1).played(1))
    times = tally.solve_times()["easy"]
    assert times["tasks"] == 10
    assert tally.shared + sum(tally.wins) == 1
    assert (times["median_s"] is None) == (times["solved"] == 0)
