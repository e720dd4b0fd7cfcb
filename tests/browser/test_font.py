"""The page's own typeface: small, asked for at once, and nothing moves when it arrives."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, Response, Route, expect

from tests.browser.reach import drawn
from tests.browser.seen import DESK, PHONE, Seen

LIMIT = 45_000
# Letters of our three languages, and whatever else our texts use.
TEXT = "AaBbÄäÖöÜüßẞĄąĆćĘęŁłŃńÓóŚśŹźŻż0123456789„“”‚‘’–—…×·−²³"
# Chromium's own measure of what moved, of which up to 0.1 counts as good. We allow a hundredth of that.
SHIFT = 0.001
WATCHED = """
window.shift = 0;
const sum = (seen) => { for (const { value } of seen) window.shift += value };
const observer = new PerformanceObserver((seen) => sum(seen.getEntries()));
observer.observe({ type: "layout-shift", buffered: true });
window.shifted = () => (sum(observer.takeRecords()), window.shift);
"""
LOADED = """document.fonts.ready.then(() =>
  [...document.fonts].some((one) => one.family === "Nunito" && one.status === "loaded"))"""


def test_one_small_file_is_asked_for_before_the_scripts_have_run(browser: Browser, address: str) -> None:
    seen = Seen(browser)
    fonts: list[Response] = []
    seen.page.on("response", lambda answer: fonts.append(answer) if answer.url.endswith(".woff2") else None)
    seen.page.goto(address)
    assert seen.page.evaluate(LOADED)
    assert len(fonts) == 1
    assert "content-encoding" not in fonts[0].headers, "woff2 is compressed already"
    assert "immutable" in fonts[0].headers["cache-control"]
    assert len(fonts[0].body()) <= LIMIT
    preloaded = seen.page.locator("link[rel=preload][as=font]").get_attribute("href")
    assert preloaded == f"/{fonts[0].url.removeprefix(address)}"
    seen.close()


def test_it_has_every_letter_of_our_languages_and_figures_of_one_width(browser: Browser, address: str) -> None:
    seen = Seen(browser)
    seen.page.goto(address)
    assert seen.page.evaluate(LOADED)
    missing, widths = seen.page.evaluate(
        """(text) => {
          const canvas = Object.assign(document.createElement("canvas"), { width: 200, height: 200 });
          const pen = canvas.getContext("2d");
          const drawn = (one, font) => {
            pen.clearRect(0, 0, 200, 200);
            pen.font = font;
            pen.fillText(one, 50, 120);
            return canvas.toDataURL();
          };
          // What Nunito lacks looks like the font behind it.
          const lacks = (one) => drawn(one, "90px Nunito, serif") === drawn(one, "90px serif");
          const width = (one, weight) => ((pen.font = `${weight} 90px Nunito`), pen.measureText(one).width);
          const figures = [400, 700, 800].map((weight) => new Set([..."0123456789"].map((one) => width(one, weight))));
          return [[...text].filter(lacks), figures.map((one) => one.size)];
        }""",
        TEXT,
    )
    assert not missing
    assert widths == [1, 1, 1]
    seen.close()


@pytest.mark.parametrize("size", [DESK, PHONE], ids=["desk", "phone"])
@pytest.mark.parametrize("language", ["en", "de", "pl"])
def test_nothing_moves_when_it_arrives(browser: Browser, address: str, size: tuple[int, int], language: str) -> None:
    """Until then the page is set in a font of the system, scaled to the same widths and heights."""
    seen = Seen(browser, size, language=language)
    page = seen.page
    held: list[Route] = []
    # Playwright marks what it calls, and a method of a list takes no mark.
    page.route("**/*.woff2", lambda route: held.append(route))  # noqa: PLW0108
    page.goto(address, wait_until="commit")
    expect(page.get_by_role("heading", level=2)).to_have_count(7)
    drawn(page)
    page.evaluate(f"() => {{{WATCHED}}}")
    # What had moved before, while the page was built, is not the font's.
    drawn(page)
    before = page.evaluate("window.shifted()")
    assert len(held) == 1, "the font is still on its way"
    held[0].continue_()
    assert page.evaluate(LOADED)
    drawn(page)
    assert page.evaluate("window.shifted()") - before <= SHIFT
    seen.close()
