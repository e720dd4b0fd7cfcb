"""W5: whose area is full still throws when it is their turn."""

from __future__ import annotations

from functools import partial
from typing import Any

from playwright.sync_api import Browser, expect

from tests.browser.others import Others
from tests.browser.seen import PHONE, Seen

ROUNDS = 30


def in_phase(phase: str, number: int, table: dict[str, Any]) -> bool:
    return bool(table["phase"] == phase and table["round"] == number)


def are_taken(number: int, colour: str, table: dict[str, Any]) -> bool:
    return sum(die["taken"] is not None for die in table["dice"] if die["colour"] == colour) >= number


def is_full(table: dict[str, Any]) -> bool:
    return bool(len(table["seats"][0]["points"]) >= table["area"])


def play_a_round(others: Others) -> None:
    """The first takes the smallest shapes and enters what fits; the others enter nothing."""
    first, *rest = others.devices
    number = first.table["round"]
    others.throw()
    playing = rest if is_full(first.table) else [first, *rest]
    for device in playing:
        device.see(partial(in_phase, "grab", number))
        for colour in ("black", "white"):
            # Whoever grabs after others has seen what they grabbed.
            device.see(partial(are_taken, playing.index(device), colour))
            free = [i for i, die in enumerate(device.table["dice"]) if die["colour"] == colour and die["taken"] is None]
            device.ask(type="grab", die=min(free, key=lambda i: device.table["dice"][i]["face"][1:]))
    if first in playing:
        others.enter(0)
    for device in playing:
        device.see(partial(in_phase, "enter", number))
        device.ask(type="pass")
    for device in others.devices:
        device.see(partial(in_phase, "throw", number + 1))


def at_my_throw(address: str) -> Others:
    """The first one's area is full, and it is their throw."""
    while True:
        others = Others(address, 3, game="dice")
        table = others.devices[0].table
        # Squares can be left that no shape fills: then it takes another table.
        for _ in range(ROUNDS):
            if is_full(table) and table["roller"] == 0:
                return others
            play_a_round(others)


def test_W5_a_full_area_does_not_keep_one_from_throwing(browser: Browser, address: str) -> None:
    others = at_my_throw(address)
    seen = Seen(browser, PHONE)
    others.show(0, seen)
    expect(seen.page.get_by_text("Your area is full")).to_be_visible()
    seen.page.get_by_role("button", name="Throw the dice").click()
    others.devices[0].see(lambda table: table["phase"] == "grab")
    expect(seen.page.get_by_role("button", name="Throw the dice")).to_have_count(0)
    seen.look("dice-full-area")
    seen.close()
