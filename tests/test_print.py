"""Print and play: what a PDF holds is read back from it, and from what it looks like.

One file, since all of it looks at the same drawings, which take a while and are made once.
"""

import re
from collections.abc import Iterable
from functools import cache
from io import BytesIO
from itertools import combinations, islice
from pathlib import Path
from string import Formatter

import httpx
import msgspec
import numpy as np
import pypdfium2
import pytest
import zxingcpp
from numpy.typing import NDArray
from PIL.Image import Image

from tests.program import ubongo
from ubongo import words
from ubongo.material import GAMES, shipped
from ubongo.printing import ink
from ubongo.printing.dice_net import FACES, nets, stickers
from ubongo.printing.order import FLIPS, PAPERS, Order, TooLarge
from ubongo.printing.outline import Box
from ubongo.printing.page import words as label_of
from ubongo.printing.parts import PARTS, printed
from ubongo.printing.pdf import write
from ubongo.printing.rules import blocks_of, family
from ubongo.printing.sheet import PaperSide, Thing, ThingKind, counting, on_leaves, sheets
from ubongo.printing.svg import elements

MM = 72 / 25.4
EVERY_PART = [(game, part) for game in PARTS for part in PARTS[game]]


def order(game: str, **asked: object) -> Order:
    return msgspec.structs.replace(Order(shipped(game).id), **asked)


@cache
def drawn(game: str, part: str, asked: Order | None = None) -> tuple[PaperSide, ...]:
    return tuple(printed(shipped(game), part, asked or order(game)))


def beginning(number: int, game: str, part: str, asked: Order) -> list[PaperSide]:
    """So many pages: a booklet of hundreds says no more."""
    return list(islice(printed(shipped(game), part, asked), number))


def pdf(pages: Iterable[PaperSide]) -> bytes:
    out = BytesIO()
    write([(page.size, page.body) for page in pages], out, "a test", lambda _: None)
    return out.getvalue()


def seen(page: PaperSide, per_mm: float = 4) -> Image:
    """The page as a printer would put it on paper."""
    looked_at: Image = pypdfium2.PdfDocument(pdf([page]))[0].render(scale=per_mm / MM).to_pil()
    return looked_at


def inked(picture: Image) -> NDArray[np.bool_]:
    return np.asarray(picture.convert("L")) < 250


def on_the_paper(sheet: PaperSide, box: Box, flip: str) -> Box:
    """Where a box of a back lies on the paper, seen from the front through it."""
    width, height = sheet.size
    if sheet.upside_down:
        box = Box(width - box.x - box.width, height - box.y - box.height, box.width, box.height)
    long_edge_is_upright = height > width
    if flip == "none" or (flip == "long") == long_edge_is_upright:
        return Box(width - box.x - box.width, box.y, box.width, box.height)
    return Box(box.x, height - box.y - box.height, box.width, box.height)


@pytest.mark.parametrize("paper", PAPERS)
@pytest.mark.parametrize("flip", FLIPS)
@pytest.mark.parametrize("kind", [ThingKind(126, 178, gap=6), ThingKind(56, 84), ThingKind(22, 22)])
def test_fronts_and_backs_lie_on_each_other(kind: ThingKind, flip: str, paper: str) -> None:
    label = label_of(0, 0, 3, "a side")
    things = [Thing(str(number), label, label) for number in range(5)]
    pages = list(sheets(order("extreme", paper=paper, duplex=flip), kind, things, "", counting()))
    assert len(pages) % 2 == 0
    for front, back in zip(pages[::2], pages[1::2], strict=True):
        behind = {name: on_the_paper(back, box, flip) for name, box in back.boxes}
        assert set(behind) == {name for name, _ in front.boxes}
        for name, box in front.boxes:
            assert behind[name] == pytest.approx(box)


@pytest.mark.parametrize("flip", ["long", "short"])
def test_a_piece_has_the_same_outline_on_its_back(flip: str) -> None:
    """Looked at, not worked out: the back is laid on the front as the printer does it."""
    front, back = drawn("extreme", "pieces", order("extreme", duplex=flip))[1:3]
    ours, theirs = inked(seen(front)), inked(seen(back))
    across = (flip == "long") == (front.size[1] > front.size[0])
    theirs = theirs[:, ::-1] if across else theirs[::-1]
    foot = 15 * 4
    assert ours[foot:-foot].mean() > 0.15
    assert (ours != theirs)[foot:-foot].mean() < 0.003


