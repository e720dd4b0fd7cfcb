"""3-D, rule by rule (docs/rules/cubes.md).

At least one test for every rule number, in their order.
"""

from collections import Counter
from typing import Any

import pytest

from tests.play import COLLECTION, Match, gems, moved
from ubongo import material
from ubongo.events import GemMoved, GlassTurned, MatchClosed, RoundClosed, Thrown
from ubongo.game import BadOptions
from ubongo.games import cubes, gem_race
from ubongo.games.cubes import GEMS
from ubongo.material.cubes import COPIES, NUMBERS, CubesEdition, task_of
from ubongo.moves import Call, GoAway, Leave, Place, Stop, Throw
from ubongo.table import Instant, Seat


def edition() -> CubesEdition:
    found = material.shipped("cubes")
    assert isinstance(found, CubesEdition)
    return found


def number_of(board: str) -> int:
    return int(board[1:]) - 1


def to_playoff(seats: int = 2, seed: str = "abc", **options: Any) -> Match:
    match = Match("cubes", seats, seed, hourglass_s=1, **options)
    for _ in match.rounds(9):
        match.sand()
    return match


def two_of_three(**options: Any) -> Match:
    """A play-off of two: the first two have won four rounds each, the third none."""
    match = Match("cubes", 3, hourglass_s=1, scoring="ladder", **options)
    for number in match.rounds(9):
        if number < 9:
            match.solve(number % 2)
        match.sand()
    return match


@pytest.mark.parametrize("side", [3, 4])
def test_Q1_the_side_says_how_many_pieces(side: int) -> None:
    match = Match("cubes", side=side)
    match.begin()
    assert [len(task.pieces) for seat in match.table.seats if (task := seat.task)] == [side, side]


@pytest.mark.parametrize("side", [3, 4])
def test_Q2_the_number_thrown_says_which_task(side: int) -> None:
    for seed in "abcdefgh":
        match = Match("cubes", seed=seed, side=side)
        match.begin()
        thrown = match.table.dice[0].face
        assert isinstance(thrown, int)
        for seat in match.table.seats:
            assert seat.task is not None
            area, task = task_of(edition().boards[number_of(seat.task.board)], side, thrown)
            assert seat.task.region == area.region
            assert seat.task.pieces == tuple(f"type-{kind}" for kind in task.kinds)
            assert str(thrown) in seat.task.number.split("|")


def test_Q3_a_piece_is_turned_in_space_and_not_mirrored() -> None:
    pieces = cubes.pieces(cubes.OPTIONS())
    assert len(pieces) == 16
    assert max(len(piece.shapes) for piece in pieces.values()) == 24


def test_Q4_all_take_their_pieces_from_the_same_forty() -> None:
    for seed in "abcdef":
        match = Match("cubes", 4, seed, side=4, hourglass_s=1)
        for _ in match.rounds(9):
            taken = Counter(name for seat in match.table.seats if seat.task for name in seat.task.pieces)
            assert all(number <= COPIES[int(str(name).split("-")[1]) - 1] for name, number in taken.items())
            assert all(seat.task and len(set(seat.task.pieces)) == 4 for seat in match.table.seats)
            match.sand()


def test_Q5_the_gems() -> None:
    assert gems(Match("cubes")) == GEMS == {"ruby": 10, "sapphire": 19, "emerald": 10, "amber": 19}


def test_Q6_the_easier_side_unless_chosen_otherwise() -> None:
    assert cubes.OPTIONS().side == 3


def test_Q6_boards_of_an_animal_lie_together_and_the_rest_stays_in_the_box() -> None:
    match = Match("cubes", 3, hourglass_s=1)
    played: list[set[str]] = []
    boards: list[str] = []
    for _ in match.rounds(9):
        tasks = [seat.task for seat in match.table.seats if seat.task]
        boards += [task.board for task in tasks]
        played.append({edition().boards[number_of(task.board)].animal for task in tasks})
        match.sand()
    assert all(len(animals) == 1 for animals in played)
    assert len(set.union(*played)) == 9
    assert len(set(boards)) == 27, "one board of each animal stays in the box"


def test_Q6_the_order_of_the_animals_is_random() -> None:
    assert len({cubes.animals(Match("cubes", seed=seed).virtual.chance) for seed in "abcdef"}) == 6


