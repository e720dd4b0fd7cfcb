"""A board of 3-D on a page: both sides, each task with its blocks and its solution, level by level.

A plan shows a level from above, the far row on top: y runs upwards. Drawn the other way, a block would be its mirror
image.
"""

from __future__ import annotations

from collections.abc import Sequence

from ubongo.material import cubes
from ubongo.printing.animals import silhouette
from ubongo.printing.drawing import Drawing, moved, named
from ubongo.printing.order import IN_ENGLISH, Say
from ubongo.printing.outline import SQUARES, Box
from ubongo.printing.page import A4, fitting, grade, panel, words
from ubongo.printing.solid import best_seen, solid, solid_box
from ubongo.printing.solutions import PrintedPlacement, Solution, parts_on
from ubongo.printing.svg import svg_page
from ubongo.printing.tiles import area, badge, tile

# Q9a: blocks that are mirror images of each other.
TWINS = ((2, 11), (3, 10), (5, 14), (6, 13))
MARGIN, GAP = 10.0, 3.0
PANEL_WIDTH, PANEL_HEIGHT = (A4[0] - 2 * MARGIN - GAP) / 2, 31.0
LARGEST, BLOCK = 5.2, 2.5
BLOCKS_END, PLANS, PLAN_WIDTH, BETWEEN = 49.0, 52.0, 18.5, 3.0
LEVELS = ("lower_level", "upper_level")


def cubes_page(solved: Sequence[Solution]) -> str:
    return svg_page(A4, f"3-D, board {solved[0].board}", cubes_body(solved))


def cubes_body(solved: Sequence[Solution], say: Say = IN_ENGLISH) -> Drawing:
    """`solved`: the solutions of one board."""
    animal = solved[0].animal
    body = words(MARGIN, 19, 9, say("board", board=solved[0].board), "strong")
    body += words(A4[0] - MARGIN - 22, 19, 5, f"{say('cubes')} · {say(animal)}", "second end")
    body += silhouette(animal, A4[0] - MARGIN, 20, 0.36)
    y = 24.0
    for side in cubes.SIDES:
        tasks = [one for one in solved if one.side == side]
        body += moved(MARGIN, y, _section(side, tasks, say))
        y += 10 + cubes.TASKS_OF_AN_AREA[side] * (PANEL_HEIGHT + GAP)
    return body + words(MARGIN, A4[1] - 13, 3.2, say("twins", twins=twins(say)), "second")


def twins(say: Say) -> str:
    return ", ".join(say("and", one=one, other=other) for one, other in TWINS)


def _section(side: int, tasks: Sequence[Solution], say: Say) -> Drawing:
    """The upper area's tasks on the left, the lower area's on the right (Q2)."""
    body = words(0, 6, 5.4, tasks[0].name, "strong")
    body += words(18, 6, 3.8, say("on_two_levels", pieces=side), "second")
    rows = cubes.TASKS_OF_AN_AREA[side]
    for place, solved in enumerate(tasks):
        x, y = place // rows * (PANEL_WIDTH + GAP), 9 + place % rows * (PANEL_HEIGHT + GAP)
        body += moved(x, y, _task(solved, say))
    return body


def _task(solved: Solution, say: Say) -> Drawing:
    body = panel(0, 0, PANEL_WIDTH, PANEL_HEIGHT)
    body += words(4, 8.5, 5, solved.task.replace("|", " · "), "strong") + grade(36.5, 6.8, solved.grade)
    width = (BLOCKS_END - 2) / len(solved.laid)
    for place, piece in enumerate(solved.laid):
        body += _block(2 + (place + 0.5) * width, piece)
    for level, said in enumerate(LEVELS):
        x = PLANS + level * (PLAN_WIDTH + BETWEEN)
        body += _plan(Box(x, 3, PLAN_WIDTH, PANEL_HEIGHT - 9), solved, level)
        body += words(x + PLAN_WIDTH / 2, PANEL_HEIGHT - 2, 2.6, say(said), "second middle")
    return body


def _block(middle: float, piece: PrintedPlacement) -> Drawing:
    """A block to take from the box, with its number below."""
    shape = best_seen(cubes.pieces()[cubes.name_of(piece.number)].shapes)
    once = solid_box(shape, BLOCK)
    drawn = moved(middle - once.x - once.width / 2, 21.5 - once.y - once.height, solid(shape, BLOCK, piece.colour))
    return drawn + words(middle, 27.5, 3.6, str(piece.number), "strong middle")


def _plan(room: Box, solved: Solution, level: int) -> Drawing:
    ground = [(x, -y) for x, y, z in solved.region if z == level]
    size, x, y = fitting(SQUARES, ground, room, LARGEST)
    drawn = area(SQUARES, ground, size)
    for piece in solved.laid:
        for part in parts_on(level, piece.cells):
            shown = tile(SQUARES, part, size, piece.colour) + badge(SQUARES, part, size, piece.number)
            drawn += named("piece", shown)
    return named("plan", moved(x, y, drawn))
