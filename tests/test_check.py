"""A broken edition for each property that a check of Extreme and of 3-D proves: the check must find and name it."""

from collections.abc import Callable
from functools import lru_cache
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from ubongo.material import Edition, shipped
from ubongo.material.cubes import CubesEdition
from ubongo.material.extreme import ExtremeEdition
from ubongo.workshop import check_tasks, press
from ubongo.workshop.crew import Crew
from ubongo.workshop.grade import grade

Breaking = Callable[[Any], None]


def broken(edition: Edition, breaking: Breaking) -> Edition:
    """The edition, converted to lists and dicts, changed, and converted back."""
    plain = msgspec.json.decode(msgspec.json.encode(edition))
    breaking(plain)
    return msgspec.convert(plain, type(edition))


@lru_cache(None)
def once(printed: check_tasks.Printed) -> tuple[str, ...]:
    return tuple(PROVED(printed))


PROVED = check_tasks._faults


@pytest.fixture(autouse=True)
def every_task_is_proved_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """A broken edition differs in a few tasks; the others need not be proved again."""
    monkeypatch.setattr(check_tasks, "_faults", once)


def faults(edition: Edition) -> list[str]:
    return press.check(edition, 1, Crew()).failed


def areas(plain: Any, side: str) -> list[Any]:
    return [board[side][half] for board in plain["boards"] for half in ("upper", "lower")]


# --- Extreme


def other_numbers(plain: Any) -> None:
    plain["boards"][0]["three"]["tasks"][0]["numbers"] = [1, 2, 3]


def number_twice(plain: Any) -> None:
    plain["boards"][0]["three"]["tasks"][0]["numbers"][1] = plain["boards"][0]["three"]["tasks"][0]["numbers"][0]


def number_fourteen(plain: Any) -> None:
    plain["boards"][0]["three"]["tasks"][0]["numbers"][0] = 14


def solution_moved(plain: Any) -> None:
    plain["boards"][4]["four"]["tasks"][2]["solution"][0][1][0] += 1


def solution_short(plain: Any) -> None:
    plain["boards"][4]["four"]["tasks"][2]["solution"].pop()


def turn_that_is_none(plain: Any) -> None:
    plain["boards"][4]["four"]["tasks"][2]["solution"][0][0] = 99


def easier_than_it_is(plain: Any) -> None:
    plain["boards"][7]["three"]["tasks"][3]["difficulty"] -= 0.125


def other_grade(plain: Any) -> None:
    plain["boards"][7]["four"]["tasks"][3]["grade"] = 1


def same_area(plain: Any) -> None:
    plain["boards"][1]["three"] = plain["boards"][0]["three"]


def unsorted_area(plain: Any) -> None:
    plain["boards"][2]["four"]["region"].reverse()


def same_numbers(plain: Any) -> None:
    tasks = plain["boards"][3]["three"]["tasks"]
    tasks[1]["numbers"] = tasks[0]["numbers"]


def colour_too_hard(plain: Any) -> None:
    plain["boards"][3]["three"]["tasks"][1]["difficulty"] *= 2


def side_too_wide(plain: Any) -> None:
    for task in plain["boards"][3]["four"]["tasks"]:
        task["difficulty"] *= 2


def four_easier_than_three(plain: Any) -> None:
    plain["boards"][3]["four"]["tasks"][0]["difficulty"] = 3.0


def always_the_same_piece(plain: Any) -> None:
    for board in plain["boards"]:
        board["three"]["tasks"][0]["numbers"] = [1, 2, 9]


def sides_swapped(plain: Any) -> None:
    plain["boards"][0]["three"]["region"] = plain["boards"][0]["four"]["region"]


def in_two_parts(plain: Any) -> None:
    plain["boards"][0]["three"]["region"][-1][0] += 2


def with_a_hole(plain: Any) -> None:
    ring = [[q, r] for q in range(5) for r in range(5) if 2 <= q + r <= 6 and (q, r) != (2, 2)]
    plain["boards"][0]["four"]["region"] = sorted(ring)


EXTREME: list[tuple[Breaking, str]] = [
    (other_numbers, "board 1, side 3, yellow: it has 0 fillings"),
    (number_twice, "are not 3 different numbers"),
    (number_fourteen, "are not 3 different numbers from 1 to 13"),
    (solution_moved, "board 5, side 4, red: the booklet's solution does not fill it"),
    (solution_short, "board 5, side 4, red: the booklet's solution does not fill it"),
    (turn_that_is_none, "board 5, side 4, red: the booklet's solution does not fill it"),
    (easier_than_it_is, "board 8, side 3, green: its difficulty is"),
    (other_grade, "board 8, side 4, green: its grade is 5, not 1"),
    (same_area, "board 2, side 3: it is congruent to board 1, side 3"),
    (unsorted_area, "board 3, side 4: its cells are not sorted"),
    (same_numbers, "board 4, side 3: two colours have the same numbers"),
    (colour_too_hard, "board 4, side 3: one colour is more than 1.25 as hard as another"),
    (side_too_wide, "side 4: the hardest task is more than 1.5 as hard as the easiest"),
    (four_easier_than_three, "some task of 4 pieces is easier than some of 3"),
    (always_the_same_piece, "side 3: yellow-1 is used 54 times"),
    (sides_swapped, "hexagons; there are 13 to 16"),
    (in_two_parts, "board 1, side 3: it is not in one piece"),
    (with_a_hole, "board 1, side 4: it has a hole"),
]


@pytest.mark.parametrize(("breaking", "fault"), EXTREME, ids=lambda one: getattr(one, "__name__", ""))
def test_a_broken_extreme_edition_is_reported(breaking: Breaking, fault: str) -> None:
    edition = shipped("extreme")
    assert isinstance(edition, ExtremeEdition)
    assert any(fault in found for found in faults(broken(edition, breaking)))


