"""Companion, rule by rule (docs/rules/companion.md): pieces are on paper; the table keeps time, randomness and score.

At least one test for every rule number, in their order.
"""

from collections.abc import Sequence
from contextlib import suppress
from random import Random
from typing import Any

import pytest

from tests.play import Match, gems, moved, replayed
from ubongo import moves
from ubongo.events import AnyEvent, Called, GlassTurned, MatchClosed, RoundClosed, Scored, TakenBack
from ubongo.game import BadOptions
from ubongo.games import GAMES
from ubongo.moves import Call, Claim, Grab, Lift, Move, Pass, Place, Ready, Refused, Stop, TakeBack, Throw, TurnBack
from ubongo.server.lobby.takeover import takeovers
from ubongo.table import SeatNo, contending
from ubongo.veil import veil

SEVERAL = [game for game in GAMES if game != "solo"]
RACES = ("extreme", "cubes")
GONE_AWAY = moves.GoAway()


def on_paper(game: str, seats: int = 2, seed: str = "abc", **options: Any) -> Match:
    return Match(game, seats, seed, companion=True, **options)


def kinds(events: Sequence[AnyEvent]) -> list[str]:
    return [type(event).__name__ for event in events]


def phase(match: Match) -> str:
    return match.table.phase


def scores(match: Match) -> list[tuple[int, ...]]:
    return [seat.points for seat in match.table.seats]


@pytest.mark.parametrize("game", SEVERAL)
def test_C1_nothing_is_laid_on_screen_and_finished_tasks_are_claimed(game: str) -> None:
    match = on_paper(game)
    match.begin()
    for move in (Place(0, 0, (0, 0)), Lift(0), Call(), Grab(0)):
        assert match.refused(0, move) == "on_paper"
    plain = Match(game)
    plain.begin()
    assert plain.refused(0, Claim()) == plain.refused(0, TakeBack()) == "not_on_paper"


def test_C1_bots_cannot_play_on_paper() -> None:
    with pytest.raises(BadOptions, match="bots") as no:
        Match("extreme", 2, bots={1: "easy"}, companion=True)
    assert no.value.code == "no_bots_on_paper"
    with pytest.raises(BadOptions, match="companion"):
        Match("solo", 1, of="extreme", companion=True)
    for companion, taken_over in ((False, [1]), (True, [])):
        match = Match("extreme", 2, companion=companion)
        match.begin()
        match.ask(1, GONE_AWAY)
        assert [*takeovers(match.table)] == taken_over


def test_C2_the_table_names_what_to_take_and_everyone_sees_it_at_once() -> None:
    for game in RACES:
        match = on_paper(game)
        if game == "cubes":
            match.ask(0, Throw())
        for viewer in (None, SeatNo(0), SeatNo(1)):
            tasks = [seat.task for seat in veil(match.table, viewer).seats]
            assert all(task is not None and task.board and task.pieces for task in tasks)
    cards = on_paper("cards")
    assert [(task.board, task.number, task.pieces) for seat in cards.table.seats if (task := seat.task)] == [
        ("1", "white", ()),
        ("1", "white", ()),
    ]
    sheets = {task.board for seat in on_paper("dice", 3).table.seats if (task := seat.task)}
    assert len(sheets) == 1


@pytest.mark.parametrize("game", RACES)
def test_C3_a_claim_taken_back_leaves_no_trace(game: str) -> None:
    """Claims that were taken back, in any order, have no effect on what the others win."""
    random = Random(game)
    for _ in range(20):
        seed = str(random.random())
        tried, plain = (on_paper(game, 4, seed=seed, end="pass") for _ in range(2))
        tried.begin()
        plain.begin()
        standing: list[int] = []
        for _ in range(12):
            seat = random.randrange(4)
            if seat in standing:
                tried.ask(seat, TakeBack())
                standing.remove(seat)
            else:
                tried.ask(seat, Claim())
                standing.append(seat)
            assert gems(tried) == gems(plain)
        for seat in standing:
            plain.ask(seat, Claim())
        assert [seat.won for seat in tried.table.seats] == [seat.won for seat in plain.table.seats]
        assert (tried.table.display, tried.table.bag) == (plain.table.display, plain.table.bag)
        assert replayed(tried.virtual.opening, tried.log) == tried.table


