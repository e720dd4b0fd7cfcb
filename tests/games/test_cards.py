"""The card game, rule by rule (docs/rules/cards.md). Geometry (K6 to K10) has its own tests in test_layout.py.

At least one test for every rule number, in their order.
"""

from collections.abc import Sequence
from typing import Any

import pytest

from tests.play import Match, solution
from ubongo import layout, material
from ubongo.events import Called, Due, Judged, MatchClosed, Resumed, RoundClosed, Scored
from ubongo.evolve import evolve
from ubongo.games import cards
from ubongo.material.cards import CardsEdition
from ubongo.moves import Call, ComeBack, GoAway, Grab, Leave, Lift, Place, Ready, Stop
from ubongo.table import Instant, Seat, SeatNo, Table
from ubongo.veil import veil

FAR = (100, 100)


def begun(seats: int = 3, **options: Any) -> Match:
    match = Match("cards", seats, **options)
    match.begin()
    return match


def lay(match: Match, seat: int, number: int, *, wrong: bool = False) -> None:
    """Lays so many cards, all right or the last one too far from the others to be connected."""
    way = match.solution(seat)[:number]
    if wrong:
        last = way[-1]
        way[-1] = Place(last.piece, last.turn, FAR)
    for where in way:
        match.ask(seat, where)


def scores(match: Match, number: int = 1) -> list[int]:
    """The points of the closed round with this number."""
    seats = len(match.table.seats)
    return [event.points for event in match.happened(Scored)[(number - 1) * seats : number * seats]]


def test_K1_three_stacks_for_two_rounds_each_white_then_black() -> None:
    match = Match("cards")
    faces = []
    for _ in match.rounds(6):
        task = match.seat(0).task
        assert task is not None
        [(stack, side)] = {(name.split("-")[0], name.split("-")[2]) for name in map(str, task.pieces)}
        faces.append((stack, side))
        finish(match)
    assert faces == [(stack, side) for stack in "135" for side in ("white", "black")]


def finish(match: Match) -> None:
    """Ends the round by agreement."""
    for seat, one in enumerate(match.table.seats):
        if not one.gone:
            match.ask(seat, Stop())


def test_K2_a_card_has_four_turns_and_is_not_mirrored() -> None:
    known = cards.pieces(Match("cards").table.options)
    assert len(known) == 216
    assert {len(piece.shapes) for piece in known.values()} == {4}
    assert {len(piece.marks) for piece in known.values()} == {6}


def test_K3_the_later_the_round_the_more_kinds_of_symbols() -> None:
    known = cards.pieces(Match("cards").table.options)
    kinds = [
        len(
            {
                mark
                for name, piece in known.items()
                if name.startswith(stack) and name.endswith(side)
                for mark in piece.marks
            }
        )
        for stack in "135"
        for side in ("white", "black")
    ]
    assert kinds == sorted(kinds)


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_K4_nine_cards_each_and_the_same_ones_turned_over_in_the_next_round(seats: int) -> None:
    match = Match("cards", seats)
    hands: list[list[list[str]]] = []
    for _ in match.rounds(6):
        hands.append([[str(name) for name in seat.task.pieces] for seat in match.table.seats if seat.task])
        finish(match)
    for white, black in zip(hands[::2], hands[1::2], strict=True):
        dealt = [name for hand in white for name in hand]
        assert len(set(dealt)) == 9 * seats
        assert [[name.replace("white", "black") for name in hand] for hand in white] == black


def test_K4_each_stack_is_shuffled_by_itself() -> None:
    chance = Match("cards").virtual.chance
    orders = {tuple(cards.shuffled(chance, stack)) for stack in (1, 3, 5)}
    assert len(orders) == 3
    assert all(sorted(order) == list(range(1, 37)) for order in orders)


def test_K4a_nobody_has_the_other_side_before_its_round() -> None:
    match = begun()
    assert all("white" in str(name) for seat in match.table.seats if seat.task for name in seat.task.pieces)


def test_K5_six_rounds_each_started_when_all_are_ready() -> None:
    match = Match("cards")
    for number in range(1, 7):
        assert (match.table.round, match.table.phase) == (number, "ready")
        match.ask(0, Ready())
        assert match.refused(0, Place(0, 0, (0, 0))) == "nothing_to_lay"
        match.ask(1, Ready())
        assert match.seat(0).ready
        finish(match)
    assert match.table.phase == "over"


def test_K6_cards_do_not_overlap_and_everyone_has_a_grid_of_their_own() -> None:
    match = begun()
    match.ask(0, Place(0, 0, (0, 0)))
    match.ask(1, Place(0, 0, (0, 0)))
    assert match.refused(0, Place(1, 0, (1, 2))) == "overlap"
    assert match.refused(0, Place(1, 1, (-2, -1))) == "overlap"
    assert match.refused(0, Place(1, 1, (-2, 2))) == "overlap"
    match.ask(0, Place(1, 1, (-3, -1)))
    match.ask(0, Place(2, 0, (2, 0)))
    match.ask(0, Place(3, 1, (0, 3)))


