"""The card game's geometry, rule by rule (docs/rules/cards.md). A cell in a picture: its card's letter, its symbol.

At least one picture for every rule number, in their order.
"""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ubongo.chance import Chance
from ubongo.kernel import hands as compiled
from ubongo.lattice import SQUARE, Cell, moved, plus
from ubongo.layout import SHAPES, CardSearch, beside, card, contacts, draw, read, seven, snug, verdict
from ubongo.pieces import Piece, Placement


def judged(picture: str) -> tuple[str, str]:
    """The verdict on a picture, and the letters of the wrong cards."""
    cards, laid = read(picture)
    found = verdict(cards, laid)
    return found.state, "".join(cards[laid[number].piece].name for number in found.wrong)


def hands(kinds: int, number: int, size: int = 9) -> list[tuple[Piece, ...]]:
    """Hands of cards with symbols drawn uniformly from so many kinds."""
    chance = Chance("hands")
    drawn = []
    for hand in range(number):
        words = chance.words(kinds, hand)
        faces = [[str(next(words) % kinds) for _ in range(6)] for _ in range(size)]
        drawn.append(tuple(card(str(i), [face[:2], face[2:4], face[4:]]) for i, face in enumerate(faces)))
    return drawn


def test_k2_a_card_is_turned_by_quarters_and_its_symbols_go_with_it() -> None:
    cards = [card("A", ["ab", "cd", "ef"])]
    pictures = [draw(cards, [Placement(0, turn, (5, -3))]) for turn in range(4)]
    assert pictures[0] == "Aa Ab\nAc Ad\nAe Af"
    assert pictures[1] == "Ae Ac Aa\nAf Ad Ab"
    assert pictures[2] == "Af Ae\nAd Ac\nAb Aa"
    assert pictures[3] == "Ab Ad Af\nAa Ac Ae"


def test_k2_a_card_with_the_same_symbol_everywhere_still_has_four_turns() -> None:
    assert len(card("A", ["xx"] * 3).shapes) == 4


def test_k6_cards_that_overlap_are_wrong() -> None:
    cards = [card("A", ["xx"] * 3), card("B", ["xx"] * 3)]
    laid = [Placement(0, 0, (0, 0)), Placement(1, 1, (1, 2))]
    assert verdict(cards, laid).wrong == (0, 1)


def test_k6_the_grid_has_no_bounds() -> None:
    cards, laid = read("Aa Ab . .\nAc Ad Bd Bx\nAe Af Bf Bx\n. . Bx Bx")
    far = [Placement(one.piece, one.turn, plus(one.at, (-(10**9), 10**9))) for one in laid]
    assert verdict(cards, far).state == "open"


def test_k7_cards_that_touch_only_in_a_corner_are_not_neighbours() -> None:
    corner = """
        Ax Ax .  .
        Ax Ax .  .
        Ax Ax .  .
        .  .  By By
        .  .  By By
        .  .  By By
    """
    assert contacts(0, 0, 2, 3) == ()
    assert judged(corner) == ("wrong", "B"), "it needs no match and connects nothing"


def test_k8_two_long_sides_with_an_offset_of_one() -> None:
    right = """
        Ax Ay .  .
        Az Ay By Bx
        Az Ax Bx Bx
        .  .  Bz Bx
    """
    assert judged(right) == ("open", "")


def test_k8_two_short_sides_flush() -> None:
    right = """
        Ax Ay
        Az Ay
        Az Ax
        Bz Bx
        Bz Bx
        By By
    """
    assert judged(right) == ("open", "")


@pytest.mark.parametrize(
    "right",
    [
        """
        Ax Ay By Bx Bz
        Az Ay By Bx Bx
        Az Ax .  .  .
        """,
        """
        .  Ax Ay
        .  Az Ay
        .  Az Ax
        Bx Bz Bx
        By By Bx
        """,
    ],
)
def test_k8_a_short_side_against_a_long_one_with_its_whole_length(right: str) -> None:
    assert judged(right) == ("open", "")


def test_k8_one_contact_is_wrong() -> None:
    one = """
        Ax Ax .  .
        Ax Ax .  .
        Ax Ax Bx Bx
        .  .  Bx Bx
        .  .  Bx Bx
    """
    assert judged(one) == ("wrong", "AB")


def test_k8_three_contacts_are_wrong_even_if_all_symbols_match() -> None:
    three = """
        Ax Ax Bx Bx
        Ax Ax Bx Bx
        Ax Ax Bx Bx
    """
    assert judged(three) == ("wrong", "AB")


def test_k8_two_equal_contacts_and_a_third_that_differs_are_wrong() -> None:
    third = """
        Ax Ax Bx Bx
        Ax Ax Bx Bx
        Ax Ay Bx Bx
    """
    assert judged(third) == ("wrong", "AB")


