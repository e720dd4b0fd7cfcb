"""The host changes how it is played until the start, and everybody at the table sees it."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.others import Others
from tests.browser.seen import DESK, PHONE, Seen


@pytest.mark.parametrize(
    ("size", "scheme", "language", "words"),
    [
        (PHONE, "dark", "de", ("Ändern", "Sanduhr", "90 s")),
        (PHONE, "light", "pl", ("Zmień", "Klepsydra", "90 s")),
        (DESK, "light", "en", ("Change", "Hourglass", "90 s")),
    ],
)
def test_what_the_host_changes_everybody_sees(
    browser: Browser, address: str, size: tuple[int, int], scheme: str, language: str, words: tuple[str, str, str]
) -> None:
    change, glass, seconds = words
    others = Others(address, 2, start=False)
    ann, bo = Seen(browser, size, scheme, language), Seen(browser, size, scheme, language)
    others.show(0, ann)
    others.show(1, bo)
    expect(bo.page.locator("main li")).to_have_count(2)
    expect(bo.page.get_by_role("button", name=change)).to_have_count(0)
    ann.page.get_by_role("button", name=change).click()
    asked = ann.page.locator("li").filter(has_text=glass)
    # Out from below the bar at the window's foot.
    asked.evaluate("one => one.scrollIntoView({ block: 'center' })")
    asked.get_by_role("radio", name="90").check(force=True)
    expect(bo.page.locator("dl div").filter(has_text=glass)).to_contain_text(seconds)
    ann.page.get_by_role("radiogroup").first.get_by_role("radio", name="3").check(force=True)
    expect(bo.page.locator("main li")).to_have_count(3)
    ann.look(f"settling-{size[0]}-{language}-{scheme}")
    for seen in (ann, bo):
        seen.close()
