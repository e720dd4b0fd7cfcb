"""Whoever has not finished a match of the card game sees at once which cards are wrong, as in its lesson."""

from playwright.sync_api import Browser, expect

from tests.browser.opponents import play_now
from tests.browser.reach import told
from tests.browser.seen import Opens, Seen


def test_live_checking_until_a_match_was_finished(browser: Browser, address: str) -> None:
    for finished, checking in (([], "live"), (["extreme"], "live"), (["cards"], "at_call")):
        seen = Seen(browser)
        page = seen.page
        page.goto(address)
        page.evaluate(
            "all => localStorage.setItem('ubongo', JSON.stringify({...JSON.parse(localStorage.ubongo), ...all}))",
            {"finished": finished, "learned": ["cards"], "name": "Ann"},
        )
        page.reload()
        play_now(page, "cards")
        expect(page.locator(".hand-cards button")).to_have_count(9)
        assert told(page)["options"]["checking"] == checking
        seen.close()


def test_the_one_who_opens_a_table_finds_it_chosen(opens: Opens, address: str) -> None:
    ann = opens("Ann")
    ann.page.goto(f"{address}#friends-cards")
    expect(ann.page.get_by_role("button", name="Wrong cards show at once")).to_be_visible()
