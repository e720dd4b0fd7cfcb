import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.strategies import grown, lattices
from ubongo.lattice import CUBIC, HEX, SQUARE, Lattice, corner
from ubongo.pieces import Piece, Placement, canonical, covered, fits, orientations, polyforms

# How many pieces of 1, 2, 3... cells there are: the On-Line Encyclopedia of Integer Sequences.
COUNTS = [
    (SQUARE, None, [1, 1, 2, 5, 12, 35], "A000105, free polyominoes"),
    (SQUARE, False, [1, 1, 2, 7, 18, 60], "A000988, one-sided polyominoes"),
    (HEX, None, [1, 1, 3, 7, 22], "A000228, free polyhexes"),
    (HEX, False, [1, 1, 3, 10, 33], "A006535, one-sided polyhexes"),
    (CUBIC, None, [1, 1, 2, 8, 29], "A000162, one-sided polycubes"),
    (CUBIC, True, [1, 1, 2, 7, 23], "A038119, free polycubes"),
]


@pytest.mark.parametrize(("lattice", "mirror", "counts", "source"), COUNTS, ids=[row[3] for row in COUNTS])
def test_numbers_of_polyforms(lattice: Lattice, mirror: bool | None, counts: list[int], source: str) -> None:
    found = [len(polyforms(lattice, size, mirror)) for size in range(1, len(counts) + 1)]
    assert found == counts, source


def test_pentominoes_have_63_orientations() -> None:
    assert sum(len(orientations(SQUARE, piece)) for piece in polyforms(SQUARE, 5)) == 63


@given(st.data())
def test_orientations_are_distinct_and_anchored_at_the_origin(data: st.DataObject) -> None:
    lattice = data.draw(lattices)
    shapes = orientations(lattice, data.draw(grown(lattice, 1, 6)))
    assert len({frozenset(shape) for shape in shapes}) == len(shapes)
    assert {corner(shape) for shape in shapes} == {(0,) * lattice.dimension}
    assert len(lattice.motions()) % len(shapes) == 0


@given(st.data())
def test_every_orientation_is_the_same_piece(data: st.DataObject) -> None:
    lattice = data.draw(lattices)
    piece = data.draw(grown(lattice, 1, 6))
    assert {canonical(lattice, shape) for shape in orientations(lattice, piece)} == {canonical(lattice, piece)}


def test_where_a_piece_fits() -> None:
    square = [(x, y) for x in range(2) for y in range(2)]
    domino = orientations(SQUARE, [(0, 0), (1, 0)])
    assert sorted(fits(domino, square)) == [(0, (0, 0)), (0, (0, 1)), (1, (0, 0)), (1, (1, 0))]


def test_a_placement_covers_its_translated_shape() -> None:
    piece = Piece("L3", ((((0, 0)), (0, 1), (1, 1)),))
    assert covered(piece, Placement(piece=0, turn=0, at=(3, 4))) == ((3, 4), (3, 5), (4, 5))
