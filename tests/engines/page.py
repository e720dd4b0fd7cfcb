"""Our page in a browser: what it shows, where it can be pressed, and its errors."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.engines.driver import PATIENCE, Driver, Failed, waited

PICTURES = Path(__file__).parent / "pictures"
Place = tuple[float, float]

# Records the page's pointer types and errors from now on.
NOTES = """() => {
  window.felt = new Set();
  addEventListener("pointerdown", (event) => window.felt.add(event.pointerType), { capture: true });
  window.complaints = [];
  const note = (what) => window.complaints.push(String(what));
  addEventListener("error", (event) => note(event.message));
  addEventListener("unhandledrejection", (event) => note(event.reason));
  addEventListener("securitypolicyviolation", (event) => note(`${event.violatedDirective} ${event.blockedURI}`));
  const { error } = console;
  console.error = (...what) => (note(what.join(" ")), error(...what));
}"""

# The first visible, enabled element whose name has these words.
FOUND = """
  const called = (one) => (one.getAttribute("aria-label") ?? one.textContent).replace(/\\s+/g, " ").trim();
  const seen = (one) => one.checkVisibility({ visibilityProperty: true }) && !one.disabled;
  const all = [...document.querySelectorAll(selector)].filter((one) => seen(one) && called(one).includes(name));
"""
# Running animations, except the sand, which runs for minutes, and endless ones.
MOVES = """
  const moving = document.getAnimations().filter(({ effect, playState }) =>
    playState === "running" && effect.getComputedTiming().endTime < 5000);
"""
COUNT = f"(selector, name) => {{ {FOUND} return all.length; }}"
# Where it can be pressed: in view, and uncovered. A box may stand still for a frame or two although an animation that
# moves it has started.
REACHED = f"""(selector, name) => new Promise((done) => requestAnimationFrame(() => {{
  {FOUND} {MOVES}
  const [one] = all;
  if (one === undefined || moving.some(({{ effect }}) => effect.target.contains(one))) return done(null);
  const {{ left, top, width, height }} = one.getBoundingClientRect();
  const [x, y] = [left + width / 2, top + height / 2];
  if (one.contains(document.elementFromPoint(x, y))) return done([x, y]);
  one.scrollIntoView({{ block: "center" }});
  done(null);
}}))"""
# A point in a drawing's own units, in screen coordinates.
ON_SCREEN = f"""(selector, x, y) => new Promise((done) => requestAnimationFrame(() => {{
  {MOVES}
  const one = document.querySelector(selector);
  if (one === null || moving.some(({{ effect }}) => effect.target.contains(one))) return done(null);
  const to = new DOMPoint(x, y).matrixTransform(one.getScreenCTM());
  done([to.x, to.y]);
}}))"""
MIDDLE = """(selector) => {
  const { left, top, width, height } = document.querySelector(selector).getBoundingClientRect();
  return [left + width / 2, top + height / 2];
}"""
MARKUP = "(selector) => document.querySelector(selector)?.innerHTML ?? ''"
STILL = f"() => {{ {MOVES} return moving.length === 0; }}"
DRAWN = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))"


class Page:
    """Our page in a browser. `name` is the prefix of its screenshots."""

    def __init__(self, driver: Driver, name: str) -> None:
        self.driver = driver
        self.name = name

    def open(self, address: str) -> None:
        self.driver.open(address)
        self.driver.evaluate(NOTES)

    def complaints(self) -> list[str]:
        """The page's errors, and pointer events of the wrong kind."""
        found: list[str] = self.driver.evaluate("() => window.complaints")
        felt: list[str] = self.driver.evaluate("() => [...window.felt]")
        return found + [f"a {hand} was felt" for hand in felt if hand != self.driver.hand]

    def ask(self, method: str, path: str, body: Any = None) -> Any:
        """A request to the server as the page's guest, but not by the page."""
        answer = self.driver.evaluate(
            """(method, path, body) => fetch(`/api${path}`, {
              method,
              ...(body === null ? {} : { body: JSON.stringify(body), headers: { "content-type": "application/json" } }),
            }).then((answer) => answer.json())""",
            method,
            path,
            body,
        )
        if "error" in answer:
            raise Failed(f"{path}: {answer['error']}")
        return answer

    # Looking

    def count(self, selector: str, name: str = "") -> int:
        number: int = self.driver.evaluate(COUNT, selector, name)
        return number

    def see(self, selector: str, name: str = "", number: int = 1, patience: float = PATIENCE) -> None:
        """Waits until that many of these are visible."""
        waited(lambda: self.count(selector, name) == number, f"{number} × {selector} {name!r}", patience)

    def markup(self, selector: str) -> str:
        text: str = self.driver.evaluate(MARKUP, selector)
        return text

    def drawn(self) -> None:
        self.driver.evaluate(DRAWN)

    def picture(self, moment: str) -> None:
        """A screenshot once nothing moves any more."""
        waited(lambda: self.driver.evaluate(STILL), f"a still picture of {moment}")
        self.drawn()
        self.save(moment)

    def save(self, moment: str) -> None:
        (PICTURES / f"{self.name}-{moment}.png").write_bytes(self.driver.picture())

    # Positions

    def reach(self, selector: str, name: str = "") -> Place:
        """The middle of an element, once it exists, is in view, uncovered and still."""
        return self._still(f"{selector} {name!r}", REACHED, selector, name)

    def on_screen(self, drawing: str, x: float, y: float) -> Place:
        return self._still(drawing, ON_SCREEN, drawing, x, y)

    def middle(self, selector: str) -> Place:
        x, y = self.driver.evaluate(MIDDLE, selector)
        return x, y

    def _still(self, what: str, function: str, *arguments: Any) -> Place:
        last: list[float] | None = None

        def look() -> Place | None:
            nonlocal last
            before, last = last, self.driver.evaluate(function, *arguments)
            return None if last is None or last != before else (last[0], last[1])

        return waited(look, f"{what} to be in reach")

    # Actions

    def press(self, selector: str, name: str = "") -> None:
        """A click, or a tap."""
        self.press_at(self.reach(selector, name))

    def press_at(self, place: Place) -> None:
        self.driver.move(*place)
        self.driver.press()
        self.driver.release()
