"""A round of each game against a bot, from the first page to the round's result."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import httpx

from tests.browser.alone import entries_for
from tests.engines.boards import CardHands, FlatHands, HexHands, SolidHands
from tests.engines.driver import PATIENCE, Failed, waited
from tests.engines.hands import Hands
from tests.engines.page import Page
from tests.server.people import Device

# The opponents: a quick one if the round ends when all are done, a slow one if a call ends it.
BOTS = {"extreme": "Expert", "cards": "Beginner", "dice": "Expert", "cubes": "Expert"}
NAMES = {"Beginner": "Momo", "Expert": "Vega"}
# Long enough for a slow machine. The sand ends the round if the bot finds no filling.
SAND_S = 120
CALM: dict[str, dict[str, Any]] = {
    "extreme": {"hourglass_s": SAND_S},
    "cards": {},
    "dice": {"grab_s": 900, "enter_s": 900},
    "cubes": {"hourglass_s": SAND_S},
}


def started(page: Page, address: str, game: str) -> Device:
    """From the first page to a started match with a bot; our second device knows the server's table."""
    page.open(address)
    page.press(f"a[href='/#friends-{game}']")
    page.press("dialog button", "That’s me")
    page.see("h2", "Around the table")
    page.press(f".free button[aria-label='{NAMES[BOTS[game]]}, {BOTS[game]}']")
    page.see("li:not(.free, .free li)", NAMES[BOTS[game]])
    page.picture("table")
    key = page.driver.evaluate("() => location.pathname").removeprefix("/t/")
    page.ask("PATCH", f"/tables/{key}", {"options": {**CALM[game], "ready_s": 0}})
    code = page.ask("POST", "/guests/me/codes")["code"]
    token = httpx.post(f"{address}api/guests/redeem", json={"code": code}, timeout=PATIENCE).json()["token"]
    page.press("button", "Start")
    return Device(address, key, token=token)


def solve(page: Page, hands: Hands) -> None:
    """Lays the first piece by taps and drags the others: a tap cannot reach beyond the edge of an open table."""
    # Lower pieces come first: the page offers the lowest free level.
    *first, last = sorted(hands.device.solution(), key=lambda move: move["at"][2:])
    for number, move in enumerate(first, 1):
        hands.lay(move, by_taps=number == 1)
        hands.lie(number)
    page.picture("laid")
    hands.lay(last)


def race(page: Page, hands: Hands) -> None:
    """Plays a round that the first full area wins; the last piece is the call."""
    page.see("svg.mine")
    hands.device.see(lambda table: table["phase"] == "play")
    page.picture("deal")
    solve(page, hands)
    # The bot may still be playing, until the sand has run out.
    page.see("h1", "first", patience=SAND_S + PATIENCE)


def extreme(page: Page, device: Device) -> None:
    race(page, HexHands(page, device))


def cubes(page: Page, device: Device) -> None:
    # Against bots the die is thrown at once.
    page.see("svg.mine .region")
    race(page, SolidHands(page, device))


def cards(page: Page, device: Device) -> None:
    page.see(".hand-cards [data-piece]", number=9)
    device.see(lambda table: table["phase"] == "play")
    page.picture("deal")
    hands = CardHands(page, device)
    solve(page, hands)
    hands.lie(7)
    page.press("button", "Ubongo! now")
    page.see("h1", "You called, and all was right")


def dice(page: Page, device: Device) -> None:
    """One throw: grab, enter, and wait until the shapes are final."""
    page.see("button", "Throw the dice")
    page.picture("deal")
    page.press("button", "Throw the dice")
    page.see(".need")
    page.picture("grab")
    waited(lambda: grabbed(page), "two dice of our own")
    page.see("button", "Done")
    device.see(lambda table: table["phase"] == "enter")
    hands = FlatHands(page, device)
    moves = entries_for(device)
    for number, move in enumerate(moves, 1):
        # If there is room for only one of them, that one is dragged.
        hands.lay(move, by_taps=number > 1)
        hands.lie(number)
    page.picture("laid")
    page.press("button", "Done")
    page.see("svg.mine .tile.ink", number=len(moves))


def grabbed(page: Page) -> bool:
    """Grabs the dice that are still missing; if the bot takes one first, another is left."""
    if page.count("button", "Done"):
        return True
    place = page.driver.evaluate(
        """() => {
          const box = document.querySelector("button.spot:not(:disabled)")?.getBoundingClientRect();
          return box ? [box.left + box.width / 2, box.top + box.height / 2] : null;
        }"""
    )
    if place is not None:
        page.press_at((place[0], place[1]))
    return False


GAMES: dict[str, Callable[[Page, Device], None]] = {"extreme": extreme, "cards": cards, "dice": dice, "cubes": cubes}


def play(page: Page, address: str, game: str) -> None:
    """Plays a round and takes screenshots of its phases."""
    device = started(page, address, game)
    try:
        GAMES[game](page, device)
        page.picture("result")
    finally:
        device.hang_up()
    if complaints := page.complaints():
        raise Failed(f"the page complained: {complaints}")
