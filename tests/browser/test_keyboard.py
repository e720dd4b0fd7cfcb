"""By keyboard alone: every control can be reached, in the order in which it is read, and says what it is."""

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.browser.others import Others
from tests.browser.seen import DESK, PHONE, Seen
from tests.browser.stops import tabbed


@pytest.mark.parametrize("size", [DESK, PHONE], ids=["desk", "phone"])
def test_home_and_the_table_before_the_game(browser: Browser, address: str, size: tuple[int, int]) -> None:
    seen = Seen(browser, size)
    page = seen.page
    page.goto(address)
    expect(page.get_by_role("link", name="Play now").first).to_be_visible()
    tabbed(page)
    # On to the table without a pointer: a name is said, a bot sits down, the glass runs longer.
    page.get_by_role("link", name="With friends").first.focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("dialog")).to_be_visible()
    page.get_by_role("dialog").get_by_role("textbox").press("Enter")
    page.get_by_role("button", name="Otto, Medium").first.focus()
    page.keyboard.press("Enter")
    expect(page.locator("li.bot")).to_contain_text("Otto")
    page.get_by_role("button", name="60 s of sand").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("radiogroup")).to_have_count(1)
    page.keyboard.press("Tab")
    expect(page.get_by_role("radio", name="60")).to_be_focused()
    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("button", name="90 s of sand")).to_be_visible()
    tabbed(page)
    page.goto(f"{address}rules/cards")
    expect(page.locator("details").last).to_be_visible()
    tabbed(page)
    page.goto(f"{address}rules/cards#precise")
    expect(page.locator("dt").last).to_be_visible()
    tabbed(page)
    seen.close()


def test_a_dialog_keeps_the_focus_and_gives_it_back(browser: Browser, address: str) -> None:
    seen = Seen(browser)
    page = seen.page
    page.goto(address)
    opener = page.get_by_role("button", name="Settings")
    opener.focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("dialog")).to_be_visible()
    for _ in range(12):
        page.keyboard.press("Tab")
        inside = page.evaluate(
            "() => document.activeElement === document.body || document.activeElement.closest('dialog') !== null"
        )
        assert inside
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(opener).to_be_focused()
    seen.close()


def test_a_name_is_written_at_once_and_who_would_rather_not_is_back_where_they_were(
    browser: Browser, address: str
) -> None:
    seen = Seen(browser)
    page = seen.page
    page.goto(f"{address}play/extreme")
    opener = page.get_by_role("button", name="Play Otto")
    opener.focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("dialog").get_by_role("textbox")).to_be_focused()
    page.keyboard.press("Escape")
    expect(opener).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_role("dialog").get_by_role("textbox")).to_be_focused()
    page.keyboard.type("Zoë")
    expect(page.get_by_role("dialog").get_by_role("textbox")).to_have_value("Zoë")
    seen.close()


def test_whose_button_went_with_its_view_goes_on_from_the_next_heading(browser: Browser, address: str) -> None:
    others, seen = Others(address), Seen(browser)
    others.show(0, seen)
    page = seen.page
    page.get_by_role("button", name="Ready for round 1").focus()
    page.keyboard.press("Enter")
    others.ready(1)
    expect(page.get_by_role("heading", name="Extreme", exact=True)).to_be_focused()
    for device in others.devices:
        device.see(lambda table: table["phase"] == "play")
        device.solve()
    expect(page.get_by_role("heading", name="You were first")).to_be_focused()
    page.keyboard.press("Tab")
    expect(page.get_by_role("button", name="Ready for round 2")).to_be_focused()
    others.end()
    # Who wins is for the gems to say, which are drawn by luck.
    expect(page.get_by_text("The match is over", exact=True)).to_be_visible()
    expect(page.get_by_role("heading", level=1)).to_be_focused()
    press_until(page, page.get_by_role("button", name="Rematch"))
    seen.close()


def test_the_keys_are_listed_on_demand_but_not_for_who_types(browser: Browser, address: str) -> None:
    others, seen = Others(address), Seen(browser, PHONE, "dark")
    others.show(0, seen)
    page = seen.page
    ready = page.get_by_role("button", name="Ready for round 1")
    ready.focus()
    page.keyboard.press("?")
    expect(page.get_by_role("dialog", name="Keys")).to_contain_text("Turn to the right")
    seen.look("keys-375-dark")
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(ready).to_be_focused()
    page.goto(address)
    page.get_by_role("button", name="Settings").click()
    page.get_by_role("dialog").get_by_role("button", name="Ann").click()
    field = page.get_by_role("textbox").first
    field.focus()
    page.keyboard.press("?")
    expect(page.get_by_role("dialog", name="Keys")).to_have_count(0)
    for device in others.devices:
        device.hang_up()
    seen.close()


def press_until(page: Page, goal: Locator) -> None:
    """Tab leads there, and not round the whole page."""
    for _ in range(8):
        page.keyboard.press("Tab")
        if goal.evaluate("(one) => one === document.activeElement"):
            return
    expect(goal).to_be_focused()
