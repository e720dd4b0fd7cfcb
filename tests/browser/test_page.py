"""The first page, as a person meets it: on a phone and on a desk, by day and by night."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal

import pytest
from playwright.sync_api import Browser, Page, expect

from hatch_build import WEB

Scheme = Literal["light", "dark"]
AXE = WEB / "node_modules" / "axe-core" / "axe.min.js"


class Seen:
    """A page, and everything that it complained about."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.complaints: list[str] = []
        page.on("console", lambda message: self.complaints.append(f"{message.type}: {message.text}"))
        page.on("pageerror", lambda problem: self.complaints.append(str(problem)))
        page.on("requestfailed", lambda request: self.complaints.append(f"failed: {request.url}"))


@pytest.fixture(params=[(360, 740), (1400, 900)], ids=["phone", "desk"])
def size(request: pytest.FixtureRequest) -> tuple[int, int]:
    width, height = request.param
    return width, height


@pytest.fixture(params=["light", "dark"])
def scheme(request: pytest.FixtureRequest) -> Scheme:
    return "dark" if request.param == "dark" else "light"


@pytest.fixture
def seen(browser: Browser, address: str, size: tuple[int, int], scheme: Scheme) -> Iterator[Seen]:
    width, height = size
    page = browser.new_page(
        viewport={"width": width, "height": height}, color_scheme=scheme, reduced_motion="reduce", device_scale_factor=1
    )
    seen = Seen(page)
    page.goto(address)
    yield seen
    page.close()


def test_shows_what_this_is(seen: Seen, size: tuple[int, int], scheme: Scheme, pictures: Path) -> None:
    page = seen.page
    expect(page).to_have_title("Ubongo")
    for game in ("Extreme", "Card game", "Dice game", "3-D"):
        expect(page.get_by_role("heading", name=game, exact=True)).to_be_visible()
    expect(page.get_by_role("img", name="A board of 18 hexagons, filled by 4 yellow pieces")).to_be_visible()
    page.screenshot(path=pictures / f"page-{size[0]}-{scheme}.png", full_page=True)
    assert seen.complaints == []


def test_never_scrolls_sideways(seen: Seen) -> None:
    expect(seen.page.get_by_role("img")).to_be_visible()
    assert seen.page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_is_accessible(seen: Seen) -> None:
    expect(seen.page.get_by_role("img")).to_be_visible()
    # Evaluated by the debugger, which the page's own content policy does not bind.
    seen.page.evaluate(AXE.read_text())
    result: dict[str, Any] = seen.page.evaluate("axe.run()")
    assert [
        (found["id"], found["impact"], [node["html"] for node in found["nodes"]]) for found in result["violations"]
    ] == []


def test_lifts_and_lays_by_keyboard(seen: Seen) -> None:
    page = seen.page
    page.keyboard.press("Tab")
    expect(page.get_by_role("button", name="Lift the pieces")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_role("img", name="An empty board of 18 hexagons")).to_be_visible()
    page.keyboard.press("Space")
    expect(page.get_by_role("img", name="A board of 18 hexagons, filled by 4 yellow pieces")).to_be_visible()
    assert seen.complaints == []
