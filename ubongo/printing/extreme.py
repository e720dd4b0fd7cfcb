"""A board of Extreme on a page: both sides, each with the four colours' solutions."""

from __future__ import annotations

from collections.abc import Sequence

from ubongo.printing.drawing import Drawing, moved, named
from ubongo.printing.order import IN_ENGLISH, Say
from ubongo.printing.outline import HEXAGONS, Box
from ubongo.printing.page import A5, fitting, grade, panel, words
from ubongo.printing.solutions import Solution
from ubongo.printing.svg import svg_page
from ubongo.printing.tiles import area, badge, tile

MARGIN, GAP = 9.0, 3.0
PANEL_WIDTH, PANEL_HEIGHT = (A5[0] - 2 * MARGIN - GAP) / 2, 37.0
SECTION_HEIGHT = 93.0
LARGEST = 4.6


def extreme_page(solved: Sequence[Solution]) -> str:
    return svg_page(A5, f"Extreme, board {solved[0].board}", extreme_body(solved))


def extreme_body(solved: Sequence[Solution], say: Say = IN_ENGLISH) -> Drawing:
    """`solved`: the solutions of one board."""
    body = words(MARGIN, 17, 8, say("board", board=solved[0].board), "strong")
    body += words(A5[0] - MARGIN, 17, 4, say("extreme"), "second end")
    for row, side in enumerate(sorted({one.side for one in solved})):
        tasks = [one for one in solved if one.side == side]
        body += moved(MARGIN, 22 + row * SECTION_HEIGHT, _section(side, tasks, say))
    return body


def _section(side: int, tasks: Sequence[Solution], say: Say) -> Drawing:
    body = words(0, 6, 4.6, say("pieces", pieces=side), "strong")
    body += words(33, 6, 3.6, say("hexagons", cells=len(tasks[0].region)), "second")
    for place, solved in enumerate(tasks):
        x, y = place % 2 * (PANEL_WIDTH + GAP), 9 + place // 2 * (PANEL_HEIGHT + GAP)
        body += moved(x, y, _task(solved, say))
    return body


def _task(solved: Solution, say: Say) -> Drawing:
    """The colour chip, the difficulty, and the filled area."""
    size, x, y = fitting(HEXAGONS, solved.region, Box(17, 3, PANEL_WIDTH - 20, PANEL_HEIGHT - 6), LARGEST)
    filled = area(HEXAGONS, solved.region, size)
    for piece in solved.laid:
        drawn = tile(HEXAGONS, piece.cells, size, piece.colour) + badge(HEXAGONS, piece.cells, size, piece.number)
        filled += named("piece", drawn)
    return (
        panel(0, 0, PANEL_WIDTH, PANEL_HEIGHT)
        + moved(9.5, 11, tile(HEXAGONS, [(0, 0)], 4.6, solved.colour))
        + words(9.5, 21, 3.2, say(solved.colour), "middle")
        + grade(4.4, 26, solved.grade)
        + moved(x, y, filled)
    )
