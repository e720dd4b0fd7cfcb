"""How much a first visit fetches, as it comes over the line: compressed, without the typeface."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.others import Others
from tests.browser.seen import Seen

# In bytes. The library that draws 3-D is larger than everything else together, and is fetched for its boards alone.
HOME, DRAWS_SOLIDS = 60_000, 150_000
# More than the first page. A 3-D board is also shown and used as plans, which is more than any other game needs.
TABLE = {"extreme": 60_000, "cards": 60_000, "dice": 60_000, "cubes": 62_300}
BOARD = {"extreme": "svg.mine", "cards": "svg.mine", "dice": "svg.mine", "cubes": "canvas.drawn"}


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

    def total(self, *, library: bool) -> int:
        """`library`: what only draws solids, or else all but that."""
        return sum(size for name, size in self.sizes.items() if name.startswith("scene-") == library)


@pytest.mark.parametrize("game", BOARD)
def test_a_first_visit_is_light(browser: Browser, address: str, game: str) -> None:
    seen = Seen(browser)
    fetched = Fetched(seen)
    options: dict[str, Any] = {"die": "off"} if game == "cubes" else {}
    others = Others(address, game=game, **options)
    seen.page.goto(address)
    expect(seen.page.get_by_role("link", name="Play now").first).to_be_visible()
    seen.page.wait_for_load_state("networkidle")
    home = fetched.total(library=False)
    assert home <= HOME, str(sorted(fetched.sizes.items(), key=lambda one: -one[1]))
    if game == "dice":
        others.throw()
    else:
        others.begin_round()
    others.show(0, seen)
    seen.page.locator(BOARD[game]).first.wait_for()
    seen.page.wait_for_load_state("networkidle")
    assert fetched.total(library=False) - home <= TABLE[game], str(
        sorted(fetched.sizes.items(), key=lambda one: -one[1])
    )
    assert fetched.total(library=True) <= DRAWS_SOLIDS
    seen.close()
