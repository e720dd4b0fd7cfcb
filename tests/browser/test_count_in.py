"""Three, two, one: nobody sees a board before the others do, and then everybody does."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.leaping import Lived
from tests.browser.others import Others
from tests.browser.seen import DESK, PHONE, Seen

# What there is to play with, once the round has begun.
MINE = {"extreme": "svg.mine", "cubes": "svg.mine", "cards": ".hand-cards button", "dice": "button.spot"}


@pytest.mark.parametrize(
    ("game", "size", "scheme", "language"),
    [
        ("extreme", PHONE, "dark", "de"),
        ("cards", PHONE, "light", "pl"),
        ("dice", PHONE, "dark", "en"),
        ("cubes", DESK, "light", "en"),
    ],
)
def test_everybody_starts_at_the_same_moment(
    browser: Browser, lived: Lived, game: str, size: tuple[int, int], scheme: str, language: str
) -> None:
    address, clock = lived
    others = Others(address, game=game, count_in_s=3)
    ann, eve = Seen(browser, size, scheme, language), Seen(browser)
    others.show(0, ann)
    eve.page.goto(f"{address}t/{others.key}")
    if game in ("dice", "cubes"):
        others.throw()
    if game != "dice":
        others.ready(0)
        others.ready(1)
    for seen in (ann, eve):
        expect(seen.page.locator(".count-in")).to_be_visible()
        expect(seen.page.locator(MINE[game])).to_have_count(0)
    ann.look(f"count-in-{game}-{size[0]}-{language}-{scheme}")
    clock.leap(3000)
    expect(ann.page.locator(MINE[game]).first).to_be_visible()
    for seen in (ann, eve):
        expect(seen.page.locator(".count-in")).to_have_count(0)
        seen.close()


def test_a_run_alone_is_counted_in_and_its_time_starts_with_the_board(browser: Browser, lived: Lived) -> None:
    address, clock = lived
    ann = Seen(browser, PHONE)
    page = ann.page
    page.goto(f"{address}#solo-extreme")
    page.get_by_role("button", name="5 boards").click()
    ann.say_name("Ann")
    expect(page.locator(".count-in")).to_be_visible()
    expect(page.locator("svg.mine")).to_have_count(0)
    ann.look("count-in-alone-375-light")
    clock.leap(3000)
    expect(page.locator("svg.mine")).to_be_visible()
    # Not from when it was counted: the clock is the server's, but the page goes on by its own.
    expect(page.get_by_role("timer")).to_have_text(re.compile(r"0:0\d"))
    ann.close()
