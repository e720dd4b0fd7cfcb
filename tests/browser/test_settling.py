"""The host changes how it is played until the start, and everybody at the table sees it."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.others import Others
from tests.browser.seen import DESK, PHONE, Seen


@pytest.mark.parametrize(
    ("size", "scheme", "language", "words"),
    [
        (PHONE, "dark", "de", ("Sand", "{n} Plätze")),
        (PHONE, "light", "pl", ("piasku", "Miejsca: {n}")),
        (DESK, "light", "en", ("of sand", "{n} seats")),
    ],
)
def test_what_the_host_changes_everybody_sees(
    browser: Browser, address: str, size: tuple[int, int], scheme: str, language: str, words: tuple[str, str]
) -> None:
    sand, seats = words
    others = Others(address, 2, start=False)
    ann, bo = Seen(browser, size, scheme, language), Seen(browser, size, scheme, language)
    others.show(0, ann)
    others.show(1, bo)
    expect(bo.page.get_by_text(re.compile(rf"^900\ss {sand}"))).to_be_visible()
    expect(bo.page.get_by_role("button", name=sand)).to_have_count(0)
    ann.page.get_by_role("button", name=re.compile(rf"900\ss.*{sand}")).click()
    ann.page.get_by_role("radio", name="90").check(force=True)
    expect(bo.page.get_by_text(re.compile(rf"^90\ss {sand}"))).to_be_visible()
    ann.page.get_by_role("button", name=seats.format(n=2)).click()
    ann.page.get_by_role("radio", name="3", exact=True).check(force=True)
    expect(bo.page.get_by_text(seats.format(n=3))).to_be_visible()
    ann.look(f"settling-{size[0]}-{language}-{scheme}")
    for seen in (ann, bo):
        seen.close()
