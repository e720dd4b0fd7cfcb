"""The sheets of the dice game: made the same everywhere, and what `check` says when something is wrong with them."""

from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from fractions import Fraction
from itertools import pairwise
from multiprocessing import get_context

import msgspec
import pytest
from msgspec.structs import replace

from ubongo.chance import Chance
from ubongo.kernel import throws
from ubongo.lattice import SQUARE, Shape, anchored
from ubongo.material import shipped
from ubongo.material.dice import Area, DiceEdition, dump_lines, piece_lines
from ubongo.material.shapes import BLACK, SHAPES, SYMBOLS, WHITE
from ubongo.picture import region
from ubongo.pieces import canonical, polyforms
from ubongo.workshop import plain_player
from ubongo.workshop.check_dice import check
from ubongo.workshop.crew import Crew
from ubongo.workshop.plain_player import FACES, ONE, bits, price
from ubongo.workshop.sheets import BAND, AreaPlot, blemishes, grow, hundredths, make, sizes


@pytest.fixture(scope="module")
def edition() -> DiceEdition:
    """The shipped edition; test_make.py checks that it can be reproduced."""
    edition = shipped("dice")
    assert isinstance(edition, DiceEdition)
    return edition


def test_the_dice_have_all_shapes_of_up_to_four_squares() -> None:
    assert {canonical(SQUARE, SHAPES[name]) for name in SHAPES if len(SHAPES[name]) < 5} == {
        shape for size in (1, 2, 3, 4) for shape in polyforms(SQUARE, size)
    }
    assert sorted(SHAPES) == sorted({"I1", *SYMBOLS})
    assert all(len(SHAPES[name]) == int(name[1]) for name in SHAPES)
    assert len({canonical(SQUARE, shape) for shape in SHAPES.values()}) == 13
    assert len(set(BLACK)) == len(set(WHITE)) == 6


@pytest.mark.parametrize(
    ("left", "worth"),
    [
        ("#", 2 + 4 + 6),
        ("##\n##", 8 + 8 + 6),
        ("##.\n..#", 6 + 10 + 12),
        ("####\n#..#", 12 + 14 + 6),
    ],
)
def test_the_cost_of_free_squares_counts_squares_border_and_parts(left: str, worth: int) -> None:
    assert price(bits(region(SQUARE, left))) == worth


def test_one_square_takes_as_long_as_the_single_square_takes_to_come() -> None:
    assert plain_player.rounds(((0, 0),)) == 6 * ONE


def test_the_time_for_two_squares_matches_the_calculation_by_hand() -> None:
    # One sixth shows the I2 and fills it, one sixth the I1 and leaves a single square, for 6 rounds more.
    expected = (36 + 6 * Fraction(6)) / 12
    assert plain_player.rounds(((0, 0), (1, 0))) == expected * ONE


def test_the_compiled_player_plays_like_the_plain_one() -> None:
    for squares in (3, 5, 8, 11, 14, 16):
        for trial in range(4):
            region = grow_any(squares, trial)
            assert throws.rounds(bits(region), FACES) == plain_player.rounds(region)


def grow_any(squares: int, trial: int) -> Shape:
    """A random connected region in a box of seven by eight."""
    cells, words = {(3, 3)}, Chance("regions").words(squares, trial)
    while len(cells) < squares:
        x, y = sorted(cells)[next(words) % len(cells)]
        dx, dy = SQUARE.steps[next(words) % 4]
        if 0 <= x + dx < 7 and 0 <= y + dy < 8:
            cells.add((x + dx, y + dy))
    return tuple(sorted(cells))


def test_the_number_of_workers_changes_nothing() -> None:
    with ProcessPoolExecutor(2, get_context("spawn")) as executor:
        assert make(5, Crew(executor), sheets=3) == make(5, Crew(), sheets=3)


def test_another_seed_gives_other_areas() -> None:
    assert make(5, Crew(), sheets=1).sheets != make(6, Crew(), sheets=1).sheets


def test_a_congruent_area_is_grown_again() -> None:
    plot = AreaPlot(5, 1, 1, 14)
    first = grow(plot)
    again = grow(replace(plot, trial=first.trial + 1))
    assert again.trial > first.trial
    assert again.region != first.region


def test_areas_grow_from_14_to_21_squares() -> None:
    for sheet in range(1, 61):
        squares = sizes(1, sheet)
        assert (len(squares), squares[0], squares[-1]) == (6, 14, 21)
        assert all(before < after for before, after in pairwise(squares))


