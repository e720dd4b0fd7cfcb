"""Text twice as large: every view keeps working, nothing is cut off and nothing lost."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from hatch_build import WEB
from tests.browser.hands import Hands, answers
from tests.browser.seen import DESK, PHONE, Seen


@pytest.mark.parametrize(
    ("size", "scheme", "language"), [(PHONE, "light", "de"), (DESK, "dark", "pl"), ((768, 1024), "light", "en")]
)
def test_every_view_on_the_way_to_a_result(
    large: Browser, address: str, size: tuple[int, int], scheme: str, language: str
) -> None:
    name = f"{size[0]}-{language}-{scheme}"
    seen = Seen(large, size, scheme, language)
    page = seen.page
    page.goto(address)
    assert page.evaluate("parseFloat(getComputedStyle(document.documentElement).fontSize)") == 32
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    seen.look(f"large-home-{name}")
    page.goto(f"{address}rules/cards")
    expect(page.locator("dt").last).to_be_visible()
    seen.look(f"large-rules-{name}")
    page.goto(f"{address}learn/extreme")
    expect(page.locator("svg.mine")).to_be_visible()
    seen.look(f"large-lesson-{name}")
    page.goto(f"{address}#friends-extreme")
    expect(page.get_by_role("radiogroup").last).to_be_visible()
    seen.look(f"large-setup-{name}")
    page.locator("button.first").click()
    expect(page.get_by_role("dialog")).to_be_visible()
    seen.look(f"large-name-{name}")
    page.get_by_role("textbox").press("Enter")
    expect(page.locator(".code")).to_be_visible()
    # A table of two against a bot, with a glass that is soon empty; its host sees the round, the result and the next.
    body = {"game": "extreme", "seats": 2, "bots": ["beginner"], "options": {"hourglass_s": 600}}
    made = page.request.post(f"{address}api/tables", data=body)
    page.goto(f"{address}t/{made.json()['table']}")
    expect(page.locator(".code")).to_be_visible()
    seen.look(f"large-gather-{name}")
    page.locator(".go button.first").click()
    expect(page.locator("svg.mine")).to_be_visible()
    for number, answer in enumerate(answers(page, 0), 1):
        if number == 3:
            page.keyboard.press("3")
            seen.look(f"large-play-{name}")
            page.keyboard.press("Escape")
        Hands(page, 0).by_keys(answer)
    seen.look(f"large-called-{name}")
    seen.close()


def test_widths_that_change_a_view_grow_with_the_text() -> None:
    """In em: a wide screen with large text is then laid out like a narrow one, which has the room."""
    sources = [file for folder in ("*.svelte", "*.css") for file in Path(WEB / "src").rglob(folder)]
    found = [
        (file.name, query)
        for file in sources
        for query in re.findall(r"\((?:max|min)-(?:width|height): \d+px\)", file.read_text())
    ]
    assert len(sources) > 40
    assert not found
