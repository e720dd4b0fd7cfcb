"""The way to a table with friends: the lobby, how we play, who plays, the start; nothing cut off, nobody kept out."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import expect

from tests.browser.others import CALM
from tests.browser.seen import ONCE, Seen, table_of

# What the buttons say on this way.
START = {"en": "Start", "de": "Los", "pl": "Start"}


def with_bots(seen: Seen, address: str, game: str, language: str, chips: int, bots: int, name: str) -> None:
    """Opens a table by its buttons, seats bots and starts; every view is looked at, `name` says as what."""
    page = seen.page
    page.goto(f"{address}#friends-{game}")
    expect(page.get_by_role("dialog")).to_be_visible()
    seen.look(name.format("name"))
    page.get_by_role("dialog").get_by_role("textbox").press("Enter")
    for number in range(1, bots + 1):
        page.locator(".free").first.get_by_role("button", name="Pip, ").click()
        expect(page.locator("li.bot")).to_have_count(number)
    seen.look(name.format("gather"))
    page.locator(".chips .more").click()
    expect(page.locator(".chips button")).to_have_count(chips)
    page.locator(".chips button").first.click()
    page.locator("li.bot [aria-expanded]").first.click()
    expect(page.get_by_role("radiogroup")).to_have_count(1)
    seen.look(name.format("options"))
    # A host may still change how it is played: so long a time no button offers, and a machine may be slow. The count
    # has a test of its own.
    key = page.url.removeprefix(f"{address}t/")
    change = {"options": {**CALM[game], "ready_s": 0, "count_in_s": 0}}
    settled = page.request.patch(f"{address}api/tables/{key}", data=change, headers=ONCE)
    assert settled.ok, settled.text()
    page.get_by_role("button", name=START[language], exact=True).click()


def two_at_a_table(address: str, ann: Seen, bo: Seen, game: str, **options: Any) -> None:
    """Both sit down, and the first one starts."""
    bo.page.goto(table_of(ann, address, game, 2, [], **options))
    bo.page.get_by_role("button", name="Take a seat").click()
    ann.page.get_by_role("button", name="Start").click()
