"""How the page feels on a mid-range phone: how soon a table is there after a tap, and how soon each touch is answered.

.venv/bin/python -m bench.interaction

A phone is a screen of 390×664 with touch, a processor slowed down by four, and for the first visit a line of 9 Mbit/s
with 60 ms of delay. Interaction to next paint is the browser's own measure (Event Timing), in steps of 8 ms.
"""

from __future__ import annotations

import statistics
from typing import Any

from playwright.sync_api import Browser, Page, expect

from bench.page import Figures, a_browser
from tests.browser.opponents import play_now
from tests.browser.reach import told
from tests.browser.seen import Seen
from tests.conftest import start

PHONE = (390, 664)
SLOWER = 4
LINE = {"offline": False, "latency": 60, "downloadThroughput": 9e6 / 8, "uploadThroughput": 9e6 / 8}
TABLE_MS, PAINT_MS = 1000, 100
TIMES = 5
TOUCHES = 40

# Every interaction's time from the touch to the next frame. An interaction has several events: the longest counts.
WATCH = """() => { window.took = new Map(); new PerformanceObserver((list) => {
  for (const { interactionId, duration } of list.getEntries())
    if (interactionId) window.took.set(interactionId, Math.max(duration, window.took.get(interactionId) ?? 0));
}).observe({ type: "event", durationThreshold: 16, buffered: true }); }"""


def as_a_phone(seen: Seen, line: bool) -> None:
    wire = seen.context.new_cdp_session(seen.page)
    wire.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
    if line:
        wire.send("Network.enable")
        wire.send("Network.emulateNetworkConditions", LINE)


def known(seen: Seen, address: str) -> None:
    """Somebody who is not asked for a name."""
    seen.page.goto(address)
    seen.page.evaluate(
        "() => { localStorage.ubongo = JSON.stringify({ ...JSON.parse(localStorage.ubongo), name: 'Ann' }); }"
    )


def first_tables(browser: Browser, address: str, figures: Figures) -> None:
    """From the tap on *Play* until the table is there, with its count; the boards open when that is over."""
    times = []
    for _ in range(TIMES):
        seen = Seen(browser, PHONE, has_touch=True)
        known(seen, address)
        as_a_phone(seen, line=True)
        seen.page.goto(f"{address}play/extreme")
        button = seen.page.get_by_role("button", name="Play ")
        expect(button).to_be_enabled()
        seen.page.wait_for_load_state("networkidle")
        before = seen.page.evaluate("performance.now()")
        button.tap()
        seen.page.locator(".others .who").first.wait_for()
        times.append(seen.page.evaluate("performance.now()") - before)
        seen.context.close()
    figures.say("the table after the tap, on a phone", statistics.median(times), TABLE_MS)


def touches(browser: Browser, address: str, figures: Figures) -> None:
    """Pieces are picked, turned, flipped and laid for a while, beside bots."""
    seen = Seen(browser, PHONE, has_touch=True)
    known(seen, address)
    page = seen.page
    page.goto(address)
    play_now(page, "extreme")
    page.wait_for_function("document.querySelectorAll('[data-piece]').length > 0")
    expect(page.locator("[data-piece='0']").first).to_be_visible()
    while told(page)["phase"] != "play":
        page.wait_for_timeout(100)
    as_a_phone(seen, line=False)
    page.evaluate(WATCH)
    for number in range(TOUCHES):
        touch(page, number)
    page.wait_for_timeout(500)
    took: list[Any] = sorted(page.evaluate("[...window.took.values()]"))
    # What took less than 16 ms is not told.
    took = [0] * max(0, 2 * TOUCHES - len(took)) + took
    figures.say("interaction to next paint, p95", took[int(0.95 * len(took))], PAINT_MS)
    figures.say("interaction to next paint, worst", took[-1], 2 * PAINT_MS)
    seen.context.close()


def touch(page: Page, number: int) -> None:
    piece = page.locator(f"[data-piece='{number % 3}']").first
    if piece.is_visible():
        piece.tap()
    turn = page.get_by_role("button", name="Turn to the right")
    if turn.count() and turn.first.is_enabled():
        turn.first.tap()


def main() -> None:
    figures = Figures()
    with start() as server, a_browser() as browser:
        first_tables(browser, server.address, figures)
        touches(browser, server.address, figures)


if __name__ == "__main__":
    main()
