"""The cards: made the same everywhere, and what `check` says when something is wrong with them."""

from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import msgspec
import pytest
from msgspec.structs import replace

from ubongo.chance import Chance
from ubongo.material import shipped
from ubongo.material.cards import SIDES, STACKS, Card, CardFace, CardsEdition, Stack, dump_lines, piece_lines, pieces
from ubongo.material.shapes import SYMBOLS
from ubongo.workshop.check_cards import check
from ubongo.workshop.crew import Crew
from ubongo.workshop.decks import ROUNDS, DeckFaces, DeckTrial, choose, try_faces


@pytest.fixture(scope="module")
def faces() -> dict[int, tuple[CardFace, ...]]:
    """The faces of the shipped edition; test_material.py checks that they can be reproduced."""
    edition = shipped("cards")
    assert isinstance(edition, CardsEdition)
    found: dict[int, tuple[CardFace, ...]] = {}
    for stack in edition.stacks:
        found[stack.stack] = tuple(card.white for card in stack.cards)
        found[stack.stack + 1] = tuple(card.black for card in stack.cards)
    return found


def bound(faces: dict[int, tuple[CardFace, ...]]) -> CardsEdition:
    one, two, three = (Stack(number, tuple(map(Card, faces[number], faces[number + 1]))) for number in STACKS)
    return CardsEdition(seed=1, stacks=(one, two, three))


def drawn(kinds: int) -> tuple[CardFace, ...]:
    """Random faces, with every kind equally often."""
    marks = Chance("faces").shuffled([SYMBOLS[number % kinds] for number in range(216)])
    rows = [(marks[i], marks[i + 1]) for i in range(0, 216, 2)]
    return tuple((rows[i], rows[i + 1], rows[i + 2]) for i in range(0, 108, 3))


@pytest.mark.no_cover
def test_the_number_of_workers_changes_nothing() -> None:
    trials = [DeckTrial(7, round_, number, 20_000) for round_ in (1, 6) for number in (0, 1)]
    with ProcessPoolExecutor(2, get_context("spawn")) as executor:
        assert Crew(executor).map(try_faces, trials, "cards") == Crew().map(try_faces, trials, "cards")


def test_another_seed_or_trial_gives_other_cards() -> None:
    trials = [DeckTrial(7, 1, 0, 100), DeckTrial(8, 1, 0, 100), DeckTrial(7, 1, 1, 100), DeckTrial(7, 2, 0, 100)]
    assert len({try_faces(trial).faces for trial in trials}) == len(trials)


def test_swaps_keep_the_counts_and_create_no_equal_faces() -> None:
    for round_, specification in ROUNDS.items():
        made = try_faces(DeckTrial(3, round_, 0, 20_000)).faces
        counts = Counter(mark for face in made for row in face for mark in row)
        assert len(counts) == specification.kinds
        assert max(counts.values()) - min(counts.values()) <= 1
        assert len({min(face, tuple(row[::-1] for row in face[::-1])) for face in made}) == 36


def test_the_faces_nearest_to_the_median_are_chosen_and_a_poor_batch_is_repeated() -> None:
    middle = 80_5000

    class Scripted(Crew):
        """Answers the first batch with faces that are too hard, the second with suitable ones."""

        def map(self, work, items, what):  # type: ignore[no-untyped-def] # as Crew's, whose types do not matter here
            trials = list(items)
            assert (work, what) == (try_faces, "cards")
            off = {8: 40_000, 11: -300, 12: 500}
            return [
                DeckFaces((), {1_000: 0, 10_000: 0, 40_000: 0}, middle + off.get(trial.number, 10**6))
                for trial in trials
            ]

    assert choose(1, [1], Scripted())[1].tries == middle - 300


def test_a_good_edition_passes_every_check(faces: dict[int, tuple[CardFace, ...]]) -> None:
    findings = check(bound(faces), 100, Crew())
    assert findings.failed == []
    assert len(findings.proved) == 3


def failed(edition: CardsEdition) -> list[str]:
    return check(edition, 100, Crew()).failed


def test_two_equal_faces_are_found_even_if_one_is_turned_by_180_degrees(faces: dict[int, tuple[CardFace, ...]]) -> None:
    first, *others = faces[3]
    (a, b), (c, d), (e, f) = first
    turned = ((f, e), (d, c), (b, a))
    assert failed(bound(faces | {3: (first, *others[:-1], turned)}))[0] == "3-1-white and 3-36-white are equal"


def test_too_few_kinds_are_found(faces: dict[int, tuple[CardFace, ...]]) -> None:
    assert failed(bound(faces | {6: drawn(11)}))[0] == "round 6 has 11 kinds of symbols; it has 12"


def test_a_symbol_too_often_is_found(faces: dict[int, tuple[CardFace, ...]]) -> None:
    ((mark, _), middle, last), *others = drawn(4)
    other = next(symbol for symbol in SYMBOLS if symbol != mark)
    changed = ((other, other), middle, last)
    (sentence,) = failed(bound(faces | {1: (changed, *others)}))
    assert sentence.startswith("round 1 has ")
    assert " 55 times and " in sentence or " 56 times and " in sentence


def test_a_missing_card_is_found(faces: dict[int, tuple[CardFace, ...]]) -> None:
    edition = bound(faces)
    one, two, three = edition.stacks
    assert failed(replace(edition, stacks=(one, replace(two, cards=two.cards[1:]), three))) == [
        "stack 3 has 35 cards; it has 36"
    ]
    assert failed(replace(edition, stacks=(one, one, three))) == ["the stacks are [1, 1, 5]; they are [1, 3, 5]"]


def test_hands_that_are_stuck_are_found(faces: dict[int, tuple[CardFace, ...]]) -> None:
    (sentence,) = failed(bound(faces | {6: drawn(12)}))
    assert sentence.startswith("round 6: ")
    assert "of 100 hands cannot lay seven" in sentence


def test_a_round_that_is_not_harder_is_found(faces: dict[int, tuple[CardFace, ...]]) -> None:
    (sentence,) = failed(bound(faces | {1: drawn(4)}))
    assert sentence.startswith("round 2, with ")
    assert "is not clearly harder than round 1" in sentence


def test_an_edition_survives_a_round_trip_and_other_data_is_refused(faces: dict[int, tuple[CardFace, ...]]) -> None:
    edition = bound(faces)
    text = msgspec.json.encode(edition)
    assert msgspec.json.decode(text, type=CardsEdition) == edition
    for broken in (text.replace(b'"Z5"', b'"Z6"', 1), text.replace(b'"stack":3', b'"stack":4'), text[:-9]):
        with pytest.raises(msgspec.DecodeError):
            msgspec.json.decode(broken, type=CardsEdition)


def test_dump_and_pieces_agree(faces: dict[int, tuple[CardFace, ...]]) -> None:
    edition = bound(faces)
    dumped, by_name = list(dump_lines(edition)), pieces(edition)
    assert [(line["stack"], line["card"]) for line in dumped] == [(s, c) for s in STACKS for c in range(1, 37)]
    for line in dumped:
        for side in SIDES:
            marks = by_name[f"{line['stack']}-{line['card']}-{side}"].marks
            assert line[side] == (marks[:2], marks[2:4], marks[4:])
    printed = list(piece_lines(edition))
    assert len(printed) == 216
    assert all(len(line["shapes"]) == 4 and line["after"] == {"turn": [1, 2, 3, 0]} for line in printed)
