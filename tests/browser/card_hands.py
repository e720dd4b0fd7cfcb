"""Somebody's hands at the card game: they know a right layout, and lay it by mouse, finger, taps or keys."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from tests.browser.reach import Reach, drawn, middle, told
from ubongo import layout
from ubongo.games.cards import CardsOptions, pieces
from ubongo.pieces import Piece, Placement

# As web/src/lattice.ts draws: the side of a square.
SIZE = 60


def hand_of(page: Page, seat: int) -> list[Piece]:
    table = told(page, own=True)
    known = pieces(CardsOptions(edition=table["options"]["edition"]))
    return [known[name] for name in table["seats"][seat]["task"]["pieces"]]


def answers(page: Page, seat: int) -> list[Placement]:
    """A right layout of seven. A hand of the first stack has one; of the others one in some thousands has none."""
    found = layout.seven(hand_of(page, seat))
    assert found is not None
    return list(found)


def centre(where: Placement) -> tuple[float, float]:
    """The middle of a card, on the board."""
    wide, high = (2, 3) if where.turn % 2 == 0 else (3, 2)
    x, y = where.at
    return (x + wide / 2 - 0.5) * SIZE, (y + high / 2 - 0.5) * SIZE


class CardHands(Reach):
    slots = ".hand-cards"
    drawn = "svg.mine .world"

    def by_mouse(self, where: Placement) -> None:
        """Picks it up, turns it by the wheel and lets go over its place."""
        mouse = self.page.mouse
        mouse.move(*middle(self.slot(where.piece)))
        mouse.down()
        mouse.move(*self.on_screen(*centre(where)), steps=2)
        hand = self.page.locator("svg.mine .hand .card > g")
        for turn in range(1, where.turn + 1):
            mouse.wheel(0, 60)
            # Two wheels in one frame are one wheel, for a browser.
            expect(hand).to_have_attribute("transform", f"rotate({90 * turn})")
        mouse.move(*self.on_screen(*centre(where)))
        mouse.up()

    def by_finger(self, where: Placement) -> None:
        """Taps it to turn it, then drags it with one finger; the card rides above the finger."""
        if where.turn > 0:
            self.turn_by_taps(where)
        in_hand = self.page.locator("svg.mine .hand")
        self.drag_by_finger(where.piece, centre(where), SIZE, lambda: expect(in_hand).to_have_count(1))

    def by_taps(self, where: Placement) -> None:
        """Taps the card, the turn button, and where its middle shall be."""
        self.turn_by_taps(where)
        self.page.touchscreen.tap(*self.on_screen(*centre(where)))

    def turn_by_taps(self, where: Placement) -> None:
        self.slot(where.piece).tap()
        for _ in range(where.turn):
            self.page.get_by_role("button", name="Turn to the right").locator("visible=true").tap()
        # On its side a card may need another row of the hand, which leaves the table less room from the next frame on.
        drawn(self.page)

    def by_keys(self, where: Placement) -> None:
        press = self.page.keyboard.press
        press(str(where.piece + 1))
        for _ in range(where.turn):
            press("r")
        for _ in range(60):
            x, y = self.held_at()
            to_x, to_y = where.at
            if (x, y) == (to_x, to_y):
                break
            if x != to_x:
                press("ArrowRight" if to_x > x else "ArrowLeft")
            else:
                press("ArrowDown" if to_y > y else "ArrowUp")
        press("Enter")

    def held_at(self) -> tuple[int, int]:
        text = self.page.locator("svg.mine .hand").get_attribute("data-at")
        assert text is not None
        x, y = map(int, text.split(","))
        return x, y