@pytest.mark.parametrize(("side", "letter"), [(3, "A"), (4, "B")])
def test_Q6a_everyone_plays_the_side_agreed_on(side: int, letter: str) -> None:
    match = Match("cubes", 4, side=side)
    match.begin()
    assert {seat.task.board[0] for seat in match.table.seats if seat.task} == {letter}


def test_Q7_nine_sapphires_and_nine_ambers_in_the_display_and_40_gems_in_the_bag() -> None:
    table = Match("cubes").table
    assert table.display == ("sapphire",) * 9 + ("amber",) * 9
    assert Counter(table.bag) == {"ruby": 10, "sapphire": 10, "emerald": 10, "amber": 10}


def test_Q8_the_roller_throws_and_then_the_next_clockwise() -> None:
    match = Match("cubes", 3, hourglass_s=1, first_seat=1)
    rollers = []
    for _ in range(5):
        assert match.table.phase == "throw"
        assert match.table.roller is not None
        rollers.append(match.table.roller)
        other = (match.table.roller + 1) % 3
        assert match.refused(other, Throw()) == "not_roller"
        assert match.seat(0).task is None, "no task before the throw"
        match.begin()
        assert match.refused(match.table.roller, Throw()) == "not_now"
        match.sand()
    assert rollers == [1, 2, 0, 1, 2]


def test_Q8_every_number_can_be_thrown() -> None:
    thrown = set()
    for seed in "abcdefgh":
        match = to_playoff(seed=seed)
        thrown |= {event.values[0] for event in match.happened(Thrown)}
    assert thrown == set(range(1, 11))


def test_Q9_ninety_seconds_unless_chosen_otherwise() -> None:
    match = Match("cubes")
    match.begin()
    assert match.happened(GlassTurned) == [GlassTurned(1, Instant(90_000))]


def test_Q10_every_cell_of_both_levels_is_filled() -> None:
    match = Match("cubes", auto_call=False)
    match.begin()
    for where in match.solution(0):
        assert match.refused(0, Call()) == "not_filled"
        match.ask(0, where)
    task = match.seat(0).task
    assert task is not None
    assert task.region is not None
    assert {cell[2] for cell in task.region} == {0, 1}
    match.ask(0, Call())
    assert match.seat(0).called == 0


def test_Q10_nothing_on_a_third_level_or_beside_the_area() -> None:
    match = Match("cubes")
    match.begin()
    first = match.solution(0)[0]
    x, y, z = first.at
    assert match.refused(0, Place(first.piece, first.turn, (x, y, z + 2))) == "outside"
    assert match.refused(0, Place(first.piece, first.turn, (x + 9, y, z))) == "outside"
    assert match.refused(0, Place(first.piece, first.turn, (x, y))) == "no_such_cell"


@pytest.mark.parametrize("backwards", [False, True])
def test_Q10a_nothing_falls_so_any_order_will_do(backwards: bool) -> None:
    match = Match("cubes", side=4)
    match.begin()
    way = sorted(match.solution(0), key=lambda where: where.at[2], reverse=backwards)
    for where in way:
        match.ask(0, where)
    assert match.seat(0).called == 0


def test_Q11_the_others_go_on_until_the_sand_has_run_out() -> None:
    match = Match("cubes", 3)
    match.begin()
    match.solve(0, after=1000)
    match.solve(2, after=80_000)
    assert match.table.phase == "play"
    match.until()
    assert match.now == 90_000
    assert match.table.round == 2


def test_Q12_the_rewards_by_order() -> None:
    match = Match("cubes", 4)
    match.begin()
    took = [moved(match.solve(seat)) for seat in (3, 1, 0)]
    assert took == [[("display", 3), ("bag", 3)], [("display", 1), ("bag", 1)], [("bag", 0)]]
    assert "sapphire" in match.seat(3).gems
    assert "amber" in match.seat(1).gems


def test_Q13_second_chance_gives_the_usual_rewards_and_the_others_go_on() -> None:
    match = Match("cubes", 3)
    match.begin()
    assert match.until() == [GlassTurned(2, Instant(180_000))]
    assert moved(match.solve(1, after=5)) == [("display", 1), ("bag", 1)], "unlike Extreme (X12)"
    assert match.table.phase == "play"
    assert moved(match.solve(0, after=5)) == [("display", 0), ("bag", 0)]
    assert RoundClosed(1) in match.until()
    assert match.now == 180_000


