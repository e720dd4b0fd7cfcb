"""Somebody's hands at a table of 3-D: they know the answer, and lay it by mouse, finger, taps or keys."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from playwright.sync_api import Locator, Page, expect

from tests.browser import reach
from tests.browser.reach import Reach, drawn, filled, middle

Cube = tuple[int, int, int]
# As web/src/solid draws at first: the side of a cube, from where one looks, and how far above a finger one aims.
UNIT = 40
YAW, PITCH = math.radians(37), math.radians(31)
FINGER = UNIT * 1.1
WOULD_LIE = "svg.mine .there"


class Answer(NamedTuple):
    """How a block has to lie, and by which keys it is turned so."""

    piece: int
    twists: str
    at: Cube
    cells: tuple[Cube, ...]


def answers(page: Page, seat: int) -> list[Answer]:
    """A filling of the board before a seat, for blocks that are turned as they come; what lies below comes first."""
    found = [
        Answer(lies.piece, twists(lies.after, lies.turn), cube(lies.at), tuple(map(cube, lies.cells)))
        for lies in filled(page, seat, "cubes", "cubic")
    ]
    return sorted(found, key=lambda one: one.at[2])


def cube(cell: Sequence[int]) -> Cube:
    x, y, z = cell
    return x, y, z


def twists(after: dict[str, list[int]], wanted: int) -> str:
    return reach.twists(after, wanted, {"x": "x", "y": "y", "z": "z"})


def seen(x: float, y: float, z: float) -> tuple[float, float]:
    """Where a point of space is on the board's drawing, as one looks at it first."""
    c, s, q, k = math.cos(YAW), math.sin(YAW), math.cos(PITCH), math.sin(PITCH)
    return UNIT * (c * x + s * y), UNIT * (s * k * x - c * k * y - q * z)


def centre(cells: Sequence[Cube]) -> tuple[float, float]:
    """The middle of the box around some cubes, as it is seen."""
    x, y, z = ((min(axis) + max(axis) + 1) / 2 for axis in zip(*cells, strict=True))
    return seen(x, y, z)


class Hands(Reach):
    def __init__(self, page: Page, seat: int) -> None:
        super().__init__(page)
        self.seat = seat

    def cell(self, cell: Cube) -> Locator:
        x, y, z = cell
        return self.page.locator(f"[data-cell='{x},{y},{z}']")

    def would_lie_at(self, at: Cube) -> None:
        expect(self.page.locator(WOULD_LIE)).to_have_attribute("data-at", ",".join(map(str, at)))

    def by_mouse(self, answer: Answer) -> None:
        """Picks it up, turns it on the way, points at its place, and lets go."""
        self.take(answer)
        self.page.mouse.move(*self.on_screen(*centre(answer.cells)), steps=3)
        drawn(self.page)
        at = self.page.locator(WOULD_LIE).get_attribute("data-at")
        # The lowest free level is offered first.
        if at is not None and at != ",".join(map(str, answer.at)):
            self.page.keyboard.press("PageUp" if answer.at[2] else "PageDown")
        self.would_lie_at(answer.at)
        self.page.mouse.up()

    def by_plan(self, answer: Answer) -> None:
        """Drops it on its level's plan instead, the middle of its squares where they are drawn."""
        self.take(answer)
        spots = [middle(self.cell((x, y, answer.at[2]))) for x, y, _ in answer.cells]
        across, along = ((min(axis) + max(axis)) / 2 for axis in zip(*spots, strict=True))
        self.page.mouse.move(across, along, steps=3)
        self.would_lie_at(answer.at)
        self.page.mouse.up()

    def take(self, answer: Answer) -> None:
        x, y = middle(self.slot(answer.piece))
        mouse = self.page.mouse
        mouse.move(x, y)
        mouse.down()
        mouse.move(x - 20, y, steps=2)
        for key in answer.twists:
            self.page.keyboard.press(key)

    def by_taps(self, answer: Answer) -> None:
        """Taps the block, the turn buttons, and a cell of the plan."""
        # Not after the tap on the cell: with the last block the board is solved, and the plans make room for that.
        back = self.page.get_by_role("button", name="Back to the board")
        if back.is_visible():
            back.tap()
        self.turn_by_taps(answer)
        middle_of = tuple(sum(axis) / len(answer.cells) for axis in zip(*answer.cells, strict=True))
        cell = self.cell(min(answer.cells, key=lambda cell: math.dist(cell, middle_of)))
        # On a phone a plan is a small picture until it is tapped.
        zoom = self.page.locator("figure", has=cell).locator(".zoom")
        if zoom.is_visible():
            zoom.tap()
        cell.tap()

    def turn_by_taps(self, answer: Answer) -> None:
        self.slot(answer.piece).tap()
        for key in answer.twists:
            self.page.get_by_role("button", name=f"({key.upper()})").tap()

    def by_finger(self, answer: Answer) -> None:
        """Taps it to turn it, then drags it with one finger, which points below the place that is meant."""
        if answer.twists:
            self.turn_by_taps(answer)
        self.drag_by_finger(answer.piece, centre(answer.cells), FINGER, lambda: self.would_lie_at(answer.at))

    def by_keys(self, answer: Answer) -> None:
        press = self.page.keyboard.press
        press(str(answer.piece + 1))
        for key in answer.twists:
            press(key)
        for _ in range(20):
            x, y, z = self.held_at()
            if (x, y) != answer.at[:2]:
                # A block does not leave the board on its way.
                for key in towards((x, y), answer.at):
                    press(key)
                    if self.held_at()[:2] != (x, y):
                        break
            elif z != answer.at[2]:
                press("PageUp" if z < answer.at[2] else "PageDown")
            else:
                break
        self.would_lie_at(answer.at)
        press("Enter")

    def held_at(self) -> Cube:
        text = self.page.locator(WOULD_LIE).get_attribute("data-at")
        assert text is not None
        x, y, z = map(int, text.split(","))
        return x, y, z


def towards(at: tuple[int, int], goal: Sequence[int]) -> list[str]:
    """The arrow keys that lead there, as one looks at first: x to the right, y away."""
    across = ["ArrowRight" if goal[0] > at[0] else "ArrowLeft"] if at[0] != goal[0] else []
    along = ["ArrowUp" if goal[1] > at[1] else "ArrowDown"] if at[1] != goal[1] else []
    return across + along
