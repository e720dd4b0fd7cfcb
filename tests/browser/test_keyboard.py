"""By keyboard alone: every control can be reached, in the order in which it is read, and says what it is."""

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.seen import DESK, PHONE, Seen

# A group of radio buttons is one stop; what is disabled or not shown is none.
STOPS = """() => {
  const all = [...document.querySelectorAll("a[href], button, select, input, [tabindex='0']")];
  const seen = all.filter((one) => one.checkVisibility({ visibilityProperty: true }));
  const open = seen.filter((one) => !one.disabled && one.tabIndex >= 0);
  const stops = open.filter((one) => one.type !== "radio" || one.checked);
  stops.forEach((one, i) => { one.dataset.stop = i; });
  return stops.length;
}"""
# As if the page had just been opened: Tab begins at its top.
START = """() => {
  document.body.tabIndex = -1;
  document.body.focus();
  document.body.removeAttribute("tabindex");
}"""
HERE = "() => document.activeElement?.dataset?.stop ?? null"
NAMELESS = """() => [...document.querySelectorAll("[data-stop]")].filter((one) => {
  const name = one.getAttribute("aria-label") || one.textContent.trim() || one.labels?.[0]?.textContent.trim();
  return !name;
}).map((one) => one.outerHTML.slice(0, 120))"""
SHOWN = """() => {
  const one = document.activeElement;
  const style = getComputedStyle(one);
  const ring = style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 2;
  const around = one.type === "radio" && getComputedStyle(one.closest("label")).outlineStyle !== "none";
  return ring || around;
}"""


def tabbed(page: Page) -> None:
    """Goes through the whole page by Tab, and back by Shift+Tab; every stop is met, in order, and can be seen."""
    number: int = page.evaluate(STOPS)
    assert number > 4
    assert not page.evaluate(NAMELESS)
    page.evaluate(START)
    for stop in range(number):
        page.keyboard.press("Tab")
        assert page.evaluate(HERE) == str(stop), f"after {stop} stops"
        assert page.evaluate(SHOWN), f"nothing shows that stop {stop} has the focus"
    for stop in reversed(range(number - 1)):
        page.keyboard.press("Shift+Tab")
        assert page.evaluate(HERE) == str(stop), "on the way back"


@pytest.mark.parametrize("size", [DESK, PHONE], ids=["desk", "phone"])
def test_home_setup_and_the_table_before_the_game(browser: Browser, address: str, size: tuple[int, int]) -> None:
    seen = Seen(browser, size)
    page = seen.page
    page.goto(address)
    expect(page.get_by_role("button", name="Play now").first).to_be_visible()
    tabbed(page)
    page.goto(f"{address}#friends-extreme")
    expect(page.get_by_role("radiogroup").last).to_be_visible()
    tabbed(page)
    # On to the table without a pointer: the last stop opens it, a name is said, a bot sits down.
    page.get_by_role("button", name="Open the table").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("dialog")).to_be_visible()
    page.get_by_role("textbox").press("Enter")
    page.get_by_role("button", name="a bot").first.focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("radiogroup")).to_have_count(1)
    tabbed(page)
    page.goto(f"{address}rules/cards")
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
