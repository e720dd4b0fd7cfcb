"""The tasks of a booklet that the options choose; options that choose none are refused."""

from __future__ import annotations

from msgspec import Struct

from ubongo.commands import Complaint
from ubongo.material import cubes, extreme
from ubongo.printing.solutions import Solution

SIDE_OF_LETTER = {letter: side for side, letter in cubes.LETTERS.items()}
NUMBERS_OF_TASK = {cubes.task_name(numbers): numbers for side in cubes.SIDES for numbers in cubes.NUMBERS[side]}


class TaskFilter(Struct, frozen=True):
    """None matches everything. `dice` are the numbers of which a task has to have all."""

    board: int | None = None
    side: int | None = None
    dice: frozenset[int] = frozenset()
    colour: str | None = None

    def takes(self, solved: Solution) -> bool:
        return (
            self.board in {None, solved.board}
            and self.side in {None, solved.side}
            and self.dice <= set(solved.dice)
            and self.colour in {None, solved.colour}
        )


def wanted(game: str, board: str | None, task: str | None, side: int | None, colour: str | None) -> TaskFilter:
    if side not in {None, *extreme.SIDES}:
        raise Complaint(f"--side is {side}; it is 3 or 4, the number of pieces")
    if game == "extreme":
        return _of_extreme(board, task, side, colour)
    if game == "cubes":
        return _of_cubes(board, task, side, colour)
    if (board, task, side, colour) != (None,) * 4:
        raise Complaint(f"{game} has no boards; --board, --task, --side and --colour are for extreme and cubes")
    return TaskFilter()


def _of_extreme(board: str | None, task: str | None, side: int | None, colour: str | None) -> TaskFilter:
    if task is not None:
        raise Complaint("the tasks of extreme have no numbers; --colour chooses one")
    if colour not in {None, *extreme.COLOURS}:
        raise Complaint(f"there is no colour {colour!r}; there are {', '.join(extreme.COLOURS)}")
    number = None if board is None else _number(board, extreme.BOARDS, board, "17")
    return TaskFilter(number, side, colour=colour)


def _of_cubes(board: str | None, task: str | None, side: int | None, colour: str | None) -> TaskFilter:
    if colour is not None:
        raise Complaint("the tasks of cubes have no colour; --task chooses one")
    number = None
    if board is not None:
        letter = board[:1].upper()
        number = _number(board, cubes.BOARDS, board[letter in SIDE_OF_LETTER :], "25, A25 or B25")
        printed = SIDE_OF_LETTER.get(letter, side)
        if side not in {None, printed}:
            raise Complaint(f"{board} is the side for {printed} pieces; leave --side {side} out")
        side = printed
    return TaskFilter(number, side, _dice(task, side))


def _dice(task: str | None, side: int | None) -> frozenset[int]:
    """The numbers of a task, given by its name on the board or by one of its numbers."""
    if task is None:
        return frozenset()
    if task not in NUMBERS_OF_TASK:
        easier = ", ".join(map(cubes.task_name, cubes.NUMBERS[3]))
        raise Complaint(f"there is no task {task!r}; name a number of the die, 1 to 10, or on the easier side {easier}")
    numbers = NUMBERS_OF_TASK[task]
    if side == 4 and len(numbers) > 1:
        raise Complaint(f"the harder side has no task {task!r}; its tasks are 1 to 10")
    return frozenset(numbers)


def _number(board: str, boards: int, number: str, example: str) -> int:
    known = {str(one): one for one in range(1, boards + 1)}
    if number not in known:
        raise Complaint(f"there is no board {board!r}; they go from 1 to {boards}, say {example}")
    return known[number]
