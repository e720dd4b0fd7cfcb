"""Extreme, rule by rule (docs/rules/extreme.md).

At least one test for every rule number, in their order.
"""

from collections import Counter
from typing import Any

import pytest

from tests.play import COLLECTION, Match, gems, moved
from ubongo import material
from ubongo.events import Called, GemMoved, GlassTurned, MatchClosed, RoundClosed, RoundOpened, Started
from ubongo.game import BadOptions
from ubongo.games import extreme, gem_race
from ubongo.games.extreme import GEMS
from ubongo.material.extreme import COLOURS, ExtremeEdition, name_of
from ubongo.moves import Call, Leave, Lift, Place, Ready, Stop
from ubongo.table import GEMS as KINDS
from ubongo.table import Instant, Seat, SeatNo, Table
from ubongo.veil import veil


def to_playoff(seats: int = 2, left: tuple[int, ...] = (), seed: str = "abc", **options: Any) -> Match:
    """Nobody finishes a task in nine rounds, so all players are tied with nothing."""
    match = Match("extreme", seats, seed, hourglass_s=1, **options)
    for seat in left:
        match.ask(seat, Leave())
    for _ in match.rounds(9):
        match.sand()
    return match


def test_X1_the_chip_selects_the_task_on_the_board_by_its_colour() -> None:
    edition = material.shipped("extreme")
    assert isinstance(edition, ExtremeEdition)
    match = Match("extreme", 4, side=4)
    match.begin()
    for seat in match.table.seats:
        assert seat.task is not None
        colour = str(seat.task.pieces[0]).split("-")[0]
        side = edition.boards[int(seat.task.board) - 1].four
        slot = [*map(str, COLOURS)].index(colour)
        assert seat.task.pieces == tuple(name_of(COLOURS[slot], number) for number in side.tasks[slot].numbers)
        assert seat.task.region == side.region


def test_X2_both_faces_of_a_piece_may_be_used_and_each_once() -> None:
    pieces = extreme.pieces(extreme.OPTIONS())
    assert len(pieces) == 52
    assert len(pieces["yellow-9"].shapes) == 12, "six turns of each face"


def test_X3_the_gems() -> None:
    match = Match("extreme")
    assert gems(match) == GEMS == {"ruby": 9, "sapphire": 18, "emerald": 9, "amber": 18}
    assert gem_race.VALUE == {"ruby": 4, "sapphire": 3, "emerald": 2, "amber": 1}


@pytest.mark.parametrize("side", [3, 4])
def test_X4_the_side_says_how_many_pieces(side: int) -> None:
    match = Match("extreme", side=side)
    assert [len(task.pieces) for seat in match.table.seats if (task := seat.task)] == [side, side]


def test_X4_three_pieces_unless_chosen_otherwise() -> None:
    assert extreme.OPTIONS().side == 3


def test_X4_the_stack_is_shuffled_by_the_seed() -> None:
    boards = {
        tuple(seat.task.board for seat in Match("extreme", 4, seed).table.seats if seat.task) for seed in "abcdef"
    }
    assert len(boards) == 6


def test_X5_nine_sapphires_and_nine_ambers_in_the_display_and_36_gems_in_the_bag() -> None:
    table = Match("extreme").table
    assert table.display == ("sapphire",) * 9 + ("amber",) * 9
    assert Counter(table.bag) == {"ruby": 9, "sapphire": 9, "emerald": 9, "amber": 9}


def test_X6_nine_rounds_with_different_boards_and_different_chips() -> None:
    match = Match("extreme", 3, hourglass_s=1)
    boards, colours = [], []
    for _ in match.rounds(9):
        tasks = [seat.task for seat in match.table.seats if seat.task]
        boards += [task.board for task in tasks]
        colours.append([str(task.pieces[0]).split("-")[0] for task in tasks])
        match.sand()
    assert len(set(boards)) == 27, "boards do not come back (X13)"
    assert all(len(set(chips)) == 3 for chips in colours)
    assert {chip for chips in colours for chip in chips} == set(COLOURS), "all four colours occur"


def test_X6_the_boards_are_taken_in_turn_from_seat_0() -> None:
    match = Match("extreme", 4)
    top = [str(number + 1) for number in extreme.stack(match.virtual.chance)[:4]]
    assert [seat.task.board for seat in match.table.seats if seat.task] == top


