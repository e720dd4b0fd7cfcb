"""How much a first visit fetches, as it comes over the line: compressed, without the typeface."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.others import CALM, Others
from tests.browser.seen import Seen

# In bytes; a table adds this to the first page.
HOME, TABLE = 60_000, 60_000


class Fetched:
    """Counts what a page fetches, from the first byte on."""

    def __init__(self, seen: Seen) -> None:
        self.sizes: dict[str, int] = {}
        self._asked: dict[str, str] = {}
        line = seen.context.new_cdp_session(seen.page)
        line.on("Network.requestWillBeSent", self._ask)
        line.on("Network.dataReceived", self._receive)
        line.send("Network.enable")

    def _ask(self, told: dict[str, Any]) -> None:
        self._asked[told["requestId"]] = told["request"]["url"]

    def _receive(self, told: dict[str, Any]) -> None:
        url = self._asked[told["requestId"]]
        if not url.endswith(".woff2"):
            name = url.rsplit("/", 1)[-1]
            self.sizes[name] = self.sizes.get(name, 0) + int(told["encodedDataLength"])

    def total(self) -> int:
        return sum(self.sizes.values())


@pytest.mark.parametrize("game", CALM)
def test_a_first_visit_is_light(browser: Browser, address: str, game: str) -> None:
    seen = Seen(browser)
    fetched = Fetched(seen)
    options: dict[str, Any] = {"die": "off"} if game == "cubes" else {}
    others = Others(address, game=game, **options)
    seen.page.goto(address)
    expect(seen.page.get_by_role("link", name="Play now").first).to_be_visible()
    seen.page.wait_for_load_state("networkidle")
    home = fetched.total()
    assert home <= HOME, str(sorted(fetched.sizes.items(), key=lambda one: -one[1]))
    if game == "dice":
        others.throw()
    else:
        others.begin_round()
    others.show(0, seen)
    seen.page.locator("svg.mine").first.wait_for()
    seen.page.wait_for_load_state("networkidle")
    assert fetched.total() - home <= TABLE, str(sorted(fetched.sizes.items(), key=lambda one: -one[1]))
    seen.close()
