"""Which edition a table is played with (T12)."""

import pytest
from msgspec.structs import replace

from tests.play import Match
from ubongo import material
from ubongo.game import BadOptions
from ubongo.games import editions
from ubongo.material.cubes import CubesEdition
from ubongo.material.extreme import ExtremeEdition


def add_edition() -> str:
    """Registers an edition with the shipped boards in reverse order; returns its id."""
    shipped = material.shipped("extreme")
    assert isinstance(shipped, ExtremeEdition)
    return editions.bring(replace(shipped, boards=shipped.boards[::-1]))


def test_T12_without_a_choice_the_shipped_edition_is_played() -> None:
    assert Match("cubes").table.options.edition == material.shipped("cubes").id


def test_T12_a_custom_edition_is_played_by_its_id() -> None:
    other = add_edition()
    match = Match("extreme", edition=other)
    assert match.table.options.edition == other
    tasks = [seat.task for seat in match.table.seats]
    assert tasks != [seat.task for seat in Match("extreme").table.seats]
    match.begin()
    match.solve(0)


def test_T12_an_edition_of_another_game_is_refused() -> None:
    with pytest.raises(BadOptions, match="of another game"):
        editions.chosen(CubesEdition, add_edition())
    with pytest.raises(BadOptions, match="of another game"):
        Match("cubes", edition=add_edition())