def ragged(plain: Any) -> None:
    plain["boards"][0]["three"]["region"] = [[0, r] for r in range(14)]


def test_a_ragged_area_is_reported() -> None:
    assert any("board 1, side 3: it is too ragged" in found for found in faults(broken(shipped("extreme"), ragged)))


# --- 3-D


def other_kinds(plain: Any) -> None:
    plain["boards"][0]["easier"]["upper"]["tasks"][0]["kinds"] = [1, 2, 3]


def kind_twice(plain: Any) -> None:
    kinds = plain["boards"][0]["harder"]["lower"]["tasks"][4]["kinds"]
    kinds[3] = kinds[2]


def cube_moved(plain: Any) -> None:
    plain["boards"][8]["harder"]["lower"]["tasks"][1]["solution"][1][1][2] += 1


def harder_than_it_is(plain: Any) -> None:
    plain["boards"][9]["easier"]["lower"]["tasks"][1]["difficulty"] += 0.125


def wrong_grade(plain: Any) -> None:
    plain["boards"][9]["harder"]["upper"]["tasks"][1]["grade"] = 5


def area_twice(plain: Any) -> None:
    plain["boards"][5]["easier"]["upper"] = plain["boards"][0]["easier"]["lower"]


def set_twice(plain: Any) -> None:
    tasks = plain["boards"][5]["harder"]["upper"]["tasks"]
    tasks[1] = tasks[0]


def task_missing(plain: Any) -> None:
    plain["boards"][5]["harder"]["upper"]["tasks"].pop()


def animals_mixed(plain: Any) -> None:
    plain["boards"][0]["animal"], plain["boards"][35]["animal"] = "warthog", "elephant"


def animals_in_another_order(plain: Any) -> None:
    for board, other in zip(plain["boards"][:4], plain["boards"][32:], strict=True):
        board["animal"], other["animal"] = other["animal"], board["animal"]


def pieces_short(plain: Any) -> None:
    for board in plain["boards"][:4]:
        board["easier"]["upper"]["tasks"][0]["kinds"] = [1, 4, 15]


def unfair_round(plain: Any) -> None:
    plain["boards"][6]["harder"]["lower"]["tasks"][0]["difficulty"] *= 2


def harder_side_too_easy(plain: Any) -> None:
    plain["boards"][6]["harder"]["lower"]["tasks"][0]["difficulty"] = 2.0


def first_game_too_hard(plain: Any) -> None:
    for board in plain["boards"]:
        board["easier"]["upper"]["tasks"].reverse()


def one_type_everywhere(plain: Any) -> None:
    for area in areas(plain, "easier"):
        for task in area["tasks"]:
            task["kinds"][0] = 1 if 1 not in task["kinds"] else task["kinds"][0]


def too_long(plain: Any) -> None:
    plain["boards"][0]["easier"]["upper"]["ground"] = [[x, 0] for x in range(6)] + [[5, 1]]


def too_large(plain: Any) -> None:
    plain["boards"][0]["easier"]["upper"]["ground"] = plain["boards"][0]["harder"]["upper"]["ground"]


CUBES: list[tuple[Breaking, str]] = [
    (other_kinds, "A1 1|2: it has 0 fillings"),
    (kind_twice, "B1, lower area: "),
    (cube_moved, "B9 7: the booklet's solution does not fill it"),
    (harder_than_it_is, "A10 8|9|10: its difficulty is"),
    (wrong_grade, "B10 2: its grade is"),
    (area_twice, "A6, upper area: it is congruent to A1, lower area"),
    (set_twice, "B6, upper area: the same set of types comes twice"),
    (task_missing, "B6, upper area: it has 4 tasks; there are 5"),
    (animals_mixed, "the boards are not 4 of each animal"),
    (animals_in_another_order, "one after the other: elephant, gazelle"),
    (pieces_short, "side 3, task 1|2: 4 of type 1 are asked for; there are 2"),
    (unfair_round, "side 4, task 6: one board is more than 1.25 as hard as another"),
    (harder_side_too_easy, "some task of 4 pieces is easier than some of 3"),
    (first_game_too_hard, "it should be 3|4 (Q21)"),
    (one_type_everywhere, "side 3: type-1 is used"),
    (too_long, "A1, upper area: it is too long or too ragged"),
    (too_large, "squares; there are 6 to 7"),
]


@pytest.mark.parametrize(("breaking", "fault"), CUBES, ids=lambda one: getattr(one, "__name__", ""))
def test_a_broken_3d_edition_is_reported(breaking: Breaking, fault: str) -> None:
    edition = shipped("cubes")
    assert isinstance(edition, CubesEdition)
    assert any(fault in found for found in faults(broken(edition, breaking)))


def test_a_task_with_two_fillings_is_reported() -> None:
    edition = shipped("cubes")
    assert isinstance(edition, CubesEdition)
    board = edition.boards[0]
    area = board.easier.upper
    square = ((0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (1, 2))
    two = replace(area, ground=square, tasks=(replace(area.tasks[0], kinds=(3, 10, 8)), area.tasks[1]))
    changed = replace(board, easier=replace(board.easier, upper=two))
    found = faults(replace(edition, boards=(changed, *edition.boards[1:])))
    assert any("A1 1|2: it has" in fault and "fillings" in fault for fault in found)


def test_grades_begin_at_their_thresholds() -> None:
    assert [grade(number) for number in (0, 5.875, 6, 7.875, 8, 11.875, 12, 23.875, 24, 500)] == [
        1, 1, 2, 2, 3, 3, 4, 4, 5, 5,
    ]  # fmt: skip
