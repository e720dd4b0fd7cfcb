"""Through a page by Tab alone: what can be reached, in which order, and whether one sees where one is."""

from playwright.sync_api import Page

# A group of radio buttons is one stop; what is disabled or not shown is none. Of each stop it is kept how it looks.
STOPS = """() => {
  const within = document.querySelector("dialog[open], [popover]:popover-open") ?? document;
  const all = [...within.querySelectorAll("a[href], button, select, input, textarea, summary, [tabindex='0']")];
  const seen = all.filter((one) => one.checkVisibility({ visibilityProperty: true }));
  const open = seen.filter((one) => !one.disabled && one.tabIndex >= 0);
  const stops = open.filter((one) => one.type !== "radio" || one.checked);
  window.looks = (one) => [one, one.closest("label")].filter(Boolean).map((part) => {
    const { outlineStyle, outlineWidth, outlineColor, boxShadow, stroke, strokeWidth } = getComputedStyle(part);
    return JSON.stringify([
      outlineStyle === "none" || parseFloat(outlineWidth) < 2 ? "" : outlineColor, boxShadow, stroke, strokeWidth,
    ]);
  });
  stops.forEach((one, i) => { one.dataset.stop = i; one.unfocused = window.looks(one); });
  return stops.length;
}"""
# As if the page, or what lies over it, had just been opened: Tab begins at its top.
START = """() => {
  for (const one of document.querySelectorAll("[data-stop]")) delete one.dataset.stop;
  const top = document.querySelector("dialog[open], [popover]:popover-open") ?? document.body;
  top.tabIndex = -1;
  top.focus();
  top.removeAttribute("tabindex");
}"""
NAMELESS = """() => [...document.querySelectorAll("[data-stop]")].filter((one) => {
  const name = one.getAttribute("aria-label") || one.textContent.trim() || one.labels?.[0]?.textContent.trim();
  return !name;
}).map((one) => one.outerHTML.slice(0, 120))"""
# Where the focus is, and what is wrong with how that looks.
HERE = """() => {
  const one = document.activeElement;
  const stop = one?.dataset?.stop ?? null;
  const what = one?.outerHTML?.slice(0, 160);
  if (stop === null) return [stop, "no stop of ours", what];
  // A radio button lies unseen over its label.
  const seen = one.type === "radio" ? one.closest("label") ?? one : one;
  const { left, right, top, bottom } = seen.getBoundingClientRect();
  const inside = right > left && bottom > top && left >= -1 && right <= innerWidth + 1 &&
    (bottom - top > innerHeight ? top < innerHeight && bottom > 0 : top >= -1 && bottom <= innerHeight + 1);
  if (!inside) return [stop, `off the screen: ${[left, top, right, bottom]}`, what];
  if (!seen.checkVisibility({ opacityProperty: true, visibilityProperty: true })) return [stop, "hidden", what];
  // What is drawn in an SVG may be of any form.
  const hit = document.elementFromPoint((left + right) / 2, (Math.max(0, top) + Math.min(innerHeight, bottom)) / 2);
  const covered = !(one instanceof SVGElement) && hit !== null && !seen.contains(hit) && !hit.contains(seen);
  if (covered) return [stop, `covered by ${hit.outerHTML.slice(0, 80)}`, what];
  const changed = window.looks(one).some((look, i) => look !== one.unfocused[i]);
  return [stop, changed ? "" : "nothing shows that it has the focus", what];
}"""


def tabbed(page: Page, back: bool = True, least: int = 5) -> None:
    """Goes through the whole page, or a dialog over it, by Tab; every stop is met, in order, and can be seen.

    `back`: and back again by Shift+Tab.
    """
    # What is asked of the server comes later than the rest, and may be one more stop.
    page.wait_for_load_state("networkidle")
    page.evaluate(START)
    number: int = page.evaluate(STOPS)
    assert number >= least
    assert not page.evaluate(NAMELESS)
    for stop in range(number):
        page.keyboard.press("Tab")
        here, wrong, what = page.evaluate(HERE)
        assert here == str(stop), f"after {stop} stops: {what}"
        assert not wrong, f"stop {stop}: {wrong}: {what}"
    for stop in reversed(range(number - 1 if back else 0)):
        page.keyboard.press("Shift+Tab")
        assert page.evaluate(HERE)[0] == str(stop), "on the way back"