def test_Q13_if_nobody_finishes_in_the_second_chance_the_round_ends() -> None:
    match = Match("cubes", 3)
    match.begin()
    match.until()
    happened = match.until()
    assert moved(happened) == [("display", "bag"), ("display", "bag")]
    assert RoundClosed(1) in happened


@pytest.mark.parametrize(("solvers", "cleared"), [([0, 1], []), ([1], ["amber"]), ([], ["sapphire", "amber"])])
@pytest.mark.parametrize("second", [False, True])
def test_Q14_the_display_holds_one_pair_fewer_after_each_round(
    solvers: list[int], cleared: list[str], second: bool
) -> None:
    match = Match("cubes", 3)
    match.begin()
    if second:
        match.until()
    for seat in solvers:
        match.solve(seat)
    match.sand()
    assert [event.gem for event in match.happened(GemMoved) if event.target == "bag"] == cleared
    assert Counter(match.table.display) == {"sapphire": 8, "amber": 8}


def test_Q15_boards_played_do_not_come_back() -> None:
    match = Match("cubes", 4, hourglass_s=1)
    boards: list[str] = []
    for _ in match.rounds(9):
        boards += [seat.task.board for seat in match.table.seats if seat.task]
        match.sand()
    assert len(set(boards)) == 36


def test_Q16_the_round_ends_as_soon_as_everyone_has_called() -> None:
    match = Match("cubes", 3)
    match.begin()
    happened = [match.solve(seat) for seat in range(3)]
    assert RoundClosed(1) in happened[-1]
    assert match.now == 0


def test_Q17_after_nine_rounds_the_highest_value_wins() -> None:
    match = Match("cubes", 2, hourglass_s=1)
    for _ in match.rounds(9):
        match.solve(1)
        match.sand()
    closed = match.happened(MatchClosed)[0]
    assert closed.standing == ((1,), (0,))
    assert closed.totals[0] == 0
    assert match.table.round == 9


def test_Q17_the_example() -> None:
    assert gem_race.worth(Seat("Ann", gems=COLLECTION)) == 16


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("die", ["on", "off"])
def test_Q18_playoff_boards_of_one_animal_and_another_task_than_it_was_played_with(seats: int, die: str) -> None:
    for seed in "abcd":
        match = Match("cubes", seats, seed, hourglass_s=1, die=die)
        played: dict[str, str] = {}
        boards: set[str] = set()
        for _ in match.rounds(9):
            task = match.seat(0).task
            assert task is not None
            played[edition().boards[number_of(task.board)].animal] = task.number
            boards |= {seat.task.board for seat in match.table.seats if seat.task}
            match.sand()
        assert (match.table.playoff, match.table.phase) == (True, "throw"), "also without the die"
        match.begin()
        tasks = [seat.task for seat in match.table.seats if seat.task]
        assert match.table.glass is None
        [animal] = {edition().boards[number_of(task.board)].animal for task in tasks}
        assert len({task.board for task in tasks}) == seats
        [number] = {task.number for task in tasks}
        assert number != played[animal]
        if seats == 2:
            assert boards.isdisjoint(task.board for task in tasks), "of those in the box"
        match.wait(10_000_000)
        match.solve(1)
        assert match.happened(MatchClosed)[0].standing[0] == (1,)


def test_Q18_the_die_is_thrown_again_until_the_task_is_a_new_one() -> None:
    throws = []
    for seed in range(40):
        match = to_playoff(seed=str(seed), die="off")
        match.begin()
        thrown = [event.values[0] for event in match.happened(Thrown)]
        assert thrown[-1] not in NUMBERS[3][1]
        assert set(thrown[:-1]) <= set(NUMBERS[3][1])
        throws.append(len(thrown))
    assert max(throws) > 1


def test_Q18_the_next_player_of_the_playoff_in_throwing_order_throws() -> None:
    match = to_playoff(3)
    assert match.table.roller == 0, "seat 2 threw in round 9"
    match = to_playoff(3, first_seat=2, die="off")
    assert match.table.roller == 2, "nobody has thrown before"
    match = two_of_three(first_seat=2)
    assert match.table.among == (0, 1)
    assert match.table.roller == 0, "seat 1 threw in round 9, and seat 2 is not in it"


