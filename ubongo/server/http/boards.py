"""A printed board, by the QR code in its corner: its tasks, and on request their solutions."""

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

# The games with boards. A sheet of the dice game has no one solution, and a hand of cards is drawn at random.
BOARDS: tuple[SoloGameName, ...] = ("extreme", "cubes")


class BoardTask(Struct, frozen=True):
    """`number`: the task's name on the board, a colour or a number of the die."""

    number: str
    side: int
    grade: int
    task: Task


class BoardEntry(Struct, frozen=True):
    game: str
    edition: str
    board: str
    tasks: tuple[BoardTask, ...]


def tasks_on_board(edition: str, board: str) -> list[tuple[SoloOptions, TaskChoice]]:
    """The tasks of a board in the booklet's order. A board of 3-D has a name on each side."""
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


def board_task(options: SoloOptions, one: TaskChoice) -> BoardTask:
    task = task_of(options, one, 1, "up", Chance(""))
    return BoardTask(numbers(options.of, one)[0], one.side, one.grade, task)


class BoardRoutes(Controller):
    path = "/boards"
    tags = ("boards",)

    @get("/{edition:str}/{board:str}", sync_to_thread=False)
    def board(self, edition: FromPath[str], board: FromPath[str]) -> BoardEntry:
        """The tasks that are printed on a board."""
        found = tasks_on_board(edition, board)
        return BoardEntry(found[0][0].of, edition, board, tuple(board_task(*one) for one in found))

    @get("/{edition:str}/{board:str}/solution", sync_to_thread=False)
    def solution(
        self, edition: FromPath[str], board: FromPath[str], number: FromQuery[str], side: FromQuery[int] = 3
    ) -> SolutionLayout:
        """The booklet's solution of one of its tasks."""
        for options, one in tasks_on_board(edition, board):
            found = board_task(options, one)
            if (found.number, found.side) == (number, side) and (layout := solution(options, found.task)) is not None:
                return layout
        raise Denied("not_found")
