"""What all hands at a table share: what lies there, how it is solved, how a piece and a place are reached."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from time import monotonic
from typing import Any, ClassVar, NamedTuple
from urllib.parse import urlsplit

import msgspec
from playwright.sync_api import Locator, Page
from websockets.sync.client import connect

from tests.browser.seen import ONCE, PATIENCE
from ubongo import tiling
from ubongo.lattice import corner, minus

Place = tuple[float, float]


def told(page: Page, own: bool = False) -> dict[str, Any]:
    """The table as any spectator sees it; `own`: as this page's person does, who alone knows their hand of cards."""
    link = urlsplit(page.url)
    cookies = "; ".join(f"{one['name']}={one['value']}" for one in page.context.cookies()) if own else ""
    address = f"ws://{link.netloc}/ws/tables/{link.path.removeprefix('/t/')}"
    headers = {"cookie": cookies} if own else None
    with connect(address, additional_headers=headers, open_timeout=PATIENCE / 1000) as line:
        line.send('{"type": "hello"}')
        welcome: dict[str, Any] = msgspec.json.decode(line.recv())
    table: dict[str, Any] = welcome["table"]
    return table


def until(page: Page, wanted: Callable[[dict[str, Any]], bool]) -> None:
    """Waits until the table is like that for the server, whatever the page hopes for."""
    end = monotonic() + PATIENCE / 1000
    while not wanted(told(page)):
        assert monotonic() < end


def recorded(page: Page, number: int, seat: int = 0) -> None:
    """So much lies there for the server, too: a page shows at once what it only hopes for, which a reload may undo."""
    until(page, lambda table: len(table["seats"][seat]["laid"]) == number)


def drawn(page: Page) -> None:
    """Whatever the page has been asked for by now can be seen: what follows a pointer waits for the next frame."""
    page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")


def becomes(page: Page, condition: str) -> None:
    """Waits until an expression is true in the page. Playwright's own way evaluates it anew each time, which the page's
    content policy forbids from the second time on."""
    page.evaluate(
        f"new Promise((done) => (function look() {{ ({condition}) ? done() : requestAnimationFrame(look) }})())"
    )


def known_pieces(page: Page, game: str) -> dict[str, Any]:
    link = urlsplit(page.url)
    answer = page.request.get(f"{link.scheme}://{link.netloc}/api/games/{game}/pieces", headers=ONCE)
    return {piece["name"]: piece for piece in answer.json()}


class Lies(NamedTuple):
    """Where a piece lies in a filling. `after`: what each turn makes of each orientation."""

    piece: int
    turn: int
    after: dict[str, list[int]]
    at: tuple[int, ...]
    cells: tuple[tuple[int, ...], ...]


def filled(page: Page, seat: int, game: str, lattice: str) -> Iterator[Lies]:
    """A filling of the board before a seat."""
    known = known_pieces(page, game)
    task = told(page)["seats"][seat]["task"]
    pieces = [known[name] for name in task["pieces"]]
    shapes = [piece["shapes"][0] for piece in pieces]
    filling = tiling.first({"lattice": lattice, "region": task["region"], "pieces": shapes})
    assert filling is not None
    for laid in filling:
        at = corner(laid.cells)
        shape = sorted(minus(cell, at) for cell in laid.cells)
        piece = pieces[laid.piece]
        turn = [sorted(tuple(cell) for cell in one) for one in piece["shapes"]].index(shape)
        yield Lies(laid.piece, turn, piece["after"], at, laid.cells)


def twists(after: dict[str, list[int]], wanted: int, keys: Mapping[str, str]) -> str:
    """The shortest way from the first orientation, in keys; each of them means a turn."""
    ways = {0: ""}
    waiting = [0]
    while wanted not in ways:
        here = waiting.pop(0)
        for key, turn in keys.items():
            there = after[turn][here]
            if there not in ways:
                ways[there] = ways[here] + key
                waiting.append(there)
    return ways[wanted]


def middle(one: Locator) -> Place:
    box = one.bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


class Reach:
    """Before a page. What is drawn in a board's own units is somewhere on the screen."""

    slots: ClassVar = ""
    drawn: ClassVar = "svg.mine"

    def __init__(self, page: Page) -> None:
        self.page = page

    def slot(self, piece: int) -> Locator:
        return self.page.locator(f"{self.slots} [data-piece='{piece}']".strip())

    def on_screen(self, x: float, y: float) -> Place:
        found: list[float] = self.page.evaluate(
            """([x, y, drawn]) => {
              const to = new DOMPoint(x, y).matrixTransform(document.querySelector(drawn).getScreenCTM());
              return [to.x, to.y];
            }""",
            [x, y, self.drawn],
        )
        return found[0], found[1]

    def drag_by_finger(self, piece: int, to: Place, above: float, there: Callable[[], None]) -> None:
        """From its slot to a place on the board; the piece rides so far above the finger. Let go once it is `there`."""
        line = self.page.context.new_cdp_session(self.page)
        x, y = to
        way = [middle(self.slot(piece)), self.on_screen(x, y + above * 1.5), self.on_screen(x, y + above)]
        for kind, place in zip(("touchStart", "touchMove", "touchMove"), way, strict=True):
            points = [{"x": place[0], "y": place[1]}]
            line.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
        there()
        line.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