def test_C3_later_claims_move_up() -> None:
    match = on_paper("extreme", 3)
    match.begin()
    match.ask(0, Claim(), after=1000)
    match.ask(1, Claim())
    assert moved(match.ask(0, TakeBack())) == [
        (0, "display"), (0, "bag"), (1, "display"), (1, "bag"), ("display", 1), ("bag", 1),
    ]  # fmt: skip
    assert "sapphire" in match.seat(1).won
    assert match.refused(0, TakeBack()) == "not_claimed"


@pytest.mark.parametrize("game", RACES)
def test_C4_a_claim_is_the_call(game: str) -> None:
    """The same players finishing at the same times win exactly the same gems on paper and on the screen."""
    matches = [Match(game, 3, companion=companion) for companion in (False, True)]
    for round_ in range(9):
        for match in matches:
            match.begin()
            for seat in [(round_ + step) % 3 for step in range(round_ % 3)]:
                if match.table.options.companion:
                    match.ask(seat, Claim(), after=1000)
                else:
                    match.solve(seat, after=1000)
            match.sand()
    plain, paper = (match.table for match in matches)
    assert (plain.display, plain.bag, plain.standing) == (paper.display, paper.bag, paper.standing)
    assert [seat.gems for seat in plain.seats] == [seat.gems for seat in paper.seats]


def test_C4_where_only_the_first_counts_a_second_claim_is_refused() -> None:
    match = on_paper("extreme", 3, end="pass")
    match.begin()
    for seat in range(3):
        match.ask(seat, Pass())
    assert match.table.glass is not None
    assert match.table.glass.turned == 2
    assert moved(match.ask(0, Claim())) == [("bag", 0)]
    assert match.refused(1, Claim()) == "too_late"
    assert moved(match.ask(0, TakeBack())) == [(0, "bag")]
    assert moved(match.ask(1, Claim())) == [("bag", 1)]


@pytest.mark.parametrize("game", RACES)
def test_C5_a_round_ends_by_itself_or_when_everyone_agrees(game: str) -> None:
    match = on_paper(game)
    match.begin()
    assert match.refused(0, Pass()) == "not_here"
    match.ask(0, Claim())
    assert RoundClosed(1) in match.ask(1, Claim())
    with pytest.raises(BadOptions, match="companion only"):
        Match(game, end="pass")

    waits = on_paper(game, end="pass")
    waits.begin()
    assert waits.wait(3_600_000) == [], "the sand has run out, and nobody has agreed"
    waits.ask(0, Pass())
    assert waits.refused(0, Pass()) == "already_passed"
    again = waits.ask(1, Pass())
    assert "GlassTurned" in kinds(again)
    assert waits.wait(3_600_000) == []
    waits.ask(0, Pass())
    assert waits.table.phase == "play", "agreement during the first glass does not hold for the second"
    waits.ask(0, Claim(), after=3_600_000)
    assert RoundClosed(1) in waits.ask(1, Pass())
    assert len(waits.happened(GlassTurned)) == 2


@pytest.mark.parametrize("game", RACES)
def test_C5_a_second_chance_is_turned_back_until_somebody_claims(game: str) -> None:
    plain = Match(game)
    plain.begin()
    assert plain.refused(0, TurnBack()) == "not_on_paper"
    alone = on_paper(game)
    alone.begin()
    alone.until()
    assert alone.refused(0, TurnBack()) == "not_here", "the glass was turned by the running out of the sand"

    match = on_paper(game, end="pass")
    assert match.refused(0, TurnBack()) == "not_started"
    match.begin()
    first = match.table.glass
    assert match.refused(0, TurnBack()) == "not_now", "it was turned once"

    def second_chance() -> None:
        for seat in (0, 1):
            match.ask(seat, Pass(), after=60_000)
        assert match.table.glass is not None
        assert match.table.glass.turned == 2

    second_chance()
    match.ask(0, Claim(), after=1000)
    assert match.refused(1, TurnBack()) == "not_now", "somebody has finished in it"
    match.ask(0, TakeBack())
    match.ask(0, Pass())
    match.ask(1, TurnBack())
    assert match.table.glass == first
    assert [seat.passed for seat in match.table.seats] == [False, False]
    second_chance()
    match.ask(0, TurnBack())
    assert moved(match.ask(1, Claim())) == [("display", 1), ("bag", 1)], "as if there had been no second chance"
    match.ask(0, Pass())
    assert RoundClosed(1) in match.ask(1, Pass())
    assert replayed(match.virtual.opening, match.log) == match.table


