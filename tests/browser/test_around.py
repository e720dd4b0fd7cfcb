"""What there is besides the games is found from the first page."""

from pathlib import Path

import msgspec
import pytest
from playwright.sync_api import Browser, expect

from tests.browser.seen import DESK, PHONE, Seen
from tests.conftest import start
from ubongo.material import encode, identify, shipped
from ubongo.material.extreme import ExtremeEdition

WAYS = {
    "Lessons": ("learn", "Learn a game"),
    "Print and play": ("#print-extreme", "Extreme"),
    "Phone at the table": ("companion/extreme", "Extreme"),
    "Records": ("records", "Records"),
    "Editions": ("editions", "Editions"),
}


@pytest.mark.parametrize(("size", "scheme"), [(DESK, "light"), (PHONE, "dark")])
def test_one_tap_leads_there(browser: Browser, address: str, size: tuple[int, int], scheme: str) -> None:
    seen = Seen(browser, size, scheme)
    page = seen.page
    for number, (name, (path, title)) in enumerate(WAYS.items()):
        page.goto(address)
        around = page.get_by_role("navigation", name="More to do")
        expect(around.get_by_role("link")).to_have_count(len(WAYS))
        link = around.get_by_role("link", name=name)
        assert link.evaluate("one => one.getBoundingClientRect().height") >= 44
        link.click()
        expect(page).to_have_url(address + path)
        expect(page.get_by_role("heading", level=1)).to_contain_text(title)
        if size == DESK or path in {"learn", "editions"}:
            seen.look(f"around-{number}-{size[0]}-{scheme}")
    seen.close()


def test_a_newcomer_is_offered_a_lesson_once(browser: Browser, address: str) -> None:
    seen = Seen(browser, PHONE)
    seen.page.goto(address)
    expect(seen.page.get_by_text("First time?")).to_have_count(1)
    seen.close()


def test_open_tables_come_before_all_but_the_games(browser: Browser, address: str) -> None:
    seen = Seen(browser, PHONE)
    page = seen.page
    page.goto(address)
    expect(page.get_by_role("heading", name="Puzzles of the day")).to_be_visible()
    titles = page.get_by_role("heading", level=2).all_inner_texts()
    assert titles[4:] == ["Open tables", "Puzzles of the day", "More to do"]
    seen.close()


@pytest.mark.parametrize(("path", "game"), [("#print-", "extreme"), ("companion/", "cards")])
def test_from_one_game_to_another(browser: Browser, address: str, path: str, game: str) -> None:
    seen = Seen(browser, PHONE, "dark")
    page = seen.page
    page.goto(f"{address}{path}{game}")
    page.get_by_role("navigation").get_by_role("link", name="3-D").click()
    expect(page).to_have_url(f"{address}{path}cubes")
    expect(page.get_by_role("heading", level=1)).to_contain_text("3-D")
    seen.close()


def test_editions_of_this_server(browser: Browser, tmp_path: Path) -> None:
    edition = shipped("extreme")
    assert isinstance(edition, ExtremeEdition)
    own = identify(msgspec.structs.replace(edition, boards=edition.boards[::-1]))
    (tmp_path / "own.json").write_bytes(encode(own))
    with start("--editions", str(tmp_path)) as running:
        seen = Seen(browser, PHONE, language="de")
        seen.page.goto(f"{running.address}editions")
        expect(seen.page.get_by_role("listitem").filter(has_text=own.id)).to_contain_text("hier hinzugefügt")
        expect(seen.page.get_by_role("listitem").filter(has_text=edition.id)).to_contain_text("gehört zum Spiel")
        seen.look("editions-own-375-de-light")
        seen.close()