@pytest.mark.parametrize(("upper", "lower"), [("x", "z"), ("z", "y"), ("z", "z")])
def test_k8_two_contacts_of_which_one_or_both_differ_are_wrong(upper: str, lower: str) -> None:
    differ = f"""
        Ax Ay  .        .
        Az Ax  B{upper} Bx
        Az Ay  B{lower} Bx
        .  .   Bx       Bx
    """
    assert judged(differ) == ("wrong", "AB")


def test_k8_diagonally_equal_symbols_do_not_match() -> None:
    crosswise = """
        Ax Ay .  .
        Az Ax By Bx
        Az Ay Bx Bx
        .  .  Bx Bx
    """
    assert judged(crosswise) == ("wrong", "AB")


def test_k8_allows_28_placements_beside_a_card() -> None:
    assert [len(snug(turn)) for turn in range(4)] == [28] * 4
    shapes = [(way.further, way.contacts) for way in snug(0)]
    assert all([(way.further, way.contacts) for way in snug(turn)] == shapes for turn in range(4))


def test_k9_also_holds_for_accidental_neighbours() -> None:
    ring = """
        Aa Ab .  .  .
        Ac Ad Bd Bb Bb
        Ae Af Bf Bb Bb
        .  Cf Cc Dc Db
        .  Cc Cc Dx Db
        .  Cc Cc Db Db
    """
    # A-C touch in one contact (f below f), C-B in one, C-D in three, B-D in two of which one differs.
    state, wrong = judged(ring)
    assert (state, wrong) == ("wrong", "ABCD")
    accident = """
        Aa Ab .  .
        Ac Ad Bd Bb
        Ae Af Bf Bb
        .  .  Bx By
        .  .  Cx Cy
        Dz Dz Cz Cw
        Dz Dz Cz Cw
        Dz Dz .  .
    """
    assert judged(accident) == ("open", "")
    assert judged(accident.replace("Dz Dz Cz", "Dz Dq Cz")) == ("wrong", "CD")


def test_k9_names_only_the_two_that_disagree() -> None:
    chain = """
        Aa Ab .  .  .  .
        Ac Ad Bd Bb .  .
        Ae Af Bf Bg Cg Cc
        .  .  Bx Bh Cq Cc
        .  .  .  .  Cc Cc
    """
    assert judged(chain) == ("wrong", "BC")


def test_k10_branches_are_allowed() -> None:
    fork = """
        Ax Aa .  .  Dp Dq
        Ax Ab Bb Bd Dd Dq
        Ax Ac Bc Be De Dq
        .  .  Bx By .  .
        .  .  Cx Cy .  .
        .  .  Cc Cc .  .
        .  .  Cc Cc .  .
    """
    assert judged(fork) == ("open", "")


def test_k10_of_groups_of_equal_size_the_one_with_the_first_card_is_right() -> None:
    apart = """
        Aa Aa .  Bb Bb
        Aa Aa .  Bb Bb
        Aa Aa .  Bb Bb
    """
    assert judged(apart) == ("wrong", "B")
    cards, laid = read(apart)
    assert verdict(cards, laid[::-1]).wrong == (1,), "the card laid later, not the one later in hand"


def test_k10_the_largest_of_several_groups_is_right() -> None:
    heaps = """
        Aa Aa .  Bb Bc Bb
        Aa Aa .  Bb Bb Bb
        Aa Aa .  Cb Cb .
        .  .  .  Ca Cb .
        Dd Dd .  Cc Cb .
        Dd Dd .  .  .  .
        Dd Dd .  .  .  .
    """
    assert judged(heaps) == ("wrong", "AD")


def test_k10_any_card_may_be_first_and_an_empty_layout_is_not_wrong() -> None:
    (hand,) = hands(4, 1)
    assert verdict(hand, []).state == "open"
    assert all(verdict(hand, [Placement(piece, 3, (7, -7))]).state == "open" for piece in range(9))


def test_seven_right_cards_are_solved_and_six_are_open() -> None:
    for hand in hands(4, 20):
        laid = seven(hand)
        assert laid is not None
        assert verdict(hand, laid).state == "solved"
        assert verdict(hand, laid[:6]).state == "open"


def everywhere(hand: tuple[Piece, ...], laid: list[Placement], piece: int) -> set[Placement]:
    """All placements near a layout that the verdict accepts."""
    near = [Placement(piece, turn, (x, y)) for turn in range(4) for x in range(-9, 12) for y in range(-9, 12)]
    return {where for where in near if verdict(hand, [*laid, where]).state != "wrong"}


def test_beside_finds_every_placement_that_the_verdict_allows() -> None:
    for hand in hands(3, 5, size=4):
        laid = [Placement(0, 0, (0, 0))]
        for piece in (1, 2, 3):
            places = beside(hand, laid, piece)
            assert len(places) == len(set(places))
            assert set(places) == everywhere(hand, laid, piece)
            laid += places[:1]