@pytest.mark.parametrize("game", RACES)
def test_C5_a_playoff_can_also_end_by_agreement(game: str) -> None:
    match = on_paper(game, end="pass")
    for _ in match.rounds(9):
        for seat in (0, 1, 0, 1):
            match.ask(seat, Pass())
    assert match.table.playoff
    match.begin()
    match.ask(1, Claim())
    assert match.refused(0, Claim()) == "too_late"
    assert match.table.phase == "play"
    match.ask(0, Pass())
    [*_, closed] = match.ask(1, Pass())
    assert isinstance(closed, MatchClosed)
    assert closed.standing == ((1,), (0,))


@pytest.mark.parametrize("game", [*RACES, "dice"])
def test_C8_nobody_waits_for_a_disconnected_device(game: str) -> None:
    match = on_paper(game, 3, ready_s=0, **({"end": "pass"} if game in RACES else {"enter_s": 0}))
    for seat in range(3):
        match.ask(seat, moves.GoAway())
    assert match.table.round == 1
    assert phase(match) in ("ready", "throw"), "without a move nothing goes on by itself"
    match.ask(0, moves.ComeBack())
    match.ask(1, moves.ComeBack())
    if match.table.roller is not None:
        assert match.refused(1, Throw()) == "not_roller", "Ann is back"
        match.ask(0, moves.GoAway())
        match.ask(1, Throw())
        match.ask(0, moves.ComeBack())
    if game in RACES:
        match.ask(0, Ready())
        assert phase(match) == "ready", "Bo is there, so she is waited for"
        match.ask(1, Ready())
    assert phase(match) == ("enter" if game == "dice" else "play")
    match.ask(0, Claim())
    if game in RACES:
        match.ask(0, Pass())
    assert match.table.round == 1
    happened = match.ask(1, Pass())
    assert RoundClosed(1) in happened, "Cy's phone is empty"


def counted(match: Match, calls: Sequence[int], cards: Sequence[int]) -> list[AnyEvent]:
    match.begin()
    for seat in calls:
        match.ask(seat, Claim())
    if not calls:
        for seat in range(len(cards)):
            match.ask(seat, Stop())
    return [event for seat, number in enumerate(cards) for event in match.ask(seat, Claim(number))]


@pytest.mark.parametrize(
    ("calls", "cards", "points"),
    [
        ((0,), (7, 4, 0), (10, 4, 0)),
        ((0,), (0, 6, 0), (0, 6, 0)),
        ((0, 1), (7, 7, 7), (10, 10, 7)),
        ((0, 1), (0, 7, 3), (0, 10, 3)),
        ((), (5, 0, 2), (5, 0, 2)),
        ((), (7, 0, 4), (7, 0, 4)),
    ],
)
def test_C6_the_worked_examples_of_the_card_game_counted_by_hand(
    calls: tuple[int, ...], cards: tuple[int, ...], points: tuple[int, ...]
) -> None:
    match = on_paper("cards", 3)
    happened = counted(match, calls, cards)
    assert [event.points for event in happened if isinstance(event, Scored)] == [*points]
    assert RoundClosed(1) in happened


def test_C6_which_moves_are_allowed_while_cards_are_counted() -> None:
    match = on_paper("cards", 3)
    match.begin()
    assert match.refused(0, Claim(3)) == "not_now"
    match.ask(0, Claim())
    assert phase(match) == "enter"
    assert match.refused(0, Claim()) == "has_called"
    assert match.refused(0, Claim(6)) == "caller_counts"
    assert match.refused(1, Claim(8)) == match.refused(1, Claim(-1)) == "no_such_count"
    match.ask(1, Claim(4))
    match.ask(1, Claim(5))
    assert match.refused(1, Claim()) == "has_counted"
    assert match.refused(2, TakeBack()) == "not_claimed"
    match.ask(1, TakeBack())
    match.ask(1, Claim())
    match.ask(0, TakeBack())
    assert phase(match) == "enter", "another has called"
    match.ask(2, Claim(2))
    match.ask(1, TakeBack())
    assert phase(match) == "play", "nobody has, so they go on laying"
    assert [seat.cards for seat in match.table.seats] == [None] * 3


