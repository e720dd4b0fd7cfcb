"""A server that is killed in the middle of a round, and comes back: every screen has its board and its clock again."""

from __future__ import annotations

import json
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from time import monotonic
from typing import Any

from playwright.sync_api import Browser, Page, expect

from tests.browser.others import CALM, Others
from tests.browser.seen import Seen
from tests.ports import free_port
from tests.server.people import Person, hang_up_all

# How many seconds everything lasts here.
LONG: int = CALM["extreme"]["hourglass_s"]
# What lies, as a page draws it: in 3-D the plans tell what is in each cell.
LAID = {"cubes": "[data-cell]"}
DRAWN = "all => all.map((one) => one.getAttribute('aria-label') ?? one.innerHTML)"

# Remembers that it was told, and what lay there then, also if something newer is told since: ten seconds are soon over.
LISTENS = f"""
new MutationObserver(() => {{
  const said = document.querySelector(".story")?.textContent ?? "";
  const lies = ({DRAWN})([...document.querySelectorAll("svg.mine .laid")]);
  if (said.includes("The server was interrupted. Everyone gets at least 10 more seconds"))
    document.documentElement.dataset.interrupted ??= JSON.stringify(lies);
}}).observe(document, {{ childList: true, characterData: true, subtree: true }});
"""
# Who does so has not to wait for the next try, which may be nearly as far as these ten seconds. Not before the server
# is back: Chromium lets who has failed often wait for seconds.
LOOKS_AGAIN = "() => { setInterval(() => document.dispatchEvent(new Event('visibilitychange')), 200); }"


class Restarted:
    """A server that is killed and comes back at the same address, with the same log."""

    def __init__(self, db: Path) -> None:
        self._db = db

    def __enter__(self) -> Restarted:
        # Whoever asks for any port, a browser too, would else be given this one while the server is down.
        self._kept = free_port()
        self._port = self._kept.__enter__()
        self.address = f"http://127.0.0.1:{self._port}/"
        self.again()
        return self

    def kill(self) -> None:
        self._process.kill()
        self._process.communicate()

    def write(self, statement: str) -> None:
        with closing(sqlite3.connect(self._db)) as connection, connection:
            connection.execute(statement)

    def again(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "ubongo", "serve", "--port", str(self._port), "--db", str(self._db)],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        assert self._process.stdout is not None
        assert self._process.stdout.readline().startswith(f"Ubongo is at {self.address}")

    def __exit__(self, *problem: Any) -> None:
        self.kill()
        self._kept.__exit__(*problem)


def in_the_middle(process: Restarted, people: list[Person], game: str) -> Others:
    """A round in which the first of them has laid something."""
    # Nobody else does anything meanwhile.
    more: dict[str, Any] = {"round_s": LONG} if game == "cards" else {}
    others = Others(process.address, people, game, takeover_s=0, **more)
    if game in ("dice", "cubes"):
        others.throw()
    if game == "dice":
        others.grab()
        others.enter(0)
    else:
        others.begin_round()
        others.lay(0, 2)
    return others


def laid(page: Page, game: str) -> list[str]:
    found: list[str] = page.locator(LAID.get(game, "svg.mine .laid")).evaluate_all(DRAWN)
    return found


def test_a_server_that_is_killed_and_comes_back_finds_everything_as_it_was(browser: Browser, tmp_path: Path) -> None:
    """Ann plays all four games at once, and a fifth table whose edition is not there any more when she comes back."""
    games = ("extreme", "cubes", "cards", "dice", "extreme")
    with Restarted(tmp_path / "log.db") as process:
        people = [Person(process.address, name) for name in ("Ann", "Bo")]
        began = monotonic()
        tables = [in_the_middle(process, people, game) for game in games]
        ann = Seen(browser)
        ann.context.add_init_script(LISTENS)
        pages = [ann.page, *[ann.tab() for _ in games[1:]]]
        for page, others in zip(pages, tables, strict=True):
            ann.page = page
            others.show(0, ann)
        before = []
        for page, game in zip(pages, games, strict=True):
            expect(page.locator("svg.mine")).to_be_visible()
            expect(page.get_by_text("Connected", exact=True)).to_be_visible()
            before.append(laid(page, game))
        assert all(before)
        hang_up_all()
        process.kill()
        for page in pages:
            expect(page.get_by_text("Connection lost.")).to_be_visible()
        ann.page = pages[0]
        ann.look("lost-1400-light")
        # The first match began an hour earlier than it did, so its sand has run out meanwhile.
        process.write("update matches set started = started - 3600000 where match = 1")
        process.write("""update matches set opening = replace(opening, '"extreme-', '"extreme-no-') where match = 5""")
        process.again()
        pages[0].evaluate(LOOKS_AGAIN)
        told = pages[0].locator("html[data-interrupted]").get_attribute("data-interrupted")
        assert json.loads(told or "") == before[0]
        ann.look("interrupted-1400-light")
        for page, game, was in list(zip(pages, games, before, strict=True))[1:4]:
            expect(page.get_by_text("Connected", exact=True)).to_be_visible()
            assert laid(page, game) == was, game
            # What was left is left still: no more is gone than has gone by, and nobody began anew.
            left = int(page.locator(".time b").inner_text())
            assert LONG - (monotonic() - began) - 1 <= left <= LONG, game
        ann.page = pages[4]
        expect(ann.page.get_by_role("heading", name="This table is waiting for its edition")).to_be_visible()
        expect(ann.page.get_by_text("extreme-no-")).to_be_visible()
        ann.look("waits-1400-light")
        ann.page.goto(f"{process.address}replay/{tables[4].key}")
        expect(ann.page.get_by_text("extreme-no-")).to_be_visible()
        # A browser itself says that it was refused or found nobody there, also when it looks for the page's icon.
        nobody = ("WebSocket connection to", "ERR_CONNECTION_REFUSED", "409 (Conflict)")
        ann.complaints[:] = [one for one in ann.complaints if not any(words in one for words in nobody)]
        ann.close()
