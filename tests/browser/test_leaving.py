"""Going for a while, for good, or with the whole table; and what the others see of it."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.others import Others, known_as
from tests.browser.seen import DESK, PHONE, Seen
from tests.server.people import Person, table_for


def test_who_leaves_for_good_watches_from_then_on(browser: Browser, address: str) -> None:
    others = Others(address, 3)
    ann, bo = Seen(browser), Seen(browser, PHONE)
    others.show(0, ann)
    others.show(1, bo)
    others.begin_round()
    # Also Bo is here by now: who comes later is not told who left.
    for seen in (ann, bo):
        expect(seen.page.locator("svg.mine")).to_be_visible()
    ann.in_bar("Leave").click()
    expect(ann.page.get_by_text("You can still watch.")).to_be_visible()
    expect(ann.page.get_by_text("a bot plays for you after 60 seconds")).to_be_visible()
    # Closed, nothing has happened.
    ann.page.keyboard.press("Escape")
    expect(ann.page.locator("svg.mine")).to_be_visible()
    ann.in_bar("Leave").click()
    ann.page.get_by_role("button", name="Leave for good").click()
    expect(ann.page.locator(".seat")).to_have_count(3)
    expect(ann.page.locator("svg.mine")).to_have_count(0)
    expect(ann.page.get_by_text("Watching").last).to_be_visible()
    expect(bo.page.get_by_text("Ann has left for good")).to_be_visible()
    ann.look("left-1400-light")
    # The two others play on; when one more goes, it is over.
    others.lay(1, 1)
    expect(ann.page.get_by_role("img", name="Bo: 1 of 3 laid")).to_be_visible()
    bo.in_bar("Leave").click()
    expect(bo.page.get_by_text("the match ends at once")).to_be_visible()
    expect(bo.page.get_by_role("button", name="Close the table")).to_have_count(0)
    bo.page.get_by_role("button", name="Leave for good").click()
    for seen in (ann, bo):
        expect(seen.page.get_by_role("heading", name="Cy wins")).to_be_visible()
        expect(seen.page.get_by_role("link", name="Home")).to_be_visible()
        seen.close()


def test_the_host_closes_the_table(browser: Browser, address: str) -> None:
    others = Others(address)
    ann, bo = Seen(browser), Seen(browser)
    others.show(0, ann)
    others.show(1, bo)
    others.begin_round()
    ann.in_bar("Leave").click()
    ann.page.get_by_role("button", name="Close the table").click()
    expect(bo.page.locator("svg.mine")).to_be_visible()
    ann.page.get_by_role("button", name="Yes, close it").click()
    expect(bo.page.get_by_role("heading", name="This table is gone")).to_be_visible()
    bo.page.get_by_role("link", name="Home").last.click()
    for seen in (ann, bo):
        expect(seen.page.get_by_role("link", name="Play now").first).to_be_visible()
        expect(seen.page.get_by_role("link", name="Back to the table")).to_have_count(0)
        seen.close()


@pytest.mark.parametrize(
    ("size", "scheme", "language", "leave"),
    [(PHONE, "light", "de", "Gehen"), (PHONE, "dark", "pl", "Wyjdź"), (DESK, "dark", "en", "Leave")],
)
def test_what_it_means_is_said(
    browser: Browser, address: str, size: tuple[int, int], scheme: str, language: str, leave: str
) -> None:
    others = Others(address)
    ann = Seen(browser, size, scheme, language)
    others.show(0, ann)
    others.begin_round()
    expect(ann.page.locator("svg.mine")).to_be_visible()
    ann.in_bar(leave).click()
    expect(ann.page.locator("dialog li")).to_have_count(3)
    ann.look(f"leave-{size[0]}-{language}-{scheme}")
    ann.close()


def test_a_bot_stands_in_and_hands_over(browser: Browser, address: str) -> None:
    others = Others(address, takeover_s=1)
    ann, bo = Seen(browser), Seen(browser)
    others.show(0, ann)
    others.begin_round()
    others.devices[1].hang_up()
    expect(ann.page.get_by_text("away, a bot is playing")).to_be_visible()
    others.show(1, bo)
    expect(ann.page.get_by_text("Bo is back and takes over from the bot")).to_be_visible()
    expect(bo.page.get_by_text("a bot has played for you")).to_be_visible()
    for seen in (ann, bo):
        seen.close()


def test_who_goes_out_finds_the_way_back_on_the_first_page(browser: Browser, address: str) -> None:
    others = Others(address)
    ann = Seen(browser, PHONE)
    others.show(0, ann)
    others.begin_round()
    expect(ann.page.locator("svg.mine")).to_be_visible()
    ann.in_bar("Leave").click()
    ann.page.get_by_role("link", name="Step away").click()
    expect(ann.page.get_by_text("Your seat is waiting: Extreme")).to_be_visible()
    ann.look("way-back-375-light")
    ann.page.get_by_role("link", name="Back to the table").click()
    expect(ann.page.locator("svg.mine")).to_be_visible()
    # When it is over there is nothing to go back to.
    others.end()
    expect(ann.page.get_by_role("button", name="Rematch")).to_be_visible()
    ann.page.get_by_role("link", name="Home").click()
    expect(ann.page.get_by_role("link", name="Play now").first).to_be_visible()
    expect(ann.page.get_by_role("link", name="Back to the table")).to_have_count(0)
    ann.close()


def test_who_gets_up_before_the_match_has_no_way_back_and_who_cannot_has(browser: Browser, address: str) -> None:
    others = Others(address, start=False)
    bo = Seen(browser, PHONE)
    others.show(1, bo)
    bo.page.route("**/leave", lambda route: route.abort(), times=1)
    bo.page.get_by_role("button", name="Get up").click()
    expect(bo.page.get_by_text("No connection.")).to_be_visible()
    bo.page.goto(address)
    bo.page.get_by_role("link", name="Back to the table").click()
    bo.page.get_by_role("button", name="Get up").click()
    expect(bo.page.get_by_role("button", name="Take a seat")).to_be_visible()
    bo.page.goto(address)
    expect(bo.page.get_by_role("link", name="Play now").first).to_be_visible()
    expect(bo.page.get_by_role("link", name="Back to the table")).to_have_count(0)
    bo.complaints[:] = [one for one in bo.complaints if "ERR_FAILED" not in one]
    bo.close()


def test_who_plays_with_bots_alone_is_not_asked_to_watch_them(browser: Browser, address: str) -> None:
    ann, seen = Person(address, "Ann"), Seen(browser, PHONE)
    key = table_for(ann, seats=2, bots=["beginner"], options={"hourglass_s": 900, "ready_s": 0})
    known_as(ann, seen)
    page = seen.page
    page.goto(f"{address}t/{key}")
    expect(page.get_by_role("button", name="Ready for round 1")).to_be_visible()
    seen.in_bar("Leave").click()
    expect(page.locator("dialog li")).to_have_count(2)
    expect(page.get_by_role("button", name="Leave for good")).to_have_count(0)
    seen.look("leave-bots-375-light")
    page.get_by_role("button", name="End the match").click()
    page.get_by_role("button", name="Yes, end it").click()
    expect(page.get_by_role("link", name="Play now").first).to_be_visible()
    expect(page.get_by_role("link", name="Back to the table")).to_have_count(0)
    seen.close()
