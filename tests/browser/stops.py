"""Through a page by Tab alone: what can be reached, in which order, and whether one sees where one is."""

from playwright.sync_api import Page

# A group of radio buttons is one stop; what is disabled or not shown is none.
STOPS = """() => {
  const all = [...document.querySelectorAll("a[href], button, select, input, summary, [tabindex='0']")];
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
    # What is asked of the server comes later than the rest, and may be one more stop.
    page.wait_for_load_state("networkidle")
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