@pytest.mark.parametrize(
    ("picture", "why"),
    [
        ("####\n####\n....\n####\n####", "it is not connected"),
        (".####\n##..#\n##.##\n#####", "it has a hole"),
        ("#######\n#######\n#######", "its box is 7 × 3"),
        ("##....\n###...\n######\n######", None),
        ("###...\n###...\n...###\n...###\n..####", "two of its squares meet in a corner only"),
        ("#....#\n######\n######\n.####.", "2 of its squares hang by one side"),
        ("###...\n#.#...\n#.####\n######\n.#####", "7 of its squares are in no block of four"),
        ("#.##.#\n######\n######\n##.##.\n#..#..", "its outline has 22 corners"),
        ("####\n####\n####\n####", "its outline has 4 corners"),
    ],
)
def test_blemishes_are_recognised(picture: str, why: str | None) -> None:
    found = list(blemishes(region(SQUARE, picture)))
    assert found == [] if why is None else why in found


def test_a_good_edition_passes_every_check(edition: DiceEdition) -> None:
    # Compare the plain Python check below: on a sheet with one wrong area it finds nothing else.
    findings = check(edition, Crew(), slowly=0)
    assert findings.failed == []
    assert len(findings.proved) == 3


def changed(edition: DiceEdition, place: int, change: Callable[[Area], Area]) -> DiceEdition:
    """The edition with another area on its second sheet."""
    areas = list(edition.sheets[1].areas)
    areas[place - 1] = change(areas[place - 1])
    return replace(
        edition, sheets=(edition.sheets[0], replace(edition.sheets[1], areas=tuple(areas)), *edition.sheets[2:])
    )


def failed(edition: DiceEdition) -> list[str]:
    return check(edition, Crew(), slowly=0).failed


def test_a_congruent_area_is_found(edition: DiceEdition) -> None:
    def mirrored(_: Area) -> Area:
        first = edition.sheets[0].areas[0]
        width = max(x for x, _ in first.region)
        return replace(first, region=tuple(sorted((width - x, y) for x, y in first.region)))

    assert failed(changed(edition, 1, mirrored)) == ["area 1 of sheet 2 is congruent with area 1 of sheet 1"]


def test_an_area_with_a_blemish_is_found(edition: DiceEdition) -> None:
    ring = region(SQUARE, "####\n#..#\n#..#\n####\n##..")

    def ringed(area: Area) -> Area:
        return replace(area, region=tuple((x, y) for x, y in ring))

    assert "area 1 of sheet 2: it has a hole" in failed(changed(edition, 1, ringed))


def test_an_area_that_is_too_small_is_found(edition: DiceEdition) -> None:
    sentences = failed(changed(edition, 6, lambda area: replace(area, region=area.region[:-1])))
    assert any(sentence.startswith("sheet 2 has areas of [14, ") for sentence in sentences)


def test_squares_out_of_order_are_found(edition: DiceEdition) -> None:
    sentences = failed(changed(edition, 3, lambda area: replace(area, region=area.region[::-1])))
    assert sentences == ["area 3 of sheet 2: its squares are not sorted, start elsewhere than at 0 or come twice"]


@pytest.mark.no_cover
def test_a_wrong_difficulty_is_found_compiled_and_plain(edition: DiceEdition) -> None:
    one, *others = edition.sheets
    first = replace(one.areas[0], difficulty=9.99)
    wrong = replace(edition, sheets=(replace(one, areas=(first, *one.areas[1:])), *others))
    assert [sentence.split(" rounds")[1] for sentence in check(wrong, Crew(), slowly=1).failed] == [
        "; it says 9.99",
        " in plain Python; it says 9.99",
    ]


def test_an_area_that_drags_on_is_found(edition: DiceEdition) -> None:
    grown = (tuple((x, y) for x, y in anchored(grow_any(14, trial))) for trial in range(1000))
    slow = next(area for area in grown if not any(blemishes(area)) and hundredths(area) > BAND[-1])
    rounds = hundredths(slow) / 100
    sentences = failed(changed(edition, 1, lambda _: Area(slow, rounds)))
    assert sentences == [f"area 1 of sheet 2 takes {rounds} rounds, not 8.5 to 10.0"]


def test_a_missing_sheet_is_found(edition: DiceEdition) -> None:
    assert failed(replace(edition, sheets=edition.sheets[1:])) == ["there are 59 sheets; there are 60"]


def test_an_edition_survives_a_round_trip_and_other_data_is_refused(edition: DiceEdition) -> None:
    text = msgspec.json.encode(edition)
    assert msgspec.json.decode(text, type=DiceEdition) == edition
    for broken in (text.replace(b"[0,", b"[0,0,", 1), text.replace(b'"dice"', b'"cards"'), text[:-9]):
        with pytest.raises(msgspec.DecodeError):
            msgspec.json.decode(broken, type=DiceEdition)


def test_dump_and_pieces_have_a_line_each(edition: DiceEdition) -> None:
    lines = list(dump_lines(edition))
    assert [(line["sheet"], line["area"]) for line in lines] == [(s, a) for s in range(1, 61) for a in range(1, 7)]
    for line in piece_lines(edition):
        numbers = list(range(len(line["shapes"])))
        assert sorted(line["after"]["turn"]) == sorted(line["after"]["flip"]) == numbers
        assert [line["after"]["flip"][line["after"]["flip"][number]] for number in numbers] == numbers
