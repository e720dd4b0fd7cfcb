"""A page as a person sees it, and everything that it complained about."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from pathlib import Path
from time import monotonic
from typing import Any
from urllib.parse import quote

from playwright.sync_api import Browser, ConsoleMessage, Error, Locator, Page, Request, expect

from hatch_build import WEB

AXE = WEB / "node_modules" / "axe-core" / "axe.min.js"
PICTURES = Path(__file__).parent / "pictures"
# How long anything may take, in milliseconds: only who waits in vain waits so long.
PATIENCE = 60_000
# For what is asked beside the page: the server hangs up after five silent seconds, and who asks on a kept line just
# then has no answer. A browser asks again.
ONCE = {"connection": "close"}
# The smallest that is common: a phone of 2016 with its browser's bars on it.
PHONE = (375, 553)
DESK = (1400, 900)

# Text that does not fit where it stands: cut off, with or without three dots. A name may be any length, so it may end
# in dots (`.who`, `.name`).
CUT = """() => [...document.querySelectorAll("body *")].filter((one) => {
  const style = getComputedStyle(one);
  // What is moved sideways by hand or by keys is not lost.
  const moved = one.closest("[tabindex='0']");
  if (moved !== null && getComputedStyle(moved).overflowX === "auto") return false;
  if (!one.checkVisibility() || one.closest("svg, .unseen, .who, .name, input, select")) return false;
  const own = [...one.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim() !== "");
  const hides = style.overflowX !== "visible";
  const box = one.getBoundingClientRect();
  const gone = box.right > innerWidth + 1 || box.left < -1;
  return own && (gone || (hides && one.scrollWidth > one.clientWidth + 1));
}).map((one) => one.outerHTML.slice(0, 160))"""

# Buttons and links that lie over each other; what floats above the page, or is only seen by a screen reader, may.
# Compared line by line: the bounding box of a link that wraps covers whatever stands beside its first line.
OVER = """() => {
  const within = document.querySelector("dialog[open]") ?? document.body;
  const ones = [...within.querySelectorAll("a, button, select")].filter((one) => one.checkVisibility());
  const floats = (one) =>
    one !== within && (/fixed|absolute|sticky/.test(getComputedStyle(one).position) || floats(one.parentElement));
  const flat = ones.filter((one) => !floats(one)).map((one) => [one, [...one.getClientRects()]]);
  const meet = (a, b) =>
    a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1;
  return flat.flatMap(([one, lines], i) => flat.slice(i + 1)
    .filter(([, others]) => lines.some((a) => others.some((b) => meet(a, b))))
    .map(([other]) => `${one.textContent} / ${other.textContent}`));
}"""

# All that is told to us: the rest, with a piece of the page for every rule that was kept, takes longer than the check.
# Style sheets are fetched again only for an experimental rule, which is off; media are for one that is on.
VIOLATIONS = """axe.run({ resultTypes: ["violations"], preload: { assets: ["media"] } }).then(({ violations }) =>
  violations.map(({ id, impact, nodes }) => [id, impact, nodes.map(({ html }) => html)]))"""
SCROLLS = "document.documentElement.scrollHeight > innerHeight"

# A page asks every five seconds whether its server is there, and hangs up where the last answer is still to come. On a
# busy machine it may be, and what a hand does meanwhile would be lost: here it asks as seldom as we are patient.
PATIENT = f"""
const every = window.setInterval;
window.setInterval = (call, ms, ...more) => every(call, ms === 5000 ? {PATIENCE} : ms, ...more);
"""

SPEAKS = """(language) => {
  localStorage.ubongo = JSON.stringify({ ...JSON.parse(localStorage.ubongo), language });
}"""


@cache
def axe() -> str:
    return f"{AXE.read_text()};0"


class Seen:
    """Opens a page in a browser context of its own: another person, with another cookie."""

    # Whether anybody will look at pictures: hundreds of them take a minute of a processor.
    takes_pictures = False
    # One empty file for each view and size that axe has checked, in whichever of pytest's workers.
    checked: Path

    def __init__(
        self, browser: Browser, size: tuple[int, int] = DESK, scheme: str = "light", language: str = "en", **more: Any
    ) -> None:
        self.context = browser.new_context(
            viewport={"width": size[0], "height": size[1]},
            color_scheme="dark" if scheme == "dark" else "light",
            reduced_motion="reduce",
            locale=language,
            device_scale_factor=1,
            **more,
        )
        self.context.set_default_timeout(PATIENCE)
        self.context.add_init_script(PATIENT)
        self.page = self.tab()

    def tab(self) -> Page:
        page = self.context.new_page()
        self.complaints: list[str] = getattr(self, "complaints", [])
        page.on("console", self.complained)
        page.on("pageerror", lambda problem: self.complaints.append(str(problem)))
        page.on("requestfailed", self.failed)
        return page

    def complained(self, message: ConsoleMessage) -> None:
        what = f"{message.type}: {message.text}"
        # Who is slow asks how a round was solved when the next one has begun; the browser tells of the refusal.
        late = "409 (Conflict)" in what and message.location["url"].endswith("/solutions")
        if not late:
            self.complaints.append(what)

    def failed(self, request: Request) -> None:
        # Who leaves a page or loads it anew gives up what it was still fetching: that is no failure.
        if request.failure != "net::ERR_ABORTED":
            self.complaints.append(f"failed: {request.url} {request.failure}")

    def say_name(self, name: str) -> None:
        expect(self.page.get_by_role("dialog")).to_be_visible()
        self.page.get_by_role("dialog").get_by_role("textbox").fill(name)
        self.page.get_by_role("dialog").get_by_role("textbox").press("Enter")
        expect(self.page.get_by_role("dialog")).to_have_count(0)

    def in_bar(self, name: str) -> Locator:
        """A button of the bar at a table. On a phone it is behind the menu, which is opened."""
        menu = self.page.locator(".menu-btn")
        if not menu.is_visible():
            return self.page.get_by_role("button", name=name, exact=True)
        menu.click()
        return self.page.locator(".menu").get_by_role("button", name=name, exact=True)

    def look(self, name: str) -> None:
        """Makes sure that nothing is cut off or keeps people out; leaves a picture, if one is wanted."""
        if not self.fits(name):
            return
        if not self.page.evaluate("'axe' in window"):
            # Evaluated by the debugger, which the page's own content policy does not bind. Without Playwright between,
            # which would compile it once more and look for a result.
            line = self.context.new_cdp_session(self.page)
            line.send("Runtime.evaluate", {"expression": axe()})
            line.detach()
        found = self.page.evaluate(VIOLATIONS)
        assert not found, f"{name}: {found}"

    def fits(self, name: str) -> bool:
        """Makes sure that there is room for all of it. Whether it is the first of its view and size: then a picture is
        taken, if pictures are wanted.

        Room differs by language. What axe looks at does not, and tests give each size a theme of its own first.
        """
        page = self.page
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), f"{name} scrolls sideways"
        cut = page.evaluate(CUT)
        assert not cut, f"{name}: {cut}"
        over = page.evaluate(OVER)
        assert not over, f"{name}: {over}"
        width = page.evaluate("innerWidth")
        view = re.sub(rf"-({width}|en|de|pl|light|dark)\b", "", name)
        try:
            (self.checked / quote(f"{view} {page.viewport_size}", safe="")).touch(exist_ok=False)
        except FileExistsError:
            return False
        if self.takes_pictures:
            self.picture(name)
        return True

    def picture(self, name: str) -> None:
        """For people to look at. A browser that is very busy may have no frame to give yet: it is asked again."""
        end = monotonic() + PATIENCE / 1000
        while True:
            try:
                # A JPEG takes a third of the time of a PNG, and there are hundreds. Of a page that does not scroll the
                # screen is all there is, and takes a third again: nothing has to be laid out anew.
                self.page.screenshot(
                    path=PICTURES / f"{name}.jpg", type="jpeg", quality=90, full_page=self.page.evaluate(SCROLLS)
                )
                return
            except Error as problem:
                if "Unable to capture screenshot" not in problem.message or monotonic() > end:
                    raise

    def fits_in_every_language(self, name: str) -> None:
        """The same view in German and Polish, which are longer; then in English again."""
        for language in ("de", "pl", "en"):
            self.page.evaluate(SPEAKS, language)
            self.page.reload()
            expect(self.page.locator(f"html[lang={language}] h1")).to_be_attached()
            if language != "en":
                self.fits(f"{name}-{language}")

    def close(self) -> None:
        # Closed in any case: a page left open would go on working beside the next test.
        self.context.close()
        assert not self.complaints, self.complaints


Opens = Callable[..., Seen]


def table_of(host: Seen, address: str, game: str, seats: int, bots: list[str], **options: Any) -> str:
    """A table with options that no button offers; its host goes there."""
    body = {"game": game, "seats": seats, "bots": bots, "options": options}
    made = host.page.request.post(f"{address}api/tables", data=body, headers=ONCE)
    key: str = made.json()["table"]
    host.page.goto(f"{address}t/{key}")
    return f"{address}t/{key}"
