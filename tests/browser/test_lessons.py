"""What lessons are made of: one solution each, and every step of it is what its sentence teaches."""

from __future__ import annotations

from tests.browser.lessons import LESSONS, in_space, placed, placements, solution
from ubongo import layout, tiling
from web.lessons import lessons


def test_what_lessons_are_made_of_is_written_by_python() -> None:
    for file, content in lessons():
        assert file.read_text() == content, "Write them anew: .venv/bin/python -m web.lessons"


def test_extreme_has_one_solution_and_teaches_it() -> None:
    lesson = LESSONS["extreme"]
    shapes = [piece["shapes"][0] for piece in lesson["pieces"]]
    assert tiling.count({"lattice": "hex", "region": lesson["region"], "pieces": shapes}) == 1
    covered = [cell for answer in solution("extreme") for cell in answer.cells]
    assert sorted(covered) == sorted(map(tuple, lesson["region"]))
    # As it comes, after one turn, and after a flip that no turn replaces.
    turns = [where["turn"] for where in placed(lesson)]
    after = [piece["after"] for piece in lesson["pieces"]]
    assert turns[0] == 0
    assert turns[1] == after[1]["turn"][0] != 0
    assert turns[2] == after[2]["flip"][0]
    assert len(lesson["pieces"][2]["shapes"]) == 12


def test_3d_has_one_solution_and_teaches_it() -> None:
    lesson = LESSONS["cubes"]
    shapes = [piece["shapes"][0] for piece in lesson["pieces"]]
    assert tiling.count({"lattice": "cubic", "region": lesson["region"], "pieces": shapes}) == 1
    covered = [cell for answer in in_space() for cell in answer.cells]
    assert sorted(covered) == sorted(map(tuple, lesson["region"]))
    # As it comes, then by one turn each, about another axis; and every one of them is on the lowest level it can be.
    assert [answer.twists for answer in in_space()] == ["", "x", "z"]
    assert [answer.at[2] for answer in in_space()] == [0, 0, 0]


def test_dice_have_one_solution_and_teach_it() -> None:
    lesson = LESSONS["dice"]
    known = {piece["name"]: piece for piece in lesson["pieces"]}
    thrown = lesson["table"]["dice"]
    task = lesson["table"]["seats"][0]["task"]
    ways = {
        (black["face"], white["face"]): tiling.count(
            {
                "lattice": "square",
                "region": task["region"],
                "pieces": [known[die["face"]]["shapes"][0] for die in (black, white)],
            }
        )
        for black in thrown[:4]
        for white in thrown[4:]
    }
    # Of all pairs that can be taken one fills the area, in one way.
    assert [pair for pair, number in ways.items() if number] == [tuple(task["pieces"])]
    assert ways[tuple(task["pieces"])] == 1
    covered = [cell for answer in solution("dice") for cell in answer.cells]
    assert sorted(covered) == sorted(map(tuple, task["region"]))
    black, white = (known[name] for name in task["pieces"])
    # One flip that no turn replaces, and one turn.
    assert [where["turn"] for where in placed(lesson)] == [black["after"]["flip"][0], white["after"]["turn"][0]]
    assert len(black["shapes"]) == 8
    assert white["after"]["turn"][0] != 0


def test_cards_fit_in_one_place_each() -> None:
    lesson = LESSONS["cards"]
    hand = [layout.card(one["name"], [one["marks"]]) for one in lesson["pieces"]]
    laid = placements()
    assert len(hand) == len(laid) == 3
    for number in (1, 2):
        assert layout.beside(hand, laid[:number], number) == [laid[number]]
    # As they come, and after one turn.
    assert [where.turn for where in laid] == [0, 0, 1]
