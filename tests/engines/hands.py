"""Hands that know where each piece has to lie, and lay it: by dragging, with turns before or on the way; or by taps."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any, ClassVar, NamedTuple

import msgspec

from tests.browser.reach import twists
from tests.engines.driver import waited
from tests.engines.page import Page, Place
from tests.server.people import Device
from ubongo.games import GAMES
from ubongo.lattice import Cell, Lattice, Shape
from ubongo.pieces import Piece, Placement, covered, next_orientations

# The keys that turn a piece, and the buttons that do the same. The wheel also makes some turns.
BUTTONS = {"r": "Turn to the right", "f": "Flip", "x": "(X)", "y": "(Y)", "z": "(Z)"}
WHEEL = "rz"
IN_HAND = "svg.mine .hand"
# Shows where it would lie.
GHOST = "svg.mine .ghost .dash"
# Pixels: a pointer has integer coordinates, a drawing may not.
NEAR = 4


class Goal(NamedTuple):
    """How a piece has to lie."""

    piece: int
    turn: int
    at: Cell
    cells: Shape


class Hands(ABC):
    """Hands at a page. A second device of the same person knows the server's table."""

    lattice: ClassVar[Lattice]
    # Turns by key, as the list of pieces names them.
    keys: ClassVar[Mapping[str, str]]
    # How far above a finger a piece is drawn, in the board's units.
    above: ClassVar[float]
    # Selectors: a drawing in the board's units, a waiting piece, a piece that lies.
    drawing: ClassVar = "svg.mine"
    slots: ClassVar = ".slots"
    laid: ClassVar = "svg.mine .laid"
    # The part of a held piece that has to be over its place, if that is not its middle.
    face: ClassVar[str | None] = None

    def __init__(self, page: Page, device: Device) -> None:
        self.page = page
        self.driver = page.driver
        self.device = device

    @abstractmethod
    def middle(self, goal: Goal) -> Place:
        """The middle of a piece that lies there, on the board."""

    @abstractmethod
    def tap_place(self, goal: Goal) -> None:
        """Taps the place for the chosen piece."""

    def turns(self, goal: Goal) -> str:
        """The keys that turn it that way."""
        return twists(next_orientations(self.lattice, self.pieces()[goal.piece].shapes), goal.turn, self.keys)

    def is_over(self, goal: Goal) -> None:
        """Whether the page shows that the held piece would lie there."""
        aim = self.page.on_screen(self.drawing, *self.middle(goal))
        self.page.see(GHOST)
        waited(lambda: math.dist(self.page.middle(GHOST), aim) < NEAR, f"{goal} to be where it is seen to lie")

    def lay(self, move: dict[str, Any], by_taps: bool = False) -> None:
        """Lays a placement of the protocol."""
        where = Placement(move["piece"], move["turn"], tuple(move["at"]))
        goal = Goal(where.piece, where.turn, where.at, covered(self.pieces()[where.piece], where))
        if by_taps:
            self.choose(goal)
            self.tap_place(goal)
        elif self.driver.hand == "mouse":
            self.drag_by_mouse(goal)
        else:
            self.drag_by_finger(goal)

    def lie(self, number: int) -> None:
        """Waits until that many lie, on the page and on the server: the page shows a move before it is answered."""
        self.page.see(self.laid, number=number)
        self.device.see(lambda table: len(table["seats"][self.device.seat or 0]["laid"]) == number)

    def pieces(self) -> list[Piece]:
        table = self.device.table
        game = GAMES[table["game"]]
        known = game.pieces(msgspec.convert(table["options"], game.OPTIONS))
        return [known[name] for name in table["seats"][self.device.seat or 0]["task"]["pieces"]]

    def slot(self, piece: int) -> str:
        return f"{self.slots} [data-piece='{piece}']"

    def drag_by_mouse(self, goal: Goal) -> None:
        """Drags, and turns on the way, by wheel and keys."""
        x, y = self.page.reach(self.slot(goal.piece))
        self.driver.move(x, y)
        self.driver.press()
        self.driver.move(x - 20, y)
        self.page.see(IN_HAND)
        for key in self.turns(goal):
            before = self.page.markup(IN_HAND)
            if key in WHEEL:
                self.driver.wheel(60)
            else:
                self.driver.key(key)
            self.changed(IN_HAND, before)
        self.let_go(goal, 0)

    def drag_by_finger(self, goal: Goal) -> None:
        """Turns by the buttons, then drags; the piece is drawn above the finger."""
        if self.turns(goal):
            self.choose(goal)
        self.driver.move(*self.page.reach(self.slot(goal.piece)))
        self.driver.press()
        self.let_go(goal, self.above)

    def let_go(self, goal: Goal, above: float) -> None:
        """Releases the piece over its place."""
        x, y = self.middle(goal)
        pointer = self.page.on_screen(self.drawing, x, y + above)
        self.driver.move(pointer[0], pointer[1] + 30)
        self.driver.move(*pointer)
        self.page.see(IN_HAND)
        self.page.drawn()
        if self.face is not None:
            aim, at = self.page.on_screen(self.drawing, x, y), self.page.middle(self.face)
            self.driver.move(pointer[0] + aim[0] - at[0], pointer[1] + aim[1] - at[1])
        self.is_over(goal)
        self.page.picture("held")
        self.driver.release()

    def choose(self, goal: Goal) -> None:
        """Chooses a piece by a click or a tap, and turns it by the buttons."""
        slot = self.slot(goal.piece)
        self.page.press(slot)
        self.page.see(f"{slot}[aria-pressed=true]")
        for key in self.turns(goal):
            before = self.page.markup(slot)
            self.page.press("[role=toolbar] button", BUTTONS[key])
            self.changed(slot, before)

    def changed(self, selector: str, before: str) -> None:
        """Waits until a turn is visible: a browser may merge two turns within one frame."""
        waited(lambda: self.page.markup(selector) != before, f"{selector} to be turned")
