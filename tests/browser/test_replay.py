"""A finished match watched again: play, pause, speed, the slider, keys; and what it says when there is none."""

from __future__ import annotations

import re
from typing import Literal

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.others import Others
from tests.browser.seen import DESK, PHONE, Seen


def finished(address: str, people: int = 2) -> str:
    """A match of two rounds, in which the first of them is always the quickest."""
    others = Others(address, people)
    others.play_round()
    others.play_round()
    others.end()
    return others.key


def laid(page: Page, name: str) -> int:
    """How many pieces lie before somebody."""
    label = page.get_by_role("img", name=re.compile(f"{name}: .* laid")).get_attribute("aria-label") or ""
    return int(label.split()[1])


def test_it_plays_pauses_and_goes_where_one_wants(browser: Browser, address: str) -> None:
    key = finished(address)
    seen = Seen(browser)
    page = seen.page
    page.goto(f"{address}t/{key}")
    page.get_by_role("link", name="Watch again").click()
    slider = page.get_by_role("slider")
    expect(slider).to_have_attribute("aria-valuetext", "Round 1, 0:00")
    # A step at a time, there and back: first a piece of Ann's lies, then all of hers, and she is first.
    while not page.get_by_role("img", name="Ann: 1 of 3 laid").is_visible():
        page.keyboard.press("ArrowRight")
    while not page.get_by_text("Ann is first").is_visible():
        page.keyboard.press("ArrowRight")
    assert (laid(page, "Ann"), laid(page, "Bo")) == (3, 0)
    expect(page.locator(".seat.won .gem")).to_have_count(2)
    page.keyboard.press("ArrowLeft")
    expect(page.get_by_role("img", name="Ann: 2 of 3 laid")).to_be_visible()
    expect(page.locator(".seat.won")).to_have_count(0)
    # A round on; just before it, both are done with the first.
    page.keyboard.press("ArrowUp")
    expect(slider).to_have_attribute("aria-valuetext", re.compile("Round 2"))
    assert (laid(page, "Ann"), laid(page, "Bo")) == (0, 0)
    page.keyboard.press("ArrowLeft")
    assert (laid(page, "Ann"), laid(page, "Bo")) == (3, 3)
    # By itself to the end, where the boards stay and the standing is offered.
    page.keyboard.press("Home")
    page.get_by_role("radio", name="16×").check(force=True)
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Play", exact=True).click()
    expect(page.get_by_text("That was it.")).to_be_visible()
    expect(page.get_by_role("button", name="Play", exact=True)).to_be_visible()
    page.get_by_role("link", name="The final standing").click()
    expect(page.get_by_role("heading", name="Points by round")).to_be_visible()
    seen.close()


@pytest.mark.parametrize(
    ("size", "scheme", "language", "people"),
    [(DESK, "light", "en", 4), (PHONE, "dark", "de", 4), (PHONE, "light", "pl", 2), (DESK, "dark", "pl", 3)],
)
def test_it_can_be_seen_everywhere(
    browser: Browser, address: str, size: tuple[int, int], scheme: str, language: str, people: int
) -> None:
    key = finished(address, people=people)
    seen = Seen(browser, size, scheme, language)
    seen.page.goto(f"{address}replay/{key}")
    expect(seen.page.get_by_role("slider")).to_be_visible()
    seen.page.keyboard.press("ArrowUp")
    seen.page.keyboard.press("ArrowUp")
    while seen.page.locator(".seat.won").count() != 1:
        seen.page.keyboard.press("ArrowRight")
    seen.look(f"replay-{size[0]}-{language}-{scheme}-{people}")
    seen.page.keyboard.press("End")
    expect(seen.page.locator("main .story a")).to_be_visible()
    seen.look(f"replay-end-{size[0]}-{language}-{scheme}-{people}")
    seen.close()


def test_cards_begin_with_the_hands_that_were_dealt(browser: Browser, address: str) -> None:
    others = Others(address, 4, "cards")
    others.begin_round()
    others.lay(0, 3)
    others.end()
    seen = Seen(browser, PHONE, "dark")
    page = seen.page
    page.goto(f"{address}replay/{others.key}")
    hands = page.get_by_role("img", name="9 in the hand")
    expect(hands).to_have_count(4)
    expect(hands.first.locator(".card")).to_have_count(9)
    seen.look("replay-cards-375-en-dark-4")
    while not page.get_by_role("img", name="Ann: 6 in the hand").is_visible():
        page.keyboard.press("ArrowRight")
    assert laid(page, "Ann") == 3
    seen.close()


@pytest.mark.parametrize(("motion", "button"), [("no-preference", "Pause"), ("reduce", "Play")])
def test_it_starts_by_itself_where_things_may_move(
    browser: Browser, address: str, motion: Literal["no-preference", "reduce"], button: str
) -> None:
    key = finished(address)
    seen = Seen(browser)
    seen.page.emulate_media(reduced_motion=motion)
    seen.page.goto(f"{address}replay/{key}")
    expect(seen.page.get_by_role("button", name=button, exact=True)).to_be_visible()
    seen.close()


def test_what_cannot_be_watched_says_so(browser: Browser, address: str) -> None:
    running = Others(address).key
    seen = Seen(browser)
    page = seen.page
    page.goto(f"{address}replay/{running}")
    expect(page.get_by_role("heading", name="This match is still being played")).to_be_visible()
    expect(page.get_by_role("link", name="Watch")).to_be_visible()
    seen.look("replay-running")
    page.goto(f"{address}replay/nosuchtable")
    expect(page.get_by_role("heading", name="This replay is gone")).to_be_visible()
    page.goto(f"{address}ghost/nosuchtable")
    expect(page.get_by_role("heading", name="This run is gone")).to_be_visible()
    # A browser itself notes an answer that says no.
    seen.complaints[:] = [one for one in seen.complaints if "Failed to load resource" not in one]
    seen.close()