@pytest.mark.parametrize(("turn", "other"), [(0, 0), (0, 1), (1, 0), (1, 1), (2, 3)])
def test_K6_overlap_is_refused_wherever_a_cell_is_shared(turn: int, other: int) -> None:
    shapes = layout.SHAPES
    match = begun()
    match.ask(0, Place(0, turn, (0, 0)))
    for x in range(-4, 5):
        for y in range(-4, 5):
            shared = {(a + x, b + y) for a, b in shapes[other]} & set(shapes[turn])
            if shared:
                assert match.refused(0, Place(1, other, (x, y))) == "overlap"
            else:
                match.ask(0, Place(1, other, (x, y)))


@pytest.mark.parametrize("at", [(2, 3), FAR])
def test_K7_K8_K9_K10_wrong_layouts_may_be_laid_and_score_nothing(at: tuple[int, int]) -> None:
    match = begun(2)
    match.ask(0, Place(0, 0, (0, 0)))
    match.ask(0, Place(1, 0, at))
    match.ask(1, Place(0, 0, (0, 0)))
    finish(match)
    assert scores(match) == [0, 1]


def test_K11_any_card_may_be_moved_turned_or_taken_back_and_no_more_than_seven_lie() -> None:
    match = begun()
    for piece in range(7):
        match.ask(0, Place(piece, 0, (3 * piece, 0)))
    assert match.refused(0, Place(7, 0, (30, 0))) == "too_many"
    match.ask(0, Place(3, 1, (0, 50)))
    match.ask(0, Lift(2))
    assert match.refused(0, Lift(2)) == "not_laid"
    match.ask(0, Place(7, 0, (30, 0)))
    assert [where.piece for where in match.seat(0).laid] == [0, 1, 4, 5, 6, 3, 7]


def test_K12_a_call_with_fewer_than_seven_is_refused() -> None:
    match = begun()
    assert match.refused(0, Call()) == "too_few"
    lay(match, 0, 6)
    assert match.refused(0, Call()) == "too_few"


def test_K12_the_call_ends_the_round_and_the_others_stop_at_once() -> None:
    match = begun()
    lay(match, 0, 7)
    lay(match, 1, 2)
    match.ask(0, Call())
    assert match.refused(1, match.solution(1)[2]) == "round_called"
    assert match.refused(1, Lift(match.solution(1)[0].piece)) == "round_called"
    assert match.refused(1, Stop()) == "round_called"
    assert match.refused(0, Call()) == "has_called"
    match.until()
    assert RoundClosed(1) in match.happened(RoundClosed)


def test_K12_checking_live_shows_wrong_cards_to_their_owner_only_and_refuses_nothing() -> None:
    match = begun(checking="live")
    match.ask(0, Place(0, 0, (0, 0)))
    assert match.ask(0, Place(1, 0, FAR))[-1] == Judged(SeatNo(0), (1,))
    assert match.seat(0).wrong == (1,)
    assert veil(match.table, SeatNo(0)).seats[0].wrong == (1,)
    assert veil(match.table, SeatNo(1)).seats[0].wrong == ()
    assert match.ask(0, Lift(1))[-1] == Judged(SeatNo(0), ())


def test_K12_checking_at_the_call_shows_nothing_before() -> None:
    match = begun()
    lay(match, 0, 3, wrong=True)
    assert match.seat(0).wrong == ()
    finish(match)
    assert match.table.last is not None
    assert match.table.last[0].wrong == (match.table.last[0].laid[-1].piece,), "after the round they are marked (T14)"


Hand = tuple[int, bool]


@pytest.mark.parametrize(
    ("hands", "calls", "expected"),
    [
        # (cards laid, wrong), the caller and time of each call, points: the worked examples of the rules page
        ([(7, False), (4, False), (5, True)], [(0, 0)], [10, 4, 0]),
        ([(7, True), (6, False), (0, False)], [(0, 0)], [0, 6, 0]),
        ([(7, False), (7, False), (7, False)], [(0, 0), (1, 90)], [10, 10, 7]),
        ([(7, True), (7, False), (3, False)], [(0, 0), (1, 90)], [0, 10, 3]),
        ([(5, False), (6, True), (2, False)], [], [5, 0, 2]),
        ([(7, False), (7, True), (4, False)], [], [7, 0, 4]),
    ],
)
def test_K13_K14_K15_K16_K17_the_worked_examples(
    hands: Sequence[Hand], calls: Sequence[tuple[int, int]], expected: list[int]
) -> None:
    match = begun()
    for seat, (number, wrong) in enumerate(hands):
        lay(match, seat, number, wrong=wrong)
    for seat, at in calls:
        match.ask(seat, Call(), after=at - match.now)
    if calls:
        match.until()
        assert match.now == 150
    else:
        finish(match)
    assert scores(match) == expected


