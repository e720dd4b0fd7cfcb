import doctest
from types import ModuleType

import pytest
from hypothesis import given
from hypothesis import strategies as st

import ubongo.chance
import ubongo.lattice
import ubongo.picture
import ubongo.pieces
import ubongo.tiling
from tests.known import KNOWN, SMALL, Known
from tests.strategies import puzzles
from ubongo.lattice import CUBIC, LATTICES, SQUARE, moved
from ubongo.picture import layout, region
from ubongo.tiling import BadTask, Puzzle, TilingSearch, Verdict, count, first, solutions, verdict


@pytest.mark.parametrize("known", [known for known in KNOWN if known.name in SMALL], ids=lambda known: known.name)
def test_known_counts(known: Known) -> None:
    assert count(known.task) == known.fillings, known.source


def test_a_mapping_is_a_task_too() -> None:
    task = {"lattice": "square", "region": [[0, 0], [1, 0]], "pieces": [[[0, 0], [0, 1]]], "id": "x", "note": 1}
    assert count(task) == 1
    assert next(solutions(task))[0].cells == ((0, 0), (1, 0))


def test_swapping_equal_pieces_gives_the_same_filling() -> None:
    # Dominoes in 2 x n: the Fibonacci numbers (A000045).
    for length, fillings in enumerate([1, 2, 3, 5, 8, 13, 21], 1):
        board = [(x, y) for x in range(length) for y in range(2)]
        assert count(Puzzle("square", tuple(board), ((((0, 0)), (0, 1)),) * length)) == fillings


def test_mirror_images_are_equal_pieces_where_flipping_is_allowed() -> None:
    board = region(SQUARE, "##\n##\n##\n##")
    left, right = ((0, 0), (0, 1), (0, 2), (1, 2)), ((1, 0), (1, 1), (1, 2), (0, 2))
    assert count(Puzzle("square", board, (left, right))) == count(Puzzle("square", board, (left, left)))
    assert count(Puzzle("square", board, (left, right), mirror=False)) == 0


def test_cubes_are_mirrored_only_on_request() -> None:
    screw, twin = ((0, 0, 0), (1, 0, 0), (1, 1, 0), (1, 1, 1)), ((0, 0, 0), (0, 1, 0), (1, 1, 0), (1, 1, 1))
    assert count(Puzzle("cubic", twin, (screw,))) == 0
    assert count(Puzzle("cubic", twin, (screw,), mirror=True)) == 1


def test_disconnected_pieces_and_regions() -> None:
    assert count(Puzzle("square", ((0, 0), (2, 0), (9, 9)), (((0, 0), (0, 2)), ((0, 0),)))) == 1


def test_sizes_that_do_not_add_up_have_no_filling() -> None:
    assert count(Puzzle("hex", ((0, 0), (0, 1)), (((0, 0),),))) == 0
    assert first(Puzzle("hex", ((0, 0), (0, 1)), ())) is None


@pytest.mark.parametrize(
    ("lattice", "cells", "pieces", "why"),
    [
        ("triangle", [(0, 0)], [[(0, 0)]], "lattice is 'triangle'; it is one of square, hex, cubic"),
        ("hex", [(0, 0), (0, 0)], [[(0, 0)]], r"the region has the cell \[0, 0\] twice"),
        ("hex", [(0, 0)], [[(0, 0), (1, 2), (1, 2)]], r"piece 0 has the cell \[1, 2\] twice"),
        ("hex", [(0, 0, 0)], [[(0, 0)]], "cell 0 of the region has 3 coordinates; this lattice has 2"),
        ("cubic", [(0, 0, 0)], [[(0, 0, 0)], [(0, 0)]], "cell 0 of piece 1 has 2 coordinates; this lattice has 3"),
        ("square", [(0, 0)], [[]], "piece 0 has no cells"),
        ("square", [], [[(0, 0)]], "the region has no cells"),
        ("square", [(x, 0) for x in range(4097)], [[(0, 0)]], "the region has 4,097 cells; at most 4,096 are taken"),
    ],
)
def test_an_invalid_task_is_refused_with_a_reason(lattice: str, cells: object, pieces: object, why: str) -> None:
    with pytest.raises(BadTask, match=why):
        count({"lattice": lattice, "region": cells, "pieces": pieces})


def test_a_field_that_is_missing_is_named() -> None:
    with pytest.raises(BadTask, match="no field 'pieces'"):
        count({"lattice": "hex", "region": [(0, 0)]})


def test_a_search_can_be_limited() -> None:
    soma = next(known.task for known in KNOWN if known.name == "soma")
    search = TilingSearch(soma, most_nodes=500)
    found = search.count()
    assert search.gave_up
    assert found < 11_520
    assert search.nodes < 600


def test_more_pieces_than_the_recursion_limit() -> None:
    row = tuple((x, 0) for x in range(4096))
    assert count(Puzzle("square", row, (((0, 0), (1, 0)),) * 2048)) == 1


@given(puzzles())
def test_fillings_are_distinct_and_complete(task: Puzzle) -> None:
    found = list(solutions(task))
    assert len(found) == count(task) >= 1
    for filling in found:
        assert [laid.piece for laid in filling] == list(range(len(task.pieces)))
        assert verdict(task.region, [laid.cells for laid in filling]) == Verdict("solved")
    assert len({frozenset(frozenset(laid.cells) for laid in filling) for filling in found}) == len(found)


@given(puzzles(), st.data())
def test_rotating_the_region_changes_no_count(task: Puzzle, data: st.DataObject) -> None:
    motion = data.draw(st.sampled_from(LATTICES[task.lattice].motions(task.mirror)))
    turned = tuple(moved(motion, cell) for cell in task.region)
    assert count(Puzzle(task.lattice, turned, task.pieces, task.mirror)) == count(task)


@pytest.mark.parametrize(
    ("picture", "state", "wrong"),
    [
        ("AAB\n#BB", "open", ()),
        ("AAB\nABB", "solved", ()),
        ("###\n###", "open", ()),
    ],
)
def test_verdict_on_a_layout(picture: str, state: str, wrong: tuple[int, ...]) -> None:
    found = verdict(region(SQUARE, picture), list(layout(SQUARE, picture).values()))
    assert (found.state, found.wrong) == (state, wrong)


def test_verdict_names_both_overlapping_pieces_and_every_piece_outside() -> None:
    board = region(SQUARE, "###\n###")
    pieces = [((0, 0), (1, 0)), ((1, 0), (1, 1)), ((2, 0), (2, 1)), ((0, 1), (0, 2))]
    assert verdict(board, pieces) == Verdict("wrong", (0, 1, 3))


def test_verdict_on_two_levels() -> None:
    tower = region(CUBIC, "## | ##")
    assert verdict(tower, [((0, 0, 0), (1, 0, 0)), ((0, 0, 1), (1, 0, 1))]).state == "solved"
    assert verdict(tower, [((0, 0, 1), (0, 0, 2))]) == Verdict("wrong", (0,))


@pytest.mark.parametrize("module", [ubongo.lattice, ubongo.pieces, ubongo.picture, ubongo.tiling, ubongo.chance])
def test_examples_in_the_docstrings(module: ModuleType) -> None:
    results = doctest.testmod(module)
    assert results.attempted > 0
    assert results.failed == 0