@pytest.mark.parametrize("flip", ["long", "short"])
def test_a_card_lies_on_its_back(flip: str) -> None:
    """Black is where a card is, and a little more: all cards of the front are inside of it."""
    front, back = drawn("cards", "cards", order("cards", duplex=flip))[1:3]
    ours, black = inked(seen(front)), np.asarray(seen(back).convert("L")) < 200
    black = black[:, ::-1] if flip == "long" else black[::-1]
    for _, box in front.boxes:
        part = np.s_[int(box.y * 4) : int((box.y + box.height) * 4), int(box.x * 4) : int((box.x + box.width) * 4)]
        assert black[part].mean() > 0.75
        assert ours[part].mean() > 0.15
    assert [name for name, _ in front.boxes] == [name for name, _ in back.boxes]


@pytest.mark.no_cover
@pytest.mark.parametrize("flip", ["long", "short"])
@pytest.mark.parametrize(("game", "pages"), [("cards", 28), ("dice", 68), ("extreme", 104), ("cubes", 87)])
def test_a_printer_that_turns_the_paper_puts_nothing_behind_what_is_cut_but_its_back(
    game: str, pages: int, flip: str
) -> None:
    asked = order(game, duplex=flip)
    printed_pages = list(on_leaves(asked, (page for part in PARTS[game] for page in drawn(game, part, asked))))
    assert len(printed_pages) == pages
    for place in range(0, pages, 2):
        front, *behind = printed_pages[place : place + 2]
        assert front.body
        assert not front.back
        for back in behind:
            assert back.size == front.size or back.body
            if back.body:
                assert back.back == bool(front.boxes)
                assert [name for name, _ in back.boxes] == [name for name, _ in front.boxes]
            else:
                # No leaf is spent on what could be read on it.
                assert front.boxes or printed_pages[place + 2].boxes


def test_a_side_that_stays_white_is_a_page_of_the_file_unless_the_paper_is_not_turned(tmp_path: Path) -> None:
    for flip, empty in (("long", [False, True, False, True, False]), ("none", [False, False, False])):
        out = tmp_path / f"{flip}.pdf"
        assert ubongo("print", "dice", "--part", "dice", "--duplex", flip, "--out", out).returncode == 0
        assert [not page.get_textpage().get_text_range() for page in pypdfium2.PdfDocument(out)] == empty


@pytest.mark.no_cover
@pytest.mark.parametrize("paper", PAPERS)
@pytest.mark.parametrize(("game", "part"), EVERY_PART)
def test_pages_have_the_size_of_the_paper_and_a_ruler_that_is_true(game: str, part: str, paper: str) -> None:
    pages = beginning(3, game, part, order(game, paper=paper, scale=0.9))
    document = pypdfium2.PdfDocument(pdf(pages))
    for page in document:
        assert sorted(length / MM for length in page.get_size()) == pytest.approx(sorted(PAPERS[paper]), abs=0.01)
    lengths = [
        (right - left) / MM
        for left, _, right, _ in (thing.get_bounds() for thing in document[0].get_objects(max_depth=9))
    ]
    assert any(abs(length - 50.25) < 0.3 for length in lengths), "no ruler of 50 mm"


@pytest.mark.no_cover
@pytest.mark.parametrize(("game", "part"), EVERY_PART)
def test_nothing_lies_where_no_printer_prints(game: str, part: str) -> None:
    for page in beginning(4, game, part, order(game)):
        there = inked(seen(page, per_mm=2))
        edge = 2 * 4
        there[edge:-edge, edge:-edge] = False
        assert not there.any()


@pytest.mark.no_cover
@pytest.mark.parametrize("paper", PAPERS)
@pytest.mark.parametrize(("game", "part"), EVERY_PART)
def test_no_word_lies_on_the_ruler(game: str, part: str, paper: str) -> None:
    pages = [page for page in beginning(4, game, part, order(game, paper=paper)) if page.body]
    for page, sheet in zip(pypdfium2.PdfDocument(pdf(pages)), pages, strict=True):
        width, height = sheet.size
        ruler = (10.0, 4.0, 60.0, 10.0)
        if sheet.upside_down:
            ruler = (width - 60, height - 10, width - 10, height - 4)
        left, low, right, high = (length * MM for length in ruler)
        assert page.get_textpage().get_text_bounded(left, low, right, high) == ""