def test_K15_a_player_with_six_cards_at_the_first_call_is_too_late() -> None:
    match = begun()
    lay(match, 0, 7)
    lay(match, 1, 6)
    lay(match, 2, 1)
    match.ask(0, Call())
    assert match.refused(1, match.solution(1)[6], after=60) == "round_called"
    assert match.refused(1, Call(), after=30) == "too_few"
    match.until()
    assert scores(match) == [10, 6, 1]


@pytest.mark.parametrize(("after", "expected"), [(149, [10, 10, 0]), (150, [10, 7, 0])])
def test_K15_at_the_same_time_is_less_than_tie_ms_later(after: int, expected: list[int]) -> None:
    match = begun()
    lay(match, 0, 7)
    lay(match, 1, 7)
    match.ask(0, Call())
    if after < 150:
        match.ask(1, Call(), after=after)
        match.until()
    else:
        assert match.refused(1, Call(), after=after) == "not_started"
    assert scores(match) == expected


def test_K15_its_time_is_the_same_when_the_server_was_down_meanwhile() -> None:
    match = begun()
    lay(match, 0, 7)
    lay(match, 1, 7)
    lay(match, 2, 7)
    match.ask(0, Call())
    match.virtual.table = evolve(match.table, Resumed(Instant(10_000)))
    match.ask(1, Call(), after=149)
    assert match.refused(2, Call(), after=1) == "round_called"
    match.until()
    assert match.now == 10_000
    assert scores(match) == [10, 10, 7]


def test_K15_its_time_is_the_same_when_the_caller_leaves_and_the_others_have_agreed_to_end() -> None:
    match = begun()
    lay(match, 1, 7)
    lay(match, 2, 7)
    match.ask(0, Stop())
    match.ask(1, Stop())
    match.ask(2, Call())
    match.ask(2, Leave(), after=50)
    match.ask(1, Call(), after=50)
    match.until()
    assert match.now == 150
    assert scores(match) == [0, 10, 0], "a player who has left wins nothing more (T11)"


def test_K15_without_ties_the_first_call_closes_the_round() -> None:
    match = begun(tie_ms=0)
    lay(match, 0, 7)
    assert RoundClosed(1) in match.ask(0, Call())


def test_K16_a_wrong_caller_scores_0_and_the_round_still_ends() -> None:
    match = begun(2)
    lay(match, 0, 7, wrong=True)
    lay(match, 1, 7)
    match.ask(0, Call())
    match.until()
    assert scores(match) == [0, 7]
    assert match.table.round == 2


def test_K17_the_round_ends_when_everyone_agrees_and_nobody_gets_10() -> None:
    match = begun()
    lay(match, 0, 7)
    match.ask(0, Stop())
    assert match.refused(0, Stop()) == "already_stopped"
    match.ask(1, Stop())
    match.ask(1, match.solution(1)[0])
    assert match.table.phase == "play"
    assert RoundClosed(1) in match.ask(2, Stop())
    assert scores(match) == [7, 1, 0]
    assert not any(seat.stop for seat in match.table.seats)


def test_K17_a_player_away_for_a_minute_counts_as_agreeing_until_they_are_back() -> None:
    match = begun()
    match.ask(1, GoAway(), after=1_000)
    match.ask(0, Stop(), after=1_000)
    assert match.table.until is None, "seat 2 is present and has not agreed"
    assert match.ask(2, Stop())[-1] == Due(Instant(61_000))
    match.ask(1, ComeBack(), after=1_000)
    assert match.table.until is None
    match.ask(1, GoAway(), after=1_000)
    assert RoundClosed(1) in match.until()
    assert match.now == 64_000


def test_K17_absent_players_agree_only_if_somebody_present_does() -> None:
    match = begun(2)
    match.ask(0, GoAway())
    match.ask(1, GoAway())
    match.wait(10**8)
    assert match.table.phase == "play"
    assert RoundClosed(1) in match.ask(0, Stop())


def test_K17_players_who_have_left_need_not_agree() -> None:
    match = begun()
    match.ask(0, Stop())
    match.ask(1, Stop())
    assert RoundClosed(1) in match.ask(2, Leave())


def test_K18_a_round_may_have_a_limit() -> None:
    match = begun(2, round_s=40)
    lay(match, 0, 7)
    assert match.table.until == 40_000
    assert RoundClosed(1) in match.until()
    assert scores(match) == [7, 0], "it ends as in K17"


