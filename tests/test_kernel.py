"""The compiled search, compared with the plain one."""

from collections.abc import Iterator
from contextlib import contextmanager
from itertools import combinations, product
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numba import njit

from tests.known import KNOWN, SOMA, Known, box, hexagon, rectangle
from tests.strategies import grown, puzzles
from ubongo import kernel, tiling
from ubongo.chance import Chance
from ubongo.kernel import window
from ubongo.kernel.batch import MOST_SUBSET_PIECES, Pool, window_start
from ubongo.kernel.symmetry import symmetries
from ubongo.lattice import CUBIC, HEX, LATTICES, SQUARE, Shape, moved, plus
from ubongo.pieces import polyforms
from ubongo.tiling import Puzzle, verdict


@pytest.mark.no_cover
@pytest.mark.parametrize("known", KNOWN, ids=lambda known: known.name)
@pytest.mark.parametrize("threads", [1, 2])
def test_known_counts(known: Known, threads: int) -> None:
    assert kernel.count(known.task, threads) == known.fillings, known.source


def random_region(chance: Chance, lattice: str, size: int, label: int) -> Shape:
    cells = [(0,) * LATTICES[lattice].dimension]
    steps = LATTICES[lattice].steps
    for number in range(size - 1):
        edge = sorted({plus(cell, step) for cell in cells for step in steps}.difference(cells))
        cells.append(chance.pick(edge, "edge", label, number))
    return tuple(cells)


def random_tasks(number: int) -> list[Puzzle]:
    """Tasks like those of the games: three or four different pieces and a random region."""
    chance = Chance("kernel")
    stocks = {
        lattice: [piece for size in range(1, 6) for piece in polyforms(lattice, size)] for lattice in LATTICES.values()
    }
    tasks = []
    for label in range(number):
        lattice = chance.pick([SQUARE, HEX, CUBIC], "lattice", label)
        pieces = chance.shuffled(stocks[lattice], "pieces", label)[: 3 + label % 2]
        size = sum(map(len, pieces))
        tasks.append(Puzzle(lattice.name, random_region(chance, lattice.name, size, label), pieces))
    return tasks


WIDE = 5


@contextmanager
def few_sizes(long: bool) -> Iterator[None]:
    """Each width of the tables takes more than a second to compile, so short runs pad most tables to one width."""
    exact = Pool._made

    def filled_up(pool: Pool, special: bool) -> tuple[Any, ...]:
        tables, *others = exact(pool, special)
        phases, width, values, words = tables.shape
        # Like a byte that no piece reaches: every piece fits, whatever its value.
        all_fit = np.broadcast_to(tables[:, :1, :1], (phases, max(WIDE - width, 0), values, words))
        return np.concatenate([tables, all_fit], axis=1), *others

    with pytest.MonkeyPatch.context() as patch:
        if not long:
            patch.setattr(Pool, "_made", filled_up)
        yield


def test_no_two_variants_of_the_search_share_a_cache_entry(monkeypatch: pytest.MonkeyPatch) -> None:
    """Numba caches compiled code by function name, and two processes that write one entry at once corrupt it."""
    # Without declared types a search is compiled when it is called, and none is called here.
    monkeypatch.setattr(window, "njit", lambda _types, **options: njit(**options))
    flags = (False, True)
    sizes = list(product((1, 2), (1, 2, 4, 8), range(1, window.MOST_BYTES + 1), flags, flags, flags))
    variants: list[Any] = [window.variant.__wrapped__(*size) for size in sizes]
    assert len({one._cache._cache_file._index_path for one in variants}) == len(sizes)


@pytest.mark.no_cover
def test_a_batch_of_thousands_on_every_lattice_agrees_with_the_plain_search() -> None:
    tasks = random_tasks(2000)
    expected = [tiling.count(task) for task in tasks]
    assert sum(map(bool, expected)) > 20
    assert kernel.count_batch(tasks) == expected
    assert kernel.count_batch(tasks, threads=2) == expected


def test_specialised_searches_do_the_same_work_as_the_general_one(long: bool) -> None:
    # Each size takes more than a second to compile.
    batch = kernel.prepare(random_tasks(100 if long else 6))
    assert batch.work(special=True) == batch.work(special=False)
    assert kernel.count_batch([known.task for known in KNOWN]) == [known.fillings for known in KNOWN]


@pytest.mark.no_cover
@settings(max_examples=200)
@given(st.lists(puzzles(), max_size=8))
def test_a_batch_may_mix_all_kinds_of_tasks(tasks: list[Puzzle]) -> None:
    assert kernel.count_batch(tasks) == [tiling.count(task) for task in tasks]


@settings(max_examples=300)
@given(puzzles(largest=18))
def test_one_task_with_its_symmetry_agrees_with_the_plain_search(long: bool, task: Puzzle) -> None:
    with few_sizes(long):
        assert kernel.count(task) == tiling.count(task)


@given(puzzles())
def test_fillings_come_in_the_order_of_the_plain_search(task: Puzzle) -> None:
    assert list(kernel.fillings(task)) == list(tiling.solutions(task))


@given(puzzles(largest=18), st.data())
def test_turned_and_mirrored_regions_have_the_same_count(task: Puzzle, data: st.DataObject) -> None:
    motion = data.draw(st.sampled_from(LATTICES[task.lattice].motions(task.mirror)))
    turned = Puzzle(task.lattice, tuple(moved(motion, cell) for cell in task.region), task.pieces, task.mirror)
    assert kernel.count_batch([turned]) == kernel.count_batch([task])


