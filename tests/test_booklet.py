"""The booklet: every solution as a picture, in the terminal and to print."""

import os
import pty
import re
import subprocess
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path
from xml.etree import ElementTree as ET

import msgspec
import pytest

from tests.program import PATIENCE_S, UBONGO, ubongo
from ubongo.lattice import CUBIC, anchored, moved
from ubongo.material import GAMES, cubes, encode, extreme, identify, shipped
from ubongo.material.cards import Card
from ubongo.material.cubes import CubesEdition
from ubongo.material.dice import Area, Sheet
from ubongo.material.extreme import ExtremeEdition
from ubongo.material.shapes import SYMBOLS
from ubongo.picture import layout
from ubongo.pieces import Placement, canonical, covered
from ubongo.printing.cards import card_page
from ubongo.printing.cubes import TWINS, cubes_page
from ubongo.printing.dice import sheet_page
from ubongo.printing.outline import HEXAGONS, SQUARES, innermost, outline
from ubongo.printing.pages import pages
from ubongo.printing.solid import seen
from ubongo.printing.solutions import NotSolved, PrintedPlacement, Solution, parts_on, solutions
from ubongo.printing.terminal import in_colour, in_letters

SVG = "{http://www.w3.org/2000/svg}"
FILES = {"cards": 3 * 36, "dice": 60, "extreme": 54, "cubes": 36}


def extremes() -> ExtremeEdition:
    found = shipped("extreme")
    assert isinstance(found, ExtremeEdition)
    return found


def three_d() -> CubesEdition:
    found = shipped("cubes")
    assert isinstance(found, CubesEdition)
    return found


@cache
def solved(game: str) -> tuple[Solution, ...]:
    return tuple(solutions(extremes() if game == "extreme" else three_d()))


@cache
def drawn(game: str) -> dict[str, str]:
    return dict(pages(shipped(game)))


def of_class(picture: ET.Element, name: str) -> Iterator[ET.Element]:
    return (one for one in picture.iter() if name in one.get("class", "").split())


# The list


def test_the_list_is_the_edition() -> None:
    pieces = extreme.pieces()
    for one, (board, side, colour, printed, task) in zip(solved("extreme"), extreme.tasks(extremes()), strict=True):
        assert (one.board, one.side, one.colour, one.region) == (board, side, colour, printed.region)
        assert [piece.number for piece in one.laid] == list(task.numbers)
        for piece, (turn, at) in zip(one.laid, task.solution, strict=True):
            assert piece.cells == covered(pieces[extreme.name_of(colour, piece.number)], Placement(0, turn, at))


def test_colours_of_blocks_are_their_types() -> None:
    assert {(piece.number, piece.colour) for one in solved("cubes") for piece in one.laid} == set(
        enumerate(cubes.PIECE_COLOURS, 1)
    )


# Paper


@pytest.mark.parametrize("game", GAMES)
def test_every_page_is_a_picture_of_its_own(game: str) -> None:
    files = drawn(game)
    assert len(files) == FILES[game]
    assert list(files) == sorted(files)
    for content in files.values():
        picture = ET.fromstring(content)
        assert picture.tag == f"{SVG}svg"
        assert picture.get("width", "").endswith("mm")
        # Nothing is fetched from elsewhere, and every pattern that is used is there.
        assert set(re.findall(r"url\(#([^)]+)\)", content)) <= {one.get("id") for one in picture.iter(f"{SVG}pattern")}
        assert "href" not in content
        assert "nan" not in content


@pytest.mark.parametrize("game", GAMES)
def test_the_same_edition_gives_the_same_files_in_any_process(game: str, tmp_path: Path) -> None:
    assert ubongo("booklet", game, "--svg", tmp_path).stdout == f"{tmp_path}: {FILES[game]} pictures written\n"
    assert {file.name: file.read_text() for file in tmp_path.iterdir()} == drawn(game)


def test_a_page_of_extreme_shows_every_piece_with_its_number() -> None:
    for board, (_, content) in enumerate(drawn("extreme").items(), 1):
        shown = [_numbers(piece) for piece in of_class(ET.fromstring(content), "piece")]
        assert shown == [[piece.number] for one in solved_on("extreme", board) for piece in one.laid]


