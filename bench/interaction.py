"""Responsiveness on a mid-range phone: how soon a table is shown after a tap, and how soon each touch is answered.

.venv/bin/python -m bench.interaction

A phone is a touch screen of 390×664, a CPU slowed down four times, and for the first visit a connection of 9 Mbit/s
with 60 ms of delay. Interaction to next paint is the browser's own measure (Event Timing), in steps of 8 ms.
"""

from __future__ import annotations

import re
import statistics

from playwright.sync_api import Browser, Page, expect

from bench.page import Figures, a_browser
from tests.browser.alone import NAMES
from tests.browser.others import CALM, known_as
from tests.browser.reach import middle
from tests.browser.seen import Seen
from tests.conftest import start
from tests.server.people import Person

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
    """A guest who already has a name."""
    seen.page.goto(address)
    seen.page.evaluate(
        "() => { localStorage.ubongo = JSON.stringify({ ...JSON.parse(localStorage.ubongo), name: 'Ann' }); }"
    )


def first_tables(browser: Browser, address: str, figures: Figures) -> None:
    """From the tap on *Play* until the table is shown, with its count-in; the boards open after that."""
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
    """Picks and turns pieces for a while, with three bots playing."""
    for game in NAMES:
        seen = Seen(browser, PHONE, has_touch=True)
        page = seen.page
        a_round_with_bots(seen, address, game)
        as_a_phone(seen, line=False)
        page.evaluate(WATCH)
        taps = sum(touch(page, number) for number in range(TOUCHES))
        page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
        told: list[float] = page.evaluate("[...window.took.values()]")
        # The browser does not report what took less than 16 ms.
        took = sorted([*told, *[0.0] * (taps - len(told))])
        figures.say(f"interaction to next paint, p95, {game}, {taps} taps", took[int(0.95 * len(took))], PAINT_MS)
        seen.context.close()


def a_round_with_bots(seen: Seen, address: str, game: str) -> None:
    """Ann and three bots, in the middle of a round."""
    ann = Person(address, "Ann")
    options = {**CALM[game], "ready_s": 0}
    table = ann.post("/tables", {"game": game, "seats": 4, "bots": ["expert"] * 3, "options": options})["table"]
    ann.post(f"/tables/{table}/start")
    device = ann.sit_at(table)
    phases = ("play", "enter")
    while device.table["phase"] not in phases:
        # Events after a move may arrive together with its answer: wait only if there is nothing to do.
        match device.table["phase"]:
            case "throw" if device.table["roller"] == 0:
                device.ask(type="throw")
            case "ready" if not device.table["seats"][0]["ready"]:
                device.ask(type="ready")
            case "grab" if sum(die["taken"] == 0 for die in device.table["dice"]) < 2:
                for die in range(len(device.table["dice"])):
                    device.ask(type="grab", die=die)
            case _:
                device.hear()
    known_as(ann, seen)
    seen.page.goto(f"{ann.address}/t/{table}")
    expect(seen.page.locator("[data-piece]").first).to_be_visible()


def touch(page: Page, number: int) -> int:
    """Taps a piece and the button that turns it; returns the number of taps."""
    pieces = page.locator("[data-piece]:visible")
    if (there := pieces.count()) == 0:
        return 0
    page.touchscreen.tap(*middle(pieces.nth(number % there)))
    turn = page.get_by_role("button", name=re.compile("^(Turn|Rotate)"))
    if turn.count() == 0 or not turn.first.is_enabled():
        return 1
    page.touchscreen.tap(*middle(turn.first))
    return 2


def main() -> None:
    figures = Figures()
    with start() as server, a_browser() as browser:
        first_tables(browser, server.address, figures)
        touches(browser, server.address, figures)


if __name__ == "__main__":
    main()