@pytest.mark.no_cover
@given(st.data())
def test_every_subset_is_counted_as_a_task_of_its_own(long: bool, data: st.DataObject) -> None:
    lattice = data.draw(st.sampled_from([SQUARE, HEX, CUBIC]))
    stock = [piece for size in (1, 2, 3, 4) for piece in polyforms(lattice, size)]
    pieces = data.draw(st.lists(st.sampled_from(stock), min_size=1, max_size=7))
    region = data.draw(grown(lattice, 2, 10))
    k = data.draw(st.integers(1, 4))
    expected = {
        these: number
        for these in combinations(range(len(pieces)), k)
        if (number := tiling.count(Puzzle(lattice.name, region, tuple(pieces[i] for i in these))))
    }
    with few_sizes(long):
        assert kernel.count_subsets(region, pieces, k, lattice.name) == expected


def test_subsets_of_more_pieces_than_the_counters_hold() -> None:
    pieces = [piece for size in range(1, 6) for piece in polyforms(HEX, size)]
    assert len(pieces) > MOST_SUBSET_PIECES
    region = hexagon(2)
    found = kernel.count_subsets(region, pieces, 2, "hex")
    assert found == {
        these: number
        for these in combinations(range(len(pieces)), 2)
        if (number := tiling.count(Puzzle("hex", region, tuple(pieces[i] for i in these))))
    }


def test_a_full_box_of_128_cells_exceeds_the_window() -> None:
    board = Puzzle("square", rectangle(8, 16), (rectangle(8, 1),) * 16)
    assert window_start(board, {}) is None
    assert kernel.count(board) == tiling.count(Puzzle("square", rectangle(8, 16), (rectangle(8, 1),) * 16))


@pytest.mark.parametrize("task", [
    Puzzle("square", tuple((x, x // 2) for x in range(128)), (((0, 0), (1, 0)),) * 64),
    Puzzle("hex", tuple((q, -q) for q in range(128)), (((0, 0), (1, -1), (2, -2), (3, -3)),) * 32),
    Puzzle("cubic", tuple((x, x, z) for x in range(64) for z in (0, 1)), (((0, 0, 0), (0, 0, 1)),) * 64),
])  # fmt: skip
def test_sprawling_regions_of_128_cells(task: Puzzle) -> None:
    assert len(task.region) == 128
    assert kernel.count(task) == tiling.count(task) == 1


def test_different_pieces_that_fill_all_of_128_bits() -> None:
    # A strip of 7 x 16 cells and 16 of padding; the pieces are rows, each cut once at another place.
    rows = [[tuple((x, 0) for x in range(cut)), tuple((x, 0) for x in range(7 - cut))] for cut in (1, 2, 3)]
    task = Puzzle("square", rectangle(7, 3), tuple(piece for pair in rows for piece in pair))
    assert kernel.count(task) == tiling.count(task) > 0
    tall = Puzzle("square", rectangle(7, 16), (rectangle(7, 9), rectangle(7, 4), rectangle(7, 2), rectangle(7, 1)))
    assert window_start(tall, {}) is None  # 7 x 9 spans more than the window
    assert kernel.count(tall) == tiling.count(tall) > 0


def test_the_plain_search_handles_more_than_128_cells() -> None:
    board = Puzzle("square", rectangle(2, 70), (rectangle(2, 35),) * 2)
    assert kernel.count_batch([board]) == [1]
    assert len(list(kernel.fillings(board))) == 1


def test_more_orientations_than_the_tables_hold() -> None:
    # All 29 + 8 + 2 pieces of three to five cubes, up to 24 ways each, in batches that need several pools.
    pieces = [piece for size in (3, 4, 5) for piece in polyforms(CUBIC, size)]
    region = box(3, 2, 2)
    tasks = [Puzzle("cubic", region, these) for these in combinations(pieces, 3) if sum(map(len, these)) == 12]
    assert len(tasks) > 300
    assert kernel.count_batch(tasks) == [tiling.count(task) for task in tasks]


def test_disconnected_pieces_are_not_mistaken_for_connected_ones() -> None:
    gap = ((0, 0), (2, 0))
    task = Puzzle("square", rectangle(4, 3), (gap, gap, ((0, 0), (0, 1)), ((0, 0), (1, 0), (2, 0)), rectangle(3, 1)))
    assert kernel.count_batch([task]) == [tiling.count(task)]


def test_symmetries_of_a_cube_and_of_an_asymmetric_region() -> None:
    assert len(symmetries(Puzzle("cubic", box(3, 3, 3), SOMA))) == 24
    assert len(symmetries(Puzzle("cubic", box(3, 3, 3), SOMA, mirror=True))) == 48
    assert len(symmetries(Puzzle("square", ((0, 0), (1, 0), (2, 0), (2, 1)), ()))) == 1


def test_every_soma_filling_fills() -> None:
    task = Puzzle("cubic", box(3, 3, 3), SOMA)
    found = list(kernel.fillings(task))
    assert len(set(found)) == 11_520
    assert all(verdict(task.region, [laid.cells for laid in filling]).state == "solved" for filling in found[::100])
