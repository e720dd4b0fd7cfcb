"""The starter pack is small and enough for a match; and a PDF has as many pages as were promised."""

from functools import cache
from itertools import product
from pathlib import Path

import msgspec
import pypdfium2
import pytest

from ubongo.commands.print import print as print_command
from ubongo.games.cubes import GEMS as CUBES_GEMS
from ubongo.games.extreme import GEMS as EXTREME_GEMS
from ubongo.material import cards, cubes, extreme, shipped
from ubongo.material.cubes import CubesEdition
from ubongo.material.extreme import ExtremeEdition
from ubongo.printing.order import FLIPS, PAPERS, Order
from ubongo.printing.parts import PARTS, STARTER, page_counts, whole
from ubongo.printing.svg import elements
from ubongo.words import LANGUAGES

ROUNDS = 9
PLAYERS = (2, 3, 4)
CHOICES = [(game, part) for game, parts in PARTS.items() for part in (STARTER, *parts)]


@cache
def counts(game: str, asked: Order | None = None) -> dict[str, int]:
    return page_counts(shipped(game), asked or Order(shipped(game).id))


@cache
def names(game: str) -> list[str]:
    """Everything that is to be cut out of a pack."""
    pages = whole(shipped(game), (STARTER,), Order(shipped(game).id))
    return [name for page in pages if not page.back for name, _ in page.boxes]


@pytest.mark.parametrize(("game", "part"), CHOICES)
def test_as_many_pages_as_were_promised(game: str, part: str, tmp_path: Path) -> None:
    out = tmp_path / "out.pdf"
    print_command(game, part=part, out=out)
    assert len(pypdfium2.PdfDocument(out)) == counts(game)[part]


@pytest.mark.parametrize(
    "game", ["dice", *(pytest.param(game, marks=pytest.mark.long) for game in PARTS if game != "dice")]
)
def test_all_of_it_has_as_many_pages_as_were_promised(game: str, tmp_path: Path) -> None:
    test_as_many_pages_as_were_promised(game, "all", tmp_path)


@pytest.mark.parametrize("game", PARTS)
@pytest.mark.parametrize(("paper", "duplex"), list(product(PAPERS, FLIPS)))
def test_a_starter_pack_has_8_to_12_pages(game: str, paper: str, duplex: str) -> None:
    for language in LANGUAGES:
        asked = Order(shipped(game).id, paper, duplex=duplex, language=language)
        assert 8 <= sum(1 for _ in whole(shipped(game), (STARTER,), asked)) <= 12


def test_the_command_says_how_many_pages(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "pages.json"
    print_command("dice", out=out, pages=True)
    assert msgspec.json.decode(out.read_bytes()) == counts("dice")
    assert capsys.readouterr().out == f"{out}: {counts('dice')['all']} pages in all\n"


def test_extreme_has_boards_for_nine_rounds_and_their_pieces() -> None:
    edition = shipped("extreme")
    assert isinstance(edition, ExtremeEdition)
    boards = [name for name in names("extreme") if name.isdigit()]
    for players in PLAYERS:
        # Boards go back under the stack in the order in which they were taken.
        taken = [boards[place % len(boards)] for place in range(players * ROUNDS)]
        assert all(len(set(taken[seat::players])) == ROUNDS for seat in range(players))
    needed = {
        extreme.name_of(colour, number)
        for board, side, colour, _, task in extreme.tasks(edition)
        if side == 3 and str(board) in boards
        for number in task.numbers
    }
    assert needed <= set(names("extreme"))
    assert set(extreme.COLOURS) <= set(names("extreme"))


@pytest.mark.parametrize(("game", "gems"), [("extreme", EXTREME_GEMS), ("cubes", CUBES_GEMS)])
def test_every_gem_of_the_game_is_there(game: str, gems: dict[str, int]) -> None:
    for kind, many in gems.items():
        assert sum(name.startswith(f"{kind}-") for name in names(game)) == many


def test_3d_has_three_animals_whole_and_blocks_enough_for_four() -> None:
    edition = shipped("cubes")
    assert isinstance(edition, CubesEdition)
    boards = [int(name) for name in names("cubes") if name.isdigit()]
    animals = [edition.boards[board - 1].animal for board in boards]
    # Each comes three times, and everyone has another board each time.
    assert sorted(animals.count(animal) for animal in set(animals)) == [4, 4, 4]
    for animal in set(animals):
        for thrown in range(1, 11):
            kinds = [
                kind
                for board in boards
                if edition.boards[board - 1].animal == animal
                for kind in cubes.task_of(edition.boards[board - 1], 3, thrown)[1].kinds
            ]
            assert all(kinds.count(kind) <= cubes.COPIES[kind - 1] for kind in kinds)
    assert {f"number-{number}" for number in range(1, 11)} <= set(names("cubes"))


def test_cards_are_dealt_to_four() -> None:
    assert names("cards") == [f"1-{number}" for number in range(1, cards.CARDS + 1)]
    assert len(names("cards")) == 4 * 9


def test_dice_has_a_sheet_and_two_dice_for_each_of_four() -> None:
    pages = list(whole(shipped("dice"), (STARTER,), Order(shipped("dice").id)))
    assert sum(elements(page.body).count('class="field"') == 7 for page in pages) == 4
    assert names("dice") == [f"{colour}-{number}" for colour in ("black", "white") for number in range(1, 5)]
