"""The cost of the page, in a real Chromium with a real server: the first board, a drag, and an idle table.

.venv/bin/python -m bench.page [--slow]

Each figure is printed with its limit. Work is counted in the page's own CPU time, but how soon a
board is shown depends on other load on the machine: with `--slow` missed limits are only reported.
"""

from __future__ import annotations

import argparse
import os
import statistics
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from playwright.sync_api import Browser, CDPSession, Page, sync_playwright

from hatch_build import node_from_wheel
from tests.browser import chromium
from tests.browser.others import Others
from tests.browser.reach import middle
from tests.browser.seen import Seen
from tests.conftest import start

# In milliseconds.
BOARD_MS, FRAME_MS = 1000, 8
TIMES = 5
REST_MS = 4000


class Round(NamedTuple):
    """The selector of its board, and the options that start it without a throw."""

    board: str
    options: dict[str, Any]


GAMES = {"extreme": Round("svg.mine .region", {}), "cubes": Round("svg.mine .region", {"die": "off"})}
ROUNDS = (("a round of Extreme", "extreme"), ("a round of 3-D", "cubes"))
# When an element was first shown, counted from the start of the page.
SHOWN = """(what) => new Promise((found) => {
  const look = () => document.querySelector(what) ? found(performance.now()) : requestAnimationFrame(look);
  look();
})"""


@contextmanager
def a_browser() -> Iterator[Browser]:
    os.environ["PLAYWRIGHT_NODEJS_PATH"] = str(node_from_wheel()[0])
    with sync_playwright() as playwright:
        found = chromium.find(Path(playwright.chromium.executable_path))
        browser = playwright.chromium.launch(
            executable_path=found.program, args=chromium.FLAGS, env={**found.environment}
        )
        yield browser
        browser.close()


class Figures:
    def __init__(self) -> None:
        self.missed = 0

    def say(self, what: str, value: float, limit: float, unit: str = "ms") -> None:
        kept = value <= limit
        self.missed += not kept
        print(f"{what:<44} {value:8.1f} {unit:<6} of {limit:g}  {'reached' if kept else 'MISSED'}", flush=True)


def script_ms(line: CDPSession) -> float:
    found: dict[str, Any] = line.send("Performance.getMetrics")
    metrics = {one["name"]: float(one["value"]) for one in found["metrics"]}
    return 1000 * metrics["ScriptDuration"]


def first_boards(browser: Browser, address: str, figures: Figures) -> None:
    """With an empty cache: a new browser context each time."""
    for name, game in (("home", None), *ROUNDS):
        times = []
        for _ in range(TIMES):
            seen = Seen(browser)
            if game is None:
                seen.page.goto(address, wait_until="commit")
                what = "main .picture svg"
            else:
                a_round(address, game, seen)
                what = GAMES[game].board
            times.append(seen.page.evaluate(SHOWN, what))
            seen.context.close()
        figures.say(f"first board, {name}", statistics.median(times), BOARD_MS)


def a_round(address: str, game: str, seen: Seen) -> None:
    others = Others(address, game=game, **GAMES[game].options)
    others.begin_round()
    others.show(0, seen)


def a_drag(page: Page, figures: Figures, name: str) -> None:
    """Moves a piece over the board, one step per frame; measures script time per frame."""
    line = page.context.new_cdp_session(page)
    line.send("Performance.enable", {"timeDomain": "threadTicks"})
    page.mouse.move(*middle(page.locator("[data-piece='0']")))
    page.mouse.down()
    box = page.locator("svg.mine").bounding_box()
    assert box is not None
    steps = 120
    page.mouse.move(box["x"], box["y"])
    before = script_ms(line)
    for step in range(steps):
        across = box["width"] * (step % 30) / 30
        page.mouse.move(box["x"] + across, box["y"] + box["height"] * step / steps)
    spent = script_ms(line) - before
    page.mouse.up()
    figures.say(f"script a frame of a drag, {name}", spent / steps, FRAME_MS)


def at_rest(page: Page, figures: Figures, name: str) -> None:
    """Only the seconds change: limits how often the page does any work."""
    line = page.context.new_cdp_session(page)
    line.send("Performance.enable", {"timeDomain": "threadTicks"})
    page.wait_for_timeout(1000)
    page.evaluate("""() => { window.changes = 0; new MutationObserver((all) => window.changes += all.length)
      .observe(document, {subtree: true, childList: true, attributes: true, characterData: true}); }""")
    before = script_ms(line)
    page.wait_for_timeout(REST_MS)
    spent = script_ms(line) - before
    # A second changes a number, its label and the glass's sand; a rail sinks by itself.
    figures.say(f"changes a second at rest, {name}", page.evaluate("window.changes") / (REST_MS / 1000), 12, "")
    figures.say(f"script a second at rest, {name}", spent / (REST_MS / 1000), FRAME_MS)


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("--slow", action="store_true", help="end well whatever was missed")
    chosen = asked.parse_args()
    figures = Figures()
    with start() as server, a_browser() as browser:
        first_boards(browser, server.address, figures)
        home = Seen(browser)
        home.page.goto(server.address)
        at_rest(home.page, figures, "home")
        for name, game in ROUNDS:
            seen = Seen(browser)
            seen.page.emulate_media(reduced_motion="no-preference")
            a_round(server.address, game, seen)
            seen.page.locator(GAMES[game].board).wait_for()
            at_rest(seen.page, figures, name)
            a_drag(seen.page, figures, name)
            seen.context.close()
    sys.exit(1 if figures.missed and not chosen.slow else 0)


if __name__ == "__main__":
    main()
