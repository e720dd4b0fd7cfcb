"""What gems are worth can be seen while playing for them: beside the display on a desk, in the menu on a phone."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.others import Others
from tests.browser.seen import DESK, PHONE, Seen
from ubongo.games.gem_race import VALUE

SAID = "Gem values: ruby, 4; sapphire, 3; emerald, 2; amber, 1"


@pytest.mark.parametrize(
    ("game", "options", "size", "scheme"),
    [
        ("extreme", {}, DESK, "light"),
        ("extreme", {}, PHONE, "dark"),
        # The narrowest that is laid out as a desk.
        ("cubes", {"die": "off"}, (1001, 700), "dark"),
        ("cubes", {"die": "off", "scoring": "ladder"}, (844, 390), "light"),
    ],
)
def test_they_are_in_sight_or_one_tap_away(
    browser: Browser, address: str, game: str, options: dict[str, Any], size: tuple[int, int], scheme: str
) -> None:
    others, seen = Others(address, game=game, **options), Seen(browser, size, scheme)
    others.begin_round()
    others.show(0, seen)
    page = seen.page
    expect(page.locator("svg.mine")).to_be_visible()
    legend = page.get_by_role("img", name=SAID, exact=True)
    menu = page.locator(".menu-btn")
    if menu.is_visible():
        expect(legend).to_have_count(0)
        menu.click()
    expect(legend).to_have_count(1)
    expect(legend).to_be_visible()
    assert [line.split(" ")[-1] for line in legend.locator("span").all_inner_texts()] == [
        str(value) for value in VALUE.values()
    ]
    seen.look(f"gem-values-{game}-{size[0]}-{scheme}")
    seen.fits_in_every_language(f"gem-values-{game}-{size[0]}")
    for device in others.devices:
        device.hang_up()
    seen.close()


def test_the_card_game_has_none(browser: Browser, address: str) -> None:
    others, seen = Others(address, game="cards"), Seen(browser, PHONE)
    others.begin_round()
    others.show(0, seen)
    page = seen.page
    page.locator(".menu-btn").click()
    expect(page.get_by_role("button", name="Rules")).to_be_visible()
    expect(page.locator(".gem")).to_have_count(0)
    for device in others.devices:
        device.hang_up()
    seen.close()
