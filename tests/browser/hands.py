"""Somebody's hands at a table: they know where a piece has to lie, and lay it by mouse, finger, taps or keys."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

from playwright.sync_api import Page, expect

from tests.browser import reach
from tests.browser.reach import Place, Reach, drawn, filled, known_pieces, middle, told

Cell = tuple[int, int]
Centre = Callable[[Cell], Place]
# As web/src/lattice.ts draws: the side of a hexagon, and of a square.
HEX_SIDE, SQUARE_SIDE = 40, 60
BACK = {"ArrowLeft": "ArrowRight", "ArrowRight": "ArrowLeft", "ArrowUp": "ArrowDown", "ArrowDown": "ArrowUp"}
FACE = "svg.mine .hand .tile .face"


class Answer(NamedTuple):
    """How a piece has to lie, and by which keys it is turned so."""

    piece: int
    twists: str
    at: Cell
    cells: tuple[Cell, ...]


def answers(page: Page, seat: int) -> list[Answer]:
    """A filling of the board before a seat, for pieces that are turned as they come."""
    return [
        Answer(lies.piece, twists(lies.after, lies.turn), flat(lies.at), tuple(map(flat, lies.cells)))
        for lies in filled(page, seat, "extreme", "hex")
    ]


def flat(cell: Sequence[int]) -> Cell:
    q, r = cell
    return q, r


def twists(after: dict[str, list[int]], wanted: int) -> str:
    return reach.twists(after, wanted, {"r": "turn", "f": "flip"})


def entries(page: Page, seat: int) -> list[Answer]:
    """Where this round's two shapes can be entered into the area before a seat, one after the other."""
    known = known_pieces(page, "dice")
    return [
        Answer(number, twists(known[name]["after"], turn), at, cells)
        for number, name, turn, at, cells in fits(told(page)["seats"][seat], known)
    ]


Fit = tuple[int, str, int, Cell, tuple[Cell, ...]]


def fits(seat: dict[str, Any], known: dict[str, Any]) -> list[Fit]:
    """A place for both of the last two shapes beside everything that lies, or for one, or none; well turned."""
    task = seat["task"]
    free = {(x, y) for x, y in task["region"]}
    for where in seat["laid"]:
        free -= set(_covered(known[task["pieces"][where["piece"]]]["shapes"][where["turn"]], where["at"]))
    one, other = list(enumerate(task["pieces"]))[-2:]
    first = list(_places(*one, known, free))
    pairs = ([fit, second] for fit in first for second in _places(*other, known, free - set(fit[-1])))
    return next(pairs, first[:1] or list(_places(*other, known, free))[:1])


def _places(number: int, name: str, known: dict[str, Any], free: set[Cell]) -> Iterator[Fit]:
    for turn, shape in reversed(list(enumerate(known[name]["shapes"]))):
        # A shape's own corner need not be one of its cells.
        for at in sorted((x - dx, y - dy) for x, y in free for dx, dy in shape[:1]):
            if free.issuperset(cells := _covered(shape, at)):
                yield number, name, turn, at, cells


def _covered(shape: Sequence[Cell], at: Sequence[int]) -> tuple[Cell, ...]:
    return tuple((at[0] + x, at[1] + y) for x, y in shape)


def on_hexagons(cell: Cell) -> Place:
    """Where a cell's middle is, on the board."""
    q, r = cell
    return HEX_SIDE * math.sqrt(3) * (q + r / 2), HEX_SIDE * 1.5 * r


def on_squares(cell: Cell) -> Place:
    x, y = cell
    return SQUARE_SIDE * x, SQUARE_SIDE * y


