"""Your games: what one has played is listed, and yesterday's match can be watched."""

from __future__ import annotations

import re
from collections.abc import Iterator
from time import monotonic, time

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.alone import begins, solo
from tests.browser.seen import DESK, PATIENCE, PHONE, Opens, table_of
from tests.server.people import Person, hang_up_all

DAY = 24 * 3600 * 1000


@pytest.fixture(autouse=True)
def quiet() -> Iterator[None]:
    yield
    hang_up_all()


def listed(page: Page, address: str, number: int) -> None:
    """What is over is counted a moment later."""
    games = page.get_by_role("link", name=re.compile("^(Watch|Open): "))
    until = monotonic() + PATIENCE / 1000
    while games.count() < number and monotonic() < until:
        page.goto(f"{address}me")
        expect(page.locator("section[aria-busy=false]")).to_be_visible()
    expect(games).to_have_count(number)


@pytest.mark.parametrize(("size", "scheme"), [(PHONE, "light"), (DESK, "dark")], ids=["phone", "desk"])
def test_a_match_a_run_and_a_day_are_found_again(
    opens: Opens, address: str, size: tuple[int, int], scheme: str
) -> None:
    ann = opens("Ann", size, scheme)
    page = ann.page
    # A match that Ann wins, since the other leaves.
    zoe = Person(address, "Zoe")
    table_of(ann, address, "extreme", 2, [])
    key = page.url.removeprefix(f"{address}t/")
    zoe.post(f"/tables/{key}/join")
    page.get_by_role("button", name="Start", exact=True).click()
    phone = zoe.sit_at(key)
    phone.see(lambda table: table["phase"] != "gather")
    phone.ask(type="leave")
    expect(page.get_by_role("heading", name="You win")).to_be_visible()
    page.goto(address)
    page.get_by_role("button", name="Play: 3-D").click()
    begins(ann).solve()
    expect(page.get_by_role("heading", name="Solved in 0:")).to_be_visible()
    solo(ann, address, "cards")
    page.get_by_role("button", name="5 hands").click()
    begins(ann)
    ann.in_bar("Leave").click()
    page.get_by_role("button", name="Give up").click()
    expect(page.get_by_role("heading", name="You left this run")).to_be_visible()

    listed(page, address, 3)
    expect(page.get_by_role("heading", name="Today")).to_be_visible()
    games = page.locator("main .games").get_by_role("listitem")
    expect(games.nth(0)).to_contain_text("given up")
    expect(games.nth(1)).to_contain_text("Puzzle of the day, 3-D")
    expect(games.nth(2)).to_contain_text("Extreme with Zoe")
    expect(games.nth(2)).to_contain_text("1st")
    expect(page.get_by_role("img", name="1 day solved in the last twelve weeks")).to_be_visible()
    ann.look(f"history-{size[0]}")
    ann.fits_in_every_language(f"history-{size[0]}")
    page.get_by_role("radio", name="Matches").check()
    expect(games).to_have_count(1)
    page.get_by_role("radio", name="Days").check()
    expect(games).to_contain_text(["Puzzle of the day, 3-D"])
    page.get_by_role("link", name="Open: Puzzle of the day, 3-D").click()
    expect(page.get_by_role("heading", name="Everybody’s times")).to_be_visible()
    page.go_back()
    page.get_by_role("link", name="Watch: Extreme with Zoe").click()
    page.wait_for_url(f"{address}replay/{key}")
    expect(page.get_by_role("slider")).to_be_visible()


def test_nothing_yet(opens: Opens, address: str) -> None:
    bo = opens("Bo", PHONE, "dark")
    bo.page.goto(f"{address}me")
    expect(bo.page.get_by_text("Nothing here yet.")).to_be_visible()
    bo.look("history-nothing")
    bo.fits_in_every_language("history-nothing")


def test_days_are_named_and_more_is_shown_when_asked(opens: Opens, address: str) -> None:
    """Years of games do not come to a test."""
    cy = opens("Cy", DESK)
    page = cy.page
    now = int(time() * 1000)

    def past(number: int) -> dict[str, object]:
        return {
            "game": ("extreme", "cards", "dice", "cubes")[number % 4],
            "ended": now - number * DAY,
            "lasted": 19 * 60_000,
            "table": f"table-{number}" if number < 2 else None,
            "others": [{"name": "Mia", "bot": None}, {"name": "Otto", "bot": "medium"}],
            "rounds": 9,
            "points": 36,
            "run": None,
            "best": False,
            "place": number % 3 + 1,
            "people": 3,
        }

    def pages(route: Route) -> None:
        later = "before=next" in route.request.url
        numbers = range(3, 5) if later else range(3)
        route.fulfill(json={"games": [past(number) for number in numbers], "next": None if later else "next"})

    page.route("**/api/guests/me/games*", pages)
    page.goto(f"{address}me")
    expect(page.get_by_role("heading", name="Yesterday")).to_be_visible()
    games = page.locator("main .games").get_by_role("listitem")
    expect(games).to_have_count(3)
    expect(games.nth(0)).to_contain_text("Extreme with Mia and Otto")
    expect(games.nth(0)).to_contain_text("9 rounds · 19 min")
    expect(games.nth(1)).to_contain_text("2nd")
    expect(games.nth(2)).to_contain_text("The replay is no longer kept.")
    page.get_by_role("button", name="Show more").press("Enter")
    expect(games).to_have_count(5)
    expect(page.get_by_role("button", name="Show more")).to_have_count(0)
    cy.look("history-days")
