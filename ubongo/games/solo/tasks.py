"""The next task in solo play: from the shuffled boards, of a day, or chosen in practice."""

from __future__ import annotations

from calendar import weekday
from functools import lru_cache
from typing import NamedTuple

from ubongo.chance import Chance
from ubongo.events import AnyEvent, Dealt, Thrown
from ubongo.game import BadOptions
from ubongo.games import cards, cubes, extreme
from ubongo.games.editions import chosen
from ubongo.games.solo.options import SoloOptions, date_in, options_of
from ubongo.layout import seven
from ubongo.material import Edition
from ubongo.material.cards import CARDS, SIDES, STACKS, CardsEdition
from ubongo.material.cards import name_of as card_name
from ubongo.material.cubes import BOARDS as CUBES_BOARDS
from ubongo.material.cubes import LETTERS, NUMBERS, CubesEdition, task_name
from ubongo.material.cubes import tasks as cubes_tasks
from ubongo.material.dice import AREAS, SHEETS, DiceEdition
from ubongo.material.extreme import BOARDS as EXTREME_BOARDS
from ubongo.material.extreme import COLOURS, ExtremeEdition
from ubongo.material.extreme import tasks as extreme_tasks
from ubongo.table import Face, SeatNo, Table, Task

ONLY_SEAT = SeatNo(0)
EDITIONS: dict[str, type[Edition]] = {
    "cards": CardsEdition,
    "dice": DiceEdition,
    "extreme": ExtremeEdition,
    "cubes": CubesEdition,
}
GRADES = 5
FRIDAY = 4
# Rounds of the card game that a day takes its hand from: until Thursday, and from Friday on.
DAY_ROUNDS = (3, 5)


class TaskChoice(NamedTuple):
    """A task by its place in the edition: board, sheet or round of cards, colour, number of the die or area."""

    board: int
    number: int
    side: int
    difficulty: float
    grade: int


@lru_cache(16)
def choices(of: str, edition: str) -> tuple[TaskChoice, ...]:
    """Every task there is, in the order of the booklet; of cards the six rounds, since a hand is drawn."""
    found = chosen(EDITIONS[of], edition)
    match found:
        case ExtremeEdition():
            return tuple(
                TaskChoice(board, COLOURS.index(colour), side, task.difficulty, task.grade)
                for board, side, colour, _, task in extreme_tasks(found)
            )
        case CubesEdition():
            return tuple(
                TaskChoice(board, numbers[0], side, task.difficulty, task.grade)
                for board, _, side, numbers, _, task in cubes_tasks(found)
            )
        case DiceEdition():
            return _areas(found)
        case CardsEdition():
            return tuple(TaskChoice(number, 0, 0, number, min(number, GRADES)) for number in range(1, cards.ROUNDS + 1))