def test_a_page_of_cubes_shows_every_piece_on_every_level_where_it_is() -> None:
    for board, (_, content) in enumerate(drawn("cubes").items(), 1):
        plans = [set(_numbers(plan)) for plan in of_class(ET.fromstring(content), "plan")]
        assert plans == [
            {piece.number for piece in one.laid if any(z == level for _, _, z in piece.cells)}
            for one in solved_on("cubes", board)
            for level in (0, 1)
        ]


def solved_on(game: str, board: int) -> list[Solution]:
    return [one for one in solved(game) if one.board == board]


def _numbers(drawing: ET.Element) -> list[int]:
    return [int(text.text or "") for text in drawing.iter(f"{SVG}text")]


def test_k1_a_card_has_its_six_symbols_and_its_round_on_both_faces() -> None:
    rows = tuple(zip(SYMBOLS[::2], SYMBOLS[1::2], strict=True))
    picture = ET.fromstring(card_page(3, 8, Card(white=rows[:3], black=rows[3:])))  # type: ignore[arg-type] # three rows each
    white, black = of_class(picture, "face")
    assert len(list(of_class(white, "symbol"))) == len(list(of_class(black, "symbol"))) == 6
    assert [[text.text for text in face.iter(f"{SVG}text")] for face in (white, black)] == [["3", "3–8"], ["4", "3–8"]]


def test_w2_a_sheet_has_six_areas_a_field_for_each_and_one_for_the_sum() -> None:
    block = tuple((x, y) for x in range(4) for y in range(4))
    picture = ET.fromstring(sheet_page(9, Sheet(tuple(Area(block, 4.0) for _ in range(6)))))
    assert len(list(of_class(picture, "area"))) == 6
    assert len(list(of_class(picture, "field"))) == 7


def test_q9a_the_twins_are_mirror_images() -> None:
    mirrored = {
        (one, other)
        for one, shape in enumerate(cubes.SHAPES, 1)
        for other, twin in enumerate(cubes.SHAPES, 1)
        if one < other
        and canonical(CUBIC, anchored(moved(CUBIC.mirror, cell) for cell in shape)) == canonical(CUBIC, twin)
    }
    assert mirrored == set(TWINS)


def test_two_ends_of_a_block_that_come_up_apart_have_its_number_each() -> None:
    bridge = ((0, 0, 0), (1, 0, 0), (2, 0, 0), (0, 0, 1), (2, 0, 1))
    assert [sorted(part) for part in parts_on(0, bridge)] == [[(0, 0), (1, 0), (2, 0)]]
    assert sorted(parts_on(1, bridge)) == [((0, 0),), ((2, 0),)]


# A solution of two blocks, the second behind the first: x to the right, y away from the reader, z up.
NEAR_AND_FAR = Solution(
    CUBIC,
    board=1,
    side=3,
    task="1|2",
    region=((0, 0, 0), (0, 0, 1), (0, 1, 0), (0, 1, 1)),
    laid=(PrintedPlacement(2, "yellow", ((0, 0, 0), (0, 0, 1))), PrintedPlacement(11, "red", ((0, 1, 0), (0, 1, 1)))),
    grade=1,
    animal="gnu",
    dice=(1, 2),
)


def test_a_plan_is_seen_from_above_so_that_no_block_turns_into_its_twin() -> None:
    harder = msgspec.structs.replace(NEAR_AND_FAR, side=4)
    picture = ET.fromstring(cubes_page([NEAR_AND_FAR, harder]))
    near, far = [float(text.get("y", "")) for text in next(of_class(picture, "plan")).iter(f"{SVG}text")]
    assert far < near
    assert in_letters(NEAR_AND_FAR).splitlines()[1:3] == ["B | B", "A | A"]
    assert [re.sub(r"\x1b\[[0-9;]*m", "", line).split() for line in in_colour(NEAR_AND_FAR, True).splitlines()][
        1:4
    ] == [
        ["11", "11"],
        [],
        ["2", "2"],
    ]
    # Blocks, too: from x to y is against the clock, seen from above.
    (ax, ay), (bx, by) = seen((1, 0, 0), 1), seen((0, 1, 0), 1)
    assert ax * by - ay * bx < 0


