"""The shipped editions, and the refusal of files that are not editions."""

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from tests.program import UNTRACED, ubongo
from ubongo import material, tiling
from ubongo.material import GAMES, BadEdition, cards, cubes, decode, dice, encode, extreme, identify, shipped, unproved
from ubongo.pieces import Placement, covered
from ubongo.workshop import decks, press
from ubongo.workshop.crew import Crew

MODULES = {"cards": cards, "dice": dice, "extreme": extreme, "cubes": cubes}


def lines(game: str, what: str = "dump") -> list[dict[str, Any]]:
    """The output of the command, decoded."""
    done = ubongo(what, game, "--json")
    assert done.returncode == 0
    return [json.loads(line) for line in done.stdout.splitlines()]


@pytest.mark.no_cover
@pytest.mark.parametrize("game", GAMES)
def test_every_shipped_edition_passes_its_check(game: str) -> None:
    findings = press.check(shipped(game), 1000, Crew())
    assert findings.failed == []
    assert len(findings.proved) >= 3


# test_make.py makes the dice again, with one worker, two and a cluster.
@pytest.mark.no_cover
@pytest.mark.long
@pytest.mark.parametrize("game", ["cards", "extreme", "cubes"])
def test_the_seed_reproduces_the_shipped_edition_to_the_byte(game: str, tmp_path: Path) -> None:
    # It was made by two workers; one makes the same.
    edition, out = shipped(game), tmp_path / "again.json"
    arguments = ("make", game, "--seed", str(edition.seed), "--out", out, "--workers", "1")
    assert ubongo(*arguments, env=UNTRACED).returncode == 0
    assert out.read_bytes() == encode(edition)


@pytest.mark.no_cover
def test_the_seed_reproduces_a_round_of_the_shipped_cards() -> None:
    """One of six, since they are independent of each other and all of them take a minute."""
    edition = shipped("cards")
    assert isinstance(edition, cards.CardsEdition)
    made = decks.choose(edition.seed, [3], Crew())[3].faces
    assert made == tuple(card.white for card in edition.stacks[1].cards)


@pytest.mark.parametrize("game", GAMES)
def test_an_edition_is_stored_under_its_id(game: str) -> None:
    edition = shipped(game)
    assert (material.SHIPPED / f"{edition.id}.json").read_bytes() == encode(edition)
    assert identify(edition).id == edition.id


def test_X1_X2_Q1_Q2_the_number_of_tasks() -> None:
    assert len(lines("extreme")) == 54 * 2 * 4 == 432
    assert len(lines("cubes")) == 36 * (4 + 10) == 504
    assert len(lines("cards")) == 108
    assert len(lines("dice")) == 360


def test_dump_of_extreme_has_the_fields_that_other_programs_rely_on() -> None:
    for task in lines("extreme"):
        assert task["solutions"] == 1 == tiling.count(task)
        assert task["side"] == len(task["numbers"]) == len(task["pieces"])
        assert 1 <= task["board"] <= 54
        assert task["colour"] in extreme.COLOURS
        assert 1 <= task["grade"] <= 5
        assert task["difficulty"] * 8 % 1 == 0


def test_dump_of_cubes_has_the_fields_that_other_programs_rely_on() -> None:
    tasks = lines("cubes")
    assert {task["board"] for task in tasks} == {f"{letter}{n}" for letter in "AB" for n in range(1, 37)}
    assert {task["task"] for task in tasks if task["side"] == 3} == {"1|2", "3|4", "5|6|7", "8|9|10"}
    for task in tasks[::7]:
        assert task["solutions"] == 1 == tiling.count(task)
        assert len(task["kinds"]) == task["side"]
        assert task["task"] == "|".join(map(str, task["dice"]))
        assert {cell[2] for cell in task["region"]} == {0, 1}


@pytest.mark.parametrize("game", GAMES)
def test_pieces_return_to_the_start_after_all_their_turns(game: str) -> None:
    for piece in lines(game, "pieces"):
        for following in piece["after"].values():
            assert sorted(following) == list(range(len(piece["shapes"])))


def test_names_of_pieces() -> None:
    assert [piece["name"] for piece in lines("extreme", "pieces")][:13] == [f"yellow-{n}" for n in range(1, 14)]
    assert [piece["name"] for piece in lines("cubes", "pieces")] == [f"type-{n}" for n in range(1, 17)]
    assert "1-17-white" in {piece["name"] for piece in lines("cards", "pieces")}
    assert "L4" in {piece["name"] for piece in lines("dice", "pieces")}
    assert all(len(piece["shapes"]) == 4 and len(piece["marks"]) == 6 for piece in lines("cards", "pieces"))


def test_Q3_copies_and_twins() -> None:
    assert cubes.COPIES == (2, 2, 3, 2, 2, 2, 3, 4, 3, 3, 2, 2, 2, 2, 2, 4)
    assert sum(cubes.COPIES) == 40
    twins = {
        frozenset((one + 1, other + 1))
        for one, shape in enumerate(cubes.SHAPES)
        for other, twin in enumerate(cubes.SHAPES)
        if one != other and tiling.count(tiling.Puzzle("cubic", shape, (twin,), mirror=True)) == 1
    }
    assert twins == {frozenset(pair) for pair in [(2, 11), (3, 10), (5, 14), (6, 13)]}


def test_X2_thirteen_different_pieces_of_four_to_six_in_each_colour() -> None:
    for colour in extreme.COLOURS:
        shapes = {frozenset(extreme.pieces()[f"{colour}-{number}"].shapes) for number in range(1, 14)}
        assert len(shapes) == 13
    assert {len(shape) for shapes in extreme.SHAPES.values() for shape in shapes} == {4, 5, 6}
    every = {min(piece.shapes) for piece in extreme.pieces().values()}
    assert len(every) == 28


def test_the_booklet_solves_every_task_with_the_pieces_it_names() -> None:
    edition = shipped("extreme")
    assert isinstance(edition, extreme.ExtremeEdition)
    for _, _, colour, side, task in extreme.tasks(edition):
        names = [extreme.name_of(colour, number) for number in task.numbers]
        laid = [
            covered(extreme.pieces()[name], Placement(0, turn, at))
            for name, (turn, at) in zip(names, task.solution, strict=True)
        ]
        assert tiling.verdict(side.region, laid).state == "solved"


def test_a_truncated_file_is_refused() -> None:
    with pytest.raises(BadEdition, match="no edition: Input data was truncated"):
        decode(encode(shipped("dice"))[:-20])


def test_a_file_of_another_kind_is_refused() -> None:
    with pytest.raises(BadEdition, match="no edition: JSON is malformed"):
        decode(b"GIF89a")
    with pytest.raises(BadEdition, match=r"no edition: .*game"):
        decode(b'{"game": "chess"}')


def test_an_edited_file_is_refused() -> None:
    edited = encode(shipped("extreme")).replace(b'"grade":2', b'"grade":3', 1)
    with pytest.raises(BadEdition, match="it has been changed"):
        decode(edited)
    assert unproved(edited).id == shipped("extreme").id


def test_a_foreign_file_is_refused() -> None:
    with pytest.raises(BadEdition, match="54"):
        unproved(msgspec.json.encode({"game": "extreme", "id": "x", "seed": 1, "boards": []}))