@pytest.mark.parametrize("language", words.LANGUAGES)
def test_the_letters_are_in_the_file_and_can_be_read_back(language: str) -> None:
    asked = order("extreme", language=language)
    made = pdf(beginning(3, "extreme", "boards", asked))
    fonts = set(re.findall(rb"/BaseFont /(?:[A-Z0-9]+\+)?([\w-]+)", made))
    assert fonts == {b"Nunito-Regular", b"Nunito-Bold"}
    assert made.count(b"/FontFile2") >= 2
    said = pypdfium2.PdfDocument(made)[0].get_textpage().get_text_range()
    first = asked.say("extreme_boards", count=54).split("|")[0]
    assert " ".join(first.split()[:6]) in " ".join(said.split())


@pytest.mark.no_cover
@pytest.mark.parametrize(
    ("game", "boards"),
    [
        ("extreme", [str(number) for number in range(1, 55)] * 2),
        ("cubes", [f"{letter}{number}" for letter in "AB" for number in range(1, 37)]),
    ],
)
def test_a_code_on_every_side_of_every_board_leads_to_its_page(game: str, boards: list[str], address: str) -> None:
    """As a phone reads it from the page; and the running server knows the board."""
    asked = order(game, url=address.rstrip("/"))
    document = pypdfium2.PdfDocument(pdf(drawn(game, "boards", asked)))
    pictures = (page.render(scale=4 / MM, grayscale=True).to_numpy() for page in document)
    read = [code.text for picture in pictures for code in zxingcpp.read_barcodes(picture)]
    assert sorted(read) == sorted(f"{asked.url}/b/{asked.edition}/{board}" for board in boards)
    with httpx.Client(timeout=60) as phone:
        for code in sorted(set(read)):
            assert "text/html" in phone.get(code).headers["content-type"]
            board = phone.get(code.replace("/b/", "/api/boards/")).json()
            assert (board["game"], board["board"]) == (game, code.rpartition("/")[2])


def test_without_an_address_there_is_no_code() -> None:
    assert not any('class="code"' in elements(page.body) for page in drawn("extreme", "boards"))


def test_everything_is_there_once() -> None:
    def fronts(part: str) -> list[str]:
        return [name for page in drawn("extreme", part, order("extreme", duplex="none")) for name, _ in page.boxes]

    assert sorted(fronts("boards"), key=int) == [str(board) for board in range(1, 55) for _ in range(2)]
    assert len(set(fronts("pieces"))) == len(fronts("pieces")) == 52
    assert len([name for name in fronts("gems") if name.startswith("sapphire")]) == 18


def test_a_card_is_printed_with_its_own_back() -> None:
    cards = [page for page in drawn("cards", "cards") if page.boxes]
    assert len([box for page in cards for box in page.boxes]) == 2 * 108
    assert {(box.width, box.height) for page in cards for _, box in page.boxes} == {(56, 84)}
    documents = pypdfium2.PdfDocument(pdf(cards[:2]))
    front, back = (page.get_textpage().get_text_range() for page in documents)
    assert sorted(re.findall(r"\b1–\d+", front)) == sorted(re.findall(r"\b1–\d+", back))
    assert len(re.findall(r"\b1–\d+", front)) == 9


def test_a_net_folds_to_a_die() -> None:
    """Every face once, and all six in one piece."""
    [net] = {thing.front for thing in nets() if thing.name.startswith("black")}
    assert elements(net).count('class="symbol"') == 6
    assert sorted(FACES) == [(0, 1), (1, 0), (1, 1), (1, 2), (2, 1), (3, 1)]
    assert len([thing for thing in stickers() if thing.name.startswith("white")]) == 4 * 6


@pytest.mark.parametrize("colour", ["black", "white"])
def test_a_net_is_folded_where_lines_are_dashed_and_cut_where_they_are_not(colour: str) -> None:
    """Of its faces' 19 sides 5 join two of them and 7 have a tab: these are folded. Tabs are glued to the others."""
    [net] = {thing.front for thing in nets() if thing.name.startswith(colour)}

    def commands(name: str) -> list[str]:
        [data] = re.findall(rf'class="{name}" d="([^"]+)"', elements(net))
        return re.findall(r"[A-Z][^A-Z]*", data)

    def sides(name: str) -> set[tuple[str, str]]:
        return set(zip(commands(name)[::2], commands(name)[1::2], strict=True))

    assert (len(sides("fold")), len(sides("cut")), len(sides("fold") | sides("cut"))) == (5 + 7, 7, 19)
    assert [command[0] for command in commands("tabs")] == ["M", "L", "L", "L"] * 7