class Hands(Reach):
    def __init__(self, page: Page, seat: int, at: Centre = on_hexagons) -> None:
        super().__init__(page)
        self.seat = seat
        self.at = at

    def middle_of(self, cells: Sequence[Cell]) -> Place:
        """The middle of the box around some cells, on the board."""
        xs, ys = zip(*map(self.at, cells), strict=True)
        return (min(xs) + max(xs)) / 2, (min(ys) + max(ys)) / 2

    def by_mouse(self, answer: Answer) -> None:
        """Picks it up, turns it by the wheel and by a key on the way, and lets go over its place."""
        x, y = middle(self.slot(answer.piece))
        mouse = self.page.mouse
        mouse.move(x, y)
        mouse.down()
        mouse.move(x - 20, y)
        for key in answer.twists:
            before = self.held_shape()
            if key == "r":
                mouse.wheel(0, 60)
            else:
                self.page.keyboard.press("f")
            # Two wheels in one frame are one wheel, for a browser.
            expect(self.page.locator(FACE)).not_to_have_attribute("d", before)
        # Turned about its middle, it may be off its box's middle: it is put where its box is.
        self.drag_to(answer)
        mouse.up()

    def drag_to(self, answer: Answer) -> None:
        target = self.on_screen(*self.middle_of(answer.cells))
        self.page.mouse.move(*target, steps=3)
        drawn(self.page)
        box = self.page.locator(FACE).bounding_box()
        assert box is not None
        off = target[0] - box["x"] - box["width"] / 2, target[1] - box["y"] - box["height"] / 2
        self.page.mouse.move(target[0] + off[0], target[1] + off[1])
        expect(self.page.locator("svg.mine .ghost .dash")).to_have_count(1)

    def by_taps(self, answer: Answer) -> None:
        """Taps the piece, the turn buttons, and a cell."""
        self.turn_by_taps(answer)
        self.page.touchscreen.tap(*self.over(answer.cells))

    def turn_by_taps(self, answer: Answer) -> None:
        self.slot(answer.piece).tap()
        for key in answer.twists:
            self.page.get_by_role("button", name="Turn to the right" if key == "r" else "Flip").tap()

    def by_finger(self, answer: Answer) -> None:
        """Taps it to turn it, then drags it with one finger; the piece rides a cell above the finger."""
        if answer.twists:
            self.turn_by_taps(answer)
        above = math.dist(self.at((0, 0)), self.at((1, 0)))
        in_hand = self.page.locator("svg.mine .hand")
        self.drag_by_finger(answer.piece, self.middle_of(answer.cells), above, lambda: expect(in_hand).to_have_count(1))

    def by_keys(self, answer: Answer) -> None:
        press = self.page.keyboard.press
        expect(self.page.locator("[data-piece]").first).to_be_attached()
        slots = self.page.locator("[data-piece]").evaluate_all("all => all.map((one) => Number(one.dataset.piece))")
        press(str(slots.index(answer.piece) + 1))
        for key in answer.twists:
            press(key)
        assert self.walk(answer.at, set())
        press("Enter")

    def walk(self, goal: Cell, been: set[Cell]) -> bool:
        """By arrow keys, and back out of a bay: what is moved does not leave the board, so the straight way may end."""
        at = self.held_at()
        been.add(at)
        for key in self.towards(at, goal) if at != goal else ():
            self.page.keyboard.press(key)
            if (now := self.held_at()) == at:
                continue
            if now not in been and self.walk(goal, been):
                return True
            self.page.keyboard.press(BACK[key])
        return at == goal

    def held_shape(self) -> str:
        return self.page.locator(FACE).get_attribute("d") or ""

    def held_at(self) -> Cell:
        text = self.page.locator("svg.mine .hand").get_attribute("data-at")
        assert text is not None
        q, r = map(int, text.split(","))
        return q, r

    def over(self, cells: Sequence[Cell]) -> Place:
        """On the screen, the cell nearest to the middle of all: tapping it means this very place."""
        points = [self.at(cell) for cell in cells]
        mid = sum(x for x, _ in points) / len(cells), sum(y for _, y in points) / len(cells)
        return self.on_screen(*min(points, key=lambda point: round(math.dist(point, mid), 6)))

    def towards(self, at: Cell, goal: Cell) -> list[str]:
        """Arrow keys, the most promising first."""
        across = "ArrowRight" if self.at(goal)[0] > self.at(at)[0] else "ArrowLeft"
        along = "ArrowDown" if goal[1] > at[1] else "ArrowUp"
        first, second = (across, along) if at[1] == goal[1] else (along, across)
        return [first, second, BACK[second], BACK[first]]
