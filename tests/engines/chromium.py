"""Chromium, by Playwright: the same one that the browser tests use. Touch uses Chromium's own protocol."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, sync_playwright

from hatch_build import node_from_wheel
from tests.browser import chromium as found_by
from tests.engines.driver import PATIENCE, SIZES, Driver, Hand, called


class Chromium(Driver):
    def __init__(self, hand: Hand, page: Page) -> None:
        super().__init__(hand)
        self._page = page
        self._line = page.context.new_cdp_session(page)
        self._at = (0.0, 0.0)
        self._touches = False

    def open(self, address: str) -> None:
        self._page.goto(address)

    def evaluate(self, function: str, *arguments: Any) -> Any:
        return self._page.evaluate(called(function, arguments))

    def move(self, x: float, y: float) -> None:
        self._at = x, y
        if self.hand == "mouse":
            self._page.mouse.move(x, y)
        elif self._touches:
            self._touch("touchMove")

    def press(self) -> None:
        if self.hand == "mouse":
            self._page.mouse.down()
        else:
            self._touches = True
            self._touch("touchStart")

    def release(self) -> None:
        if self.hand == "mouse":
            self._page.mouse.up()
        else:
            self._touches = False
            self._touch("touchEnd")

    def wheel(self, down: int) -> None:
        self._page.mouse.wheel(0, down)

    def key(self, key: str) -> None:
        self._page.keyboard.press(key)

    def picture(self) -> bytes:
        return self._page.screenshot()

    def _touch(self, kind: str) -> None:
        x, y = self._at
        points = [{"x": x, "y": y}] if self._touches else []
        self._line.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})


@contextmanager
def chromium(hand: Hand) -> Iterator[Chromium]:
    # Playwright's Node needs a library (libatomic) that a minimal Debian does not have; ours does not need it.
    os.environ["PLAYWRIGHT_NODEJS_PATH"] = str(node_from_wheel()[0])
    with sync_playwright() as playwright:
        found = found_by.find(Path(playwright.chromium.executable_path))
        browser = playwright.chromium.launch(
            executable_path=found.program, args=[*found_by.FLAGS], env={**found.environment}
        )
        width, height = SIZES[hand]
        touch = hand == "touch"
        page = browser.new_page(viewport={"width": width, "height": height}, has_touch=touch, locale="en")
        page.set_default_timeout(PATIENCE * 1000)
        yield Chromium(hand, page)