@pytest.mark.parametrize("language", words.LANGUAGES)
@pytest.mark.parametrize(
    ("game", "part"), [("cards", "cards"), ("extreme", "gems"), ("cubes", "gems"), ("cubes", "dice")]
)
def test_the_first_page_names_every_size_that_is_cut(game: str, part: str, language: str) -> None:
    pages = drawn(game, part, order(game, language=language, scale=0.9))
    [first] = pypdfium2.PdfDocument(pdf(pages[:1]))
    named = set(re.findall(r"([\d.]+) × ([\d.]+) mm", first.get_textpage().get_text_range()))
    cut = {(f"{box.width:g}", f"{box.height:g}") for page in pages for _, box in page.boxes}
    assert named == cut


def test_in_black_and_white_colours_stay_apart() -> None:
    """By lightness, and by a pattern: a piece is never one flat grey."""
    page = drawn("extreme", "pieces", order("extreme", duplex="none"))
    light: dict[str, float] = {}
    for sheet in page[1:]:
        grey = np.asarray(seen(sheet, 6).convert("L")).astype(float)
        for name, box in sheet.boxes:
            colour = name.partition("-")[0]
            cut = grey[int(box.y * 6) : int((box.y + box.height) * 6), int(box.x * 6) : int((box.x + box.width) * 6)]
            inside = cut[cut < 245]
            assert inside.std() > 12
            light[colour] = float(np.median(inside))
    assert set(light) == set(ink.PIECES)
    assert min(abs(one - other) for one, other in combinations(light.values(), 2)) > 5


def test_what_has_no_room_is_not_printed() -> None:
    with pytest.raises(TooLarge):
        drawn("extreme", "boards", order("extreme", scale=1.9))


@pytest.mark.parametrize("language", words.LANGUAGES)
@pytest.mark.parametrize("game", GAMES)
def test_the_rules_for_families_have_two_pages(game: str, language: str) -> None:
    asked = order(game, language=language)
    pages = drawn(game, "rules", asked)
    assert len(pages) == 2
    said = "".join(page.get_textpage().get_text_range() for page in pypdfium2.PdfDocument(pdf(pages)))
    said = " ".join(said.split())
    blocks = list(blocks_of(family(game, language)))
    for block in blocks:
        for sentence in block.said:
            assert " ".join(sentence.replace("**", "").split()) in said
    shown = re.findall(r"!\[([a-z-]+)\]", family(game, language))
    assert [name for block in blocks for name in block.pictures] == [name for name in shown if "-turn" not in name]
    assert asked.say("rules_for_paper") in said
    # What is only on screen is not there, and where the precise rules are is said.
    assert not re.findall(r"screen|Bildschirm|ekran|[{}*]|0[.,]15", said)
    assert re.search(r"[KWXQ]1 \w+ [KWXQ]\d\d", said)


@pytest.mark.parametrize("game", GAMES)
def test_the_rules_for_families_are_alike_in_every_language(game: str) -> None:
    first, *others = [
        [(block.kind, block.pictures) for block in blocks_of(family(game, language))] for language in words.LANGUAGES
    ]
    assert all(other == first for other in others)


def test_the_rules_lead_to_the_numbered_ones() -> None:
    asked = order("extreme", url="https://play.example")
    said = "".join(
        page.get_textpage().get_text_range() for page in pypdfium2.PdfDocument(pdf(drawn("extreme", "rules", asked)))
    )
    assert "https://play.example/rules/extreme" in "".join(said.split())


@pytest.mark.parametrize(("game", "pages", "boards"), [("extreme", 27, 54), ("cubes", 36, 36)])
def test_the_booklet_has_every_board_once(game: str, pages: int, boards: int) -> None:
    sheets_of_it = drawn(game, "booklet")[1:]
    assert len(sheets_of_it) == pages
    found = [int(number) for page in sheets_of_it for number in re.findall(r">Board (\d+)<", elements(page.body))]
    assert found == list(range(1, boards + 1))


@pytest.mark.parametrize("language", words.LANGUAGES)
def test_paper_speaks_every_language(language: str) -> None:
    def asks(said: str) -> set[str]:
        return {name for _, name, _, _ in Formatter().parse(said) if name}

    english, other = words.printed("en"), words.printed(language)
    assert list(english) == list(other)
    assert {code: asks(said) for code, said in english.items()} == {code: asks(said) for code, said in other.items()}


def test_every_game_can_be_printed() -> None:
    assert set(PARTS) == set(GAMES)


def test_the_page_offers_what_can_be_printed() -> None:
    source = (Path(__file__).parent.parent / "web" / "src" / "print.ts").read_text()
    offered = {
        game: re.findall(r'"(\w+)"', parts)
        for game, parts in re.findall(r"^  (\w+): \[([^]]*)\]", source, re.MULTILINE)
    }
    assert offered == {game: list(parts) for game, parts in PARTS.items()}