def test_squares_that_touch_in_a_corner_have_an_outline_each() -> None:
    assert [len(loop) for loop in outline(SQUARES, [(0, 0), (1, 1)], 1).loops] == [4, 4]
    ring = [(q, r) for q in (-1, 0, 1) for r in (-1, 0, 1) if (q, r) != (0, 0) and abs(q + r) < 2]
    assert sorted(len(loop) for loop in outline(HEXAGONS, ring, 1).loops) == [6, 18]


def test_a_number_stands_in_the_middle_of_its_piece() -> None:
    assert innermost(SQUARES, [(0, 0), (1, 0), (2, 0)]) == (1, 0)
    assert innermost(HEXAGONS, [(0, 0)]) == (0, 0)


# The terminal


@pytest.mark.parametrize("game", ["extreme", "cubes"])
def test_what_the_letters_show_is_the_solution(game: str) -> None:
    for one in solved(game):
        _, *picture, legend = in_letters(one).splitlines()
        shown = layout(one.lattice, "\n".join(picture))
        numbers = dict(re.findall(r"(\w) = (\d+)", legend))
        assert {int(numbers[letter]): cells for letter, cells in shown.items()} == {
            piece.number: tuple(sorted(piece.cells)) for piece in one.laid
        }


@pytest.mark.parametrize("many_colours", [True, False])
@pytest.mark.parametrize("game", ["extreme", "cubes"])
def test_every_piece_has_a_shade_of_its_own_and_all_its_cells(game: str, many_colours: bool) -> None:
    for one in solved(game):
        # A cell is two half cells on two lines.
        paints = Counter(re.findall(r"\x1b\[48;([0-9;]+);38", in_colour(one, many_colours)))
        assert sorted(paints.values()) == sorted(4 * len(piece.cells) for piece in one.laid)


def on_a_terminal(*words: str, **environment: str) -> str:
    ours, theirs = pty.openpty()
    plain = {name: value for name, value in os.environ.items() if name not in {"NO_COLOR", "COLORTERM", "TERM"}}
    subprocess.run([*UBONGO, "booklet", *words], stdout=theirs, check=True, timeout=PATIENCE_S, env=plain | environment)
    os.close(theirs)
    shown = b""
    # A terminal hands on in parts what it has got so far, also of somebody who is gone.
    with suppress(OSError):  # Linux says so when there is no more
        while part := os.read(ours, 100_000):
            shown += part
    os.close(ours)
    return shown.decode()


def test_colours_are_for_terminals_that_have_them_and_people_who_want_them() -> None:
    words = ("extreme", "--board", "17", "--side", "3", "--colour", "red")
    assert "\x1b[48;2;" in on_a_terminal(*words, COLORTERM="truecolor")
    assert "\x1b[48;5;" in on_a_terminal(*words, TERM="xterm-256color")
    assert "\x1b" not in on_a_terminal(*words, NO_COLOR="1", COLORTERM="truecolor")
    assert "\x1b" not in on_a_terminal(*words, TERM="dumb")
    assert "\x1b" not in ubongo("booklet", *words).stdout


