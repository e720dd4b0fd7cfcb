"""With keys one sees where one is, in every view; the header can be skipped; a dialog gives the focus back."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.browser.alone import begins
from tests.browser.others import Others, known_as
from tests.browser.seen import DESK, ONCE, PHONE, Opens, Seen
from tests.browser.stops import tabbed
from tests.server.people import Person, hang_up_all

# Half of them each: what they share is seen on both.
AT_A_DESK = ("", "rules/extreme", "learn", "learn/cubes", "records", "#print-dice")
ON_A_PHONE = ("play/extreme", "rules/cubes#precise", "learn/dice", "editions", "companion/extreme", "#solo-cubes")


@pytest.fixture(autouse=True)
def quiet() -> Iterator[None]:
    yield
    hang_up_all()


def through(seen: Seen, *paths: str) -> None:
    """By Tab through each of these views."""
    for path in paths:
        seen.page.goto(path)
        if "#" in path:
            # What differs in a fragment alone is not opened anew.
            seen.page.reload()
        expect(seen.page.get_by_role("heading", level=1)).to_be_visible()
        tab_through(seen.page)


def tab_through(page: Page) -> None:
    tabbed(page, back=False, least=2)


@pytest.mark.parametrize(
    ("size", "scheme", "paths"),
    [(DESK, "light", AT_A_DESK), (PHONE, "dark", ON_A_PHONE)],
    ids=["desk", "phone"],
)
def test_away_from_a_table(
    browser: Browser, address: str, size: tuple[int, int], scheme: str, paths: tuple[str, ...]
) -> None:
    seen = Seen(browser, size, scheme)
    through(seen, *(address + path for path in paths))
    seen.close()


def test_on_the_page_of_a_printed_board(browser: Browser, address: str) -> None:
    seen = Seen(browser, PHONE)
    games = seen.page.request.get(f"{address}api/games", headers=ONCE).json()
    edition = next(game["editions"][0] for game in games if game["game"] == "extreme")
    through(seen, f"{address}b/{edition}/17")
    seen.close()


@pytest.mark.parametrize(("size", "scheme"), [(DESK, "dark"), (PHONE, "light")], ids=["desk", "phone"])
def test_in_every_phase_of_a_match(browser: Browser, address: str, size: tuple[int, int], scheme: str) -> None:
    seen = Seen(browser, size, scheme)
    page = seen.page
    others = Others(address, start=False)
    others.show(0, seen)
    expect(page.get_by_role("button", name="Start")).to_be_visible()
    tab_through(page)
    others.people[0].post(f"/tables/{others.key}/start")
    expect(page.get_by_role("button", name="Ready for round 1")).to_be_visible()
    tab_through(page)
    others.begin_round()
    expect(page.locator("svg.mine")).to_be_visible()
    # With a piece in the hand, so that its buttons can be pressed.
    page.keyboard.press("1")
    tab_through(page)
    others.devices[0].solve()
    expect(page.locator(".solved")).to_be_attached()
    tab_through(page)
    others.devices[1].solve()
    expect(page.get_by_role("button", name="Ready for round 2")).to_be_visible()
    tab_through(page)
    others.end()
    expect(page.get_by_role("button", name="Rematch")).to_be_visible()
    tab_through(page)
    through(seen, f"{address}replay/{others.key}", f"{address}me")
    seen.close()


@pytest.mark.parametrize("game", ["cards", "dice", "cubes"])
def test_in_a_round_of_the_other_games(browser: Browser, address: str, game: str) -> None:
    seen = Seen(browser, PHONE if game == "dice" else DESK)
    page = seen.page
    others = Others(address, game=game)
    others.show(0, seen)
    if game == "dice":
        # What a new phase takes away loses the focus, so each is seen before Tab is pressed.
        expect(page.get_by_role("button", name="Throw the dice")).to_be_visible()
        tab_through(page)
        others.throw()
        expect(page.locator("[data-die]").first).to_be_enabled()
        tab_through(page)
        others.grab()
        expect(page.get_by_role("button", name="Done")).to_be_visible()
    else:
        if game == "cubes":
            others.throw()
        others.begin_round()
        others.lay(0, 1)
        expect(page.locator("svg.mine")).to_be_visible()
    page.keyboard.press("2")
    tab_through(page)
    seen.close()


def test_alone_for_who_looks_on_and_beside_a_real_table(opens: Opens, address: str) -> None:
    ida = opens("Ida", PHONE, "dark")
    ida.page.get_by_role("button", name="Play: Extreme").click()
    device = begins(ida)
    tab_through(ida.page)
    device.solve()
    expect(ida.page.get_by_role("heading", name="Everybody’s times")).to_be_visible()
    tab_through(ida.page)
    # A round that somebody else plays.
    others = Others(address)
    others.begin_round()
    ida.page.goto(f"{address}t/{others.key}")
    expect(ida.page.get_by_role("article")).to_have_count(2)
    tab_through(ida.page)
    # One phone for all.
    ida.page.goto(f"{address}companion/extreme")
    ida.page.get_by_role("textbox", name="Name 2").fill("Bo")
    ida.page.get_by_role("button", name="Start", exact=True).click()
    glass = ida.page.get_by_role("button", name="Turn the hourglass")
    expect(glass).to_be_visible()
    tab_through(ida.page)
    glass.click()
    expect(ida.page.get_by_role("button", name="Bo: finished")).to_be_visible()
    tab_through(ida.page)


def opened_and_closed(page: Page, opener: Locator, name: str) -> None:
    """By keys; inside, every stop is seen, and afterwards one is back at what has opened it."""
    opener.focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("dialog", name=name)).to_be_visible()
    tab_through(page)
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(opener).to_be_focused()


def test_a_dialog_gives_the_focus_back_to_what_has_opened_it(browser: Browser, address: str) -> None:
    seen = Seen(browser)
    page = seen.page
    known_as(Person(address, "Ann"), seen)
    page.goto(address)
    opened_and_closed(page, page.get_by_role("button", name="Settings"), "Settings")
    opened_and_closed(page, page.get_by_role("button", name="Ann"), "What should we call you?")
    others = Others(address)
    others.begin_round()
    others.show(0, seen)
    for button, name in (("Rules", "Extreme"), ("Settings", "Settings"), ("Leave", "Leave the table?")):
        opened_and_closed(page, page.get_by_role("button", name=button, exact=True), name)
    # On a phone all of it is in a menu, which is gone when the dialog opens.
    page.set_viewport_size({"width": PHONE[0], "height": PHONE[1]})
    menu = page.get_by_role("button", name="Menu")
    menu.focus()
    page.keyboard.press("Enter")
    tab_through(page)
    page.locator(".menu").get_by_role("button", name="Settings").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("dialog", name="Settings")).to_be_visible()
    page.keyboard.press("Escape")
    expect(menu).to_be_focused()
    seen.close()


def test_the_first_stop_leads_past_the_header(browser: Browser, address: str) -> None:
    seen = Seen(browser)
    page = seen.page
    for path, name in (("", "Skip to content"), ("learn/extreme", "Skip to the board")):
        page.goto(address + path)
        expect(page.get_by_role("heading", level=1)).to_be_visible()
        if "board" in name:
            expect(page.locator("svg.mine")).to_be_visible()
        skip = page.get_by_role("button", name=name)
        page.keyboard.press("Tab")
        expect(skip).to_be_focused()
        page.keyboard.press("Enter")
        expect(page.locator("svg.mine" if "board" in name else "main")).to_be_focused()
        page.keyboard.press("Tab")
        assert page.evaluate("document.activeElement.closest('main') !== null")
    others = Others(address)
    others.begin_round()
    others.show(0, seen)
    expect(page.locator("svg.mine")).to_be_visible()
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.locator("svg.mine")).to_be_focused()
    seen.close()