def test_C6_a_limit_leads_to_the_counting_and_whole_matches_are_added_up() -> None:
    match = on_paper("cards", round_s=60)
    match.begin()
    match.wait(60_000)
    assert match.table.phase == "enter"
    assert match.refused(0, Claim()) == "not_now", "nobody called"
    for seat, cards in enumerate((3, 5)):
        match.ask(seat, Claim(cards))
    for _ in range(5):
        counted(match, (0,), (7, 5))
    assert match.table.totals == (53, 30)
    assert match.table.standing == ((0,), (1,))


def area(match: Match, full: Sequence[int]) -> None:
    """A round of dice in which these fill their area."""
    assert match.table.roller is not None
    match.ask(match.table.roller, Throw())
    for seat in contending(match.table):
        match.ask(seat, Claim() if seat in full else Pass())


@pytest.mark.parametrize(
    ("rounds", "points"),
    [
        (((0,), (1,), (2,)), (4, 3, 2, 1)),
        (((0, 1), (2,)), (4, 4, 2, 1)),
        (((0,), (1, 2, 3)), (4, 3, 3, 3)),
        (((0, 1, 2, 3),), (4, 4, 4, 4)),
    ],
)
def test_C7_the_worked_examples_of_the_dice_game_claimed(
    rounds: tuple[tuple[int, ...], ...], points: tuple[int, ...]
) -> None:
    match = on_paper("dice", 4)
    for full in rounds:
        area(match, full)
    assert [own[0] for own in scores(match)] == [*points]
    assert match.table.area == 2
    assert all(seat.called is None for seat in match.table.seats)


def test_C7_dice_are_grabbed_by_hand_and_claims_can_be_taken_back() -> None:
    match = on_paper("dice")
    match.ask(0, Throw())
    assert match.table.phase == "enter"
    assert [die.taken for die in match.table.dice] == [None] * 4
    assert match.refused(0, TakeBack()) == "not_claimed"
    match.ask(0, Claim())
    assert match.refused(0, Claim()) == "has_passed"
    assert match.ask(0, TakeBack()) == [TakenBack(SeatNo(0))]
    match.ask(0, Pass())
    match.ask(0, TakeBack())
    match.ask(0, Claim())
    assert [event.points for event in match.ask(1, Pass()) if isinstance(event, Scored)] == [2, 1]


def test_C7_T14_the_previous_round_is_shown_until_the_throw() -> None:
    match = on_paper("dice")
    area(match, ())
    assert match.table.last is not None
    match.ask(1, Throw())
    assert match.table.last is None


def test_C7_W17_the_claim_of_a_player_who_has_left_does_not_prevent_giving_an_area_up() -> None:
    match = on_paper("dice", 3)
    match.ask(0, Throw())
    match.ask(2, Claim())
    match.ask(2, moves.Leave())
    match.ask(0, Stop())
    match.ask(1, Stop())
    assert scores(match) == [(0,), (0,), (0,)]


def test_C7_a_match_to_its_end() -> None:
    match = on_paper("dice", 3)
    while match.table.phase != "over":
        area(match, contending(match.table)[-1:])
    assert match.table.totals == (6, 12, 18)
    assert match.table.standing == ((2,), (1,), (0,))


ALLOWED_MOVES: tuple[Move, ...] = (
    Ready(), Throw(), Claim(), Claim(7), Claim(0), Claim(3), TakeBack(), TurnBack(), Pass(), Stop(),
)  # fmt: skip


@pytest.mark.parametrize("game", SEVERAL)
def test_C1_any_sequence_of_claims_replays_and_loses_no_gem(game: str) -> None:
    random = Random(game)
    for end in ("itself", "pass") if game in RACES else ("itself",):
        match = on_paper(game, 3, **({"end": end} if game in RACES else {}))
        every = gems(match)
        for _ in range(600):
            if match.table.phase == "over":
                break
            match.wait(random.choice([0, 0, 20, 900, 20_000]))
            with suppress(Refused):
                match.ask(random.randrange(3), random.choice(ALLOWED_MOVES))
            assert gems(match) == every
        assert replayed(match.virtual.opening, match.log) == match.table
        assert match.happened(Called)
