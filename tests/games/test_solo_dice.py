"""Dice alone, rule by rule (S2, docs/rules/solo.md)."""

from typing import Any

import pytest

from tests.games.alone import enter_what_fits, fill, task_of
from tests.play import Match
from ubongo.events import (
    Grabbed,
    MatchClosed,
    RoundClosed,
    Scored,
    Thrown,
)
from ubongo.game import BadOptions
from ubongo.moves import Call, Grab, Lift, Pass, Place, Ready, SetAside, Stop, Throw
from ubongo.table import Millis, SeatNo


def test_S2_a_solo_player_has_all_dice_and_takes_one_of_each_colour() -> None:
    match = Match("solo", 1, of="dice", mode="count")
    assert (match.table.phase, match.table.roller, match.table.area) == ("throw", 0, 1)
    assert task_of(match).number == "1"
    assert match.refused(0, SetAside()) == "not_started"
    match.ask(0, Throw(), after=400)
    assert [die.colour for die in match.table.dice] == ["black"] * 4 + ["white"] * 4
    assert match.refused(0, Pass()) == "not_now"
    assert match.ask(0, Grab(2)) == [Grabbed(SeatNo(0), 2)]
    assert match.refused(0, Grab(1)) == "colour_taken"
    match.ask(0, Grab(5))
    assert match.table.phase == "enter"
    assert match.table.until is None, "there is no time limit"
    assert task_of(match).pieces == (match.table.dice[2].face, match.table.dice[5].face)
    match.ask(0, Pass())
    assert (match.table.round, match.table.area, match.table.phase) == (2, 1, "throw")
    assert match.refused(0, Stop()) == "not_here"
    assert match.refused(0, Ready()) == "not_here"
    assert match.refused(0, Call()) == "not_here"


def test_S2_entered_shapes_are_permanent() -> None:
    match = Match("solo", 1, of="dice")
    while not match.seat(0).laid:
        enter_what_fits(match)
    match.ask(0, Throw())
    match.ask(0, Grab(0))
    match.ask(0, Grab(4))
    laid = match.seat(0).laid[0]
    assert match.refused(0, Lift(laid.piece)) == "ink"
    assert match.refused(0, Place(laid.piece, laid.turn, laid.at)) == "ink"
    piece = len(task_of(match).pieces) - 1
    assert match.refused(0, Place(piece, 0, (50, 50))) == "outside"


def test_S2_a_sheet_in_as_few_rounds_as_possible() -> None:
    match = Match("solo", 1, of="dice", mode="count", tasks=6)
    match.ask(0, Throw(), after=5_000)
    areas = []
    while match.table.phase != "over":
        areas.append(task_of(match))
        match.wait(1_000)
        fill(match)
    assert [task.number for task in areas] == list("123456")
    assert len({task.board for task in areas}) == 1, "one sheet"
    closed = match.happened(MatchClosed)[0]
    assert closed.totals == (6,)
    assert match.table.round == len(match.happened(RoundClosed)) == len(match.happened(Thrown))
    assert closed.took == match.now - 5_000


def test_S2_an_area_set_aside_costs_its_rounds_and_is_replaced_by_one_of_the_same_number() -> None:
    match = Match("solo", 1, of="dice", mode="count")
    enter_what_fits(match)
    enter_what_fits(match)
    before = task_of(match)
    happened = match.ask(0, SetAside())
    assert happened[:2] == [Scored(SeatNo(0), 0), RoundClosed(3)]
    after = task_of(match)
    assert (before.number, after.number) == ("1", "1")
    assert before.board != after.board
    assert (match.table.round, match.table.area, match.seat(0).laid) == (4, 2, ())
    fill(match)
    assert task_of(match).number == "2"
    assert task_of(match).board == after.board
    assert match.seat(0).points == (0, 1)


@pytest.mark.parametrize("moves", [(), (Throw(),), (Throw(), Grab(0), Grab(4))])
def test_S2_against_the_clock_it_ends_in_any_phase(moves: tuple[Any, ...]) -> None:
    match = Match("solo", 1, of="dice", minutes=5)
    enter_what_fits(match)
    for move in moves:
        match.ask(0, move)
    assert match.table.until == 300_000
    assert match.until()[-1] == MatchClosed(((SeatNo(0),),), (0,), "abc", Millis(300_000))


def test_S2_only_the_first_throw_happens_by_itself() -> None:
    match = Match("solo", 1, of="dice", mode="count")
    assert isinstance(match.until()[1], Thrown)
    assert match.now == 30_000
    match.ask(0, Grab(0))
    match.ask(0, Grab(4))
    match.ask(0, Pass())
    assert match.table.until is None
    assert match.wait(3_600_000) == []


def test_S2_six_areas_are_a_sheet_of_dice_only() -> None:
    with pytest.raises(BadOptions, match="six areas in dice only"):
        Match("solo", 1, of="cards", mode="count", tasks=6)
