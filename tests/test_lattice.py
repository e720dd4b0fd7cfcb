import pytest

from ubongo.lattice import CUBIC, HEX, SQUARE, Lattice, anchored, connected, group, moved, product


@pytest.mark.parametrize(("lattice", "turns", "steps"), [(SQUARE, 4, 4), (HEX, 6, 6), (CUBIC, 24, 6)])
def test_orders_of_the_rotation_groups(lattice: Lattice, turns: int, steps: int) -> None:
    assert len(set(lattice.turns)) == turns
    assert len(set(lattice.motions(True))) == 2 * turns
    assert len(set(lattice.steps)) == steps


@pytest.mark.parametrize("lattice", [SQUARE, HEX, CUBIC])
def test_every_motion_preserves_adjacency(lattice: Lattice) -> None:
    for motion in lattice.motions(True):
        assert {moved(motion, step) for step in lattice.steps} == set(lattice.steps)


def test_a_turn_is_clockwise_on_the_screen() -> None:
    quarter, sixth = SQUARE.turns[1], HEX.turns[1]
    assert [moved(quarter, cell) for cell in [(1, 0), (0, 1), (-1, 0)]] == [(0, 1), (-1, 0), (0, -1)]
    assert [moved(sixth, cell) for cell in [(1, 0), (0, 1), (-1, 1)]] == [(0, 1), (-1, 1), (-1, 0)]


def test_a_flip_is_left_to_right_and_keeps_the_row() -> None:
    assert moved(SQUARE.mirror, (2, 3)) == (-2, 3)
    assert moved(HEX.mirror, (2, 3)) == (-5, 3)  # 2q + r, the place in the row, changes its sign


def test_cubes_are_turned_not_mirrored() -> None:
    def determinant(m: tuple[tuple[int, ...], ...]) -> int:
        (a, b, c), (d, e, f), (g, h, i) = m
        return a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g)

    assert {determinant(turn) for turn in CUBIC.turns} == {1}
    assert determinant(CUBIC.mirror) == -1
    assert CUBIC.motions() == CUBIC.turns


def test_a_turn_of_cubes_is_clockwise_from_the_tip_of_its_axis() -> None:
    x, y, z = (dict(CUBIC.by_hand)[axis] for axis in "xyz")
    assert (moved(z, (1, 0, 0)), moved(z, (0, 1, 0))) == ((0, -1, 0), (1, 0, 0))
    assert (moved(x, (0, 1, 0)), moved(y, (0, 0, 1))) == ((0, 0, -1), (-1, 0, 0))


def test_repeating_a_turn_by_hand_returns_to_the_start() -> None:
    for lattice, order in [(SQUARE, 4), (HEX, 6), (CUBIC, 4)]:
        for _, turn in lattice.by_hand:
            assert len(group(turn)) == order
            assert product(turn, turn) in lattice.turns


def test_anchored_keeps_the_order_of_cells() -> None:
    assert anchored([(5, 7), (4, 8), (6, 7)]) == ((1, 0), (0, 1), (2, 0))


def test_connected() -> None:
    assert connected(HEX, [(1, 0), (0, 1)])
    assert not connected(SQUARE, [(1, 0), (0, 1)])