def test_Q18_agreed_end_shares_the_first_place() -> None:
    match = to_playoff(2)
    match.begin()
    match.ask(0, Stop())
    match.ask(1, Stop())
    assert match.happened(MatchClosed)[0].standing == ((0, 1),)


def test_Q18_the_end_can_be_agreed_before_the_throw() -> None:
    match = to_playoff(3)
    match.ask(2, Leave())
    assert match.table.phase == "throw"
    match.ask(0, Stop())
    assert match.refused(0, Stop()) == "already_stopped"
    match.ask(1, Stop())
    assert match.happened(MatchClosed)[0].standing == ((0, 1), (2,))


def test_Q18_a_player_away_before_the_throw_agrees_after_a_minute() -> None:
    match = to_playoff(2, ready_s=0)
    match.ask(1, GoAway())
    match.ask(0, Stop())
    assert match.table.phase == "throw"
    assert isinstance(match.until()[-1], MatchClosed)
    assert match.table.standing == ((0, 1),)


def test_Q18_players_outside_the_playoff_cannot_end_it() -> None:
    match = two_of_three()
    assert (match.table.phase, match.table.among) == ("throw", (0, 1))
    assert match.refused(2, Stop()) == "not_in_playoff"


@pytest.mark.parametrize("thrown", [False, True])
def test_Q18_a_player_who_leaves_the_playoff_comes_last_before_the_throw_and_after(thrown: bool) -> None:
    match = to_playoff(4)
    if thrown:
        match.begin()
    match.ask(3, Leave())
    match.begin()
    match.solve(1)
    assert match.happened(MatchClosed)[0].standing == ((1,), (0, 2), (3,)), "places as in X15 and T11"


def test_Q18_the_roller_leaves_and_the_one_left_wins() -> None:
    match = to_playoff(3)
    match.ask(1, Leave())
    assert match.table.phase == "throw"
    match.ask(0, Leave())
    assert match.happened(MatchClosed)[0].standing[0] == (2,)


def test_Q19_gems_are_never_created_or_lost() -> None:
    for scoring in ("gems", "ladder"):
        match = Match("cubes", 4, hourglass_s=1, scoring=scoring)
        for number in match.rounds(9):
            for seat in range(number % 5):
                match.solve(seat)
                assert gems(match) == GEMS
            match.sand()
            assert gems(match) == GEMS


@pytest.mark.parametrize("second", [False, True])
def test_Q20_ladder_a_ruby_a_sapphire_an_emerald_an_amber_without_draws(second: bool) -> None:
    match = Match("cubes", 4, scoring="ladder")
    assert match.table.display == ()
    assert len(match.table.bag) == 58
    match.begin()
    if second:
        match.until()
    for seat in (2, 0, 1, 3):
        match.solve(seat)
    assert [match.seat(seat).gems for seat in (2, 0, 1, 3)] == [("ruby",), ("sapphire",), ("emerald",), ("amber",)]
    assert match.table.round == 2


def test_Q20_ladder_there_are_enough_gems() -> None:
    match = Match("cubes", 4, scoring="ladder")
    for _ in match.rounds(9):
        for seat in range(4):
            match.solve(seat)
    assert match.happened(MatchClosed)[0].totals == (36, 27, 18, 9)


def test_Q21_without_the_die_everyone_plays_task_3_4_in_every_round() -> None:
    match = Match("cubes", 2, die="off", hourglass_s=1)
    for _ in range(9):
        assert (match.table.phase, match.table.roller) == ("ready", None)
        assert match.refused(0, Throw()) == "not_now"
        match.begin()
        assert {seat.task.number for seat in match.table.seats if seat.task} == {"3|4"}
        match.sand()


def test_Q21_with_the_harder_side_it_is_refused() -> None:
    with pytest.raises(BadOptions, match="side 3 only"):
        Match("cubes", die="off", side=4)


def test_Q25_a_board_shows_its_number_and_solutions_are_not_on_the_table() -> None:
    match = Match("cubes")
    match.begin()
    task = match.seat(0).task
    assert task is not None
    assert task.board[0] == "A"
    assert 1 <= int(task.board[1:]) <= 36
    assert not hasattr(task, "solution")
