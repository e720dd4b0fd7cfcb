"""A printed board by the code in its corner: what is on it, and how a task of it is solved for who asks for that."""

from __future__ import annotations

from litestar import Controller, get
from litestar.params import FromPath, FromQuery
from msgspec import Struct

from ubongo.chance import Chance
from ubongo.game import BadOptions
from ubongo.games.solo import solution
from ubongo.games.solo.options import SoloGameName, SoloOptions
from ubongo.games.solo.tasks import TaskChoice, choices, numbers, task_of
from ubongo.material.cubes import LETTERS
from ubongo.server.errors import Denied
from ubongo.server.records.solutions import SolutionLayout
from ubongo.table import Task

# The games that have boards; a sheet has no solution, and a hand of cards comes by luck.
BOARDS: tuple[SoloGameName, ...] = ("extreme", "cubes")


class BoardTask(Struct, frozen=True):
    """`number`: what it is called there, a colour or what the die shows."""

    number: str
    side: int
    grade: int
    task: Task


class BoardEntry(Struct, frozen=True):
    game: str
    edition: str
    board: str
    tasks: tuple[BoardTask, ...]


def on_board(edition: str, board: str) -> list[tuple[SoloOptions, TaskChoice]]:
    """The tasks of a board as the booklet has them; a board of 3-D has a name on each of its sides."""
    of = next((game for game in BOARDS if edition.startswith(f"{game}-")), None)
    if of is None:
        raise Denied("not_found")
    try:
        known = choices(of, edition)
    except BadOptions:
        raise Denied("not_found") from None
    found = [one for one in known if board == (f"{LETTERS[one.side]}{one.board}" if of == "cubes" else str(one.board))]
    if not found:
        raise Denied("not_found")
    return [(SoloOptions(of=of, side=4 if one.side == 4 else 3, edition=edition), one) for one in found]


def printed(options: SoloOptions, one: TaskChoice) -> BoardTask:
    task = task_of(options, one, 1, "up", Chance(""))
    return BoardTask(numbers(options.of, one)[0], one.side, one.grade, task)


class BoardRoutes(Controller):
    path = "/boards"
    tags = ("boards",)

    @get("/{edition:str}/{board:str}", sync_to_thread=False)
    def board(self, edition: FromPath[str], board: FromPath[str]) -> BoardEntry:
        """What is printed on a board."""
        found = on_board(edition, board)
        return BoardEntry(found[0][0].of, edition, board, tuple(printed(*one) for one in found))

    @get("/{edition:str}/{board:str}/solution", sync_to_thread=False)
    def solution(
        self, edition: FromPath[str], board: FromPath[str], number: FromQuery[str], side: FromQuery[int] = 3
    ) -> SolutionLayout:
        """What the booklet has for a task of it."""
        for options, one in on_board(edition, board):
            found = printed(options, one)
            if (found.number, found.side) == (number, side) and (layout := solution(options, found.task)) is not None:
                return layout
        raise Denied("not_found")
