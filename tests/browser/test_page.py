"""The first page, as a person meets it: on a phone and on a desk, by day and by night, in three languages."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.others import known_as
from tests.browser.seen import DESK, PHONE, Seen
from tests.server.people import Person

GROUND = "one => getComputedStyle(one).backgroundColor"
PLAY_NOW = {"en": "Play now", "de": "Jetzt spielen", "pl": "Zagraj teraz"}


@pytest.fixture(params=[PHONE, DESK], ids=["phone", "desk"])
def size(request: pytest.FixtureRequest) -> tuple[int, int]:
    width, height = request.param
    return width, height


@pytest.fixture(params=["en light", "de dark", "pl light"])
def seen(browser: Browser, address: str, size: tuple[int, int], request: pytest.FixtureRequest) -> Iterator[Seen]:
    language, scheme = request.param.split()
    seen = Seen(browser, size, scheme, language)
    seen.page.goto(address)
    expect(seen.page.get_by_role("link", name=PLAY_NOW[language]).first).to_be_visible()
    seen.page.evaluate(f"window.shown = '{size[0]}-{language}-{scheme}'")
    yield seen
    seen.close()


def test_shows_what_this_is(seen: Seen) -> None:
    expect(seen.page).to_have_title("Ubongo")
    expect(seen.page.get_by_role("heading", level=2)).to_have_count(7)
    name: str = seen.page.evaluate("window.shown")
    seen.look(f"home-{name}")
    # Settings can be read and closed.
    seen.page.locator("header .sets button").last.click()
    seen.look(f"settings-{name}")
    seen.page.get_by_role("dialog").get_by_role("button").first.click()
    expect(seen.page.get_by_role("dialog")).to_have_count(0)


def test_what_is_liked_is_remembered(browser: Browser, address: str) -> None:
    seen = Seen(browser)
    page = seen.page
    page.goto(address)
    page.get_by_role("button", name="Turn the sound off").click()
    patterns = page.get_by_role("button", name="Patterns besides colours")
    patterns.click()
    expect(patterns).to_have_attribute("aria-pressed", "true")
    # The mouse is still on it, and its icon is to be seen.
    under_mouse = patterns.evaluate(GROUND)
    page.mouse.move(0, 0)
    assert under_mouse == patterns.evaluate(GROUND)
    page.get_by_role("button", name="Switch to dark").click()
    page.get_by_role("combobox").select_option("de")
    expect(page.get_by_role("heading", level=1)).to_have_text("Vier Legespiele. Alle zugleich.")
    page.reload()
    expect(page.get_by_role("heading", level=1)).to_have_text("Vier Legespiele. Alle zugleich.")
    expect(page.get_by_role("button", name="Ton einschalten")).to_be_visible()
    expect(page.locator("html[lang=de][data-theme=dark][data-patterns=on]")).to_have_count(1)
    seen.close()


def test_a_name_is_suggested_and_kept(browser: Browser, address: str) -> None:
    seen = Seen(browser)
    page = seen.page
    page.goto(address)
    page.get_by_role("button", name="Your name").click()
    assert len(page.get_by_role("dialog").get_by_role("textbox").input_value().split()) == 2
    seen.say_name("Zoë")
    expect(page.get_by_role("button", name="Zoë")).to_be_visible()
    page.reload()
    expect(page.get_by_role("button", name="Zoë")).to_be_visible()
    seen.close()


def test_a_table_that_is_not_there_says_so(browser: Browser, address: str) -> None:
    seen = Seen(browser)
    seen.page.goto(f"{address}t/nosuchtable")
    expect(seen.page.get_by_role("heading", name="This table is gone")).to_be_visible()
    seen.look("gone")
    seen.close()


def test_an_address_that_leads_nowhere_says_so(browser: Browser, address: str) -> None:
    seen = Seen(browser, PHONE, "dark")
    for path in ("nowhere", "rules/chess"):
        seen.page.goto(address + path)
        expect(seen.page.get_by_role("heading", name="There is nothing here")).to_be_visible()
    seen.look("nowhere-375-dark")
    seen.page.get_by_role("link", name="Home").last.click()
    expect(seen.page.get_by_role("link", name="Play now").first).to_be_visible()
    seen.complaints[:] = [one for one in seen.complaints if "404" not in one]
    seen.close()


@pytest.mark.parametrize(
    ("language", "name", "narrowest"),
    [("en", "", 320), ("de", "", 332), ("pl", "", 344), ("pl", "Bursztynowy Dzięcioł", 320)],
)
def test_no_width_is_between_two_layouts(
    browser: Browser, address: str, long: bool, language: str, name: str, narrowest: int
) -> None:
    """From a narrow phone to a desk: nothing scrolls sideways, and only a long name ends in dots."""
    seen = Seen(browser, language=language)
    page = seen.page
    if name:
        known_as(Person(address, name), seen)
    for place in ("", "rules/cards"):
        page.goto(f"{address}{place}")
        asked = page.locator("header .name span").last
        expect(asked).to_be_visible()
        for wide in range(narrowest, 1100, 12 if long else 36):
            page.set_viewport_size({"width": wide, "height": 900})
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), (place, wide)
            assert name or asked.evaluate("one => one.scrollWidth <= one.clientWidth"), (place, wide)
    seen.close()
