"""Blocks of one colour in one task of 3-D stay apart, and nothing on them looks like points."""

from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.alone import begins
from tests.browser.seen import DESK, ONCE, PHONE, Seen
from tests.browser.solid_hands import Hands, answers

# Two blue blocks of three, and three of four.
TWO: dict[str, Any] = {"board": "1", "number": "3|4"}
THREE: dict[str, Any] = {"board": "2", "number": "7", "side": 4}


@pytest.mark.parametrize(
    ("size", "scheme", "patterns", "task", "alike"), [(DESK, "light", False, THREE, 3), (PHONE, "dark", True, TWO, 2)]
)
def test_blocks_of_one_colour(
    browser: Browser,
    address: str,
    size: tuple[int, int],
    scheme: str,
    patterns: bool,
    task: dict[str, Any],
    alike: int,
) -> None:
    seen = Seen(browser, size, scheme)
    page = seen.page
    page.goto(address)
    page.get_by_role("button", name="Your name").click()
    seen.say_name("Ann")
    if patterns:
        page.get_by_role("button", name="Settings").click()
        choice = page.get_by_role("radiogroup", name="Patterns besides colours")
        choice.get_by_role("radio", name="On").check()
        page.keyboard.press("Escape")
    body = {"game": "solo", "seats": 1, "options": {"of": "cubes", "mode": "practice", **task}}
    key = page.request.post(f"{address}api/tables", data=body, headers=ONCE).json()["table"]
    page.request.post(f"{address}api/tables/{key}/start", headers=ONCE)
    page.goto(f"{address}t/{key}")
    page.get_by_role("button", name="Start").click()
    begins(seen)
    slots = page.locator(".slot svg")
    for shade in range(4):
        expect(slots.locator(f".cube.sea.shade-{shade}").first).to_have_count(int(shade < alike))
    # Neither a block nor the task has a number that could be taken for points.
    assert not any(text.strip() for text in page.locator(".slot").all_inner_texts())
    expect(page.locator(".task")).not_to_contain_text("|")
    for answer in answers(page, 0)[:-1]:
        Hands(page, 0).by_keys(answer)
    fills = page.locator("svg.mine .cube.sea .side").evaluate_all(
        "all => [...new Set(all.map((one) => getComputedStyle(one).fill))]"
    )
    assert len(fills) == alike
    expect(page.locator(".plan").first.locator(".shade-1 .tile").first).to_be_attached()
    seen.look(f"alike-{size[0]}-{scheme}")
    seen.close()
