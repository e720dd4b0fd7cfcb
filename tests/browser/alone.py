"""Somebody who plays alone in a browser, and their other device, which knows the answers."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlsplit

import msgspec
from playwright.sync_api import expect

from tests.browser.seen import Seen
from tests.server.people import Device
from ubongo.games import GAMES
from ubongo.games.solo.options import SoloOptions
from ubongo.pieces import Placement, covered, fits
from ubongo.server.wire.admission import COOKIE

NAMES = {"extreme": "Extreme", "cards": "Card game", "dice": "Dice game", "cubes": "3-D"}


def device_of(seen: Seen) -> Device:
    """The same person on another device, which knows the answers."""
    link = urlsplit(seen.page.url)
    token = next(one["value"] for one in seen.context.cookies() if one["name"] == COOKIE)
    return Device(f"{link.scheme}://{link.netloc}", link.path.removeprefix("/t/"), token=token)


def solo(seen: Seen, address: str, game: str) -> None:
    seen.page.goto(f"{address}#solo-{game}")
    seen.page.reload()
    expect(seen.page.get_by_role("heading", level=1)).to_contain_text(NAMES[game])


def begins(seen: Seen) -> Device:
    """The run has begun, and its first task is there."""
    seen.page.wait_for_url("**/t/*")
    expect(seen.page.locator(".play")).to_be_visible()
    expect(seen.page.locator(".count-in")).to_have_count(0)
    device = device_of(seen)
    device.see(lambda table: table["phase"] != "count")
    return device


def roll(device: Device) -> None:
    """A round of dice: the first black one and the first white one, entered where they fit first."""
    if device.table["phase"] == "throw":
        device.ask(type="throw")
        device.see(lambda table: table["phase"] == "grab")
    device.ask(type="grab", die=0)
    device.ask(type="grab", die=4)
    for answer in entries_for(device):
        device.ask(**answer)
    device.ask(type="pass")


def entries_for(device: Device) -> list[dict[str, Any]]:
    """Where this round's two shapes go, in the area before whoever has that device."""
    game = GAMES[device.table["game"]]
    known = game.pieces(msgspec.convert(device.table["options"], game.OPTIONS))
    me = device.table["seats"][device.seat or 0]
    names = me["task"]["pieces"]
    taken = {
        cell
        for one in me["laid"]
        for cell in covered(known[names[one["piece"]]], Placement(one["piece"], one["turn"], tuple(one["at"])))
    }
    found = []
    for piece in range(len(names) - 2, len(names)):
        free = [cell for cell in map(tuple, me["task"]["region"]) if cell not in taken]
        for turn, at in fits(known[names[piece]].shapes, free):
            taken |= set(covered(known[names[piece]], Placement(piece, turn, at)))
            found.append({"type": "place", "piece": piece, "turn": turn, "at": at})
            break
    return found


def wrong_place(device: Device, piece: int, right: set[Any]) -> dict[str, Any]:
    known = GAMES["solo"].pieces(msgspec.convert(device.table["options"], SoloOptions))
    task = device.table["seats"][0]["task"]
    for turn, at in fits(known[task["pieces"][piece]].shapes, [tuple(cell) for cell in task["region"]]):
        if (piece, turn, tuple(at)) not in right:
            return {"type": "place", "piece": piece, "turn": turn, "at": at}
    raise AssertionError("It fits at one place only.")