def largest(hand: tuple[Piece, ...]) -> int:
    """The largest number of cards that can be laid, by exhaustive search."""
    most, layers = 1, {frozenset([Placement(piece, 0, (0, 0))]) for piece in range(len(hand))}
    while layers:
        most = len(next(iter(layers)))
        layers = {
            laid | {where}
            for laid in layers
            for piece in set(range(len(hand))) - {one.piece for one in laid}
            for where in beside(hand, sorted(laid), piece)
        }
    return most


@pytest.mark.parametrize("kinds", [3, 4, 6])
def test_the_search_finds_a_layout_if_and_only_if_there_is_one(kinds: int) -> None:
    for hand in hands(kinds, 12, size=4):
        most = largest(hand)
        found = [CardSearch(hand, goal).layout() for goal in (2, 3, 4)]
        assert [laid is not None for laid in found] == [goal <= most for goal in (2, 3, 4)]
        for laid in found:
            assert laid is None or verdict(hand, laid).state == "open"


def test_a_proof_takes_few_nodes() -> None:
    searches = [CardSearch(hand) for kinds in (6, 8, 10, 12) for hand in hands(kinds, 50)]
    assert sum(search.layout() is None for search in searches) > 50
    assert max(search.nodes for search in searches) < 5000


@pytest.mark.parametrize("kinds", [4, 6, 7, 8, 10, 12])
def test_the_compiled_search_lays_the_same_cards_as_the_plain_search(kinds: int) -> None:
    (stack,) = hands(kinds, 1, size=36)
    fits = compiled.fits(np.array([[int(mark) for mark in one.marks] for one in stack], np.uint8))
    dealt = compiled.deal(17, 36, 200)
    found, nodes = compiled.lay_seven(fits, dealt)
    searches = [CardSearch([stack[number] for number in hand]) for hand in dealt]
    assert [search.layout() is not None for search in searches] == found.tolist()
    assert [search.nodes for search in searches] == nodes.tolist()


def test_hands_are_dealt_evenly_and_a_longer_list_begins_with_the_same_hands() -> None:
    dealt = compiled.deal(17, 36, 4000)
    assert (compiled.deal(17, 36, 100) == dealt[:100]).all()
    assert all(len(set(hand)) == 9 for hand in dealt.tolist())
    assert np.bincount(dealt.ravel(), minlength=36).min() > 850
    assert np.bincount(dealt.ravel(), minlength=36).max() < 1150


def test_a_simulated_person_needs_at_least_six_tries_and_always_finishes() -> None:
    (stack,) = hands(6, 1, size=36)
    fits = compiled.fits(np.array([[int(mark) for mark in one.marks] for one in stack], np.uint8))
    dealt = compiled.deal(17, 36, 200)
    can, _ = compiled.lay_seven(fits, dealt)
    tries, restarts = compiled.try_out(fits, dealt[can], 3)
    assert tries.min() >= 6
    assert restarts.min() == 0
    assert (compiled.try_out(fits, dealt[can], 3)[0] == tries).all()
    # All cards are equal, so every placement that fits is right.
    alike = compiled.fits(np.zeros((36, 6), np.uint8))
    assert compiled.try_out(alike, dealt, 3)[0].tolist() == [6] * 200


def turned(where: Placement, quarters: int) -> Placement:
    """The same card after turning the whole table clockwise about the origin."""
    matrix = SQUARE.turns[quarters]
    cells: list[Cell] = [moved(matrix, plus(cell, where.at)) for cell in SHAPES[where.turn]]
    return Placement(where.piece, (where.turn + quarters) % 4, tuple(map(min, zip(*cells, strict=True))))


PLACES = st.builds(lambda turn, x, y: (turn, x, y), st.integers(0, 3), st.integers(-6, 6), st.integers(-6, 6))


@given(st.lists(PLACES, max_size=7), st.integers(0, 3), st.integers(1, 3), st.integers(0, 49))
def test_rotating_the_table_changes_no_verdict(
    places: list[tuple[int, int, int]], quarters: int, kinds: int, which: int
) -> None:
    hand = hands(kinds, 50)[which]
    laid = [Placement(piece, turn, (x, y)) for piece, (turn, x, y) in enumerate(places)]
    assert verdict(hand, [turned(one, quarters) for one in laid]) == verdict(hand, laid)


@given(st.integers(0, 49), st.integers(0, 3))
def test_a_right_layout_stays_right_when_rotated(which: int, quarters: int) -> None:
    hand = hands(4, 50)[which]
    laid = seven(hand)
    assert laid is not None
    assert verdict(hand, [turned(one, quarters) for one in laid]).state == "solved"


def test_layouts_survive_drawing_and_parsing() -> None:
    for hand in hands(4, 10, size=7):
        laid = seven(hand)
        assert laid is not None
        picture = draw(hand, laid)
        cards, again = read(picture)
        assert draw(cards, again) == picture
        assert verdict(cards, again).state == "solved"


def test_a_picture_with_half_a_card_is_refused() -> None:
    with pytest.raises(ValueError, match="B is not a card"):
        read("Aa Aa Bb\nAa Aa Bb\nAa Aa Bb")
