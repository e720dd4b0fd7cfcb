"""The way to a table against bots: *Play now* at home, an opponent, and one tap more."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from tests.browser.alone import NAMES


def play_now(page: Page, game: str, against: str = "") -> None:
    """From the first page; against whoever is suggested there, if nobody is named."""
    page.get_by_role("article").filter(has_text=NAMES[game]).get_by_role("link", name="Play now").click()
    expect(page.get_by_role("radio")).to_have_count(5)
    if against:
        page.get_by_role("radio", name=against).check()
    page.get_by_role("button", name="Play ").click()
