"""`ubongo booklet`: the solutions of an edition as pictures, in the terminal or as files to print."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from ubongo.commands import Complaint, Flag
from ubongo.commands._support.editions import edition_of, known
from ubongo.commands._support.output import made_for, writing
from ubongo.commands._support.task_choice import wanted
from ubongo.material.cubes import CubesEdition
from ubongo.material.extreme import ExtremeEdition
from ubongo.printing.pages import pages
from ubongo.printing.solutions import NotSolved, Solution, solutions
from ubongo.printing.terminal import in_colour, in_letters


def booklet(
    game: str,
    /,
    *,
    edition: Path | None = None,
    board: str | None = None,
    task: str | None = None,
    side: int | None = None,
    colour: str | None = None,
    svg: Path | None = None,
    force: Flag = False,
) -> None:
    """
    Parameters
    ----------
    game
        cards, dice, extreme or cubes. Cards and dice have no solutions: --svg draws what is printed.
    edition
        The file of an edition; without it, the one that comes with the program.
    board
        Only this board: 17; in cubes also A25, its easier side, or B25, its harder one.
    task
        Only this task of cubes: '1|2', or 7 for those that this number of the die means.
    side
        Only the side for so many pieces, 3 or 4.
    colour
        Only this colour's tasks of extreme: yellow, blue, red or green.
    svg
        Write pictures to print into this folder: board-07.svg (both sides), card-1-07.svg (both faces), sheet-07.svg.
    force
        With --svg: overwrite existing files.
    """
    known(game)
    asked = wanted(game, board, task, side, colour)
    if svg is not None and (task, side, colour) != (None, None, None):
        raise Complaint("--svg draws whole boards; --board chooses one, --task, --side and --colour do not")
    if svg is None and force:
        raise Complaint("--force goes with --svg; nothing is written without it")
    if svg is None and game in {"cards", "dice"}:
        raise Complaint(f"{game} has no solutions to look up; --svg DIR draws what is printed")
    chosen = edition_of(game, edition)
    try:
        if svg is not None:
            print(f"{svg}: {write(dict(pages(chosen, asked.board)), svg, force)} written")
        elif isinstance(chosen, ExtremeEdition | CubesEdition):
            show([solved for solved in solutions(chosen) if asked.takes(solved)])
    except NotSolved as problem:
        raise Complaint(f"{edition or 'the edition'} is refused: {problem}; ubongo check says more") from None


def show(solved: list[Solution]) -> None:
    coloured = sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
    many = os.environ.get("COLORTERM") in {"truecolor", "24bit"}
    for one in solved:
        picture = in_colour(one, many) if coloured else in_letters(one)
        sys.stdout.buffer.write(f"{picture}\n".encode())


def write(files: dict[str, str], folder: Path, force: bool) -> str:
    """Writes all files, or none if one of them exists already; returns how many."""
    made_for(folder, files, force)
    for name, content in files.items():
        with writing(folder / name, force) as file:
            file.write(content.encode())
    return "1 picture" if len(files) == 1 else f"{len(files)} pictures"
