"""A full board stays for a moment, and gems fly to who has won them, unless somebody wants nothing to move."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.others import Others
from tests.browser.reach import becomes
from tests.browser.seen import Seen

# Counts what flies, and where to: it is gone again before anybody could look.
WATCHED = """
window.flown = [];
window.solved = [];
new MutationObserver((changes) => {
  for (const { addedNodes } of changes) for (const node of addedNodes) if (node.className?.includes?.("flight")) {
    const [way] = node.getAnimations();
    window.flown.push(way.effect.getKeyframes().map(({ transform }) => transform));
  } else if (node.className?.includes?.("solved")) window.solved.push(node.textContent.replace(/\\s+/g, " ").trim());
}).observe(document, { childList: true, subtree: true });
"""


@pytest.mark.parametrize(("motion", "flights"), [("no-preference", 4), ("reduce", 0)])
def test_gems_fly_from_display_and_bag_to_their_owner(
    browser: Browser, address: str, motion: str, flights: int
) -> None:
    others = Others(address)
    ann = Seen(browser)
    ann.page.emulate_media(reduced_motion="reduce" if motion == "reduce" else "no-preference")
    ann.context.add_init_script(WATCHED)
    others.show(0, ann)
    others.begin_round()
    expect(ann.page.locator("svg.mine")).to_be_visible()
    others.devices[1].solve()
    expect(ann.page.get_by_text("Bo is first")).to_be_visible()
    # The second call ends the round: these go to the result.
    others.devices[0].solve()
    expect(ann.page.get_by_role("heading", name="Bo was first, you were second")).to_be_visible()
    # Before that my board stayed for a moment, though the round was over with it.
    [said] = ann.page.evaluate("window.solved")
    assert re.fullmatch(r"Ubongo! 2nd ?0:\d\d\.\d", said)
    # They take off a moment after the news.
    becomes(ann.page, f"window.flown.length >= {flights}")
    expect(ann.page.locator(".flight")).to_have_count(0)
    flown = ann.page.evaluate("window.flown")
    assert len(flown) == flights
    assert all(start != end for start, end in flown)
    ann.close()
