"""The turn buttons come to the piece that was tapped, beside its slot, and lie over no cell of the board."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, expect

from tests.browser.others import Others
from tests.browser.seen import DESK, PHONE, Seen

SIDE, TABLET = (740, 360), (820, 1180)
TOUCH = 48
Box = dict[str, float]


@pytest.mark.parametrize(("game", "options"), [("extreme", {}), ("cubes", {"die": "off"})])
def test_they_stand_beside_the_slot_or_under_the_thumb(
    browser: Browser, address: str, game: str, options: dict[str, Any]
) -> None:
    others, seen = Others(address, game=game, **options), Seen(browser)
    others.begin_round()
    others.show(0, seen)
    page = seen.page
    buttons, region = page.locator(".handle"), page.locator("svg.mine")
    expect(page.locator("[data-piece]")).to_have_count(3)
    for wide, high in (PHONE, SIDE, TABLET, DESK):
        page.set_viewport_size({"width": wide, "height": high})
        for slot in page.locator("[data-piece]").all():
            slot.click()
            expect(slot).to_have_attribute("aria-pressed", "true")
            at, piece, board = box(buttons), box(slot), box(page.locator(".board"))
            if (wide, high) == DESK:
                level = at["y"] + at["height"] / 2, piece["y"] + piece["height"] / 2
                edges = at["y"] - board["y"], board["y"] + board["height"] - at["y"] - at["height"]
                assert abs(level[0] - level[1]) < 2 or min(edges) < 20, (wide, at, piece)
            else:
                # Under the thumb, and always there.
                assert board["x"] + board["width"] - at["x"] - at["width"] < 40, (wide, at, board)
            assert apart(at, box(region)), (wide, at, box(region))
            for button in buttons.locator("button").all():
                assert min(box(button)["width"], box(button)["height"]) >= TOUCH, wide
    seen.close()


def box(one: Locator) -> Box:
    found: Box = one.evaluate("one => one.getBoundingClientRect().toJSON()")
    return found


def apart(a: Box, b: Box) -> bool:
    return (
        a["x"] + a["width"] <= b["x"] + 1
        or b["x"] + b["width"] <= a["x"] + 1
        or a["y"] + a["height"] <= b["y"] + 1
        or b["y"] + b["height"] <= a["y"] + 1
    )
