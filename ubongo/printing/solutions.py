"""The booklet as a list: every task of an edition and its solution."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct

from ubongo.lattice import CUBIC, HEX, SQUARE, Cell, Lattice, Shape, minus
from ubongo.material import cubes, extreme
from ubongo.material.cubes import CubesEdition
from ubongo.material.extreme import ExtremeEdition
from ubongo.pieces import Piece, Placement, covered

WIDEST = 40


class NotSolved(ValueError):
    """A solution of an edition is wrong, so it cannot be drawn."""


class PrintedPlacement(Struct, frozen=True):
    """A piece in its place, with its printed name."""

    number: int
    colour: str
    cells: Shape


class Solution(Struct, frozen=True):
    """`task` is the colour in Extreme, the numbers of the die (`1|2`) in 3-D; `dice` are these numbers."""

    lattice: Lattice
    board: int
    side: int
    task: str
    region: Shape
    laid: tuple[PrintedPlacement, ...]
    grade: int
    animal: str = ""
    dice: tuple[int, ...] = ()

    @property
    def colour(self) -> str:
        return "" if self.dice else self.task

    @property
    def name(self) -> str:
        """The name on the board: `A25` in 3-D, just the number in Extreme."""
        return cubes.board_name(self.board, self.side) if self.dice else str(self.board)


def solutions(edition: ExtremeEdition | CubesEdition) -> Iterator[Solution]:
    """Every task with its solution, in the order of the boards."""
    return _of_extreme(edition) if isinstance(edition, ExtremeEdition) else _of_cubes(edition)


def parts_on(level: int, cells: Shape) -> Iterator[Shape]:
    """The squares of a block on a level, seen from above with the far row on top, as connected parts.

    Each part needs the block's number: another block of that colour may lie between them.
    """
    left = [(x, -y) for x, y, z in cells if z == level]
    while left:
        part: list[Cell] = [left.pop()]
        for square in part:
            near = [other for other in left if minus(other, square) in SQUARE.steps]
            part += near
            left = [other for other in left if other not in near]
        yield tuple(part)


def _of_extreme(edition: ExtremeEdition) -> Iterator[Solution]:
    for board, pieces, colour, side, task in extreme.tasks(edition):
        names = {extreme.name_of(colour, number): (number, str(colour)) for number in task.numbers}
        laid = _laid(f"board {board}, {colour}", extreme.pieces(), names, task.solution, side.region)
        yield Solution(HEX, board, pieces, colour, side.region, laid, task.grade)


def _of_cubes(edition: CubesEdition) -> Iterator[Solution]:
    for number, board in enumerate(edition.boards, 1):
        for side in cubes.SIDES:
            _must_be_whole(cubes.board_name(number, side), board.side(side), cubes.TASKS_OF_AN_AREA[side])
    for number, board, side, dice, area, task in cubes.tasks(edition):
        where = f"{cubes.board_name(number, side)} {cubes.task_name(dice)}"
        names = {cubes.name_of(kind): (kind, colour) for kind in task.kinds for colour in [_colour(where, kind)]}
        laid = _laid(where, cubes.pieces(), names, task.solution, area.region)
        yield Solution(
            CUBIC, number, side, cubes.task_name(dice), area.region, laid, task.grade, board.animal, tuple(dice)
        )


def _must_be_whole(where: str, side: cubes.Side, tasks: int) -> None:
    for area in (side.upper, side.lower):
        if len(area.tasks) != tasks or any(len(square) != 2 for square in area.ground):
            raise NotSolved(f"{where} has not the areas and tasks of its side")


def _colour(where: str, kind: int) -> str:
    if not 1 <= kind <= len(cubes.PIECE_COLOURS):
        raise NotSolved(f"{where} asks for type {kind}, which there is not")
    return cubes.PIECE_COLOURS[kind - 1]


def _laid(
    where: str,
    pieces: Mapping[str, Piece],
    names: Mapping[str, tuple[int, str]],
    solution: Sequence[tuple[int, Cell]],
    region: Shape,
) -> tuple[PrintedPlacement, ...]:
    """The pieces in their places, checked to fill the region: an edition from a file may be wrong."""
    if any(not 0 <= axis < WIDEST for cell in region for axis in cell):
        raise NotSolved(f"{where} has an area that no page can hold")
    try:
        laid = tuple(
            PrintedPlacement(number, colour, covered(pieces[name], Placement(0, turn, at)))
            for (name, (number, colour)), (turn, at) in zip(names.items(), solution, strict=True)
        )
    except (IndexError, KeyError, ValueError):
        raise NotSolved(f"{where} has a solution for other pieces than its own") from None
    if sorted(cell for piece in laid for cell in piece.cells) != sorted(region):
        raise NotSolved(f"{where} has a solution that does not fill its area")
    return laid