@pytest.mark.parametrize(
    ("words", "titles"),
    [
        ("extreme", 432),
        ("extreme --board 17", 8),
        ("extreme --board 17 --side 4 --colour red", ["17 red · 4 pieces"]),
        ("cubes", 504),
        ("cubes --board 25", 14),
        ("cubes --board A25", 4),
        ("cubes --board b25 --side 4", 10),
        ("cubes --board A25 --task 7", ["A25 5|6|7 · giraffe · 3 pieces"]),
        ("cubes --board 25 --task 7", ["A25 5|6|7 · giraffe · 3 pieces", "B25 7 · giraffe · 4 pieces"]),
        ("cubes --board 25 --task 1|2", ["A25 1|2 · giraffe · 3 pieces"]),
        ("cubes --side 3 --task 3|4", 36),
    ],
)
def test_what_is_asked_for_is_shown(words: str, titles: int | list[str]) -> None:
    done = ubongo("booklet", *words.split())
    assert (done.returncode, done.stderr) == (0, "")
    shown = re.findall(r"^(.*) · [●○]{5}$", done.stdout, re.MULTILINE)
    assert (len(shown) if isinstance(titles, int) else shown) == titles


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("chess", "there is no game 'chess'; there are cards, dice, extreme, cubes"),
        ("extreme --board 55", "there is no board '55'; they go from 1 to 54, say 17"),
        ("extreme --board A17", "there is no board 'A17'; they go from 1 to 54"),
        ("extreme --task 7", "the tasks of extreme have no numbers; --colour chooses one"),
        ("extreme --colour pink", "there is no colour 'pink'; there are yellow, blue, red, green"),
        ("extreme --side 5", "--side is 5; it is 3 or 4"),
        ("extreme --side three", "--side"),
        ("cubes --board C25", "there is no board 'C25'; they go from 1 to 36, say 25, A25 or B25"),
        ("cubes --board A", "there is no board 'A'"),
        ("cubes --board A25 --side 4", "A25 is the side for 3 pieces; leave --side 4 out"),
        ("cubes --task 11", "there is no task '11'; name a number of the die, 1 to 10, or on the easier side 1|2,"),
        ("cubes --board B25 --task 1|2", "the harder side has no task '1|2'; its tasks are 1 to 10"),
        ("cubes --colour red", "the tasks of cubes have no colour; --task chooses one"),
        ("cubes --svg there --task 7", "--svg draws whole boards; --board chooses one"),
        ("cubes --force", "--force goes with --svg"),
        ("cards", "cards has no solutions to look up; --svg DIR draws what is printed"),
        ("dice", "dice has no solutions to look up; --svg DIR draws what is printed"),
        ("dice --board 3", "dice has no boards; --board, --task, --side and --colour are for extreme and cubes"),
    ],
)
def test_a_refusal_says_what_would_be_right(words: str, said: str) -> None:
    done = ubongo("booklet", *words.split())
    assert (done.returncode, done.stdout) == (2, "")
    assert said in done.stderr
    assert len(done.stderr.splitlines()) == 1


# Files


@pytest.mark.no_cover
def test_files_are_written_once_and_overwritten_only_by_force(tmp_path: Path) -> None:
    folder = tmp_path / "to" / "print"
    done = ubongo("booklet", "cubes", "--svg", folder, "--board", "A7")
    assert (done.stdout, done.returncode) == (f"{folder}: 1 picture written\n", 0)
    assert [file.name for file in folder.iterdir()] == ["board-07.svg"]
    (folder / "board-07.svg").write_text("mine")
    done = ubongo("booklet", "cubes", "--svg", folder)
    assert done.returncode == 2
    assert "board-07.svg is there already; --force overwrites" in done.stderr
    assert [(file.name, file.read_text()) for file in folder.iterdir()] == [("board-07.svg", "mine")]
    done = ubongo("booklet", "cubes", "--svg", folder, "--force")
    assert done.returncode == 0
    assert (folder / "board-07.svg").read_text() == drawn("cubes")["board-07.svg"]


def test_a_folder_that_cannot_be_one_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    done = ubongo("booklet", "extreme", "--svg", tmp_path / "file")
    assert done.returncode == 2
    assert "cannot be made a folder" in done.stderr


def test_an_edition_without_its_solutions_is_refused(tmp_path: Path) -> None:
    whole = extremes()
    side = whole.boards[0].three
    for solution, said in (
        (((99, (0, 0)), *side.tasks[0].solution[1:]), "a solution for other pieces than its own"),
        (side.tasks[0].solution[:2], "a solution for other pieces than its own"),
        (tuple((turn, (0, 0)) for turn, _ in side.tasks[0].solution), "a solution that does not fill its area"),
    ):
        task = msgspec.structs.replace(side.tasks[0], solution=solution)
        broken = msgspec.structs.replace(side, tasks=(task, *side.tasks[1:]))
        boards = (msgspec.structs.replace(whole.boards[0], three=broken), *whole.boards[1:])
        file = tmp_path / "broken.json"
        file.write_bytes(encode(identify(msgspec.structs.replace(whole, boards=boards))))
        done = ubongo("booklet", "extreme", "--edition", file)
        assert done.returncode == 2
        assert f"{file} is refused: board 1, yellow has {said}" in done.stderr


def test_a_board_of_cubes_without_its_tasks_is_refused() -> None:
    whole = three_d()
    first = whole.boards[0]
    upper = msgspec.structs.replace(first.easier.upper, tasks=())
    board = msgspec.structs.replace(first, easier=msgspec.structs.replace(first.easier, upper=upper))
    with pytest.raises(NotSolved, match="A1 has not the areas and tasks of its side"):
        list(solutions(msgspec.structs.replace(whole, boards=(board, *whole.boards[1:]))))