def test_X7_the_glass_is_turned_when_everyone_is_ready() -> None:
    match = Match("extreme")
    match.ask(0, Ready(), after=100)
    assert match.table.phase == "ready"
    assert match.ask(1, Ready(), after=100)[1:] == [Started(Instant(200)), GlassTurned(1, Instant(60_200))]
    assert match.table.until == 60_200


@pytest.mark.parametrize("seconds", [1, 45])
def test_X7_the_glass_runs_as_long_as_the_option_says(seconds: int) -> None:
    match = Match("extreme", hourglass_s=seconds)
    match.begin()
    assert match.table.glass is not None
    assert match.table.glass.ends == seconds * 1000


def test_X8_the_area_is_filled_exactly_with_all_pieces() -> None:
    match = Match("extreme", auto_call=False)
    match.begin()
    *most, last = match.solution(0)
    for where in most:
        match.ask(0, where)
        assert match.refused(0, Call()) == "not_filled"
    match.ask(0, last)
    assert match.ask(0, Call())[0] == Called(SeatNo(0), Instant(0))


def test_X8a_a_piece_is_laid_with_either_face_up() -> None:
    match = Match("extreme", 4, side=4)
    match.begin()
    turns = {where.turn // 6 for seat in range(4) for where in match.solution(seat)}
    assert turns == {0, 1}, "turns from 6 on belong to the other face if all twelve differ"


def test_X9_the_rewards_by_order() -> None:
    match = Match("extreme", 4)
    match.begin()
    took = [moved(match.solve(seat, after=10)) for seat in (2, 0, 3)]
    assert took == [
        [("display", 2), ("bag", 2)],
        [("display", 0), ("bag", 0)],
        [("bag", 3)],
    ]
    assert "sapphire" in match.seat(2).gems
    assert "amber" in match.seat(0).gems
    assert moved(match.solve(1)) == [("bag", 1)]


def test_X9_the_second_of_two_calls_at_one_moment_is_second() -> None:
    match = Match("extreme", 3)
    match.begin()
    assert moved(match.solve(1)) == [("display", 1), ("bag", 1)]
    assert next(event.gem for event in match.solve(0) if isinstance(event, GemMoved)) == "amber"


def test_X9_draws_are_random_over_the_bag() -> None:
    drawn = Counter[str]()
    for seed in range(60):
        match = Match("extreme", seed=str(seed))
        match.begin()
        drawn[[event.gem for event in match.solve(0) if isinstance(event, GemMoved)][1]] += 1
    assert set(drawn) == set(KINDS)
    assert max(drawn.values()) < 30, "a quarter of the bag each"


def test_X10_the_round_ends_when_the_sand_has_run_out() -> None:
    match = Match("extreme")
    match.begin()
    match.solve(0)
    assert match.table.round == 1
    happened = match.until()
    assert match.now == 60_000
    assert [event for event in happened if isinstance(event, RoundClosed)] == [RoundClosed(1)]


def test_X10_the_round_ends_as_soon_as_everyone_has_called() -> None:
    match = Match("extreme", 3)
    match.begin()
    happened = [match.solve(seat) for seat in range(3)]
    assert RoundClosed(1) in happened[-1]
    assert match.now == 0


@pytest.mark.parametrize(
    ("solvers", "into_the_bag"),
    [
        ([0, 1, 2], []),
        ([1, 2], []),
        ([2], ["amber"]),
        ([], ["sapphire", "amber"]),
    ],
)
def test_X11_the_display_holds_one_pair_fewer_after_each_round(solvers: list[int], into_the_bag: list[str]) -> None:
    match = Match("extreme", 3)
    match.begin()
    for seat in solvers:
        match.solve(seat)
    events = match.sand()
    cleared = [event.gem for event in match.happened(GemMoved) if event.target == "bag"]
    assert cleared == into_the_bag
    assert Counter(match.table.display) == {"sapphire": 8, "amber": 8}
    if cleared:
        closed = events.index(RoundClosed(1))
        assert [type(event) for event in events[closed - len(cleared) : closed]] == [GemMoved] * len(cleared)


def test_X12_second_chance_the_glass_is_turned_once_more_and_all_go_on() -> None:
    match = Match("extreme", 3)
    match.begin()
    first = match.solution(1)[0]
    match.ask(1, first)
    assert match.until() == [GlassTurned(2, Instant(120_000))]
    assert [where.piece for where in match.seat(1).laid] == [first.piece]


def test_X12_second_chance_first_to_finish_draws_one_gem_and_the_round_ends() -> None:
    match = Match("extreme", 3)
    match.begin()
    match.until()
    happened = match.solve(1, after=5_000)
    after_the_call = happened[happened.index(Called(SeatNo(1), Instant(65_000))) + 1 :]
    assert moved(after_the_call) == [("bag", 1), ("display", "bag"), ("display", "bag")]
    assert RoundClosed(1) in after_the_call
    assert match.now == 65_000
    assert len(match.seat(1).gems) == 1


def test_X12_if_nobody_finishes_in_the_second_chance_one_pair_goes() -> None:
    match = Match("extreme", 3)
    match.begin()
    match.until()
    happened = match.until()
    assert match.now == 120_000
    assert moved(happened) == [("display", "bag"), ("display", "bag")]
    assert RoundClosed(1) in happened
    assert all(seat.gems == () for seat in match.table.seats)


def test_X13_boards_and_pieces_are_removed_after_the_round() -> None:
    match = Match("extreme", 2, hourglass_s=1)
    match.begin()
    before = [seat.task for seat in match.table.seats]
    match.ask(0, match.solution(0)[0])
    match.sand()
    assert [seat.task for seat in match.table.seats] != before
    assert all(seat.laid == () and seat.called is None for seat in match.table.seats)


def test_X14_the_highest_value_wins_and_the_display_is_empty() -> None:
    match = Match("extreme", 3, hourglass_s=1)
    for _ in match.rounds(9):
        match.solve(2)
        match.solve(0)
        match.sand()
    closed = match.happened(MatchClosed)[0]
    assert match.table.display == ()
    assert closed.totals == tuple(sum(gem_race.VALUE[gem] for gem in seat.gems) for seat in match.table.seats)
    assert closed.totals[1] == 0
    assert [closed.totals[seat] for place in closed.standing for seat in place] == sorted(closed.totals, reverse=True)
    assert match.table.phase == "over"


def test_X15_playoff_of_those_with_the_highest_total() -> None:
    match = to_playoff(3)
    assert match.table.playoff
    assert match.table.round == 10
    match.begin()
    assert (match.table.phase, match.table.glass, match.table.until) == ("play", None, None), "no hourglass"
    match.wait(10_000_000)
    match.solve(2)
    assert match.happened(MatchClosed)[0].standing == ((2,), (0, 1)), "the others of the play-off share second place"
    assert all(seat.gems == () for seat in match.table.seats), "no gems"


def test_X15_everybody_sees_who_is_in_the_playoff_before_its_boards_are_shown() -> None:
    match = next(match for seed in range(200) if (match := tied(str(seed))) is not None)
    assert match.table.phase == "ready"
    among = tuple(number for number, seat in enumerate(match.table.seats) if seat.task is not None)
    for viewer in (None, SeatNo(0), SeatNo(1), SeatNo(2)):
        view = veil(match.table, viewer)
        assert view.among == among
        assert len(among) == 2
        assert all(seat.task is None for seat in view.seats)


def test_X15_a_player_outside_the_playoff_has_no_task_and_ranks_below_it() -> None:
    match = next(match for seed in range(200) if (match := tied(str(seed))) is not None)
    match.begin()
    outside = [number for number, seat in enumerate(match.table.seats) if seat.task is None]
    assert len(outside) == 1
    assert match.refused(outside[0], Call()) == "not_in_playoff"
    assert match.refused(outside[0], Stop()) == "not_in_playoff"
    playing = [number for number in range(3) if number not in outside]
    match.solve(playing[1])
    assert match.happened(MatchClosed)[0].standing == ((playing[1],), (playing[0],), tuple(outside))


def tied(seed: str) -> Match | None:
    """A match with two of three players tied after nine rounds, if this seed leads to one."""
    match = Match("extreme", 3, seed, hourglass_s=1)
    for number in match.rounds(9):
        match.solve(number % 2)
        match.solve((number + 1) % 2)
        match.sand()
    return match if match.table.playoff else None


def test_X15_the_playoff_has_boards_from_the_stack_and_different_chips() -> None:
    match = to_playoff(4, seed="stack")
    tasks = [seat.task for seat in match.table.seats if seat.task]
    assert [int(task.board) - 1 for task in tasks] == list(extreme.stack(match.virtual.chance)[36:40])
    assert len({str(task.pieces[0]).split("-")[0] for task in tasks}) == 4


def test_X15_all_in_the_playoff_agree_to_stop_and_share_the_first_place() -> None:
    match = to_playoff(2)
    match.begin()
    match.ask(0, Stop())
    assert match.refused(0, Stop()) == "already_stopped"
    assert match.table.phase == "play"
    match.ask(1, Stop())
    assert match.happened(MatchClosed)[0].standing == ((0, 1),)


def test_X15_all_but_one_leave_the_playoff_and_that_one_wins() -> None:
    match = to_playoff(3)
    match.begin()
    match.ask(0, Leave())
    assert match.table.phase == "play"
    match.ask(2, Leave())
    assert match.happened(MatchClosed)[0].standing == ((1,), (0, 2))


def test_X15_all_but_one_leave_before_it_starts() -> None:
    match = to_playoff(3)
    match.ask(0, Leave())
    match.ask(1, Leave())
    assert match.happened(MatchClosed)[0].standing[0] == (2,)


def test_X15_one_of_two_leaves_before_it_starts_while_others_watch() -> None:
    match = next(match for seed in range(200) if (match := tied(str(seed))) is not None)
    watching = next(number for number, seat in enumerate(match.table.seats) if seat.task is None)
    leaver, winner = (number for number in range(3) if number != watching)
    assert match.refused(watching, Ready()) == "not_in_playoff"
    match.ask(leaver, Leave())
    assert match.happened(MatchClosed)[0].standing == ((winner,), (watching,), (leaver,)), "T11"


def test_X15_one_of_two_leaves_during_the_playoff_while_others_watch() -> None:
    match = next(match for seed in range(200) if (match := tied(str(seed))) is not None)
    match.begin()
    leaver, winner = (number for number, seat in enumerate(match.table.seats) if seat.task is not None)
    match.ask(leaver, Leave())
    standing = match.happened(MatchClosed)[0].standing
    assert (standing[0], standing[-1]) == ((winner,), (leaver,)), "T11"


def test_X15_the_end_can_be_agreed_before_the_playoff_starts() -> None:
    match = to_playoff(2)
    assert match.table.phase == "ready"
    match.ask(0, Stop())
    match.ask(1, Stop())
    assert match.happened(MatchClosed)[0].standing == ((0, 1),)


def test_X15_only_a_playoff_can_be_agreed_to_end() -> None:
    match = Match("extreme")
    assert match.refused(0, Stop()) == "not_now"
    match.begin()
    assert match.refused(0, Stop()) == "not_now"


def test_X15_a_player_who_has_left_is_not_in_the_playoff() -> None:
    match = to_playoff(3, left=(1,))
    assert [seat.task is not None for seat in match.table.seats] == [True, False, True]
    match.begin()
    match.solve(0)
    assert match.happened(MatchClosed)[0].standing == ((0,), (2,), (1,))


def test_X16_gems_are_never_created_or_lost() -> None:
    match = Match("extreme", 4, hourglass_s=1)
    for number in match.rounds(9):
        for seat in range(number % 5):
            match.solve(seat)
            assert gems(match) == GEMS
        match.sand()
        assert gems(match) == GEMS


def test_X14_a_gem_collection_counts_as_in_the_example() -> None:
    assert gem_race.worth(Seat("Ann", gems=COLLECTION)) == 16


def test_places_below_the_playoff_are_shared_by_equal_points() -> None:
    seats = (Seat("A", gems=("ruby",)), Seat("B", gems=("amber",)), Seat("C", gems=("amber",)), Seat("D"))
    assert gem_race.standing(Table("extreme", extreme.OPTIONS(), seats)) == ((0,), (1, 2), (3,))


def test_a_laid_piece_can_be_lifted_and_impossible_moves_are_refused() -> None:
    match = Match("extreme")
    assert match.refused(0, Place(0, 0, (0, 0))) == "nothing_to_lay"
    match.begin()
    first = match.solution(0)[0]
    match.ask(0, first)
    assert match.refused(0, Lift((first.piece + 1) % 3)) == "not_laid"
    match.ask(0, Lift(first.piece))
    assert match.seat(0).laid == ()


def test_an_edition_of_another_game_or_unknown_is_an_error() -> None:
    with pytest.raises(BadOptions, match="edition is 'nix'"):
        Match("extreme", edition="nix")


def test_the_rounds_open_one_after_the_other() -> None:
    match = Match("extreme", hourglass_s=1)
    for _ in match.rounds(3):
        match.sand()
    assert [event.round for event in match.happened(RoundOpened)] == [2, 3, 4]