def test_K18_a_call_just_before_the_limit_can_still_be_tied() -> None:
    match = begun(2, round_s=40)
    lay(match, 0, 7)
    lay(match, 1, 7)
    match.ask(0, Call(), after=39_999)
    match.ask(1, Call(), after=100)
    match.until()
    assert scores(match) == [10, 10]


@pytest.mark.parametrize(
    ("points", "standing"),
    [
        ([(5, 5, 5), (7, 4, 4), (5, 5, 4)], ((0, 1), (2,))),
        ([(10, 4), (7, 7), (10, 4)], ((0, 2), (1,))),
        ([(7, 7), (10, 4), (1, 1), (2, 0)], ((1,), (0,), (2, 3))),
        ([(20, 0), (10, 10)], ((1,), (0,))),
    ],
)
def test_K19_the_highest_sum_then_more_tens_then_they_share(points: list[tuple[int, ...]], standing: object) -> None:
    seats = tuple(Seat("x", points=one) for one in points)
    assert cards.standing(Table("cards", cards.OPTIONS(), seats)) == standing


def test_K19_after_round_6() -> None:
    match = Match("cards", 2)
    for number in match.rounds(6):
        lay(match, number % 2, 7)
        match.ask(number % 2, Call())
        match.until()
    closed = match.happened(MatchClosed)[0]
    assert (closed.totals, closed.standing) == ((30, 30), ((0, 1),))


def test_K20_a_single_card_scores_1_and_any_card_may_be_first() -> None:
    match = begun(2)
    match.ask(0, Place(8, 3, (-5, 40)))
    finish(match)
    assert scores(match) == [1, 0]


def test_T9_a_call_with_seven_ends_the_round_right_or_wrong() -> None:
    match = begun(2)
    lay(match, 1, 7, wrong=True)
    match.ask(1, Call())
    match.until()
    assert match.table.round == 2


def test_T10_auto_call_on_the_seventh_card_of_a_right_layout() -> None:
    match = begun(2, auto_call=True)
    *most, last = match.solution(0)
    for where in most:
        match.ask(0, where)
    match.ask(0, Place(last.piece, last.turn, FAR))
    assert match.happened(Called) == [], "seven, but wrong"
    match.ask(0, last)
    assert match.happened(Called) == [Called(SeatNo(0), Instant(0))]


def test_T11_a_player_who_has_left_gets_nothing_more() -> None:
    match = begun()
    lay(match, 2, 4)
    match.ask(2, Leave())
    finish(match)
    assert scores(match) == [0, 0, 0]
    match.begin()
    assert match.seat(2).task is None
    lay(match, 0, 7)
    match.ask(0, Call())
    match.until()
    assert match.seat(2).points == (0, 0)


def test_T11_a_player_left_alone_before_any_points_has_won() -> None:
    match = begun(2)
    match.ask(0, Leave())
    assert match.table.standing == ((1,), (0,))


def test_T12_only_its_owner_sees_a_hand() -> None:
    match = begun()
    lay(match, 0, 2)
    seen = veil(match.table, SeatNo(1)).seats[0].task
    assert seen is not None
    assert sum(name is not None for name in seen.pieces) == 2
    assert veil(match.table, None).seats[1].task is not None
    assert set(seen.pieces) - {None} == {match.pieces(0)[where.piece].name for where in match.seat(0).laid}


def test_T12_laid_cards_are_visible_to_all_even_if_the_others_leave_during_a_round() -> None:
    match = begun(2)
    lay(match, 0, 3)
    match.ask(1, Leave())
    assert match.table.phase == "over"
    for viewer in (None, SeatNo(1)):
        seen = veil(match.table, viewer).seats[0]
        assert seen.task is not None
        assert sum(name is not None for name in seen.task.pieces) == 3
        assert seen.laid == match.seat(0).laid


def test_T12_reveal_deal_shows_the_hand_to_its_owner_before_the_start() -> None:
    match = Match("cards", reveal="deal")
    assert veil(match.table, SeatNo(0)).seats[0].task is not None
    assert veil(match.table, SeatNo(0)).seats[1].task is None
    assert match.refused(0, Place(0, 0, (0, 0))) == "not_started"


def test_moves_of_other_games_are_refused() -> None:
    match = begun()
    assert match.refused(0, Grab(0)) == "no_such_die"
    edition = material.shipped("cards")
    assert isinstance(edition, CardsEdition)
    assert match.table.options.edition == edition.id


def test_every_hand_of_these_matches_can_be_laid() -> None:
    match = begun(4)
    for seat in range(4):
        task = match.seat(seat).task
        assert task is not None
        assert len(solution("cards", match.pieces(seat), task)) == 7
