import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.strategies import puzzles
from ubongo.lattice import CUBIC, HEX, LATTICES, SQUARE
from ubongo.picture import draw, layout, names, read, region
from ubongo.tiling import Puzzle, first

FLAT = """
    AAB
    A#B
    .BB
"""
COMB = """
    A A .
     A # B
      . B B
"""
TOWER = """
    A.# | A.#
    AAB | ABB
"""


def test_squares() -> None:
    assert region(SQUARE, FLAT) == ((0, 0), (0, 1), (1, 0), (1, 1), (1, 2), (2, 0), (2, 1), (2, 2))
    assert layout(SQUARE, FLAT) == {"A": ((0, 0), (0, 1), (1, 0)), "B": ((1, 2), (2, 0), (2, 1), (2, 2))}


def test_a_row_of_hexagons_is_half_a_cell_further_right() -> None:
    assert layout(HEX, COMB) == {"A": ((0, 0), (0, 1), (1, 0)), "B": ((1, 2), (2, 1), (2, 2))}
    assert (1, 1) in region(HEX, COMB)


def test_two_levels_are_drawn_side_by_side_the_lower_first_with_y_upwards() -> None:
    assert layout(CUBIC, TOWER)["B"] == ((1, 0, 1), (2, 0, 0), (2, 0, 1))
    assert {cell for cell in region(CUBIC, TOWER) if cell[2] == 1} == {
        (0, 0, 1),
        (1, 0, 1),
        (2, 0, 1),
        (0, 1, 1),
        (2, 1, 1),
    }


def test_a_hexagon_between_two_columns_is_an_error() -> None:
    with pytest.raises(ValueError, match="line 2 of the picture"):
        read(HEX, "A A\nA A")


@pytest.mark.parametrize(("lattice", "picture"), [(SQUARE, FLAT), (HEX, COMB), (CUBIC, TOWER)])
def test_pictures_survive_parsing_and_drawing(lattice: object, picture: str) -> None:
    world = next(one for one in LATTICES.values() if one == lattice)
    drawn = draw(world, region(world, picture), layout(world, picture))
    assert read(world, drawn) == read(world, picture)


@given(puzzles())
def test_fillings_survive_drawing_and_parsing(task: Puzzle) -> None:
    filling = first(task)
    assert filling is not None
    lattice = LATTICES[task.lattice]
    pieces = dict(zip(names(len(filling)), [laid.cells for laid in filling], strict=True))
    again = layout(lattice, draw(lattice, task.region, pieces))
    assert [len(cells) for cells in again.values()] == [len(cells) for cells in pieces.values()]
    assert region(lattice, draw(lattice, task.region)) == region(lattice, draw(lattice, task.region, pieces))


@given(st.integers(0, 5000))
def test_pieces_are_drawn_with_different_letters(number: int) -> None:
    found = names(number)
    assert len(set(found)) == number
    assert all(len(name) == 1 and name.isalnum() for name in found)