def _areas(edition: DiceEdition) -> tuple[TaskChoice, ...]:
    """Areas have no printed grade; here each grade has a fifth of them, by the rounds they take."""
    order = sorted(area.difficulty for sheet in edition.sheets for area in sheet.areas)
    return tuple(
        TaskChoice(number, place, 0, area.difficulty, 1 + order.index(area.difficulty) * GRADES // len(order))
        for number, sheet in enumerate(edition.sheets, 1)
        for place, area in enumerate(sheet.areas, 1)
    )


def wanted(options: SoloOptions) -> tuple[TaskChoice, ...]:
    """The tasks that mode `practice` chooses from; or BadOptions. A grade occurs on both sides, a board has one."""
    found = [one for one in choices(options.of, options.edition) if _wants(options, one)]
    if not found:
        asked = [f"{name} {value!r}" for name in ("board", "number", "grade") if (value := getattr(options, name))]
        raise BadOptions(f"there is no task of {options.of} with {', '.join(asked)}; the booklet lists what there is")
    return tuple(found)


def _wants(options: SoloOptions, one: TaskChoice) -> bool:
    if options.grade and one.grade != options.grade:
        return False
    if one.side and one.side != options.side and (options.board or not options.grade):
        return False
    board = options.board.upper()
    letter = LETTERS[one.side] if options.of == "cubes" else ""
    if board and board not in (str(one.board), f"{letter}{one.board}"):
        return False
    return not options.number or options.number in numbers(options.of, one)


def numbers(of: str, one: TaskChoice) -> tuple[str, ...]:
    """What a task is called on its board: a colour, an area, or any of the die's numbers for it."""
    if of == "extreme":
        return (COLOURS[one.number],)
    if of == "cubes":
        name = task_name(next(these for these in NUMBERS[one.side] if one.number in these))
        return (name, *name.split("|"))
    return (str(one.number),) if of == "dice" else ()


def harder(day: str) -> bool:
    """A day's puzzle is harder from Friday to Sunday."""
    return weekday(*date_in(day)) >= FRIDAY


@lru_cache(64)
def of_day(of: str, edition: str, day: str) -> TaskChoice:
    """One task for everybody, derived from the date: neither of the easiest quarter of its kind nor of the hardest."""
    late = harder(day)
    if of == "cards":
        return choices(of, edition)[DAY_ROUNDS[late] - 1]
    kind = [one for one in choices(of, edition) if (one.number > AREAS // 2 if of == "dice" else one.side == 4) == late]
    kind.sort(key=lambda one: one.difficulty)
    quarter = len(kind) // 4
    return luck_of(of, day).pick(kind[quarter:-quarter], "task")


def luck_of(of: str, day: str) -> Chance:
    return Chance(f"day {day} {of}")


def luck(table: Table, chance: Chance) -> Chance:
    """In the puzzle of the day all luck comes from the date, not from the table's seed."""
    options = options_of(table)
    return luck_of(options.of, options.day) if options.mode == "day" else chance


def drawn(boards: int, round_: int, chance: Chance) -> int:
    """Q24a: all boards, shuffled, and again when they are used up."""
    again, place = divmod(round_ - 1, boards)
    return chance.shuffled(range(boards), "boards", again)[place]


@lru_cache(1024)
def hand(edition: str, round_: int, number: int, chance: Chance) -> tuple[str, ...]:
    """S1: nine cards of a round's stack of which seven can be laid. One in a thousand cannot, and is not dealt."""
    stack, side = STACKS[(round_ - 1) // 2], SIDES[(round_ - 1) % 2]
    known = cards.faces(edition)
    attempt = 0
    while True:
        deck = chance.shuffled(range(1, CARDS + 1), "hand", number, attempt)
        names = tuple(card_name(stack, card, side) for card in deck[: cards.HAND])
        if seven([known[name] for name in names]) is not None:
            return names
        attempt += 1


def next_choice(table: Table, number: int, solved: int, chance: Chance) -> TaskChoice:
    """The `number`-th task of the table, after so many have been solved."""
    options = options_of(table)
    known = choices(options.of, options.edition)
    if options.mode == "day":
        return of_day(options.of, options.edition, options.day)
    if options.mode == "practice":
        found = wanted(options)
        again, place = divmod(number - 1, len(found))
        return chance.shuffled(found, "practice", again)[place]
    match options.of:
        case "extreme":
            board = drawn(EXTREME_BOARDS, number, chance)
            return TaskChoice(board + 1, chance.pick(range(len(COLOURS)), "chips", number), options.side, 0, 0)
        case "cubes":
            thrown = cubes.FIRST_GAME if options.die == "off" else chance.pick(cubes.DIE, "die", number)
            return TaskChoice(drawn(CUBES_BOARDS, number, chance) + 1, thrown, options.side, 0, 0)
        case "cards":
            # S1, S2: what is set aside is followed by another of the same kind, so that nobody picks the easy ones.
            return known[solved % cards.ROUNDS]
        case "dice":
            aside = number - 1 - solved
            sheet = drawn(SHEETS, 1 + solved // AREAS + aside, chance)
            return known[sheet * AREAS + solved % AREAS]


def task_of(options: SoloOptions, one: TaskChoice, number: int, face: Face, chance: Chance) -> Task:
    match options.of:
        case "extreme":
            return extreme.task(options.edition, one.board - 1, one.side, one.number, face)
        case "cubes":
            return cubes.task(options.edition, one.board - 1, one.side, one.number, face)
        case "cards":
            return Task(hand(options.edition, one.board, number, chance), face=face)
        case "dice":
            edition = chosen(DiceEdition, options.edition)
            region = edition.sheets[one.board - 1].areas[one.number - 1].region
            return Task((), region, board=str(one.board), number=str(one.number))


def deal(table: Table, number: int, solved: int, face: Face, chance: Chance) -> list[AnyEvent]:
    """The next task; in 3-D, against clock and count, the die says which of a board's."""
    options = options_of(table)
    mine = luck(table, chance)
    one = next_choice(table, number, solved, mine)
    dealt = Dealt(ONLY_SEAT, task_of(options, one, number, face, mine))
    threw = options.of == "cubes" and options.die == "on" and options.mode in ("clock", "count")
    return [Thrown((one.number,)), dealt] if threw else [dealt]


def choice_of(of: str, edition: str, task: Task) -> TaskChoice:
    """The place of a task in the booklet."""
    return _by_name(of, edition)[_name(of, task)]


TaskName = tuple[str, str, int]


def _name(of: str, task: Task) -> TaskName:
    first = str(task.pieces[0]) if task.pieces else ""
    match of:
        case "extreme":
            return task.board, first.rpartition("-")[0], len(task.pieces)
        case "cards":
            stack, _, side = first.split("-")
            return str(int(stack) + SIDES.index("white" if side == "white" else "black")), "", 0
    return task.board, task.number, 0


@lru_cache(16)
def _by_name(of: str, edition: str) -> dict[TaskName, TaskChoice]:
    return {_printed(of, one): one for one in choices(of, edition)}


def _printed(of: str, one: TaskChoice) -> TaskName:
    match of:
        case "extreme":
            return str(one.board), COLOURS[one.number], one.side
        case "cubes":
            return f"{LETTERS[one.side]}{one.board}", numbers(of, one)[0], 0
        case "dice":
            return str(one.board), str(one.number), 0
    return str(one.board), "", 0
