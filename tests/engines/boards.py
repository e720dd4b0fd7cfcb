"""Each game's board for `Hands`: the position of a place, and how the page shows that a piece would lie there."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import ClassVar

from tests.browser import card_hands, solid_hands
from tests.browser.hands import FACE, on_hexagons, on_squares
from tests.engines.hands import Goal, Hands
from tests.engines.page import Place
from ubongo.lattice import CUBIC, HEX, SQUARE
from ubongo.pieces import Placement


def far(centre: Callable[[tuple[int, int]], Place]) -> float:
    """The distance from one cell to the next."""
    return math.dist(centre((0, 0)), centre((1, 0)))


class FlatHands(Hands):
    """On squares, like the sheet of the dice game."""

    lattice = SQUARE
    keys: ClassVar = {"r": "turn", "f": "flip"}
    above = far(on_squares)
    # It is turned about its middle, which moves the middle of its box.
    face = FACE

    def centre(self, cell: tuple[int, int]) -> Place:
        return on_squares(cell)

    def points(self, goal: Goal) -> list[Place]:
        return [self.centre((x, y)) for x, y in goal.cells]

    def middle(self, goal: Goal) -> Place:
        xs, ys = zip(*self.points(goal), strict=True)
        return (min(xs) + max(xs)) / 2, (min(ys) + max(ys)) / 2

    def tap_place(self, goal: Goal) -> None:
        """Taps the cell nearest to the middle."""
        points = self.points(goal)
        mean = [sum(axis) / len(points) for axis in zip(*points, strict=True)]
        nearest = min(points, key=lambda point: round(math.dist(point, mean), 6))
        self.page.press_at(self.page.on_screen(self.drawing, *nearest))


class HexHands(FlatHands):
    lattice = HEX
    above = far(on_hexagons)

    def centre(self, cell: tuple[int, int]) -> Place:
        return on_hexagons(cell)


class CardHands(Hands):
    above = card_hands.SIZE
    drawing = "svg.mine .world"
    slots = ".hand-cards"

    def turns(self, goal: Goal) -> str:
        return "r" * goal.turn

    def middle(self, goal: Goal) -> Place:
        return card_hands.centre(Placement(goal.piece, goal.turn, goal.at))

    def tap_place(self, goal: Goal) -> None:
        self.page.press_at(self.page.on_screen(self.drawing, *self.middle(goal)))


class SolidHands(Hands):
    lattice = CUBIC
    keys: ClassVar = {"x": "x", "y": "y", "z": "z"}
    above = solid_hands.FINGER
    laid = ".slot .pale"

    def middle(self, goal: Goal) -> Place:
        return solid_hands.centre([solid_hands.cube(cell) for cell in goal.cells])

    def tap_place(self, goal: Goal) -> None:
        """Taps the plan of its level."""
        mean = [sum(axis) / len(goal.cells) for axis in zip(*goal.cells, strict=True)]
        nearest = min(goal.cells, key=lambda cell: math.dist(cell, mean))
        cell = f".plan [data-cell='{','.join(map(str, nearest))}']"
        # On a phone a plan is a small picture until it is tapped.
        zoom = f"figure:has({cell}) .zoom"
        small = self.page.count(zoom) > 0
        if small:
            self.page.press(zoom)
        self.page.press(cell)
        if small:
            self.page.press("button", "Back to the board")

    def is_over(self, goal: Goal) -> None:
        self.page.see(f"svg.mine .there[data-at='{','.join(map(str, goal.at))}']")
