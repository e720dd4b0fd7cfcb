"""The difficulty model and its compiled version."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ubongo.difficulty import difficulty
from ubongo.lattice import HEX, SQUARE
from ubongo.material import shipped
from ubongo.material.cubes import SHAPES as KINDS
from ubongo.material.cubes import CubesEdition
from ubongo.material.cubes import dump_lines as cubes_lines
from ubongo.material.cubes import tasks as cubes_tasks
from ubongo.material.extreme import COLOURS, SHAPES, ExtremeEdition
from ubongo.material.extreme import dump_lines as extreme_lines
from ubongo.picture import region
from ubongo.tiling import Puzzle, TilingSearch, count
from ubongo.workshop.grow import grown, handsome, outline, symmetric, whole
from ubongo.workshop.luck import WorkshopLuck
from ubongo.workshop.survey import Stock


def test_a_task_without_wrong_places_costs_one_try_per_piece() -> None:
    assert difficulty(Puzzle("square", region(SQUARE, "####"), (((0, 0), (1, 0), (2, 0), (3, 0)),))) == 1


def test_an_example_calculated_by_hand() -> None:
    # The bar of three has two places: one splits the free cells, which is obvious at a glance, the other is right.
    task = Puzzle("square", region(SQUARE, "####\n#..."), (((0, 0), (0, 1)), ((0, 0), (0, 1), (0, 2))))
    assert count(task) == 1
    assert difficulty(task) == 2 + 0.25 / 2


def test_an_obvious_misfit_costs_a_quarter_and_is_met_half_the_time() -> None:
    # The corner is bulkier than the bar, and has five places: four of them cut a cell off.
    task = Puzzle("square", region(SQUARE, "##..\n####"), (((0, 0), (0, 1), (0, 2)), ((0, 0), (0, 1), (1, 1))))
    assert count(task) == 1
    assert difficulty(task) == 2 + 4 * 0.25 / 2


def test_a_wrong_place_that_is_not_obvious_costs_a_try_and_is_met_half_the_time() -> None:
    # The T has two places: at the right end, and at the left, where it leaves three cells that are no bar.
    board = region(SQUARE, "#.#.\n####\n#...")
    task = Puzzle("square", board, (region(SQUARE, "###"), region(SQUARE, "###\n.#.")))
    assert count(task) == 1
    assert difficulty(task) == 2 + 1 / 2


def printed() -> list[Puzzle]:
    extreme, cubes = shipped("extreme"), shipped("cubes")
    assert isinstance(extreme, ExtremeEdition)
    assert isinstance(cubes, CubesEdition)
    lines = [*extreme_lines(extreme), *cubes_lines(cubes)]
    return [Puzzle(line["lattice"], line["region"], tuple(line["pieces"])) for line in lines]


@given(st.sampled_from(printed()), st.data())
def test_removing_a_wrong_place_never_makes_a_task_harder(task: Puzzle, data: st.DataObject) -> None:
    search = TilingSearch(task)
    same = Puzzle(task.lattice, tuple(search.cells), task.pieces)
    right = {option.bits for option in next(iter(search))}
    wrong = sorted({option.bits for options in search.options for option in options} - right)
    forbidden = data.draw(st.sets(st.sampled_from(wrong), min_size=1, max_size=5))
    assert difficulty(same, lambda _, bits: bits not in forbidden) <= difficulty(same)


@pytest.mark.no_cover
def test_the_compiled_model_agrees_on_hexagons() -> None:
    luck = WorkshopLuck(7)
    compared = 0
    for number in range(12):
        area = grown(luck, 13 + number % 8)
        pieces = 3 if len(area) <= 16 else 4
        colour = COLOURS[number % 4]
        for found in Stock("hex", SHAPES[colour]).graded(area, pieces)[:6]:
            task = Puzzle("hex", area, tuple(SHAPES[colour][i] for i in found.pieces))
            assert difficulty(task) == found.eighths / 8
            compared += 1
    assert compared > 20


@pytest.mark.no_cover
def test_the_compiled_model_agrees_on_every_printed_task_of_3d() -> None:
    edition = shipped("cubes")
    assert isinstance(edition, CubesEdition)
    stock = Stock("cubic", KINDS)
    for _, _, side, _, area, task in list(cubes_tasks(edition))[::9]:
        found = {one.pieces: one.eighths for one in stock.graded(area.region, side)}
        assert found[tuple(kind - 1 for kind in task.kinds)] == 8 * task.difficulty


def test_which_areas_are_handsome() -> None:
    assert not handsome(region(HEX, "# # # # # # #"))
    assert handsome(region(HEX, ". # # #\n # # # #\n  # # # .\n   # # . ."))
    assert outline(region(SQUARE, "##\n##")) == 8
    assert symmetric(SQUARE, region(SQUARE, "###"))
    assert not symmetric(SQUARE, region(SQUARE, "###\n#.#\n..#"))
    assert not whole(SQUARE, region(SQUARE, "###\n#.#\n###"))
    assert whole(SQUARE, region(SQUARE, "###\n#.#\n###".replace("###\n#.#", "#.#\n#.#")))
